"""The matcher: what must never be cleared, what should be, and the measured gates.

Two sets of pairs: ours in ``data/pairs.jsonl``, and the study's with the shared cases. The labelled
changes of real histories are judged twice: with the cited text as the claim, and with a sentence.
"""

import json
import random
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.core.match import Match, ReasonKind, Support, match
from app.core.reasons import CONTRADICTIONS, NUMERIC
from app.core.sentences import Kind
from app.core.spans import (
    Found,
    Lost,
    Mapping,
    Span,
    added,
    compare,
    current_span,
    is_moved,
    widened,
)
from tests.corpora import CASES, Row, rows, transitions

DATA = Path(__file__).parent / "data"
STUDY = CASES / "matcher-pairs.jsonl"


def lines(path: Path) -> list[Row]:
    if not path.exists():
        pytest.skip(f"{path.name} is not at hand")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def judged(pair: Row) -> Match:
    language = pair["lang"][:2]
    return match(pair["claim"], pair["new_span"], old_span=pair["old_span"], language=language)


@dataclass(frozen=True)
class Gate:
    id: str
    path: Path
    false_clears: int
    false_alarms: int
    material: tuple[int, int]
    false_material: int


GATES = [
    Gate("ours", DATA / "pairs.jsonl", 0, 0, (33, 34), 1),
    Gate("the study's", STUDY, 0, 4, (36, 36), 0),
]


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.id)
def test_gate(gate: Gate) -> None:
    """No figure may get worse; the bars are 1 false clear, a quarter of alarms, recall 0.9."""
    pairs = [(pair, judged(pair)) for pair in lines(gate.path)]
    clears = [p["id"] for p, m in pairs if m.verdict == "supported" != p["expected"]]
    alarms = [p["id"] for p, m in pairs if m.verdict != "supported" == p["expected"]]
    material = [p["id"] for p, m in pairs if p["material"] and m.material]
    wrong = [p["id"] for p, m in pairs if m.material and not p["material"]]
    assert len(clears) <= gate.false_clears, clears
    assert len(alarms) <= gate.false_alarms, alarms
    assert len(material) >= gate.material[0]
    assert sum(p["material"] for p, _ in pairs) == gate.material[1]
    assert len(wrong) <= gate.false_material, wrong


G16 = [
    ("€2m", "€2,000,000", "", Support.SUPPORTED),
    ("€2m", "EUR 2\u202f000\u202f000", "", Support.SUPPORTED),
    ("1.234.567,89 €", "€1,234,567.89", "", Support.SUPPORTED),
    ("2,5 %", "2.5%", "", Support.SUPPORTED),
    ("4.275 €", "€4,275", "en", Support.SUPPORTED),
    ("€4.275", "€4,275", "en", Support.UNSUPPORTED),
    ("€4.275", "€4,275", "", Support.PARTIAL),
    ("CHF 1'234.50", "CHF 1,234.50", "", Support.SUPPORTED),
    ("€2m", "€2.04m", "", Support.UNSUPPORTED),
]


@pytest.mark.parametrize(("old", "new", "language", "verdict"), G16)
@pytest.mark.parametrize("frame", ["{}", "Fee: {}", "The fee is {}."])
def test_g16_forms_of_an_amount(
    old: str, new: str, language: str, verdict: Support, frame: str
) -> None:
    before, after = frame.format(old), frame.format(new)
    found = match(before, after, old_span=before, language=language)
    assert found.verdict is verdict
    assert found.numeric is found.material is (verdict is Support.UNSUPPORTED)


CHANGED, HOLDS = False, True
G17_TO_G19 = [
    ("Transfer 2040 to Oke", "Transfer 2140 to Oke", CHANGED),
    ("Revenue was €2m in 2025.", "Revenue was €2m in 2025 (published 2026).", HOLDS),
    ("Founded in 1998 with 12 staff.", "Founded in 1998 with 14 staff.", CHANGED),
    ("In 2025 the cap was €2,000.", "In 2026 the cap was €2,000.", CHANGED),
    ("Room 2024 seats 40.", "Room 2025 seats 40.", CHANGED),
    ("Terms\r\nFee: €2m\r\nEnd", "Terms\nFee: €2m\nEnd", HOLDS),
    ("Terms\r\nFee: €2m\r\nEnd", "Terms\nFee: €3m\nEnd", CHANGED),
    ("Remote work is permitted.", "Remote work is not permitted.", CHANGED),
    ("Refunds are never given after 30 days.", "Refunds are given after 30 days.", CHANGED),
    ("Access is granted unless revoked.", "Access is granted if revoked.", CHANGED),
    ("The cap still applies.", "The cap no longer applies.", CHANGED),
    ("You don\u2019t pay tax.", "You don't pay tax.", HOLDS),
]


