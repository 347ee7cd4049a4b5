"""``claims_json``: the per-claim summary as answers and their versions store it (seed §5, v 1).

It holds coordinates and states, never text of people. What a later version of this code wrote
stays foldable (seed §11): a state it does not know fails closed to ``affected``, a severity to
``material``; causes of an unknown kind and unknown fields are left out.
"""

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Final

from app.core.fold import known_state
from app.core.states import AnswerState, Cause, CauseKind, ClaimCheck, Severity, Status

_CLAIM_FIELDS: Final = tuple(field.name for field in fields(ClaimCheck))
_CAUSE_FIELDS: Final = tuple(field.name for field in fields(Cause))


def dumps(claims: Sequence[ClaimCheck]) -> str:
    """Return ``claims`` as canonical JSON: the same claims always give the same text."""
    body = {"v": 1, "claims": [_entry(claim) for claim in claims]}
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def loads(text: str) -> tuple[ClaimCheck, ...]:
    """Return the claims that ``dumps`` wrote, or a later version of this code."""
    return tuple(_claim(entry) for entry in json.loads(text)["claims"])


def answer_state(
    status: str, severity: str | None, claims_json: str, caveats: Sequence[str] | None
) -> AnswerState:
    """Return the state that the properties of an answer, or of one of its versions, hold."""
    return AnswerState(
        status=Status(status),
        severity=_severity(severity),
        claims=loads(claims_json),
        caveats=tuple(caveats or ()),
    )


def _claim(entry: dict[str, Any]) -> ClaimCheck:
    causes = (_cause(cause) for cause in entry.get("causes", ()))
    return ClaimCheck(
        idx=entry["idx"],
        verdict_at_save=entry["verdict_at_save"],
        state=known_state(entry["state"]),
        severity=_severity(entry.get("severity")),
        causes=tuple(cause for cause in causes if cause is not None),
        caveats=tuple(entry.get("caveats", ())),
        last_change_tx=entry.get("last_change_tx"),
        fire_id=entry.get("fire_id"),
    )


def _cause(entry: dict[str, Any]) -> Cause | None:
    if entry["kind"] not in set(CauseKind):
        return None
    held = {name: entry[name] for name in _CAUSE_FIELDS if name in entry}
    kind, state = CauseKind(entry["kind"]), known_state(entry["state"])
    return Cause(**(held | {"kind": kind, "state": state}))


def _severity(name: str | None) -> Severity | None:
    return Severity.MATERIAL if name else None


def _entry(claim: ClaimCheck) -> dict[str, Any]:
    causes = [_held(cause, _CAUSE_FIELDS) for cause in claim.causes]
    return _held(claim, _CLAIM_FIELDS) | {"causes": causes}


def _held(value: ClaimCheck | Cause, names: Sequence[str]) -> dict[str, Any]:
    return {name: held for name in names if (held := getattr(value, name)) is not None}
