"""Rule 4 with the matcher: what a change did not touch stays current (seed §3.4 iv, DESIGN §5)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import pytest

from app.config import ModelsSettings
from app.core.errors import Unavailable
from app.core.match import MATCHER_VERSION
from app.core.states import Caveat, ClaimState, Severity, Status
from app.flow.jobs import LeaseLost
from app.flow.recheck import run_job
from app.flow.verify import Matcher
from app.graph.catalog import Query
from app.graph.queries import verify as q
from app.ports import Store, Tx
from tests.builders import Cite, Said, World
from tests.dumps import Graph
from tests.fakes import OneByOne, OvertakenStore, WordEmbedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

R = TypeVar("R")
T = TypeVar("T")

TERMS = "# Terms\n\nThe cap is €2m. It holds for a year.\n\nRefunds are paid within 30 days.\n"
KEPT = "MATCH (v:Verification {tenant: $tenant}) RETURN v.verdict AS verdict, v.reasons AS reasons"
TIED = """
MATCH (v:Verification {tenant: $tenant})-[:OF]->(c:Claim)
RETURN c.trace_id AS trace_id, c.idx AS idx, COUNT { (v)-[:AGAINST]->() } AS against
"""


@dataclass
class Counted(OneByOne):
    """A store that notes which statements it ran."""

    store: Store
    ran: list[str] = field(default_factory=list)
    commits: int = 0

    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        self.ran.append(query.name)
        return self.store.read(query, **parameters)

    def write(self, work: Callable[[Tx], T], /) -> T:
        self.commits += 1
        return self.store.write(work)


@pytest.fixture
def matched(world: World) -> World:
    """A world whose re-checks verify by the matcher's rules."""
    world.verifier = Matcher(world.store, world.clock)
    return world


def capped(world: World, text: str = TERMS, quote: str = "The cap is €2m.") -> str:
    tx = world.version("terms", text).tx
    answer_id = world.answer(Said("The cap is €2m.", [Cite("terms", tx, quote)]))
    world.clock.advance(10)
    return answer_id


def change(world: World, text: str) -> None:
    world.version("terms", text)
    world.settle()


def test_answer_current_on_untouched_change(matched: World, graph: Graph) -> None:
    answer_id = capped(matched)
    change(matched, TERMS.replace("30 days", "14 days"))
    shown = matched.show(answer_id)
    assert shown.status is Status.CURRENT
    assert len(shown.history) == 1
    [claim] = shown.claims
    assert (claim.state, claim.causes, claim.caveats) == (ClaimState.OK, (), ())
    assert claim.verification is not None
    assert claim.verification.verdict == "supported"
    assert claim.verification.matcher_version == MATCHER_VERSION
    [against] = claim.verification.against
    new = TERMS.replace("30 days", "14 days")
    assert new[against.start : against.end] == "The cap is €2m."
    matched.close_windows()
    assert matched.events() == []
    assert [row["verdict"] for row in graph.rows(KEPT, matched.tenant)] == ["supported"]


def test_a_number_that_changed_is_material_and_its_place_is_shown(matched: World) -> None:
    answer_id = capped(matched)
    new = "A word before.\n\n" + TERMS.replace("€2m", "€5m")
    change(matched, new)
    shown = matched.show(answer_id)
    assert (shown.status, shown.severity) == (Status.STALE, Severity.MATERIAL)
    [claim] = shown.claims
    [cause] = claim.causes
    assert new[cause.winning_start : cause.winning_end] == "The cap is €5m."
    assert claim.verification is not None
    assert claim.verification.verdict != "supported"
    assert claim.verification.reasons != ()
    assert Caveat.VERIFICATION_UNAVAILABLE not in claim.caveats


def test_a_past_state_shows_the_verdict_of_its_time(matched: World) -> None:
    answer_id = capped(matched)
    told = []
    for days in ("14", "10"):
        change(matched, TERMS.replace("30", days))
        [claim] = matched.show(answer_id).claims
        told.append((matched.clock.at, claim.verification))
        matched.clock.advance(10)
    (first, one), (second, other) = told
    assert len({None, one, other}) == 3
    for at, shown in ((first - 1, None), (first, one), (second - 1, one), (second, other)):
        [claim] = matched.show(answer_id, at=at).claims
        assert claim.verification == shown


