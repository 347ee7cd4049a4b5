"""What becomes of a statement, one sentence of DESIGN §4 at a time.

Texts are single letters, times small numbers; ``chain`` takes statements in the order of arrival.
"""

from dataclasses import dataclass, replace

import pytest

from app.core.chain import Chain, Edit, Outcome
from app.core.errors import Conflict, Invalid, NotFound, TelhaError
from app.core.instants import FOREVER
from app.core.statements import FromRule, Removal, Statement, Stored
from app.core.winner import Candidate
from tests.core.book import winner_of

STORED, OBSERVED, DUPLICATE = Outcome


def said(
    tx: int,
    text: str | None,
    start: int | None = None,
    end: int | None = None,
    *,
    source_ts: int | None = None,
    corrects: int | None = None,
    imported_from: int | None = None,
) -> Statement:
    return Statement(tx, text, start, end, source_ts, corrects, imported_from)


def chain(*statements: Statement) -> Chain:
    made = Chain([])
    for statement in statements:
        made.take(statement)
    return made


def reloaded(made: Chain) -> Chain:
    """The same chain after its edits were stored."""
    return Chain(edit.after for edit in made.edits())


def version(made: Chain, tx: int) -> Stored:
    found = made.at(tx)
    assert found is not None
    return found


def txs(made: Chain) -> list[int]:
    return [edit.after.tx for edit in made.edits()]


def competing(made: Chain) -> list[int]:
    return [edit.after.tx for edit in made.edits() if edit.after.competes]


def winners(made: Chain, *instants: int) -> list[int | None]:
    candidates = [c for edit in made.edits() if (c := edit.after.candidate) is not None]
    return [winner_of(candidates, at) for at in instants]


def refusal(made: Chain, statement: Statement) -> str:
    before = made.edits()
    with pytest.raises(TelhaError) as refused:
        made.take(statement)
    assert made.edits() == before, "a refusal changes nothing"
    return refused.value.code


# Observation


def test_the_same_text_without_a_window_only_moves_when_it_was_seen() -> None:
    made = chain(said(10, "A"))

    outcome, speaking = made.take(said(20, "A"))

    assert (outcome, speaking.tx) == (OBSERVED, 10)
    assert made.edits() == [Edit(None, replace(speaking, observed_at=20, observed_from=20))]
    assert (speaking.valid_from, speaking.observed_at) == (10, 20)


def test_the_text_of_the_statement_just_below_counts_not_of_any_below() -> None:
    made = chain(said(10, "A"), said(20, "B"))
    assert made.take(said(30, "A"))[0] is STORED
    assert made.take(said(15, "A"))[0] is OBSERVED
    assert winners(made, 10, 20, 30) == [10, 20, 30]


def test_an_end_is_never_observed() -> None:
    made = chain(said(10, "A"), said(20, None))
    assert made.take(said(30, None))[0] is STORED
    assert winners(made, 15, 25, 35) == [10, None, None]


def test_what_follows_an_end_is_a_new_version() -> None:
    made = chain(said(10, "A"), said(20, None))
    assert made.take(said(30, "A"))[0] is STORED
    assert winners(made, 15, 25, 35) == [10, None, 30]


@pytest.mark.parametrize("removal", Removal)
def test_a_tombstoned_statement_is_not_observed_later(removal: Removal) -> None:
    made = chain(said(10, "A"))
    made.remove(10, removal)
    assert made.take(said(20, "A"))[0] is STORED
    assert winners(made, 15, 25) == [None, 20]


def test_the_own_text_of_an_override_is_left_out() -> None:
    made = chain(said(10, "A"))
    made.take_own_text(15, "B", 15, FOREVER)
    assert made.take(said(20, "A"))[0] is OBSERVED
    assert made.take(said(30, "B"))[0] is STORED


def test_a_stated_window_repeated_is_seen_again() -> None:
    made = chain(said(10, "A", 0, 50))
    outcome, speaking = made.take(said(20, "A", 0, 50))
    assert (outcome, speaking.tx, speaking.observed_at, speaking.observed_from) == (
        OBSERVED,
        10,
        20,
        0,
    )
    assert competing(made) == [10]


