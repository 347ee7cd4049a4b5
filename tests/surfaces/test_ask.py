"""``telha ask`` and ``telha index``: what is asked for, and how an answer looks."""

from typing import Any

import pytest

from app.core.errors import Invalid, LimitReached, Unavailable
from app.core.generation import Judgement
from app.core.states import Status
from app.flow import generate, retrieve, save
from app.payloads.answers import Saved
from app.payloads.generate import AnswerClaim, CitedView, Cost, Generated, Lag, Retrieved
from tests.builders import NOON
from tests.surfaces.conftest import Run
from tests.surfaces.fake_stack import FakeStack
from tests.surfaces.spy import Spy, spy

CITED = CitedView(source_id="rates/de", source_version_tx=NOON, start=0, end=9, quote="VAT is 19")
OTHER = CitedView(source_id="x", source_version_tx=NOON, start=4, end=9, quote="a\x1b[31mb")
NO_LAG = Lag(sources=0, oldest=None, stale=False)
MADE = Generated(
    trace_id="t-1",
    question="What is VAT?",
    draft="VAT is 19. It is [bold]fair[/].",
    valid_time=None,
    tx_time=NOON,
    source_ids=(),
    claims=(
        AnswerClaim(idx=0, text="VAT is 19.", verdict=Judgement.SUPPORTED, evidence=(CITED,)),
        AnswerClaim(
            idx=1,
            text="It is [bold]fair[/].",
            verdict=Judgement.UNVERIFIED,
            evidence=(OTHER, CITED),
            refused=("there is no passage 9",),
            pending_clarifications=("q1",),
        ),
    ),
    model="some-model",
    prompt_version="p-1",
    retriever_version="r-1",
    chunker_version="c-1",
    embedding_model=None,
    cost=Cost(tokens_in=5, tokens_out=2),
    lag=NO_LAG,
)
FOUND = Retrieved(
    trace_id="t-2",
    question="VAT",
    valid_time=NOON,
    tx_time=NOON,
    source_ids=(),
    passages=(CITED,),
    retriever_version="r-1",
    chunker_version="c-1",
    embedding_model="m",
    cost=Cost(),
    lag=NO_LAG,
    warnings=("mind the gap",),
)
SAVED = Saved(answer_id="a-1", trace_id="t-1", status=Status.CURRENT, created=True)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Spy:
    return spy(monkeypatch, generate, "generate", MADE)


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Spy:
    return spy(monkeypatch, retrieve, "retrieve", FOUND)


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> Spy:
    return spy(monkeypatch, save, "save_answer", SAVED)


def test_the_options_are_the_question(telha: Run, stack: FakeStack, made: Spy) -> None:
    options = ["--valid-time", "2026-03-01T12:00:00Z", "--source", "a", "--source", "b"]
    assert telha("ask", "What is VAT?", *options, "--request-id", "r").exit_code == 0
    asked = made.payload
    assert (asked.tenant, asked.question, asked.valid_time) == ("acme", "What is VAT?", NOON)
    assert (asked.source_ids, asked.request_id) == (("a", "b"), "r")


def test_an_answer_has_numbered_citations_and_its_texts_are_literal(
    telha: Run, stack: FakeStack, made: Spy
) -> None:
    lines = telha("ask", "What is VAT?").stdout.splitlines()
    assert lines[0] == "VAT is 19. [1]"
    assert lines[1] == (
        "It is [bold]fair[/]. [2][1] (unverified) (there is no passage 9)"
        " (a question about its source is open: q1)"
    )
    assert "[1] rates/de@2026-03-01T12:00:00Z 0-9  “VAT is 19”" in lines
    assert "[2] x@2026-03-01T12:00:00Z 4-9  “a\\u001b[31mb”" in lines
    assert any("some-model (p-1)" in line for line in lines)
    assert any("5 + 2 tokens" in line for line in lines)


def test_an_answer_tells_which_sources_were_asked(telha: Run, stack: FakeStack, made: Spy) -> None:
    made.result = MADE.model_copy(update={"source_ids": ("rates/de", "rates/[b]fr")})
    assert "rates/de, rates/[b]fr" in telha("ask", "What is VAT?").stdout


def test_an_answer_without_claims_is_its_draft(telha: Run, stack: FakeStack, made: Spy) -> None:
    made.result = MADE.model_copy(update={"claims": (), "draft": "Nothing."})
    assert telha("ask", "What?").stdout.startswith("Nothing.\n")


