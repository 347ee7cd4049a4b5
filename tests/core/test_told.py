"""What is told of texts, word for word: reasons, quantities, wordings, units, spans, differences.

The figures of ``test_match`` say how good the rules are; this says what they say, so that no change
of it goes unseen. ``TELHA_APPROVE=1`` writes the files of ``data/told`` anew, to be read in review.
"""

import json
import os
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path

import pytest

from app.core.chunks import chunks
from app.core.difference import Op, paired, word_diff
from app.core.match import match
from app.core.quantities import Quantity
from app.core.reading import Said, read
from app.core.retrieval import Place, fused, scope_key, sought
from app.core.sentences import sentences, units
from app.core.spans import Lost, added, compare, current_span, is_moved, widened
from app.core.verification import Binding, Displaced, judge
from tests.core.said import DOCUMENTS, PAIRS, TEXTS, TRIPLES

DATA = Path(__file__).parent / "data"
TOLD = DATA / "told"
OWN = [json.loads(line) for line in (DATA / "pairs.jsonl").read_text("utf-8").splitlines()]

Told = Iterator[tuple[str, str]]


def reasons() -> Told:
    """Judge each pair with and without the text it rested on, and each text as what is new."""
    for pair in OWN:
        language = pair["lang"][:2]
        for old in (pair["old_span"], None):
            yield _judged(pair["claim"], pair["new_span"], old, language)
    for claim, text in PAIRS:
        for one, other in ((claim, text), (text, claim)):
            for old in (one, None):
                yield _judged(one, other, old, "en")
        yield _judged(claim, claim, claim, "en", (text,))
    for claim, old, text in TRIPLES:
        for language in ("en", ""):
            yield _judged(claim, text, old, language)


def _judged(
    claim: str, text: str, old: str | None, language: str, new: tuple[str, ...] = ()
) -> tuple[str, str]:
    found = match(claim, text, old_span=old, language=language, added=new)
    why = "; ".join(f"{reason.kind}: {reason.detail}" for reason in found.reasons)
    name = f"{language}: {claim} | {text} | {'?' if old is None else '=' if old == claim else old}"
    if new:
        name += f" + {new[0]}"
    told = f"{found.verdict}{' material' if found.material else ''} by {found.anchor!r} as {why}"
    return name, told


def judgements() -> Told:
    """Judge a claim by what was displaced, what stands and what was bound, a little of each."""
    cited, current = (
        "The cap is €2m.",
        ("The cap is €2m.", "The cap is €3m.", "A cap of €2m holds."),
    )
    displaced = [[Displaced(cited, text)] for text in current]
    displaced += [
        [],
        [Displaced(cited, None, lost="gone")],
        [Displaced(cited, cited, added=("The cap of €2m no longer applies.",))],
        [Displaced(cited, cited, moved=True), Displaced("It holds for a year.", "It holds.")],
    ]
    standing: list[list[str]] = [[], ["It holds for a year."], ["The sky is blue.", cited]]
    bindings = [
        [],
        [Binding(None, elsewhere=False)],
        [Binding(cited, elsewhere=False)],
        [Binding("The cap is €5m.", elsewhere=True), Binding(None, elsewhere=True)],
    ]
    claims = ("The cap is €2m.", "The cap is €2m and holds for a year.")
    for claim, *nths in product(claims, range(len(displaced)), range(3), range(4)):
        one, two, three = displaced[nths[0]], standing[nths[1]], bindings[nths[2]]
        if one or three:
            told = judge(claim, one, two, three)
            yield f"{claim} {nths}", f"{told.verdict} {told.material} {'; '.join(told.reasons)}"


def searches() -> Told:
    """Look for questions in the index of a tenant, or of some of its sources."""
    yield "key", scope_key("t", "s")
    for question in ("What is the cap of Acme's plan?", "?", "the a of", "5 % in 2025 C++ a:b*"):
        for sources in ([], ["s"], ["s", "another"]):
            yield f"{question} {sources}", str(sought(question, "t", sources))
    one, two, three = (Place("s", tx, 0, 9) for tx in (3, 2, 1))
    rankings: list[list[Place]] = [[one, two], [two, three], []]
    for most in (1, 2, 9):
        yield f"fused {most}", str(fused(rankings, most))