@pytest.mark.parametrize(("old", "new", "holds"), G17_TO_G19)
@pytest.mark.parametrize("known", [True, False])
def test_g17_to_g19(old: str, new: str, holds: bool, known: bool) -> None:
    found = match(old, new, old_span=old if known else None)
    assert (found.verdict is Support.SUPPORTED) is holds
    assert found.material is not holds


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("The receipt is needed.", "Do not lose the receipt."),
        (
            "title: Internet Explorer",
            "Internet Explorer is a no longer recommended browser developed by Microsoft for PCs.",
        ),
        (
            "Drupal 9.0 is covered until June 16, 2021.",
            "Drupal 9.2 is covered until June 15, 2022.",
        ),
        ("The plan of Acme has 10 seats.", "The plan of Globex has 20 seats."),
    ],
)
def test_g19_a_new_sentence_on_something_else_denies_nothing(said: str, sentence: str) -> None:
    assert match(said, said, old_span=said, added=[sentence]).verdict is Support.SUPPORTED


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("The liability cap is €5m from now on.", ReasonKind.AMOUNT),
        ("The liability cap of €2m no longer applies.", ReasonKind.HISTORY),
        ("The liability cap is not €2m.", ReasonKind.POLARITY),
    ],
)
def test_a_new_sentence_denies_one_that_nobody_touched(sentence: str, kind: ReasonKind) -> None:
    said = "The liability cap is €2m. Complaints are sent in writing."
    found = match("The liability cap is €2m.", said, old_span=said, added=[sentence])
    assert (found.verdict, found.material) == (Support.UNSUPPORTED, True)
    if kind is not ReasonKind.POLARITY:
        assert kind in {reason.kind for reason in found.reasons}


UNPROVEN = [
    ("The supplier pays the customer.", "The supplier is paid by the customer."),
    ("The plan includes 10 seats.", "The plan includes 5 seats and 10 guests."),
    ("No critical issues were found.", "No minor issues but two critical issues were found."),
    ("Smoking is prohibited.", "Smoking is allowed."),
    ("Max. 10 seats.", "Max. 12 seats."),
    ("The fee is €20/month.", "The fee is €20/year."),
    ("Access before 9 is free.", "Access after 9 is free."),
    ("Half of the fee is due.", "A third of the fee is due."),
    ("The cap is €2m.", "Until 2025 the cap was €2m; it is now €5m."),
    ("Contact the owner in writing.", "Contract the owner in writing."),
    ("THE CAP IS EUR 5.", "THE CAP IS EUR 6."),
    ("San Francisco, CA 94107", "San Francisco, CA 94110"),
    ("Your safety is up to you.", "Your safety is not up to you."),
    ("The limit is 10, the burst is 5.", "The limit is 5, the burst is 10."),
    ("The users should not exceed the seats.", "The users should exceed the seats."),
    ("You must not share it and may use it.", "You must not share it and must use it."),
    ("You must pay and may leave.", "You may pay and must leave."),
    ("All plans include support.", "Plans include support."),
    ("latest: 8u232", "latest: 8u241"),
    ("The 3x plan is here.", "The 4x plan is here."),
    ("Id 12ab is here.", "Id 12cd is here."),
    ("The fee is 5 %.", "The fee is not 5 %."),
    ("It runs on 1-800-FLOWERS.", "It runs on 1-800-TOWERS."),
    ("See Sections 2.4 and 4.", "See Sections 2.4 and 5."),
    ("A party pays the other party.", "A party pays the other."),
    ("| Basic | 10 |\n| Pro | 20 |", "| Basic | 20 |\n| Pro | 10 |"),
    ('eol: "2022"\nlts: true', 'lts: "2022"\neol: true'),
    ("The fee is due.", ""),
    ("", ""),
]