def test_a_stated_window_may_repeat_one_that_is_not_just_below() -> None:
    made = chain(said(10, "A", 0, 50), said(20, "B", 60))
    assert made.take(said(30, "A", 0, 50))[0] is OBSERVED


def test_an_older_statement_of_the_same_moves_nothing() -> None:
    made = chain(said(10, "A", 0), said(30, "A", 0))
    assert made.take(said(20, "A", 0)) == (OBSERVED, version(made, 10))
    assert version(made, 10).observed_at == 30
    assert made.take(said(5, "A", 0))[0] is OBSERVED
    assert txs(made) == [10]


@pytest.mark.parametrize("end", [None, 50])
def test_a_stated_window_that_was_displaced_since_is_a_revert(end: int | None) -> None:
    made = chain(said(10, "A", 0, end), said(20, "B", 0, end))
    assert made.take(said(30, "A", 0, end))[0] is STORED
    assert winners(made, 10) == [30]


def test_a_revert_without_a_window_is_a_new_version() -> None:
    made = chain(said(10, "A"), said(20, "B"), said(30, "A"))
    assert winners(made, 10, 20, 30) == [10, 20, 30]


def test_a_corrected_version_said_again_is_a_revert() -> None:
    made = chain(said(10, "A", 0), said(20, "B", corrects=10))
    assert made.take(said(30, "A", 0))[0] is STORED
    assert winners(made, 5) == [30]


def test_an_observation_never_stretches_a_closed_window() -> None:
    made = chain(said(10, "A", 0, 50))
    assert made.take(said(20, "A"))[0] is STORED
    assert winners(made, 15, 60) == [10, 20]


def test_the_same_end_without_a_start_is_seen_again() -> None:
    made = chain(said(10, "A", None, 50))
    assert made.take(said(20, "A", None, 50))[0] is OBSERVED
    assert made.take(said(30, "A", None, 60))[0] is STORED


def test_what_was_still_to_begin_does_not_say_it_yet() -> None:
    made = chain(said(10, "B", 0), said(20, "A", 100))
    assert made.take(said(30, "A"))[0] is STORED
    assert winners(made, 20, 30, 100) == [10, 30, 20]
    assert made.take(said(100, "A"))[0] is OBSERVED


@dataclass(frozen=True)
class Unlike:
    id: str
    first: Statement
    then: Statement


@pytest.mark.parametrize(
    "case",
    [
        Unlike("another text", said(10, "A"), said(20, "B")),
        Unlike("another start", said(10, "A", 0), said(20, "A", 1)),
        Unlike("a start alone means an open end", said(10, "A", 0, 50), said(20, "A", 0)),
        Unlike("an end is no text", said(10, None), said(20, "A")),
    ],
    ids=lambda case: case.id,
)
def test_anything_else_is_a_new_version(case: Unlike) -> None:
    assert chain(case.first).take(case.then)[0] is STORED


# Correction


def test_a_correction_takes_the_window_of_what_it_corrects() -> None:
    made = chain(said(10, "A", 3, 50), said(20, "B", corrects=10))
    kept = version(made, 20)
    assert (kept.valid_from, kept.valid_to, kept.valid_from_rule) == (3, 50, FromRule.CORRECTED)
    assert winners(made, 3, 49) == [20, 20]


@pytest.mark.parametrize(
    ("start", "end", "window"), [(5, None, (5, FOREVER)), (None, 9, (3, 9)), (5, 9, (5, 9))]
)
def test_unless_it_states_its_own(
    start: int | None, end: int | None, window: tuple[int, int]
) -> None:
    made = chain(said(10, "A", 3, 50), said(20, "B", start, end, corrects=10))
    kept = version(made, 20)
    assert (kept.valid_from, kept.valid_to) == window
    assert competing(made) == [20]


def test_a_corrected_version_wins_nowhere_not_even_outside_the_window_of_its_correction() -> None:
    made = chain(said(10, "A", 0), said(20, "B", 5, 9, corrects=10))
    assert winners(made, 0, 5, 9) == [None, 20, None]


