"""Errors a person can act on: what was wrong, where, what to do, under one stable code each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final


class TelhaError(Exception):
    """A refusal with a stable ``code``; ``field`` says where, ``hint`` what to do next.

    The subclass says what kind of refusal it is. Surfaces translate the kind (an exit code, later
    an HTTP status); nothing in the core knows of either.
    """

    def __init__(
        self, code: str, message: str, *, field: str | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message)
        self.code: Final = code
        self.message: Final = message
        self.field: Final = field
        self.hint: Final = hint

    def __str__(self) -> str:
        where = f" [{self.field}]" if self.field else ""
        hint = f" {self.hint}" if self.hint else ""
        return f"{self.message}{where}{hint}"


class Invalid(TelhaError):
    """The input cannot be accepted as it is; sending it again unchanged will not help."""


class NotFound(TelhaError):
    """What the input names does not exist in this tenant."""


class Conflict(TelhaError):
    """The input contradicts what is stored; nothing was written."""


class LimitReached(TelhaError):
    """A configured cap would be exceeded; nothing was written."""


class Unavailable(TelhaError):
    """A part that this needs does not answer now; the same call may succeed later."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with an input; ``field`` is a path such as ``claims[0].evidence[1].end``."""

    field: str
    message: str


class InvalidInput(Invalid):
    """An input refused whole, with every problem listed at once."""

    def __init__(self, code: str, problems: Sequence[Problem], *, hint: str | None = None) -> None:
        listed = "; ".join(f"{p.field}: {p.message}" for p in problems)
        super().__init__(code, listed, hint=hint)
        self.problems: Final = tuple(problems)
