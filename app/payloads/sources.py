"""Results about sources."""

from app.core.statements import Removal
from app.payloads.base import Payload


class SourceVersionView(Payload):
    """One version of a source; times in µs, ``text`` null in lists and for an end."""

    source_id: str
    tx: int
    valid_from: int
    valid_to: int | None
    recorded_at: int
    observed_at: int
    ends: bool
    corrects_tx: int | None
    override_only: bool
    removal: Removal | None
    origin: str | None
    text: str | None