def test_another_word_that_changed_is_no_severity(matched: World) -> None:
    answer_id = capped(matched)
    change(matched, TERMS.replace("The cap is €2m.", "The cap is not €2m."))
    shown = matched.show(answer_id)
    assert (shown.status, shown.severity) == (Status.STALE, None)


def test_a_text_that_is_gone_keeps_its_claim_affected(matched: World) -> None:
    answer_id = capped(matched)
    change(matched, "# Terms\n\nRefunds are paid within 30 days.\n")
    shown = matched.show(answer_id)
    assert shown.status is Status.STALE
    [claim] = shown.claims
    assert claim.causes[0].winning_start is None
    assert claim.verification is not None
    assert claim.verification.reasons[0].startswith("span: ")


def test_a_source_that_ended_clears_nothing(matched: World) -> None:
    answer_id = capped(matched)
    matched.end("terms")
    matched.settle()
    assert matched.status(answer_id) is Status.STALE


def test_a_value_under_another_heading_is_another_fact(matched: World) -> None:
    text = "# Europe\n\nThe fee is 20 euro a month.\n\n# Asia\n\nThe fee is 30 euro a month.\n"
    moved = "# Europe\n\nThe fee is 25 euro a month.\n\n# Asia\n\nThe fee is 20 euro a month.\n"
    tx = matched.version("terms", text).tx
    said = Said("The fee is 20 euro.", [Cite("terms", tx, "The fee is 20 euro a month.")])
    answer_id = matched.answer(said)
    matched.clock.advance(10)
    change(matched, moved)
    assert matched.status(answer_id) is Status.STALE


def test_a_text_that_returns_makes_the_answer_right_again(matched: World) -> None:
    answer_id = capped(matched)
    change(matched, TERMS.replace("€2m", "€5m"))
    assert matched.status(answer_id) is Status.STALE
    matched.clock.advance(10)
    change(matched, TERMS)
    assert matched.status(answer_id) is Status.CURRENT


def test_an_addition_that_contradicts_keeps_the_claim_affected(matched: World) -> None:
    answer_id = capped(matched)
    change(matched, TERMS + "\nThe cap is no longer €2m.\n")
    assert matched.status(answer_id) is Status.STALE


def test_a_second_check_of_an_unchanged_store_reads_no_text(matched: World) -> None:
    answer_id = capped(matched)
    change(matched, TERMS.replace("30 days", "14 days"))
    counted = Counted(matched.store)
    matched.verifier = Matcher(counted, matched.clock)
    [checked] = matched.check(answer_id)
    assert (checked.changed, checked.transition) == (False, False)
    assert q.READ_VERIFICATIONS.name in counted.ran
    assert q.READ_TEXTS.name not in counted.ran


def test_a_verdict_is_kept_by_the_commit_of_its_check(matched: World, graph: Graph) -> None:
    answer_id = capped(matched)
    matched.version("terms", TERMS.replace("30 days", "14 days"))
    counted = Counted(matched.store)
    world = matched.on(counted)
    world.verifier = Matcher(counted, matched.clock)
    [checked] = world.check(answer_id)
    assert (checked.status, counted.commits) == (Status.CURRENT, 1)
    assert [row["verdict"] for row in graph.rows(KEPT, matched.tenant)] == ["supported"]


def test_a_check_whose_lease_was_lost_keeps_no_verdict(matched: World, graph: Graph) -> None:
    capped(matched)
    matched.version("terms", TERMS.replace("30 days", "14 days"))
    matched.dispatch()
    late = matched.leased(seconds=1)
    wanted = late.wanted(matched.store)
    matched.real.advance(2)
    on_time = matched.leased()
    with pytest.raises(LeaseLost):
        matched.rechecker().check(matched.tenant, wanted, lease=late)
    assert graph.rows(KEPT, matched.tenant) == []
    run_job(matched.rechecker(), on_time)
    assert len(graph.rows(KEPT, matched.tenant)) == 1