def test_of_several_corrections_only_the_greatest_tx_is_a_candidate() -> None:
    made = chain(said(10, "A"), said(30, "C", corrects=10), said(20, "B", corrects=10))
    assert competing(made) == [30]


def test_withdrawing_corrections_brings_back_the_next_one_and_at_last_the_version() -> None:
    made = chain(
        said(10, "A"),
        said(20, "B", corrects=10),
        said(30, "C", corrects=10),
        said(40, "D", corrects=10),
    )
    made.remove(30, Removal.WITHDRAWN)
    assert competing(made) == [40]
    made.remove(40, Removal.WITHDRAWN)
    assert competing(made) == [20]
    made.remove(20, Removal.WITHDRAWN)
    assert competing(made) == [10]


def test_a_correction_of_a_correction() -> None:
    made = chain(said(10, "A"), said(20, "B", corrects=10), said(30, "C", corrects=20))
    assert competing(made) == [30]
    made.remove(30, Removal.WITHDRAWN)
    assert competing(made) == [20]


def test_withdrawing_the_corrected_correction_frees_the_version_and_leaves_the_newer_one() -> None:
    made = chain(said(10, "A"), said(20, "B", corrects=10), said(30, "C", corrects=20))
    made.remove(20, Removal.WITHDRAWN)
    assert competing(made) == [10, 30]
    assert winners(made, 10) == [30]


@pytest.mark.parametrize("removal", [Removal.RETENTION, Removal.ERASURE])
def test_a_correction_that_only_became_blank_still_corrects(removal: Removal) -> None:
    made = chain(said(10, "A"), said(20, "B", corrects=10))
    made.remove(20, removal)
    assert competing(made) == [20]
    assert winners(made, 10) == [None]


def test_a_correction_under_a_tombstone_stands_alone() -> None:
    made = chain(said(10, "A"))
    made.remove(10, Removal.WITHDRAWN)
    made.take(said(20, "B", corrects=10))
    assert winners(made, 10) == [20]


def test_a_correction_repeats_no_observation() -> None:
    made = chain(said(10, "A"), said(20, "B"))
    assert made.take(said(30, "B", corrects=10))[0] is STORED
    assert winners(made, 15, 25) == [30, 20]


def test_a_correction_names_an_existing_smaller_tx_of_the_source_itself() -> None:
    made = chain(said(10, "A"))
    made.take_own_text(15, "B", 15, FOREVER)
    assert refusal(made, said(20, "C", corrects=11)) == "CORRECTED_UNKNOWN"
    assert refusal(made, said(20, "C", corrects=20)) == "CORRECTED_NOT_EARLIER"
    assert refusal(made, said(9, "C", corrects=10)) == "CORRECTED_NOT_EARLIER"
    assert refusal(made, said(20, "C", corrects=15)) == "CORRECTED_OVERRIDE"


def test_which_kind_of_refusal_it_is_and_where() -> None:
    made = chain(said(10, "A"))
    for error, statement, field in (
        (NotFound, said(20, "C", corrects=11), "corrects"),
        (Invalid, said(20, "C", corrects=20), "corrects"),
        (Conflict, said(10, "C"), "tx"),
        (Invalid, said(20, "C", 9, 9), "valid_to"),
    ):
        with pytest.raises(error) as refused:
            made.take(statement)
        assert refused.value.field == field


def test_a_correction_of_an_end_brings_the_text_back() -> None:
    made = chain(said(10, "A"), said(20, None), said(30, "A", corrects=20))
    assert winners(made, 15, 25) == [10, 30]


# A stated window with the text and start of a standing version but another end corrects it


@pytest.mark.parametrize(("first", "then"), [(None, 50), (50, None), (50, 40)])
def test_the_same_text_and_start_with_another_end_corrects(
    first: int | None, then: int | None
) -> None:
    made = chain(said(10, "A", 0, first), said(20, "A", 0, then))
    assert version(made, 20).corrects_tx == 10
    assert competing(made) == [20]
    assert winners(made, 0, 39, 60) == [20, 20, None if then else 20]