def test_a_fee_that_stood_alone_is_per_month_now() -> None:
    said, now = "The fee is €20.", "The fee is €20 per month."
    assert match(said, now, old_span=said).verdict is Support.PARTIAL
    assert match(said, now, old_span="The fee is €20 a month.").verdict is Support.SUPPORTED
    assert match(said, now, old_span="The fee is €20 a year.").verdict is Support.PARTIAL


@pytest.mark.parametrize(("old", "new"), UNPROVEN)
@pytest.mark.parametrize("known", [True, False])
def test_what_is_not_proven_is_not_supported(old: str, new: str, known: bool) -> None:
    found = match(old, new, old_span=old if known else None)
    assert found.verdict is not Support.SUPPORTED
    assert found.reasons


def test_untouched_text_holds_whatever_the_claim_says() -> None:
    said = "Each backup copy is deleted 30 days after it was taken."
    found = match("Backups are kept for a month.", said, old_span=said)
    assert (found.verdict, found.reasons[0].kind) == (Support.SUPPORTED, ReasonKind.UNCHANGED)


def test_text_under_another_heading_is_not_supported() -> None:
    found = match("eol: 2022", "eol: 2022", old_span="eol: 2022", moved=True)
    assert found.verdict is Support.PARTIAL
    assert [reason.kind for reason in found.reasons] == [ReasonKind.MOVED]


def test_across_languages_numbers_deny_and_nothing_clears() -> None:
    german = "Die Haftung ist auf {} Mio. EUR begrenzt."
    same = match("The liability cap is €2m.", german.format(2))
    other = match("The liability cap is €2m.", german.format(5))
    assert (same.verdict, same.material) == (Support.PARTIAL, False)
    assert (other.verdict, other.numeric) == (Support.UNSUPPORTED, True)


def test_the_anchor_is_the_sentence_that_the_verdict_rests_on() -> None:
    found = match("The fee is €2m.", "Intro is here. The fee is €3m. The end.")
    assert found.anchor == "The fee is €3m."
    assert [(r.kind, r.detail) for r in found.reasons] == [(ReasonKind.AMOUNT, "€2m is now €3m")]


def labelled(corpus: str, claims: dict[str, str]) -> list[tuple[Row, Match | Lost]]:
    found: list[tuple[Row, Match | Lost]] = []
    for row, old, new in transitions(corpus):
        cited = row["old_span"] or old
        start = old.index(cited)
        mapping = compare(old, new)
        span = current_span(mapping, start, start + len(cited))
        if isinstance(span, Lost):
            found.append((row, span))
            continue
        whole = old[slice(*widened(mapping, start, start + len(cited)))]
        found.append(
            (
                row,
                match(
                    claims.get(row["id"], cited),
                    new[span.start : span.end],
                    old_span=whole,
                    added=added(mapping, span),
                    moved=is_moved(mapping, start, span),
                ),
            )
        )
    return found


SENTENCES = {row["id"]: row["claim"] for row in lines(DATA / "gold-claims.jsonl")}
DEBATABLE = {"sp-12", "sp-13", "eo-13"}


@pytest.mark.parametrize("claims", [{}, SENTENCES], ids=["cited text", "sentence"])
def test_labelled_changes_of_real_histories(claims: dict[str, str]) -> None:
    alarms = []
    for corpus in ("site-policy", "endoflife", "agrc-status"):
        for row, found in labelled(corpus, claims):
            holds = isinstance(found, Match) and found.verdict is Support.SUPPORTED
            if row["id"] in DEBATABLE:
                continue
            assert not (holds and row["stale"]), row["id"]
            if not holds and not row["stale"]:
                alarms.append(row["id"])
    assert alarms in ([], ["ag-09"])


def neighbours(corpus: str, count: int) -> list[tuple[str, str]]:
    """Draw pairs of neighbouring versions of one document, always the same."""
    before: dict[str, str] = {}
    pairs = []
    for version in rows(corpus, lambda version: bool(version["text"])):
        old = before.get(version["doc"])
        if old is not None and old != version["text"]:
            pairs.append((old, version["text"]))
        before[version["doc"]] = version["text"]
    return random.Random(5).sample(pairs, count)


