"""``claims_json``: the per-claim summary as answers and their versions store it (seed §5, v 1).

It holds coordinates and states, never text of people. States that this code does not know fail
closed to ``affected`` (seed §11).
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from app.core.fold import known_state
from app.core.states import AnswerState, Cause, CauseKind, ClaimCheck, ClaimState, Severity, Status


def dumps(claims: Sequence[ClaimCheck]) -> str:
    """Return ``claims`` as canonical JSON: the same claims always give the same text."""
    body = {"v": 1, "claims": [_without_nones(asdict(claim)) for claim in claims]}
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
        severity=Severity(severity) if severity else None,
        claims=loads(claims_json),
        caveats=tuple(caveats or ()),
    )


def _claim(entry: dict[str, Any]) -> ClaimCheck:
    severity = entry.get("severity")
    return ClaimCheck(
        idx=entry["idx"],
        verdict_at_save=entry["verdict_at_save"],
        state=known_state(entry["state"]),
        severity=Severity(severity) if severity else None,
        causes=tuple(_cause(cause) for cause in entry.get("causes", ())),
        caveats=tuple(entry.get("caveats", ())),
        last_change_tx=entry.get("last_change_tx"),
        fire_id=entry.get("fire_id"),
    )


def _cause(entry: dict[str, Any]) -> Cause:
    state: ClaimState = known_state(entry["state"])
    return Cause(**(entry | {"kind": CauseKind(entry["kind"]), "state": state}))


def _without_nones(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nones(held) for key, held in value.items() if held is not None}
    if isinstance(value, list | tuple):
        return [_without_nones(held) for held in value]
    return value