def test_narrowing_twice_corrects_the_narrower_one() -> None:
    made = chain(said(10, "A", 0), said(20, "A", 0, 50), said(30, "A", 0, 40))
    assert [version(made, tx).corrects_tx for tx in (10, 20, 30)] == [None, 10, 20]
    assert competing(made) == [30]
    made.remove(30, Removal.WITHDRAWN)
    assert competing(made) == [20]


@pytest.mark.parametrize(
    "then",
    [
        said(20, "B", 0, 50),
        said(20, "A", 1, 50),
        said(20, "A", None, 50),
        said(20, None, 0),
        said(5, "A", 0, 50),
    ],
    ids=["another text", "another start", "no start", "an end", "an older tx"],
)
def test_nothing_else_corrects_by_itself(then: Statement) -> None:
    made = chain(said(10, "A", 0), then)
    assert version(made, then.tx).corrects_tx is None
    assert competing(made) == sorted([10, then.tx])


def test_a_displaced_version_is_not_narrowed() -> None:
    made = chain(said(10, "A", 0), said(20, "B", 0), said(30, "A", 0, 50))
    assert version(made, 30).corrects_tx is None
    assert winners(made, 10, 60) == [30, 20]


@pytest.mark.parametrize("removal", Removal)
def test_a_tombstoned_version_is_not_narrowed(removal: Removal) -> None:
    made = chain(said(10, "A", 0))
    made.remove(10, removal)
    assert made.take(said(20, "A", 0, 50))[1].corrects_tx is None


# Same tx


@dataclass(frozen=True)
class Again:
    id: str
    stored: Statement
    again: Statement
    outcome: Outcome | None


SAME_TX = [
    Again("the same", said(10, "A"), said(10, "A"), DUPLICATE),
    Again("the same window", said(10, "A", 0, 50), said(10, "A", 0, 50), DUPLICATE),
    Again("the same end of the source", said(10, None, 5), said(10, None, 5), DUPLICATE),
    Again("a window not stated again", said(10, "A", 0, 50), said(10, "A"), DUPLICATE),
    Again("the window it got", said(10, "A"), said(10, "A", 10), DUPLICATE),
    Again("another text", said(10, "A"), said(10, "B"), None),
    Again("an end for a text", said(10, "A"), said(10, None), None),
    Again("a text for an end", said(10, None), said(10, "A"), None),
    Again("another start", said(10, "A", 5), said(10, "A", 6), None),
    Again("another end", said(10, "A", 5, 50), said(10, "A", 5, 51), None),
    Again("an end after an open one", said(10, "A", 5), said(10, "A", 5, 51), None),
    Again("an open end after another", said(10, "A", 5, 50), said(10, "A", 5), None),
    Again("a correction after none", said(10, "A"), said(10, "A", corrects=3), None),
]


@pytest.mark.parametrize("case", SAME_TX, ids=lambda case: case.id)
@pytest.mark.parametrize("removal", [None, *Removal])
def test_same_tx_same_content_is_a_duplicate_and_other_content_a_conflict(
    case: Again, removal: Removal | None
) -> None:
    made = chain(case.stored)
    if removal is not None:
        made.remove(10, removal)
    made = reloaded(made)
    if case.outcome is None:
        assert refusal(made, case.again) == "TX_CONFLICT"
    else:
        assert made.take(case.again) == (case.outcome, version(made, 10))
    assert made.edits() == []


def test_a_correction_sent_twice_is_a_duplicate() -> None:
    made = chain(said(10, "A"), said(20, "B", corrects=10))
    assert made.take(said(20, "B", corrects=10))[0] is DUPLICATE
    assert made.take(said(20, "B"))[0] is DUPLICATE


def test_the_tx_of_an_overrides_own_text_is_taken() -> None:
    made = chain(said(10, "A"))
    made.take_own_text(20, "B", 20, FOREVER)
    assert refusal(made, said(20, "B")) == "TX_CONFLICT"


