"""How strongly a statement binds, and of how many it speaks, beside a claim (DESIGN §5)."""

from collections.abc import Iterator

from app.core.reading import Said
from app.core.reasons import Reason, ReasonKind
from app.core.wording import Mode


def modality(claim: Said, said: Said, old: Said | None) -> Iterator[Reason]:
    """What must be is not what may be; all is not some."""
    before = _mode(old if old is not None else claim, claim)
    stated, now = _mode(claim, claim) or before, _mode(said, claim)
    if stated and now and stated is not now and before is not now:
        yield Reason(ReasonKind.MODALITY, f"{stated.name.lower()} is now {now.name.lower()}")
    elif _changed_places(old or claim, said):
        yield Reason(ReasonKind.MODALITY, "what must be and what may be changed places")
    if (old or claim).wording.loose != said.wording.loose:
        yield Reason(ReasonKind.UNSURE, "it is not clear what is denied")
    told, has = claim.wording.quantifier, said.wording.quantifier
    known = old.wording.quantifier if old is not None else ""
    if told == "all" and has in ("only", "some") and has != known:
        yield Reason(ReasonKind.MODALITY, f"all is now {has}")
    elif told == "all" and not has and (old is None or known == "all"):
        yield Reason(ReasonKind.MISSING, "all is not stated")
    elif told != has and has in ("some", "only") and old is not None and has != known:
        yield Reason(ReasonKind.CONDITION, f"it now holds for {has}")


def _changed_places(before: Said, said: Said) -> bool:
    """Whether as many modal verbs stand there, others, or before other verbs than they did."""
    was, now = _modes(before), _modes(said)
    if len(was) != len(now):
        return False
    one, other = _bound(before), _bound(said)
    return was != now or any(one[verb].isdisjoint(other[verb]) for verb in one.keys() & other)


def _modes(said: Said) -> list[Mode]:
    return sorted(mode for _, mode, _ in said.wording.modes)


def _bound(said: Said) -> dict[str, set[Mode]]:
    """Return how strongly each verb is bound, by its stem: the word after a modal verb."""
    found: dict[str, set[Mode]] = {}
    for _, mode, nth in said.wording.modes:
        for verb in said.words[nth : nth + 1]:
            found.setdefault(verb.stem, set()).add(mode)
    return found


def _mode(said: Said, claim: Said) -> Mode | None:
    """Return the strongest mode of the clauses that hold words of the claim."""
    about = {word.clause for word in said.words if word.stem in claim.stems}
    return max((mode for clause, mode, _ in said.wording.modes if clause in about), default=None)
