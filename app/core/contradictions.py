"""What a statement denies, narrows or leaves out of a claim, rule by rule (DESIGN §5).

``old`` is the statement that the claim rested on when it was made, where that is known: what stood
there already is no news, and what the claim put in words of its own was judged then.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from app.core.bounds import Bound
from app.core.modality import modality
from app.core.quantities import Agreement, Family, Quantity, agreement, opposed
from app.core.reading import Said, read, same_saying
from app.core.reasons import Reason, ReasonKind
from app.core.typos import same_word
from app.core.wording import Word, opposite, stem

_DATA: Final = re.compile(r"""^ ?["']?([A-Za-z_][\w .-]*?)["']? *[:=] *(\S.*)$""", re.MULTILINE)
_BOUND_WORDS: Final = {"minimum": Bound.LEAST, "maximum": Bound.MOST, "cap": Bound.MOST}
_VALUE_WORDS: Final = 4  # words up to which a value of data is one thing, not a sentence
_BOOLEAN: Final = frozenset(["true", "false", "yes", "no", "on", "off"])
_IN_NAMES: Final = frozenset((Family.COUNT, Family.REFERENCE))
_HELPERS: Final = frozenset(
    [
        "shall",
        "will",
        "must",
        "may",
        "can",
        "should",
        "would",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "to",
        "not",
        "has",
        "have",
        "had",
    ]
)


def compared(claim: Said, said: Said, old: Said | None) -> Iterator[Reason]:
    """Yield every reason against holding ``claim`` supported by ``said``."""
    yield from numbers(claim, said, old)
    yield from keys(claim, said, old or claim)
    yield from words(claim, said, old)
    yield from modality(claim, said, old)
    yield from conditions(claim, said, old)
    yield from roles(claim, said)
    if old is not None:
        yield from roles(old, said)


def numbers(claim: Said, said: Said, old: Said | None) -> Iterator[Reason]:
    """Each quantity of the claim stands in the statement, meant in the same way."""
    used: set[int] = set()
    for quantity in claim.quantities:
        yield from _number(quantity, claim, said, old, used)


def _number(
    quantity: Quantity, claim: Said, said: Said, old: Said | None, used: set[int]
) -> Iterator[Reason]:
    judged = [(agreement(quantity, other), other) for other in said.quantities]
    equal = [
        other
        for verdict, other in judged
        if verdict is Agreement.EQUAL and other.start not in used and not _past(other, said)
    ]
    rivals = [
        other
        for verdict, other in judged
        if verdict is Agreement.RIVAL and not _past(other, said) and _same_thing(quantity, other)
    ]
    if equal:
        chosen = next((q for q in equal if q.bound is quantity.bound), equal[0])
        used.add(chosen.start)
        yield from _meant(quantity, chosen, rivals, claim, said, old)
        if (chosen.start in said.wording.denied) is not _denied(quantity, claim, old):
            yield Reason(ReasonKind.POLARITY, f"{quantity.text} is denied, or no longer denied")
        return
    fresh = [rival for rival in rivals if old is None or not _known(rival, old)]
    if fresh:
        yield Reason(ReasonKind(quantity.family.value), f"{quantity.text} is now {fresh[0].text}")
    elif any(verdict is Agreement.UNSURE for verdict, _ in judged):
        yield Reason(ReasonKind.UNSURE, f"{quantity.text} can be read in more than one way")
    elif any(verdict is Agreement.EQUAL and _past(other, said) for verdict, other in judged):
        yield Reason(ReasonKind.HISTORY, f"{quantity.text} is told of the past")
    elif old is None or _known(quantity, old) or not said.values <= old.values:
        yield Reason(ReasonKind.MISSING, f"{quantity.text} is not stated")


def another(claim: Said, said: Said) -> bool:
    """Whether a statement is on another thing: one told apart by its number, Drupal 9.2."""
    return any(
        _names(quantity, claim) and not _known(quantity, said) for quantity in claim.quantities
    )


def _names(quantity: Quantity, said: Said) -> bool:
    """Whether a bare number is part of a name: the word before it is written as one."""
    before = said.text[: quantity.start].split()[-1:]
    return quantity.family in _IN_NAMES and bool(before) and before[0][:1].isupper()


def _meant(
    quantity: Quantity,
    chosen: Quantity,
    rivals: list[Quantity],
    claim: Said,
    said: Said,
    old: Said | None,
) -> Iterator[Reason]:
    """Yield what is wrong although the value stands: another bound, another thing counted."""
    kind = ReasonKind(quantity.family.value)
    counted = [r for r in rivals if quantity.noun and stem(r.noun) == stem(quantity.noun)]
    base = old if old is not None and _known(quantity, old) else claim
    if swapped := _under_its_name(quantity, base, said):
        yield Reason(kind, f"{quantity.text} is now {swapped.text}")
    elif counted and stem(chosen.noun) != stem(quantity.noun):
        yield Reason(kind, f"{quantity.text} {quantity.noun} is now {counted[0].text}")
    elif opposed(quantity.bound, chosen.bound):
        yield Reason(kind, f"{quantity.bound} {quantity.text} is now {chosen.bound}")
    elif chosen.bound is not quantity.bound and not _bound_known(chosen, old):
        same = [r for r in rivals if r.bound is quantity.bound is not Bound.EXACT]
        if same:
            yield Reason(kind, f"{quantity.bound} {quantity.text} is now {same[0].text}")
        elif quantity.bound is not Bound.ABOUT:
            yield Reason(
                ReasonKind.UNSURE,
                f"{quantity.text} is meant as {chosen.bound}, not {quantity.bound}",
            )
    elif bool(quantity.per) != bool(chosen.per) and quantity.per:
        yield Reason(ReasonKind.MISSING, f"{quantity.text} is not per {quantity.per}")
    elif chosen.per and (pers := _pers(quantity, old)) and chosen.per not in pers:
        yield Reason(ReasonKind.UNSURE, f"{quantity.text} is now per {chosen.per}")


def _under_its_name(quantity: Quantity, base: Said, said: Said) -> Quantity | None:
    """Return what follows now the word that the quantity followed, if that is another value."""
    stated = next((q for q in base.quantities if agreement(quantity, q) is Agreement.EQUAL), None)
    name = base.labels.get(stated.start, "") if stated is not None else ""
    if not name or base.stems[name] != 1 or said.stems[name] != 1:
        return None
    here = [other for other in said.quantities if said.labels.get(other.start) == name]
    verdicts = [agreement(quantity, other) for other in here]
    if Agreement.RIVAL not in verdicts or Agreement.EQUAL in verdicts:
        return None
    return here[verdicts.index(Agreement.RIVAL)]


def _denied(quantity: Quantity, claim: Said, old: Said | None) -> bool:
    """Whether the quantity was denied where the claim took it from, or else in the claim."""
    if old is not None:
        for each in old.quantities:
            if agreement(quantity, each) is Agreement.EQUAL:
                return each.start in old.wording.denied
    return quantity.start in claim.wording.denied


def _bound_known(chosen: Quantity, old: Said | None) -> bool:
    return old is not None and any(
        each.bound is chosen.bound and set(each.readings) & set(chosen.readings)
        for each in old.quantities
    )


def _same_thing(quantity: Quantity, other: Quantity) -> bool:
    """Whether two counts can be of one thing: the same noun follows, or one names none."""
    if quantity.family is not Family.COUNT or not quantity.noun or not other.noun:
        return True
    return stem(quantity.noun) == stem(other.noun)


def _known(quantity: Quantity, old: Said) -> bool:
    return any(agreement(quantity, other) is Agreement.EQUAL for other in old.quantities)


def _pers(quantity: Quantity, old: Said | None) -> set[str]:
    """Return what a quantity was per where the claim took it from, if that is known."""
    held = old.quantities if old is not None else ()
    return {each.per for each in held if agreement(quantity, each) is Agreement.EQUAL}


def _past(quantity: Quantity, said: Said) -> bool:
    return any(start <= quantity.start < end for start, end in said.wording.past)


def keys(claim: Said, said: Said, old: Said) -> Iterator[Reason]:
    """A value that the claim states stood under a key that has another value now."""
    now = dict(_DATA.findall(said.text))
    for key, value in _DATA.findall(old.text):
        other = now.get(key, value)
        before, after = read(value, said.language), read(other, said.language)
        if same_saying(before, after) or not _stated(before, claim):
            continue
        if "," in value:
            continue
        if before.quantities and _all_known(before, after):
            if len(value.split()) <= _VALUE_WORDS and _grew(before, after):
                yield Reason(ReasonKind.UNSURE, f"{key} is now {other.strip()}")
            continue
        kind = ReasonKind.ENTITY
        if before.quantities and after.quantities:
            kind = ReasonKind(before.quantities[0].family.value)
        elif {*before.tokens, *after.tokens} & _BOOLEAN:
            kind = ReasonKind.POLARITY
        yield Reason(kind, f"{key} was {value.strip()} and is now {other.strip()}")


def _grew(before: Said, after: Said) -> bool:
    return len(after.quantities) > len(before.quantities) or before.stems != after.stems


def _all_known(before: Said, after: Said) -> bool:
    """Whether no quantity of a value of data is certainly another one now."""
    held = (Agreement.EQUAL, Agreement.UNSURE)
    return all(
        any(agreement(quantity, other) in held for other in after.quantities)
        for quantity in before.quantities
    )


def _stated(value: Said, claim: Said) -> bool:
    """Whether the claim states a value of data: its quantities, or all of its words."""
    if value.quantities:
        return bool(value.values & claim.values)
    return bool(value.tokens) and set(value.tokens) <= set(claim.tokens)


def words(claim: Said, said: Said, old: Said | None) -> Iterator[Reason]:
    """Each word of the claim stands in the statement, as often, affirmed or denied alike."""
    left = said.stems.copy()
    lost = _lost(old, said) if old is not None else []
    for word in claim.words:
        found = _standing(word, said)
        if found and left[found[0].stem] > 0:
            left[found[0].stem] -= 1
            yield from _polarity(word, found, claim, old)
        elif found and old is not None and not lost and said.stems[word.stem]:
            yield from _polarity(word, found, claim, old)
        else:
            yield from _absent(word, claim, said, old, lost)


def _standing(word: Word, said: Said) -> list[Word]:
    same = [other for other in said.words if other.stem == word.stem]
    return same or [other for other in said.words if same_word(other.text, word.text)]


def _lost(old: Said, said: Said) -> list[Word]:
    """Return what the claim could rest on and the statement no longer says."""
    fewer = old.stems - said.stems
    return [
        word
        for word in old.words
        if fewer[word.stem] and (said.stems[word.stem] or not _standing(word, said))
    ]


def _polarity(word: Word, found: list[Word], claim: Said, old: Said | None) -> Iterator[Reason]:
    """Compare what is denied: old text with new where a word occurs as often, else the claim."""
    alike = old if old is not None and old.stems[word.stem] == len(found) else None
    alike = alike or (claim if claim.stems[word.stem] == len(found) else None)
    if alike is not None:
        before = sum(other.negated for other in alike.words if other.stem == word.stem)
        turned = before != sum(other.negated for other in found)
    else:
        turned = all(other.negated is not word.negated for other in found)
    if turned:
        denied = "denied" if any(other.negated for other in found) else "no longer denied"
        yield Reason(ReasonKind.POLARITY, f"{word.text} is {denied}")
    elif all(other.unless is not word.unless for other in found):
        yield Reason(ReasonKind.POLARITY, f"the condition on {word.text} is turned round")


def _absent(
    word: Word, claim: Said, said: Said, old: Said | None, lost: list[Word]
) -> Iterator[Reason]:
    opposing = [other for other in said.words if opposite(word.stem, other.stem)]
    if opposing and not any(other.stem in claim.stems for other in opposing):
        if opposing[0].negated is word.negated:
            yield Reason(ReasonKind.POLARITY, f"{word.text} is now {opposing[0].text}")
        else:
            yield Reason(ReasonKind.UNSURE, f"{word.text} against not {opposing[0].text}")
        return
    if old is not None and word.stem not in old.stems and not lost:
        return
    if any(each.bound is _BOUND_WORDS.get(word.stem) for each in said.quantities):
        return
    rival = _rival_name(word, claim, said, old)
    if rival is not None:
        yield Reason(ReasonKind.ENTITY, f"{word.text} is now {rival.text}")
    else:
        yield Reason(ReasonKind.MISSING, f"{word.text} is not stated")


def _rival_name(word: Word, claim: Said, said: Said, old: Said | None) -> Word | None:
    """Return the name that took the place of a name; in a list of several none does."""
    if not word.name or word.listed:
        return None
    known = claim.stems.keys() | (old.stems.keys() if old is not None else set())
    if old is not None and any(each.stem == word.stem and each.listed for each in old.words):
        return None
    rivals = (other for other in said.words if other.stem not in known and _can_name(other, said))
    return next(rivals, None)


def _can_name(word: Word, said: Said) -> bool:
    return word.name or (word.text[:1].isupper() and word is said.words[0])


def conditions(claim: Said, said: Said, old: Said | None) -> Iterator[Reason]:
    """A condition came in, or one that the claim states is gone."""
    stated = known = claim.wording.conditions
    if old is not None:
        known |= old.wording.conditions
        stated &= old.wording.conditions
    for name in sorted(said.wording.conditions - known):
        yield Reason(ReasonKind.CONDITION, f"a condition came in: {name}")
    for name in sorted(stated - said.wording.conditions):
        yield Reason(ReasonKind.CONDITION, f"a condition is gone: {name}")


def roles(claim: Said, said: Said) -> Iterator[Reason]:
    """Who does it to whom: the words around a verb have not changed sides."""
    order = [word for word in claim.words if said.stems[word.stem] == claim.stems[word.stem] == 1]
    at = {word.stem: nth for nth, word in enumerate(said.words)}
    turned = claim.wording.passive is not said.wording.passive
    for one, verb, other in _around(order):
        if not _is_verb(verb, claim) or one.listed or other.listed:
            continue
        swapped = at[other.stem] < at[verb.stem] < at[one.stem]
        kept = at[one.stem] < at[verb.stem] < at[other.stem]
        acts = _acts(one, claim) or _acts(other, claim) or _acts(said.words[at[other.stem]], said)
        if (swapped and not turned) or (kept and turned and acts):
            yield Reason(ReasonKind.ROLE, f"{one.text} and {other.text} changed sides")
            return


def _acts(word: Word, said: Said) -> bool:
    """Whether a passive sentence names the word as the one who acts."""
    return word.start in said.wording.agents


def _around(order: list[Word]) -> Iterable[tuple[Word, Word, Word]]:
    return ((a, b, c) for (a, b), (_, c) in pairwise(pairwise(order)))


def _is_verb(word: Word, claim: Said) -> bool:
    before = claim.text[: word.start].casefold().split()[-1:]
    return bool(before and before[0] in _HELPERS) or word.text.endswith(("es", "ed", "s"))
