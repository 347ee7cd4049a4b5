"""What ``telha answers show`` and ``ls`` tell people."""

import io

import pytest
from rich.console import Console, RenderableType

from app.core.states import CauseKind, Caveat, ClaimState, Severity, Status
from app.payloads.answers import AnswerPage, AnswerView
from app.surfaces.cli.answer_view import CAUSES, CAVEATS, drawn_answer, drawn_page
from app.surfaces.cli.text import STATE_STYLES, STATUS_STYLES
from tests.builders import NOON
from tests.surfaces.views import BLIND, DAY, answer, cause, claim, row

GREEN = "\x1b[32m"


def drawn(what: RenderableType, *, colour: bool = False) -> str:
    out = io.StringIO()
    Console(
        file=out, width=200, force_terminal=colour, color_system="standard" if colour else None
    ).print(what)
    return out.getvalue()


def line(text: str, starts: str) -> str:
    """Return the rest of the one line that starts so."""
    [found] = [each for each in text.splitlines() if each.strip().startswith(starts)]
    return found.strip().removeprefix(starts).strip()


def test_every_cause_has_words() -> None:
    assert CAUSES.keys() == set(CauseKind)


def test_every_caveat_has_words() -> None:
    assert CAVEATS.keys() == {caveat.value for caveat in Caveat}


def test_every_state_and_status_has_a_style_and_one_alone_is_green() -> None:
    assert STATE_STYLES.keys() == set(ClaimState)
    assert STATUS_STYLES.keys() == set(Status)
    assert [state for state, style in STATE_STYLES.items() if "green" in style] == ["ok"]
    assert [status for status, style in STATUS_STYLES.items() if "green" in style] == ["current"]


@pytest.mark.parametrize("status", Status)
def test_a_status_is_said_as_a_word_also_without_colour(status: Status) -> None:
    assert line(drawn(drawn_answer(answer(status=status))), "status") == status.value


def test_severity_stands_beside_the_status() -> None:
    shown = drawn(drawn_answer(answer(status=Status.STALE, severity=Severity.MATERIAL)))

    assert line(shown, "status") == "stale (material)"


def test_an_affected_claim_shows_why_with_old_and_winning_coordinates() -> None:
    affected = claim(state=ClaimState.AFFECTED, causes=(cause(),))
    shown = drawn(drawn_answer(answer(status=Status.STALE, claims=(affected,))))

    assert line(shown, "because") == "a newer version took the place of the cited one: rates/de"
    assert line(shown, "cited") == "2026-02-28T12:00:00Z [3, 9)"
    assert line(shown, "wins") == "2026-03-01T12:00:00Z -"


def test_the_winning_span_is_shown_once_it_is_found() -> None:
    found = claim(state=ClaimState.AFFECTED, causes=(cause(winning_start=4, winning_end=11),))
    shown = drawn(drawn_answer(answer(claims=(found,))))

    assert line(shown, "wins") == "2026-03-01T12:00:00Z [4, 11)"


def test_a_citation_that_nothing_displaced_has_no_winner() -> None:
    ended = claim(
        state=ClaimState.AFFECTED, causes=(cause(kind=CauseKind.SOURCE_ENDED, winning_tx=None),)
    )

    assert line(drawn(drawn_answer(answer(claims=(ended,)))), "wins") == "- -"


def test_a_clarification_is_named_with_the_version_that_it_chose() -> None:
    bound = cause(
        kind=CauseKind.CLARIFICATION_BOUND,
        clarification_id="q7",
        cited_tx=None,
        cited_start=None,
        cited_end=None,
    )
    shown = drawn(drawn_answer(answer(claims=(claim(state=ClaimState.AFFECTED, causes=(bound,)),))))

    assert line(shown, "question q7") == ""
    assert line(shown, "chose") == "2026-03-01T12:00:00Z"


def test_all_causes_of_a_claim_are_shown() -> None:
    causes = (cause(), cause(kind=CauseKind.CORRECTED, source_id="rates/at"))
    shown = drawn(drawn_answer(answer(claims=(claim(state=ClaimState.AFFECTED, causes=causes),))))

    assert shown.count("because") == 2


def test_claims_are_counted_by_state_and_those_not_checkable_apart() -> None:
    claims = (claim(), BLIND, claim(idx=2, state=ClaimState.AFFECTED, causes=(cause(),)))

    shown = drawn(drawn_answer(answer(status=Status.PARTIALLY_STALE, claims=claims)))

    assert "3 claims, 1 ok, 1 affected, 1 not checkable" in shown