@pytest.mark.parametrize("tx", [10, 20])
def test_an_override_takes_no_tx_that_is_taken(tx: int) -> None:
    made = chain(said(10, "A"), said(20, "A"))
    with pytest.raises(Conflict) as refused:
        made.take_own_text(tx, "B", 0, FOREVER)
    assert refused.value.code == "TX_CONFLICT"
    assert txs(made) == [10]


TAKEN = (
    "tx 20 of this source is taken by other content; nothing was changed [tx] "
    "State another tx, or correct the stored version by naming it in 'corrects'."
)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (said(20, "C"), TAKEN),
        (
            said(30, "C", corrects=30),
            "30 is not before the correction's own tx 30 [corrects]",
        ),
        (said(30, "C", corrects=11), "this source has no version at 11 [corrects]"),
        (
            said(30, "C", corrects=20),
            (
                "the version at 20 is an override's own text [corrects] "
                "Set another override, or release that one."
            ),
        ),
    ],
)
def test_a_refusal_names_what_is_taken_or_missing(statement: Statement, told: str) -> None:
    made = chain(said(10, "A"))
    made.take_own_text(20, "B", 20, FOREVER)
    with pytest.raises(TelhaError) as refused:
        made.take(statement)
    assert str(refused.value) == told


def test_an_overrides_own_text_says_since_when_and_that_its_tx_may_be_taken() -> None:
    made = chain(said(20, "A"))
    assert made.take_own_text(10, "B", 5, 9).valid_from_rule is FromRule.STATED
    with pytest.raises(Conflict) as refused:
        made.take_own_text(20, "B", 20, FOREVER)
    assert str(refused.value) == TAKEN


def test_the_tx_of_an_observation_is_taken_for_other_content() -> None:
    made = chain(said(10, "A"), said(20, "A"))
    assert refusal(made, said(20, "B")) == "TX_CONFLICT"
    assert refusal(made, said(20, "A", 0)) == "TX_CONFLICT"
    assert made.take(said(20, "A"))[0] is OBSERVED


# Below an observation


def test_what_arrives_below_an_observation_wins_only_in_between() -> None:
    made = chain(said(10, "A"), said(30, "A"))
    assert made.take(said(20, "B"))[0] is STORED
    assert winners(made, 10, 20, 30) == [10, 20, 30]
    assert version(made, 10).observed_at == 10
    again = version(made, 30)
    assert (again.text_sha256, again.copy_of, again.observed_at) == ("A", 10, 30)


@pytest.mark.parametrize("between", [said(20, "B"), said(20, None), said(20, "B", corrects=10)])
def test_so_does_an_end_and_a_correction(between: Statement) -> None:
    made = chain(said(10, "A"), said(30, "A"), between)
    assert winners(made, 30) == [30]


def test_a_materialised_observation_starts_where_the_observation_would_have() -> None:
    made = chain(said(10, "A", source_ts=9), said(30, "A", source_ts=28), said(20, "B"))
    again = version(made, 30)
    assert (again.valid_from, again.valid_to) == (28, FOREVER)


@pytest.mark.parametrize(
    ("second", "rule"),
    [(said(30, "A"), FromRule.TX), (said(30, "A", source_ts=28), FromRule.STATED)],
)
def test_a_materialised_observation_defaulted_from_tx_says_so(
    second: Statement, rule: FromRule
) -> None:
    made = chain(said(10, "A", 10), second, said(20, "B"))
    assert version(made, 30).valid_from_rule is rule


def test_a_materialised_observation_corrects_nothing() -> None:
    made = chain(
        said(10, "A"), said(20, "B", corrects=10), said(40, "B"), said(30, "C"), said(50, "D")
    )
    assert version(made, 40).corrects_tx is None
    assert winners(made, 25, 35, 45) == [20, 30, 40]


def test_a_materialised_observation_is_a_statement_like_any_other() -> None:
    made = chain(said(10, "A"), said(30, "A"), said(20, "B"))
    assert made.take(said(30, "A"))[0] is DUPLICATE
    assert made.take(said(40, "A"))[1].tx == 30
    assert refusal(made, said(30, "B")) == "TX_CONFLICT"


