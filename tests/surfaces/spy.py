"""A flow function replaced by one that notes its arguments and gives a fixed result."""

from dataclasses import dataclass, field
from typing import Any

import pytest


@dataclass
class Spy:
    """Gives ``result``, or raises it where it is an exception."""

    result: Any
    args: list[tuple[Any, ...]] = field(default_factory=list)
    kwargs: list[dict[str, Any]] = field(default_factory=list)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.args.append(args)
        self.kwargs.append(kwargs)
        if isinstance(self.result, BaseException):
            raise self.result
        return self.result

    @property
    def payload(self) -> Any:
        """The last argument of the one call."""
        [args] = self.args
        return args[-1]


def spy(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, result: Any) -> Spy:
    """Replace ``module.name`` for one test."""
    made = Spy(result)
    monkeypatch.setattr(module, name, made)
    return made
