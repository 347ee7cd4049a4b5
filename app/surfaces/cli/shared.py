"""What every command shares: its common options, its session, its output and its errors.

A command parses its options, calls one flow function within ``session`` and shows the result.
Standard output carries the result alone; progress, warnings and errors go to standard error.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer
from pydantic import ValidationError
from pydantic.alias_generators import to_camel
from pydantic_settings import SettingsError
from rich.console import Console, RenderableType
from rich.text import Text
from typer.core import TyperGroup

from app.config import Settings
from app.core.errors import (
    Conflict,
    Invalid,
    InvalidInput,
    LimitReached,
    NotFound,
    Problem,
    TelhaError,
    Unavailable,
)
from app.core.values import tenant_id
from app.local.report import OnConsole
from app.payloads.base import Payload, parse
from app.surfaces.cli.text import plain

if TYPE_CHECKING:
    from app.wiring import Stack

P = TypeVar("P", bound=Payload)
R = TypeVar("R", bound=Payload | Sequence[Payload])

Tenant = Annotated[
    str | None,
    typer.Option("--tenant", envvar="TELHA_TENANT", help="Whose data; else the setting `tenant`."),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print JSON for machines; times as integer microseconds.")
]
RequestId = Annotated[
    str | None,
    typer.Option("--request-id", help="Repeating a call with its id gives its first result again."),
]
Actor = Annotated[str | None, typer.Option("--actor", help="Who does it, for the audit trail.")]
Reason = Annotated[str | None, typer.Option("--reason", help="Why, for the audit trail.")]
At = Annotated[
    str | None,
    typer.Option("--at", help="As it stood at this instant: RFC 3339 with offset, or µs."),
]
KnownAt = Annotated[
    str | None,
    typer.Option("--known-at", help="As recorded by this instant; with --at the earlier counts."),
]

EXIT_CODES: Final = (
    "Exit codes: 0 ok, 1 unexpected, 2 usage or invalid input, 3 not found, 4 conflict,"
    " 5 limit reached, 6 unavailable."
)
_USAGE: Final = 2
_PIPED_WIDTH: Final = 200
_EXITS: Final[tuple[tuple[type[TelhaError], int], ...]] = (
    (Invalid, _USAGE),
    (NotFound, 3),
    (Conflict, 4),
    (LimitReached, 5),
    (Unavailable, 6),
)


class Root(TyperGroup):
    """The root command: with ``--json``, a misused command line is told as JSON too."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> Any:
        """Run the command line, as Typer does."""
        stated = list(sys.argv[1:] if args is None else args)
        if "--json" not in stated:
            return super().main(stated, *rest, **extra)
        try:
            code = super().main(stated, *rest, **(extra | {"standalone_mode": False}))
        except typer.TyperException as refused:
            tell(Invalid("USAGE", refused.format_message()), as_json=True)
            sys.exit(_USAGE)
        sys.exit(code or 0)


@dataclass(frozen=True, slots=True)
class Session:
    """An open stack, the tenant that a command works for, and how it prints."""

    stack: "Stack"
    tenant: str
    as_json: bool

    def parse(self, model: type[P], **stated: object) -> P:
        """Return the payload of the options that were stated, for the session's tenant."""
        given = {to_camel(name): value for name, value in stated.items() if value is not None}
        return parse(model, {"tenant": self.tenant, **given})

    def show(self, result: R, render: Callable[[R], RenderableType]) -> None:
        """Print a result on standard output: as JSON, or as ``render`` draws it."""
        show(result, render, as_json=self.as_json)

    def wake(self, *, changed: bool) -> None:
        """Wake the workers where there is something to do."""
        if changed:
            self.stack.wake(self.tenant)


def group(about: str) -> typer.Typer:
    """Return an empty group of commands."""
    return typer.Typer(help=about, no_args_is_help=True)


def example(line: str) -> str:
    """Return the last line of a command's help."""
    return f"Example: {line}"