def test_what_was_observed_below_stays_observed() -> None:
    made = chain(said(10, "A"), said(30, "A"))
    assert made.take(said(40, "B"))[0] is STORED
    assert txs(made) == [10, 40]


@pytest.mark.parametrize(("tx", "text"), [(20, None), (20, "C"), (5, "C")])
def test_a_late_state_from_the_same_stated_start_does_not_displace_what_was_seen_again(
    tx: int, text: str | None
) -> None:
    made = chain(said(10, "A", 0), said(15, "B", 100), said(30, "A", 0))
    made.take(said(tx, text, 0))
    assert winners(made, 0, 99) == [30, 30] if tx > 10 else [10, 10]


def test_the_tx_of_an_observation_from_the_same_start_is_taken() -> None:
    made = chain(said(10, "A", 0), said(15, "B", 100), said(30, "A", 0))
    assert refusal(made, said(30, "C", 0)) == "TX_CONFLICT"


def test_no_version_is_ever_overwritten_by_an_observation() -> None:
    made = chain(said(10, "A", 0), said(15, "B", 100), said(30, "A", 0), said(30, "D"))
    assert version(made, 30).text_sha256 == "D"
    made.take(said(12, "C"))
    assert version(made, 30).text_sha256 == "D"


@pytest.mark.parametrize("removal", Removal)
def test_a_materialised_observation_of_a_tombstoned_version_is_born_tombstoned(
    removal: Removal,
) -> None:
    made = chain(said(10, "A"), said(30, "A"))
    made.remove(10, removal)
    made.take(said(20, "B"))
    assert version(made, 30).removal is removal
    blank = removal in (Removal.RETENTION, Removal.ERASURE)
    assert winners(made, 20, 30) == [20, None if blank else 20]


# Replay


@pytest.mark.parametrize("removal", Removal)
def test_replay_lifts_no_tombstone(removal: Removal) -> None:
    history = [said(10, "A"), said(20, "A"), said(30, "B", 0), said(40, "B", 0), said(50, None)]
    made = chain(*history)
    for tx in (10, 30, 50):
        made.remove(tx, removal)
    made = reloaded(made)
    for statement in history:
        outcome, speaking = made.take(statement)
        assert (outcome, speaking.removal) == (DUPLICATE, removal)
    assert made.edits() == []


def test_replay_lifts_no_tombstone_of_a_materialised_observation() -> None:
    made = chain(said(10, "A"), said(30, "A"))
    made.remove(10, Removal.WITHDRAWN)
    made.take(said(20, "B"))
    assert made.take(said(30, "A"))[0] is DUPLICATE
    assert winners(made, 10, 20, 30) == [None, 20, 20]


def test_after_a_cascade_a_later_version_starts_afresh() -> None:
    made = chain(said(10, "A"), said(20, "B"))
    for tx in (10, 20):
        made.remove(tx, Removal.CASCADE)
    assert made.take(said(30, "B"))[0] is STORED
    assert winners(made, 10, 20, 30) == [None, None, 30]


@pytest.mark.parametrize("displacing", [said(30, "B", 0), said(30, "B", corrects=10)])
def test_a_history_with_windows_may_be_imported_twice(displacing: Statement) -> None:
    history = [said(10, "A", 0), said(12, "C", 100), said(20, "A", 0), displacing]
    made = reloaded(chain(*history))
    for statement in history:
        assert made.take(statement)[0] in (DUPLICATE, OBSERVED)
    assert made.edits() == []


def test_the_removed_own_text_of_an_override_speaks_for_no_version() -> None:
    made = chain(said(10, "A"))
    made.take_own_text(20, "B", 0, FOREVER)
    made.remove(20, Removal.WITHDRAWN)
    assert made.take(said(15, "B", 0))[0] is STORED


# Tombstones and own texts


def test_withdrawing_lets_the_next_candidate_win() -> None:
    made = chain(said(10, "A"), said(20, "B"))
    assert made.remove(20, Removal.WITHDRAWN)
    assert winners(made, 10, 20) == [10, 10]


