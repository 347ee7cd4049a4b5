"""A model of one's own beside the rules: it may veto what they clear, and clears nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from app.config import Settings
from app.core.errors import Unavailable
from app.core.states import Caveat, ClaimState, Severity, Status
from app.core.verification import Doubt
from app.flow.verify import Matcher
from app.models.nli import OnnxNli
from app.models.none import NoEmbedder
from app.payloads.answers import ClaimView
from app.ports import Veto
from app.wiring import _verifier
from tests.builders import Cite, Said, World
from tests.dumps import Graph
from tests.fakes import WordEmbedder
from tests.models.tiny_nli import tiny_nli

FEES = "# Fees\n\nThe fee of voided orders is €2.\n\nIt holds.\n\nRefunds take 30 days.\n"
FEE = "The fee of voided orders is €2."
KEPT = "MATCH (v:Verification {tenant: $tenant}) RETURN v.model AS model ORDER BY model"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny_nli(tmp_path / "nli")


@dataclass
class Asked:
    """A veto that notes each call, and may fail with a code once it is asked."""

    veto: Veto
    fails: bool = False
    calls: list[list[tuple[str, str]]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.veto.name

    def read(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Doubt]:
        self.calls.append(list(pairs))
        if self.fails:
            raise Unavailable("MODEL_UNAVAILABLE", "the fake veto fails")
        return self.veto.read(pairs)


def vetoing(world: World, folder: Path) -> Asked:
    """Give a world the matcher's rules with a veto."""
    veto = Asked(OnnxNli(folder))
    world.verifier = Matcher(world.store, world.clock, veto=veto)
    return veto


def saved(world: World, *quotes: str, text: str = FEES) -> str:
    """Save an answer that says what it quotes, a claim for each quote."""
    tx = world.version("fees", text).tx
    answer_id = world.answer(*(Said(quote, [Cite("fees", tx, quote)]) for quote in quotes))
    world.clock.advance(10)
    return answer_id


def change(world: World, old: str = "30 days", new: str = "14 days") -> None:
    [text] = [text for (source_id, _), text in world.texts.items() if source_id == "fees"]
    world.version("fees", text.replace(old, new))
    world.settle()


def only_claim(world: World, answer_id: str) -> ClaimView:
    [claim] = world.show(answer_id).claims
    return claim


def test_a_contradiction_takes_back_that_a_claim_is_cleared(world: World, folder: Path) -> None:
    veto = vetoing(world, folder)
    answer_id = saved(world, FEE)
    change(world)
    shown = world.show(answer_id)
    assert (shown.status, shown.severity) == (Status.STALE, None)
    found = only_claim(world, answer_id).verification
    assert found is not None
    assert (found.verdict, found.material, found.model) == ("partial", False, veto.name)
    assert found.reasons[0] == f"vetoed: {veto.name} reads a contradiction (100 %)"
    assert len(found.reasons) > 1
    assert veto.calls == [[(FEE, FEE)]]


def test_what_the_model_does_not_contradict_stays_current(world: World, folder: Path) -> None:
    veto = Asked(OnnxNli(folder))
    world.verifier = Matcher(world.store, world.clock, WordEmbedder(), veto=veto)
    answer_id = saved(world, "It holds.")
    change(world)
    assert world.status(answer_id) is Status.CURRENT
    found = only_claim(world, answer_id).verification
    assert found is not None
    assert (found.verdict, found.model) == ("supported", f"words + {veto.name}")


def test_a_word_in_the_last_piece_of_a_long_citation_vetoes(world: World, folder: Path) -> None:
    long = " ".join(f"Clause {n} holds in all of the lands." for n in range(60)) + " " + FEE
    vetoing(world, folder)
    answer_id = saved(world, long, text=f"{long}\n\nRefunds take 30 days.\n")
    change(world)
    assert world.status(answer_id) is Status.STALE


def test_what_the_rules_do_not_clear_is_not_asked(world: World, folder: Path) -> None:
    veto = vetoing(world, folder)
    answer_id = saved(world, FEE)
    change(world, "€2", "€5")
    shown = world.show(answer_id)
    assert (shown.status, shown.severity) == (Status.STALE, Severity.MATERIAL)
    assert veto.calls == []


