"""``telha ingest``: options become the payload exactly, and what changed wakes the workers."""

from pathlib import Path
from typing import Any

import pytest

from app.core.chain import Outcome
from app.core.rules import ClarificationPhase
from app.core.values import MAX_TEXT_BYTES
from app.flow import clarify, ingest, override, tombstone
from app.payloads.ingest import Clarified, Overridden, Removed
from tests.builders import NOON
from tests.surfaces.conftest import Run
from tests.surfaces.fake_stack import FakeStack
from tests.surfaces.spy import Spy, spy
from tests.surfaces.views import ingested

AT = "2026-03-01T12:00:00Z"
OVERRIDDEN = Overridden(
    override_id="o-1",
    source_id="rates/de",
    tx=NOON,
    bound_tx=NOON - 1,
    valid_from=NOON,
    valid_to=None,
    released=False,
    changed=True,
)


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> Spy:
    return spy(monkeypatch, ingest, "ingest_version", ingested())


def stated(payload: Any) -> dict[str, Any]:
    return dict(payload.model_dump(exclude_none=True))


@pytest.mark.usefixtures("stack")
def test_all_options_of_a_version_reach_the_flow(telha: Run, stored: Spy) -> None:
    options = "--tx 9 --valid-from 10 --valid-to 11 --source-ts 12 --corrects 13 --origin git:1"

    result = telha("ingest", "version", "s", "--text", "t", *options.split(), "--request-id", "r")

    assert result.exit_code == 0
    assert stated(stored.payload) == {
        "tenant": "acme",
        "source_id": "s",
        "text": "t",
        "tx": 9,
        "valid_from": 10,
        "valid_to": 11,
        "source_ts": 12,
        "corrects": 13,
        "origin": "git:1",
        "request_id": "r",
    }


@pytest.mark.usefixtures("stack")
def test_times_are_given_as_rfc_3339_too(telha: Run, stored: Spy) -> None:
    telha("ingest", "version", "s", "--text", "t", "--tx", AT, "--corrects", AT)

    assert (stored.payload.tx, stored.payload.corrects) == (NOON, NOON)


@pytest.mark.usefixtures("stack")
@pytest.mark.parametrize("option", ["--tx", "--valid-from", "--corrects", "--source-ts"])
@pytest.mark.parametrize("time", ["2026-03-01T12:00:00", "yesterday", "-1", "1.5"])
def test_a_time_without_offset_or_out_of_range_is_refused(
    telha: Run, stored: Spy, option: str, time: str
) -> None:
    result = telha("ingest", "version", "s", "--text", "t", f"{option}={time}")

    assert result.exit_code == 2
    assert "INSTANT_INVALID" in result.stderr
    assert stored.args == []


@pytest.mark.usefixtures("stack")
@pytest.mark.parametrize("text", [b"a\r\nb\r\n", b"\xef\xbb\xbfx", b" trailing \n\n", b"", b"a\rb"])
def test_a_file_is_stored_exactly_as_it_is(
    telha: Run, stored: Spy, tmp_path: Path, text: bytes
) -> None:
    file = tmp_path / "text"
    file.write_bytes(text)

    telha("ingest", "version", "s", "--file", str(file))

    assert stored.payload.text.encode() == text


@pytest.mark.usefixtures("stack")
def test_a_dash_reads_standard_input_exactly(telha: Run, stored: Spy) -> None:
    telha("ingest", "version", "s", "--file", "-", stdin=b"a\r\nb \n")

    assert stored.payload.text == "a\r\nb \n"


@pytest.mark.usefixtures("stack")
def test_a_text_given_twice_or_not_at_all_is_refused(
    telha: Run, stored: Spy, tmp_path: Path
) -> None:
    file = tmp_path / "text"
    file.touch()

    twice = telha("ingest", "version", "s", "--text", "t", "--file", str(file))
    never = telha("ingest", "version", "s")

    assert (twice.exit_code, never.exit_code) == (2, 2)
    assert twice.stderr.startswith("TEXT_TWICE")
    assert never.stderr.startswith("TEXT_MISSING")
    assert stored.args == []