def test_a_tombstone_is_set_once() -> None:
    made = chain(said(10, "A"))
    assert made.remove(10, Removal.WITHDRAWN)
    assert not made.remove(10, Removal.ERASURE)
    assert version(made, 10).removal is Removal.WITHDRAWN


@pytest.mark.parametrize("removal", [Removal.RETENTION, Removal.ERASURE])
def test_what_retention_or_erasure_took_ranks_as_nobody(removal: Removal) -> None:
    made = chain(said(10, "A"), said(20, "B"))
    made.remove(20, removal)
    assert version(made, 20).candidate == Candidate(20, 20, FOREVER, blank=True)
    assert winners(made, 10, 20) == [10, None]


def test_an_end_ranks_as_nobody_until_something_greater_starts() -> None:
    made = chain(said(10, "A"), said(20, None), said(30, "B"), said(15, "C"))
    assert version(made, 20).candidate == Candidate(20, 20, FOREVER, blank=True)
    assert winners(made, 10, 15, 20, 30) == [10, 15, None, 30]


def test_an_own_text_is_no_candidate_not_even_after_a_tombstone_beside_it() -> None:
    made = chain(said(10, "A"))
    own = made.take_own_text(20, "B", 5, 50)
    assert (own.candidate, own.competes, own.override_only) == (None, False, True)
    assert (own.valid_from, own.valid_to, own.observed_at, own.observed_from) == (5, 50, 20, 5)
    made.remove(20, Removal.RETENTION)
    assert winners(made, 10, 20) == [10, 10]


# What a chain tells its flow


def test_only_what_is_new_or_moved_is_written() -> None:
    made = reloaded(chain(said(10, "A"), said(20, "B", 0, 50)))
    made.take(said(30, "C", corrects=20))
    [moved, new] = made.edits()
    assert (moved.before, moved.after.tx, moved.after.competes) == (
        replace(moved.after, competes=True),
        20,
        False,
    )
    assert (new.before, new.after.tx) == (None, 30)
    assert list(made.shifts()) == [
        (Candidate(20, 0, 50), None),
        (None, Candidate(30, 0, 50)),
    ]


def test_an_observation_is_written_and_shifts_no_candidate() -> None:
    made = reloaded(chain(said(10, "A")))
    made.take(said(20, "A"))
    assert len(made.edits()) == 1
    assert list(made.shifts()) == []


def test_what_is_known_twice_is_known_once() -> None:
    [edit] = chain(said(10, "A")).edits()
    made = Chain([edit.after])
    made.take(said(20, "A"))
    made.know([edit.after])
    assert version(made, 10).observed_at == 20
    assert made.below(15) == version(made, 10)


def test_looking_around_in_a_chain() -> None:
    made = reloaded(chain(said(10, "A", 5), said(20, "B", 5), said(30, "C")))
    made.take(said(40, "D"))
    assert (made.at(11), made.below(10), made.below(11)) == (None, None, version(made, 10))
    assert (made.newest_from(5), made.newest_from(6)) == (20, None)
    assert [made.arrived(tx) for tx in (30, 40, 50)] == [False, True, False]


def test_order_of_arrival_does_not_matter_where_each_text_differs() -> None:
    history = [said(8, "A"), said(9, "B"), said(11, "C")]
    for order in ((0, 1, 2), (0, 2, 1), (2, 1, 0), (1, 2, 0)):
        made = chain(*(history[n] for n in order))
        assert winners(made, 8, 9, 10, 11) == [8, 9, 9, 11]


def test_the_same_text_at_the_very_start_of_what_it_says_is_seen_again() -> None:
    made = chain(said(10, "A", 20))
    assert made.take(said(20, "A"))[0] is OBSERVED


def test_of_two_that_were_seen_saying_it_later_the_newer_speaks_for_it() -> None:
    made = chain(said(10, "A", 0), said(15, "A", 0), said(20, "B", 0), said(30, "A", 0))
    made.take(said(40, "C", 0))
    outcome, speaks = made.take(said(12, "A", 0))
    assert (outcome, speaks.tx) == (OBSERVED, 30)