def test_a_verdict_stays_where_its_answer_moved_meanwhile(matched: World, graph: Graph) -> None:
    answer_id = capped(matched)
    matched.version("terms", TERMS.replace("30 days", "14 days"))
    again = partial(matched.version, "terms", TERMS.replace("30 days", "7 days"))
    [checked] = matched.on(OvertakenStore(matched.store, again, times=1)).check(answer_id)
    assert checked.status is Status.CURRENT
    assert len(graph.rows(KEPT, matched.tenant)) == 2


def test_answers_on_one_trace_share_a_verdict_and_each_claim_is_tied_to_its_own(
    matched: World, graph: Graph
) -> None:
    first = capped(matched)
    [tx] = {tx for source_id, tx in matched.texts if source_id == "terms"}
    second = matched.answer(Said("The cap is €2m.", [Cite("terms", tx, "The cap is €2m.")]))
    change(matched, TERMS.replace("30 days", "14 days"))
    assert len(graph.rows(KEPT, matched.tenant)) == 1
    traces = {matched.show(each).trace_id for each in (first, second)}
    tied = graph.rows(TIED, matched.tenant)
    assert {(row["trace_id"], row["idx"], row["against"]) for row in tied} == {
        (trace_id, 0, 1) for trace_id in traces
    }


@dataclass
class Model:
    """An embedding model that counts the texts it was given, and may fail with a code."""

    fails: str | None = None
    texts: list[str] = field(default_factory=list)
    metered: bool = True
    configured: bool = True
    name: str = "words-1"
    dimensions: int = 16

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        self.texts += texts
        if self.fails is not None:
            raise Unavailable(self.fails, "the fake model fails")
        return WordEmbedder().embed(texts)


def test_a_model_ranks_once_and_a_second_check_embeds_nothing(matched: World) -> None:
    model = Model()
    matched.verifier = Matcher(matched.store, matched.clock, model)
    answer_id = capped(matched)
    change(matched, TERMS.replace("30 days", "14 days"))
    assert matched.status(answer_id) is Status.CURRENT
    assert "The cap is €2m." in model.texts
    asked = len(model.texts)
    for _ in range(3):
        matched.check(answer_id)
    assert len(model.texts) == asked
    [claim] = matched.show(answer_id).claims
    assert claim.verification is not None
    assert claim.verification.model == "words-1"


@pytest.mark.parametrize("code", ["MODEL_UNAVAILABLE", "MODEL_REFUSED"])
def test_a_model_that_fails_leaves_the_claim_affected_and_is_asked_again(
    matched: World, code: str, graph: Graph
) -> None:
    model = Model(fails=code)
    matched.verifier = Matcher(matched.store, matched.clock, model)
    answer_id = capped(matched)
    change(matched, TERMS.replace("30 days", "14 days"))
    [claim] = matched.show(answer_id).claims
    assert (claim.state, claim.caveats) == (
        ClaimState.AFFECTED,
        (Caveat.VERIFICATION_UNAVAILABLE,),
    )
    assert graph.rows(KEPT, matched.tenant) == []
    model.fails = None
    matched.clock.advance(600)
    matched.due()
    matched.settle()
    assert matched.status(answer_id) is Status.CURRENT


def test_a_model_over_the_cap_of_the_day_is_not_called(matched: World) -> None:
    model = Model()
    caps = ModelsSettings(max_embeddings_per_day=0)
    matched.verifier = Matcher(matched.store, matched.clock, model, caps)
    answer_id = capped(matched)
    change(matched, TERMS.replace("30 days", "14 days"))
    [claim] = matched.show(answer_id).claims
    assert claim.caveats == (Caveat.VERIFICATION_UNAVAILABLE,)
    assert model.texts == []