@pytest.mark.usefixtures("stack")
@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"\xff\xfe", "TEXT_INVALID"),
        (b"x" * (MAX_TEXT_BYTES + 1), "TEXT_TOO_LONG"),
        (b"x" * (MAX_TEXT_BYTES - 1) + "ä".encode(), "TEXT_TOO_LONG"),
    ],
    ids=["no UTF-8", "too long", "too long by half a character"],
)
def test_a_file_that_cannot_be_text_is_refused(
    telha: Run, stored: Spy, tmp_path: Path, content: bytes, code: str
) -> None:
    file = tmp_path / "text"
    file.write_bytes(content)

    result = telha("ingest", "version", "s", "--file", str(file))

    assert result.exit_code == 2
    assert result.stderr.startswith(code)
    assert stored.args == []


@pytest.mark.usefixtures("stack")
def test_the_longest_text_is_taken(telha: Run, stored: Spy, tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes(b"x" * MAX_TEXT_BYTES)

    assert telha("ingest", "version", "s", "--file", str(file)).exit_code == 0
    assert len(stored.payload.text) == MAX_TEXT_BYTES


@pytest.mark.usefixtures("stack")
def test_a_file_that_is_not_there_is_refused_by_name(telha: Run, stored: Spy) -> None:
    result = telha("ingest", "version", "s", "--file", "nowhere.txt")

    assert result.exit_code == 2
    assert result.stderr.startswith("FILE_UNREADABLE")
    assert "nowhere.txt" in result.stderr
    assert stored.args == []


@pytest.mark.parametrize(
    ("outcome", "woken"),
    [(Outcome.STORED, ["acme"]), (Outcome.OBSERVED, []), (Outcome.DUPLICATE, [])],
)
def test_only_what_was_stored_wakes_the_workers(
    telha: Run, stack: FakeStack, stored: Spy, outcome: Outcome, woken: list[str]
) -> None:
    stored.result = ingested(outcome=outcome)

    telha("ingest", "version", "s", "--text", "t")

    assert stack.wake.tenants == woken


@pytest.mark.usefixtures("stack", "stored")
def test_a_version_that_wins_says_so(telha: Run) -> None:
    told = telha("ingest", "version", "s", "--text", "t").stdout

    assert "wins now    yes" in told
    assert "2026-03-01T12:00:00Z until further notice" in told


@pytest.mark.usefixtures("stack")
def test_a_version_that_does_not_win_says_why_not(telha: Run, stored: Spy) -> None:
    stored.result = ingested(wins_now=False, why_not="newer_version", winning_tx=NOON + 1)

    told = telha("ingest", "version", "s", "--text", "t").stdout

    assert "no: newer_version" in told
    assert "2026-03-01T12:00:00.000001Z" in told


@pytest.mark.usefixtures("stack", "stored")
def test_json_has_the_names_and_the_integers_of_the_payload(telha_json: Run) -> None:
    told: Any = telha_json("ingest", "version", "s", "--text", "t")

    assert told == ingested().model_dump(mode="json", by_alias=True)
    assert (told["validFrom"], told["validTo"]) == (NOON, None)


def test_the_tenant_is_the_option_else_the_environment_else_the_setting(
    telha: Run, stack: FakeStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = spy(monkeypatch, ingest, "ingest_version", ingested())

    telha("ingest", "version", "s", "--text", "t")
    monkeypatch.setenv("TELHA_TENANT", "env")
    telha("ingest", "version", "s", "--text", "t")
    telha("ingest", "version", "s", "--text", "t", "--tenant", "option")

    assert [args[-1].tenant for args in done.args] == ["acme", "env", "option"]
    assert stack.wake.tenants == ["acme", "env", "option"]


def test_an_end_reaches_the_flow(
    telha: Run, stack: FakeStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = spy(monkeypatch, ingest, "ingest_end", ingested(winning_tx=None))

    assert telha("ingest", "end", "s", "--valid-from", AT, "--tx", "5").exit_code == 0

    assert stated(done.payload) == {
        "tenant": "acme",
        "source_id": "s",
        "tx": 5,
        "valid_from": NOON,
    }
    assert stack.wake.tenants == ["acme"]


@pytest.mark.parametrize(("tombstoned", "woken"), [(1, ["acme"]), (0, [])])
def test_a_withdrawal_reaches_the_flow(
    telha: Run,
    stack: FakeStack,
    monkeypatch: pytest.MonkeyPatch,
    tombstoned: int,
    woken: list[str],
) -> None:
    removed = Removed(source_id="s", tombstoned=tombstoned)
    done = spy(monkeypatch, tombstone, "withdraw_version", removed)

    telha("ingest", "withdraw", "s", "--tx", AT, "--reason", "why", "--actor", "ana")

    assert stated(done.payload) == {
        "tenant": "acme",
        "source_id": "s",
        "tx": NOON,
        "reason": "why",
        "actor": "ana",
    }
    assert stack.wake.tenants == woken


@pytest.mark.usefixtures("stack")
def test_a_withdrawal_names_its_version(telha: Run) -> None:
    assert telha("ingest", "withdraw", "s").exit_code == 2


@pytest.mark.parametrize(("tombstoned", "woken"), [(3, ["acme"]), (0, [])])
def test_a_cascade_reaches_the_flow(
    telha: Run,
    stack: FakeStack,
    monkeypatch: pytest.MonkeyPatch,
    tombstoned: int,
    woken: list[str],
) -> None:
    removed = Removed(source_id="s", tombstoned=tombstoned)
    done = spy(monkeypatch, tombstone, "cascade_source", removed)

    told = telha("ingest", "cascade", "s", "--request-id", "r").stdout

    assert stated(done.payload) == {"tenant": "acme", "source_id": "s", "request_id": "r"}
    assert f"{tombstoned} versions" in told
    assert stack.wake.tenants == woken


def test_an_override_binds_a_version(
    telha: Run, stack: FakeStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = spy(monkeypatch, override, "set_override", OVERRIDDEN)

    assert telha("ingest", "override", "s", "--bind", AT, "--valid-to", "99").exit_code == 0

    assert stated(done.payload) == {
        "tenant": "acme",
        "source_id": "s",
        "bind": NOON,
        "valid_to": 99,
    }
    assert stack.wake.tenants == ["acme"]


@pytest.mark.usefixtures("stack")
def test_an_override_brings_its_own_text(
    telha: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    done = spy(monkeypatch, override, "set_override", OVERRIDDEN)
    file = tmp_path / "text"
    file.write_bytes(b"mine\r\n")

    telha("ingest", "override", "s", "--file", str(file))

    assert (done.payload.text, done.payload.bind) == ("mine\r\n", None)


@pytest.mark.usefixtures("stack")
@pytest.mark.parametrize("options", [[], ["--bind", "1", "--text", "t"]])
def test_an_override_does_one_of_the_two(
    telha: Run, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    done = spy(monkeypatch, override, "set_override", OVERRIDDEN)

    assert telha("ingest", "override", "s", *options).exit_code == 2
    assert done.args == []


@pytest.mark.parametrize(("changed", "woken"), [(True, ["acme"]), (False, [])])
def test_a_release_reaches_the_flow(
    telha: Run, stack: FakeStack, monkeypatch: pytest.MonkeyPatch, changed: bool, woken: list[str]
) -> None:
    released = OVERRIDDEN.model_copy(update={"released": True, "changed": changed})
    done = spy(monkeypatch, override, "release_override", released)

    telha("ingest", "release", "o-1", "--actor", "ana")

    assert stated(done.payload) == {"tenant": "acme", "override_id": "o-1", "actor": "ana"}
    assert stack.wake.tenants == woken


@pytest.mark.parametrize(("changed", "woken"), [(True, ["acme"]), (False, [])])
def test_a_clarification_reaches_the_flow(
    telha: Run, stack: FakeStack, monkeypatch: pytest.MonkeyPatch, changed: bool, woken: list[str]
) -> None:
    bound = ClarificationPhase.BOUND
    clarified = Clarified(clarification_id="q", source_id="s", state=bound, seq=2, changed=changed)
    done = spy(monkeypatch, clarify, "clarify", clarified)

    telha("ingest", "clarify", "q", "--state", "bound", "--text", "yes", "--bind", AT)

    assert stated(done.payload) == {
        "tenant": "acme",
        "clarification_id": "q",
        "state": bound,
        "text": "yes",
        "bind": NOON,
    }
    assert stack.wake.tenants == woken


@pytest.mark.usefixtures("stack")
def test_a_new_clarification_names_its_source_and_question(
    telha: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Clarified(
        clarification_id="q", source_id="s", state=ClarificationPhase.OPEN, seq=1, changed=True
    )
    done = spy(monkeypatch, clarify, "clarify", opened)

    telha("ingest", "clarify", "q", "--state", "open", "--source", "s", "--question", "Which?")

    assert (done.payload.source_id, done.payload.question) == ("s", "Which?")
