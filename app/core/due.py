"""When an answer is due for its next check, and when it may change by itself (DESIGN §5)."""

from dataclasses import dataclass
from typing import Final

from app.core.instants import DAY, LATEST, MINUTE

_FIRST_RETRY: Final = 10 * MINUTE


@dataclass(frozen=True, slots=True)
class Due:
    """Instants in µs: the next check, and when the clock alone may next change the answer."""

    recheck_due_at: int
    expires_at: int | None


def due(checked_at: int, *, max_age: int, boundary: int | None, failures: int = 0) -> Due:
    """Return when an answer checked at ``checked_at`` is due again.

    ``max_age`` (µs) is the safety net; ``boundary`` the first start or end of a tile after the
    check's instant on a source that an unpinned claim cites; ``failures`` counts the checks in a
    row at which a configured model failed: ten minutes after the first, doubling to a day.
    """
    moments = [checked_at + max_age]
    if boundary is not None:
        moments.append(boundary)
    if failures:
        moments.append(checked_at + min(_FIRST_RETRY * 2 ** min(failures - 1, 8), DAY))
    return Due(recheck_due_at=min([*moments, LATEST]), expires_at=boundary)