@contextmanager
def session(tenant: str | None, as_json: bool) -> Iterator[Session]:
    """Open the configured stack for one command; a refusal ends the command with its exit code."""
    with reported(as_json), open_stack() as stack:
        named = stack.settings.tenant if tenant is None else tenant
        yield Session(stack, tenant_id(named), as_json)


@contextmanager
def reported(as_json: bool) -> Iterator[None]:
    """Tell a refusal on standard error and exit with the code of its kind, without a traceback."""
    try:
        yield
    except TelhaError as refused:
        tell(refused, as_json=as_json)
        raise typer.Exit(exit_code(refused)) from None


def open_stack() -> AbstractContextManager["Stack"]:
    """Open the configured stack. The one seam to the running system; tests put their own here."""
    from app.wiring import open_stack as opened  # noqa: PLC0415 — keeps --help and completion quick

    return opened(read_settings(), report=OnConsole())


def migrate_database() -> list[str]:
    """Bring the configured database to the schema of this release; return what was applied."""
    from app.wiring import migrate_database as brought  # noqa: PLC0415 — as above

    return brought(read_settings())


def read_settings() -> Settings:
    """Return the settings; raise ``Invalid`` ``SETTINGS_INVALID``, never repeating a value."""
    try:
        return Settings()
    except ValidationError as refused:
        problems = [
            Problem(".".join(map(str, each["loc"])), each["msg"].removeprefix("Value error, "))
            for each in refused.errors()
        ]
        raise InvalidInput("SETTINGS_INVALID", problems) from None
    except (SettingsError, ValueError) as refused:
        raise Invalid("SETTINGS_INVALID", f"{refused}", hint="See docs/settings.md.") from None


def show(result: R, render: Callable[[R], RenderableType], *, as_json: bool) -> None:
    """Print a result on standard output: as JSON, or as ``render`` draws it."""
    if as_json:
        print_json(_dumped(result))
    else:
        console().print(render(result))


def print_json(body: object) -> None:
    """Print one JSON document on standard output."""
    typer.echo(json.dumps(body, ensure_ascii=False, indent=2))


def console(*, stderr: bool = False) -> Console:
    """Return a console; wide where nobody looks at it, so that ids stay whole in a pipe."""
    drawn = Console(stderr=stderr, highlight=False)
    if not drawn.is_terminal:
        drawn.width = _PIPED_WIDTH
    return drawn


def warn(message: str) -> None:
    """Tell something worth knowing on standard error."""
    console(stderr=True).print(Text("warning: ", style="yellow").append(plain(message)))


def tell(refused: TelhaError, *, as_json: bool) -> None:
    """Tell a refusal as one block on standard error."""
    if as_json:
        typer.echo(json.dumps(_as_body(refused), ensure_ascii=False), err=True)
    else:
        console(stderr=True).print(_as_block(refused))


def exit_code(refused: TelhaError) -> int:
    """Return the exit code of a refusal by its kind."""
    return next((code for kind, code in _EXITS if isinstance(refused, kind)), 1)


def _as_body(refused: TelhaError) -> dict[str, object]:
    return {
        "code": refused.code,
        "message": refused.message,
        "field": refused.field,
        "hint": refused.hint,
        "problems": [{"field": each.field, "message": each.message} for each in _problems(refused)],
    }


def _as_block(refused: TelhaError) -> Text:
    problems = _problems(refused)
    block = Text(refused.code, style="bold red").append(": ", style="default")
    block.append(f"{len(problems)} to mend" if problems else plain(refused.message), "default")
    lines = [f"{each.field}: {each.message}" for each in problems]
    lines += [f"where: {refused.field}"] if refused.field else []
    lines += [f"hint: {refused.hint}"] if refused.hint else []
    for line in lines:
        block.append(f"\n  {plain(line)}", "default")
    return block


def _problems(refused: TelhaError) -> tuple[Problem, ...]:
    return refused.problems if isinstance(refused, InvalidInput) else ()


def _dumped(result: Payload | Sequence[Payload]) -> object:
    if isinstance(result, Payload):
        return result.model_dump(mode="json", by_alias=True)
    return [_dumped(each) for each in result]
