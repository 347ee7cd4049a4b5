"""Results of the flow with defaults, for tests of how they are shown."""

from typing import Any

from app.core.chain import Outcome
from app.core.states import CauseKind, ClaimState, Status
from app.payloads.answers import AnswerRow, AnswerView, CauseView, ClaimView, VersionView
from app.payloads.ingest import Ingested
from app.payloads.trace import TimeBasis
from tests.builders import NOON

DAY = 86_400_000_000


def cause(**stated: Any) -> CauseView:
    return CauseView(
        **{
            "kind": CauseKind.NEWER_VERSION,
            "state": ClaimState.AFFECTED,
            "source_id": "rates/de",
            "cited_tx": NOON - DAY,
            "cited_start": 3,
            "cited_end": 9,
            "winning_tx": NOON,
        }
        | stated
    )


def claim(**stated: Any) -> ClaimView:
    return ClaimView(
        **{
            "idx": 0,
            "text": "VAT is 19 %",
            "verdict_at_save": "supported",
            "state": ClaimState.OK,
            "severity": None,
            "valid_time": None,
            "causes": (),
            "caveats": (),
            "last_change_tx": None,
            "fire_id": None,
            "checkable": True,
        }
        | stated
    )


BLIND = claim(idx=1, text="Rates are fair.", caveats=("no_evidence",), checkable=False)


def answer(**stated: Any) -> AnswerView:
    return AnswerView(
        **{
            "answer_id": "a-1",
            "trace_id": "t-1",
            "title": "VAT",
            "question": "What is VAT?",
            "draft": "VAT is 19 %.",
            "created_by_person": "ana",
            "created_by_key": None,
            "time_basis": TimeBasis(tx_time=NOON),
            "status": Status.CURRENT,
            "severity": None,
            "caveats": (),
            "claims": (claim(),),
            "history": (
                VersionView(
                    seq=1,
                    status=Status.CURRENT,
                    severity=None,
                    recorded_at=NOON,
                    why="saved",
                    emit_id=None,
                ),
            ),
            "saved_at": NOON,
            "checked_at": NOON + 1,
            "recheck_due_at": NOON + 7 * DAY,
            "expires_at": None,
            "checked_through": NOON,
            "deleted_at": None,
            "superseded_by": None,
        }
        | stated
    )


def row(**stated: Any) -> AnswerRow:
    return AnswerRow(
        **{
            "answer_id": "a-1",
            "title": "VAT",
            "status": Status.CURRENT,
            "severity": None,
            "claims": 2,
            "not_ok": 0,
            "not_checkable": 0,
            "saved_at": NOON,
            "checked_at": NOON,
            "expires_at": None,
        }
        | stated
    )


def ingested(**stated: Any) -> Ingested:
    return Ingested(
        **{
            "source_id": "rates/de",
            "tx": NOON,
            "valid_from": NOON,
            "valid_to": None,
            "outcome": Outcome.STORED,
            "removal": None,
            "wins_now": True,
            "why_not": None,
            "winning_tx": NOON,
        }
        | stated
    )