def test_another_matcher_version_asks_anew(
    matched: World, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_id = capped(matched)
    change(matched, TERMS.replace("30 days", "14 days"))
    monkeypatch.setattr("app.flow.verify.MATCHER_VERSION", "next")
    matched.check(answer_id)
    assert len(graph.rows(KEPT, matched.tenant)) == 2


def test_every_displaced_citation_must_have_its_span(matched: World) -> None:
    one, two = matched.version("a", "The cap is €2m.").tx, matched.version("b", "It is annual.").tx
    cites = [Cite("a", one, "The cap is €2m."), Cite("b", two, "It is annual.")]
    answer_id = matched.answer(Said("The cap is €2m and annual.", cites))
    matched.clock.advance(10)
    matched.version("a", "The cap is €2m. Payment is in euro.")
    matched.settle()
    assert matched.status(answer_id) is Status.CURRENT
    matched.clock.advance(10)
    matched.version("b", "Nothing is said here.")
    matched.settle()
    assert matched.status(answer_id) is Status.STALE


BOUND = [
    pytest.param({"text": "The cap is €2m."}, Status.CURRENT, id="says the claim"),
    pytest.param({"text": "The cap is €5m."}, Status.STALE, id="contradicts"),
    pytest.param({"text": "It is per incident."}, Status.STALE, id="says something else"),
]


@pytest.mark.parametrize(("outcome", "status"), BOUND)
def test_answer_pending_and_conflicted_re_verified(
    matched: World, outcome: dict[str, str], status: Status
) -> None:
    tx = matched.version("terms", TERMS).tx
    matched.ask("terms")
    cites = [Cite("terms", tx, "The cap is €2m.")]
    answer_id = matched.answer(Said("The cap is €2m.", cites, pending=["q1"]))
    assert matched.status(answer_id) is Status.PENDING
    matched.clarify("conflicted")
    matched.settle()
    assert matched.status(answer_id) is Status.CONFLICTED
    matched.clarify("bound", bind=tx, **outcome)
    matched.settle()
    assert matched.status(answer_id) is status


def test_a_binding_that_chose_another_version_does_not_clear(matched: World) -> None:
    first = matched.version("terms", TERMS).tx
    matched.clock.advance(10)
    other = matched.version("terms", TERMS.replace("30 days", "14 days")).tx
    matched.ask("terms")
    cites = [Cite("terms", other, "The cap is €2m.")]
    answer_id = matched.answer(Said("The cap is €2m.", cites, pending=["q1"]))
    matched.clarify("bound", text="The cap is €2m.", bind=first)
    matched.settle()
    assert matched.status(answer_id) is Status.STALE


def test_answer_recheck_idempotent_with_the_matcher_on(matched: World) -> None:
    answer_id = capped(matched)
    change(matched, TERMS.replace("€2m", "€5m"))
    before = matched.show(answer_id)
    for _ in range(3):
        [checked] = matched.check(answer_id)
        assert (checked.changed, checked.transition) == (False, False)
    assert matched.show(answer_id).history == before.history
    matched.close_windows()
    assert len(matched.events()) == 1


def test_answer_no_generate_on_check_with_the_matcher_on(
    matched: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_id = capped(matched)

    def poisoned(*_: object, **__: object) -> None:
        raise AssertionError("a re-check reached out")

    for call in ("urllib.request.urlopen", "http.client.HTTPConnection.request"):
        monkeypatch.setattr(call, poisoned)
    change(matched, TERMS.replace("€2m", "€5m"))
    assert matched.status(answer_id) is Status.STALE
    assert not [name for name in dir(matched.rechecker()) if "generat" in name.lower()]


def test_an_end_that_came_by_the_clock_is_verified_too(matched: World) -> None:
    soon = matched.clock.now() + 60_000_000
    tx = matched.version("terms", TERMS, validTo=soon).tx
    answer_id = matched.answer(Said("The cap is €2m.", [Cite("terms", tx, "The cap is €2m.")]))
    matched.version("terms", TERMS.replace("30 days", "14 days"), validFrom=soon)
    matched.settle()
    matched.clock.advance(61)
    matched.due()
    matched.settle()
    assert matched.status(answer_id) is Status.CURRENT