@pytest.mark.slow
def test_untouched_lines_of_neighbouring_versions_stay_supported() -> None:
    """400 pairs of endoflife, up to 25 units of each; a changed value of a key never holds."""
    counts: Counter[str] = Counter()
    draw = random.Random(7)
    for old, new in neighbours("endoflife", 400):
        mapping = compare(old, new)
        here = Counter((u.path, old[u.start : u.end]) for u in mapping.old_units)
        there = Counter((u.path, new[u.start : u.end]) for u in mapping.new_units)
        for unit in draw.sample(mapping.old_units, min(25, len(mapping.old_units))):
            cited = old[unit.start : unit.end]
            span = current_span(mapping, unit.start, unit.end)
            untouched = here[unit.path, cited] == there[unit.path, cited] == 1
            holds = isinstance(span, Span) and _holds(mapping, unit.start, cited, span)
            counts["untouched"] += untouched
            counts["held"] += untouched and holds
            if isinstance(span, Span) and span.kind is Found.REPLACED and holds:
                now = new[span.start : span.end]
                assert unit.kind is not Kind.DATA or _value(now).startswith(_value(cited)), now
    assert counts["untouched"] > 5000
    assert 1000 * counts["held"] >= 990 * counts["untouched"], counts


def _holds(mapping: Mapping, start: int, cited: str, span: Span) -> bool:
    now = mapping.new[span.start : span.end]
    found = match(
        cited, now, old_span=cited, added=added(mapping, span), moved=is_moved(mapping, start, span)
    )
    return found.verdict is Support.SUPPORTED


def _value(line: str) -> str:
    """The value of a line of data, without quotation marks and the domain of a link."""
    value = re.split(r"[:=]\s*", line, maxsplit=1)[-1]
    return re.sub(r"[\"'() ]|https?://[^/\s]*", "", value).casefold()


WORDS = st.lists(
    st.sampled_from(
        [
            *("the", "fee", "plan", "is", "not", "due", "in", "seats", "GitHub", "Stripe", "must"),
            *("may", "of", "all", "users", "never", "at", "least"),
        ]
    ),
    min_size=1,
    max_size=8,
).map(" ".join)
NUMBERS = st.integers(0, 10**6)
FORMS = st.sampled_from(
    ["{}", "{} EUR", "{} %", "{} days", "{} seats", "€{}", "at least {}", "v{}.1"]
)


@given(WORDS, FORMS, NUMBERS, WORDS)
def test_a_claim_that_is_the_text_is_supported(one: str, form: str, number: int, two: str) -> None:
    said = f"{one} {form.format(number)} {two}."
    for old in (None, said):
        assert match(said, said, old_span=old).verdict is Support.SUPPORTED


@given(WORDS, FORMS, NUMBERS, NUMBERS, WORDS)
def test_another_number_is_never_supported(
    one: str, form: str, number: int, other: int, two: str
) -> None:
    assume(number != other)
    before, after = (f"{one} {form.format(n)} {two}." for n in (number, other))
    for old in (None, before):
        assert match(before, after, old_span=old).verdict is not Support.SUPPORTED


@given(st.text(), st.text(), st.none() | st.text(), st.lists(st.text(), max_size=2))
def test_a_verdict_is_the_same_each_time_and_explained(
    claim: str, span: str, old: str | None, new: list[str]
) -> None:
    found = match(claim, span, old_span=old, added=new)
    assert found == match(claim, span, old_span=old, added=new)
    kinds = {reason.kind for reason in found.reasons}
    assert kinds
    assert found.material is bool(kinds & CONTRADICTIONS)
    assert found.numeric is bool(kinds & NUMERIC)
    assert not (found.material and found.verdict is not Support.UNSUPPORTED)


@pytest.mark.parametrize(
    "part", ["word ", "a, ", "1 ", "(", "was ", "is foo ", "a: ", "[", "1.", "x\n"]
)
@pytest.mark.timeout(60)
def test_a_long_span_of_one_sort_ends(part: str) -> None:
    """Seconds where a rule looked at each word once for each word, or a pattern went back."""
    assert match("The fee is 5 EUR.", part * 10000).verdict is Support.UNSUPPORTED