def test_a_claim_without_evidence_is_not_checkable_and_never_green() -> None:
    shown = drawn(drawn_answer(answer(claims=(BLIND,))), colour=True)

    assert "not checkable" in shown
    assert GREEN not in shown


def test_a_checked_claim_that_holds_is_green() -> None:
    assert shown_green(answer()) == 2  # the status and the claim


def test_an_answer_that_was_never_checked_says_so_and_its_status_is_not_green() -> None:
    unchecked = answer(checked_at=None, checked_through=None, claims=())

    assert line(drawn(drawn_answer(unchecked)), "checked  ") == "not checked yet"
    assert shown_green(unchecked) == 0


def test_an_as_of_view_does_not_claim_that_no_check_was_made() -> None:
    shown = drawn(drawn_answer(answer(checked_at=None), stood=NOON))

    assert "not checked yet" not in shown
    assert line(shown, "as it stood at") == "2026-03-01T12:00:00Z"


def test_a_current_answer_tells_when_it_may_change() -> None:
    shown = drawn(drawn_answer(answer(expires_at=NOON + DAY)))

    assert line(shown, "may change at") == "2026-03-02T12:00:00Z"


def test_only_a_current_answer_may_change_by_itself() -> None:
    shown = drawn(drawn_answer(answer(status=Status.STALE, expires_at=NOON + DAY)))

    assert "may change at" not in shown


def test_checked_through_and_history_are_told_with_their_times() -> None:
    shown = drawn(drawn_answer(answer(checked_through=NOON + 1)))

    assert line(shown, "checked through") == "2026-03-01T12:00:00.000001Z"
    assert line(shown, "2026-03-01T12:00:00Z  current").split() == ["-", "saved", "-"]


def test_caveats_are_told_in_words_and_an_unknown_one_as_it_is() -> None:
    told = answer(
        caveats=("newer_under_override",), claims=(claim(caveats=("judged_as_of", "from:later")),)
    )
    shown = drawn(drawn_answer(told))

    assert "a newer version exists under a steward's override" in shown
    assert "note: judged at the instant that the trace pins" in shown
    assert "note: from:later" in shown


def test_a_pinned_claim_and_basis_show_their_instants() -> None:
    pinned = answer(claims=(claim(valid_time=NOON - DAY),))

    assert line(drawn(drawn_answer(pinned)), "judged at") == "2026-02-28T12:00:00Z"


def test_a_deleted_and_a_superseded_answer_say_so() -> None:
    shown = drawn(drawn_answer(answer(deleted_at=NOON, superseded_by="a-2")))

    assert line(shown, "deleted") == "2026-03-01T12:00:00Z"
    assert line(shown, "superseded by") == "a-2"


def test_text_of_people_is_neither_markup_nor_an_order_to_the_terminal() -> None:
    hostile = answer(
        title="[bold]x[/bold]",
        question="\x1b[31mred\x07",
        claims=(claim(text="\x1b]0;title\x07 [red]not markup[/red]"),),
    )
    shown = drawn(drawn_answer(hostile))

    assert "\x1b" not in shown
    assert "[bold]x[/bold]" in shown
    assert "\\u001b[31mred\\u0007" in shown
    assert "[red]not markup[/red]" in shown


def test_a_list_counts_what_is_not_ok_and_not_checkable() -> None:
    shown = drawn(
        drawn_page(AnswerPage(answers=(row(claims=5, not_ok=2, not_checkable=1),), after=None))
    )

    assert "5, 2 not ok, 1 not checkable" in shown


def test_a_listed_answer_that_was_never_checked_says_so_and_is_not_green() -> None:
    page = AnswerPage(answers=(row(checked_at=None),), after=None)

    assert "not checked yet" in drawn(drawn_page(page))
    assert GREEN not in drawn(drawn_page(page), colour=True)


def test_a_listed_answer_with_claims_not_checkable_is_not_green() -> None:
    page = AnswerPage(answers=(row(not_checkable=1),), after=None)

    assert GREEN not in drawn(drawn_page(page), colour=True)


def shown_green(view: AnswerView) -> int:
    return drawn(drawn_answer(view), colour=True).count(GREEN)