def test_all_that_claims_rest_on_is_asked_at_once(world: World, folder: Path) -> None:
    veto = vetoing(world, folder)
    fees, terms = world.version("fees", FEES).tx, world.version("terms", "It holds well.").tx
    world.ask("fees")
    both = Said("It holds.", [Cite("fees", fees, "It holds."), Cite("terms", terms, "It holds")])
    first = world.answer(both, Said(FEE, [Cite("fees", fees, FEE)], pending=["q1"]))
    second = world.answer(Said("It holds.", both.cites), Said(FEE, [Cite("fees", fees, FEE)]))
    world.clock.advance(10)
    world.clarify("bound", text=FEE, bind=fees)
    world.version("fees", FEES.replace("30 days", "14 days"))
    veto.calls.clear()
    world.check(first, second)
    [pairs] = veto.calls
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == {("It holds.", "It holds."), ("It holds", "It holds."), (FEE, FEE)}


def test_a_text_of_a_binding_is_asked_too(world: World, folder: Path) -> None:
    veto = vetoing(world, folder)
    tx = world.version("fees", FEES).tx
    world.ask("fees")
    said = Said("It holds.", [Cite("fees", tx, "It holds.")], pending=["q1"])
    answer_id = world.answer(said)
    world.clarify("bound", text="It holds. Orders may be voided.", bind=tx)
    world.settle()
    assert ("It holds. Orders may be voided.", "It holds.") in veto.calls[-1]
    assert world.status(answer_id) is Status.STALE


def test_a_second_check_asks_nothing_and_another_model_is_asked_again(
    world: World, folder: Path, graph: Graph
) -> None:
    veto = vetoing(world, folder)
    answer_id = saved(world, FEE)
    change(world)
    again = vetoing(world, folder)
    for _ in range(3):
        [checked] = world.check(answer_id)
        assert not checked.changed
    assert again.calls == []
    other = vetoing(world, tiny_nli(folder.parent / "other" / "nli", weight=0))
    world.check(answer_id)
    assert other.calls == [[(FEE, FEE)]]
    assert world.status(answer_id) is Status.CURRENT
    models = [row["model"] for row in graph.rows(KEPT, world.tenant)]
    assert models == sorted([veto.name, other.name])


UNAVAILABLE = [
    pytest.param("model.onnx", None, id="absent"),
    pytest.param("model.onnx", b"no model", id="corrupt"),
    pytest.param("config.json", b'{"id2label": {"0": "entailment"}}', id="no such label"),
]


@pytest.mark.parametrize(("name", "content"), UNAVAILABLE)
def test_while_the_model_is_unavailable_nothing_is_cleared_and_once_mended_it_is(
    world: World, folder: Path, graph: Graph, name: str, content: bytes | None
) -> None:
    file = folder / name
    file.unlink() if content is None else file.write_bytes(content)
    veto = vetoing(world, folder)
    answer_id = saved(world, "It holds.")
    with capture_logs() as logs:
        change(world)
    [told] = {each["told"] for each in logs if each["event"] == "model_unavailable"}
    assert f"the NLI model in {folder}: " in told
    claim = only_claim(world, answer_id)
    assert (claim.state, claim.caveats) == (
        ClaimState.AFFECTED,
        (Caveat.VERIFICATION_UNAVAILABLE,),
    )
    assert (graph.rows(KEPT, world.tenant), veto.calls) == ([], [])
    tiny_nli(folder)
    world.clock.advance(600)
    world.due()
    world.settle()
    assert world.status(answer_id) is Status.CURRENT


def test_a_run_that_fails_leaves_unverified_only_what_the_rules_clear(
    world: World, folder: Path
) -> None:
    veto = vetoing(world, folder)
    veto.fails = True
    answer_id = saved(world, "It holds.", FEE)
    change(world, "€2", "€5")
    shown = world.show(answer_id)
    assert [claim.caveats for claim in shown.claims] == [(Caveat.VERIFICATION_UNAVAILABLE,), ()]
    assert (shown.status, shown.severity) == (Status.STALE, Severity.MATERIAL)
    veto.fails = False
    world.clock.advance(600)
    world.due()
    world.settle()
    assert world.states(answer_id) == [ClaimState.OK, ClaimState.AFFECTED]


def test_it_is_asked_where_the_rules_judge_alone(
    world: World, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TELHA_ANSWERS__VERIFY_BY_RULES_ALONE", "true")
    answer_id = saved(world, FEE)
    world.verifier = _verifier(Settings(), world.store, world.clock, NoEmbedder())
    change(world)
    assert world.status(answer_id) is Status.CURRENT
    monkeypatch.setenv("TELHA_MODELS__NLI", str(folder))
    world.verifier = _verifier(Settings(), world.store, world.clock, NoEmbedder())
    world.check(answer_id)
    assert world.status(answer_id) is Status.STALE