def test_json_holds_the_answer_whole(telha_json: Any, stack: FakeStack, made: Spy) -> None:
    told = telha_json("ask", "What is VAT?")
    assert told["answerId"] is None
    assert told["answer"]["claims"][0]["evidence"][0]["sourceVersionTx"] == NOON


def test_an_answer_is_saved_at_once(
    telha_json: Any, stack: FakeStack, made: Spy, saved: Spy
) -> None:
    options = ["--save", "--title", "VAT", "--person", "ana", "--request-id", "r"]
    assert telha_json("ask", "What is VAT?", *options)["answerId"] == "a-1"
    saving = saved.payload
    assert (saving.trace_id, saving.title, saving.created_by_person) == ("t-1", "VAT", "ana")
    assert saving.request_id == "r"
    assert stack.wake.tenants == ["acme"]


def test_without_save_nothing_is_saved(telha: Run, stack: FakeStack, made: Spy, saved: Spy) -> None:
    telha("ask", "What is VAT?", "--title", "VAT")
    assert (saved.args, stack.wake.tenants) == ([], [])


def test_a_query_finds_passages_alone(telha: Run, stack: FakeStack, made: Spy, found: Spy) -> None:
    result = telha("ask", "VAT", "--query")
    assert result.stdout.startswith("[1] rates/de@2026-03-01T12:00:00Z 0-9  “VAT is 19”")
    assert "words and m" in result.stdout
    assert "warning: mind the gap" in result.stderr
    assert made.args == []


def test_a_query_that_finds_nothing_says_so(telha: Run, stack: FakeStack, found: Spy) -> None:
    found.result = FOUND.model_copy(update={"passages": ()})
    assert telha("ask", "VAT", "--query").stdout.startswith("nothing was found")


def test_a_query_cannot_be_saved(telha: Run, stack: FakeStack, found: Spy) -> None:
    result = telha("ask", "VAT", "--query", "--save")
    assert (result.exit_code, found.args) == (2, [])
    assert result.stderr.startswith("OPTIONS_DIFFER")


@pytest.mark.parametrize(
    ("refusal", "code"),
    [
        (Invalid("GENERATOR_UNCONFIGURED", "none"), 2),
        (LimitReached("COST_CAP_EXCEEDED", "cap"), 5),
        (Unavailable("GENERATOR_UNAVAILABLE", "down"), 6),
    ],
)
def test_a_refusal_has_the_exit_code_of_its_kind(
    telha: Run, stack: FakeStack, made: Spy, refusal: Exception, code: int
) -> None:
    made.result = refusal
    assert telha("ask", "VAT").exit_code == code


@pytest.mark.parametrize(
    ("behind", "metered", "runs"),
    [
        (NO_LAG, False, 0),
        (Lag(sources=2, oldest=5, stale=False), False, 1),
        (Lag(sources=0, oldest=None, stale=True), False, 1),
        (Lag(sources=2, oldest=5, stale=False), True, 0),
    ],
)
def test_what_was_written_a_moment_ago_is_indexed_first_where_that_costs_nothing(
    telha: Run, stack: FakeStack, made: Spy, behind: Lag, metered: bool, runs: int
) -> None:
    stack.index.behind = behind
    stack.index.embedder.metered = metered
    telha("ask", "VAT")
    assert len(stack.index.runs) == runs


def test_an_index_run_tells_what_it_did(telha: Run, telha_json: Any, stack: FakeStack) -> None:
    assert telha_json("index", "run")["versions"] == 3
    telha("index", "run", "--all", "--tenant", "other")
    assert [each["anew"] for each in stack.index.runs] == [False, True]
    assert stack.index.tenants == ["acme", "other"]


def test_an_index_run_whose_model_fails_says_so(telha: Run, stack: FakeStack) -> None:
    stack.index.failed = "MODEL_UNAVAILABLE"
    result = telha("index", "run")
    assert "found by words alone meanwhile: MODEL_UNAVAILABLE" in result.stderr


def test_the_lag_of_the_index_is_shown(telha: Run, telha_json: Any, stack: FakeStack) -> None:
    stack.index.behind = Lag(sources=2, oldest=1_500_000, stale=True, versions=9)
    shown = telha("index", "status").stdout
    assert "1.5 s" in shown
    assert telha_json("index", "status")["lag"] == {
        "sources": 2,
        "oldest": 1_500_000,
        "stale": True,
        "versions": 9,
    }