def quantities() -> Told:
    """Read the quantities of each text in each language."""
    for language, text in TEXTS:
        yield f"{language}: {text}", "; ".join(map(_quantity, read(text, language).quantities))


def _quantity(each: Quantity) -> str:
    readings = "/".join(str(reading) for reading in each.readings)
    high = "" if each.high is None else f"..{each.high}"
    per = f" per {each.per}" if each.per else ""
    return (
        f"{each.family} {each.bound} {readings}{high} {each.unit!r}{per} {each.noun!r}"
        f" at {each.start}-{each.end} as {each.text!r}"
    )


def wordings() -> Told:
    """Read the words of each text: what is denied, meant, listed or a name."""
    for language, text in TEXTS:
        yield f"{language}: {text}", _wording(read(text, language))
    for claim, text in PAIRS:
        for each in (claim, text):
            yield f"en: {each}", _wording(read(each, "en"))


def _wording(said: Said) -> str:
    marks = {"name": "N", "negated": "-", "unless": "U", "listed": "L"}
    words = " ".join(
        f"{word.text}/{word.stem}/{word.clause}"
        + "".join(mark for name, mark in marks.items() if getattr(word, name))
        for word in said.words
    )
    all_of = said.wording
    modes = " ".join(f"{mode.name}{clause}.{nth}" for clause, mode, nth in all_of.modes)
    rest = [modes, *sorted(all_of.conditions), all_of.quantifier, "passive" * all_of.passive]
    spots = [sorted(all_of.agents), list(all_of.past), sorted(all_of.denied), all_of.loose]
    return f"{words} | {' '.join(filter(None, rest))} | {spots} | {sorted(said.labels.items())}"


def places() -> Told:
    """Lay each version of a document beside the next: its units, and what became of each."""
    for name, versions in DOCUMENTS.items():
        for nth, text in enumerate(versions):
            found = [f"{u.kind} {u.start}-{u.end} {'/'.join(u.path)}" for u in units(text)]
            yield f"{name} {nth}: units", "; ".join(found)
            yield f"{name} {nth}: chunks", "; ".join(f"{c.start}-{c.end}" for c in chunks(text * 3))
        for nth, (old, new) in enumerate(pairwise(versions)):
            for one, other, way in ((old, new, "on"), (new, old, "back")):
                yield from _became(f"{name} {nth} {way}", one, other)


def _became(name: str, old: str, new: str) -> Told:
    mapping = compare(old, new)
    found = units(old)
    for nth, unit in enumerate(found):
        further = found[min(nth + 2, len(found) - 1)].end
        for start, end in ((unit.start, unit.end), (unit.start + 1, further)):
            span = current_span(mapping, start, end)
            told = f"{widened(mapping, start, end)} "
            if isinstance(span, Lost):
                told += f"lost: {span.why}"
            else:
                moved = " moved" if is_moved(mapping, start, span) else ""
                begins = new[span.start : span.end][:30]
                told += f"{span.kind}{moved} {span.start}-{span.end}: {begins!r}"
            yield (
                f"{name}: {start}-{end}",
                f"{told} new: {[each[:9] for each in added(mapping, span)]}",
            )
    pieces = [
        f"{piece.op} {piece.text!r}" for piece in word_diff(old, new) if piece.op is not Op.SAME
    ]
    yield f"{name}: words", "; ".join(pieces)
    yield (
        f"{name}: pairs",
        str([pair for pair in paired(sentences(old), sentences(new)) if pair[0] != pair[1]]),
    )


SECTIONS = {
    told.__name__: told for told in (reasons, judgements, searches, quantities, wordings, places)
}


@pytest.mark.parametrize("section", SECTIONS)
def test_what_is_told(section: str) -> None:
    told = dict(SECTIONS[section]())
    file = TOLD / f"{section}.json"
    if os.environ.get("TELHA_APPROVE"):
        file.write_text(json.dumps(told, indent=0, ensure_ascii=False) + "\n", "utf-8")
    assert told == json.loads(file.read_text("utf-8"))
