"""What commands read from files and standard input: exact bytes, no newline is translated."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from app.core.errors import Invalid
from app.core.instants import instant
from app.core.values import MAX_TEXT_BYTES

Text = Annotated[str | None, typer.Option("--text", help="The text itself.")]
File = Annotated[
    Path | None, typer.Option("--file", help="A UTF-8 file, stored exactly as it is; '-' is stdin.")
]
_STDIN: Final = Path("-")


def text_of(text: str | None, file: Path | None) -> str | None:
    """Return the text that ``--text`` or ``--file`` gives, ``None`` where neither is stated.

    Raises ``Invalid`` ``TEXT_TWICE``, ``TEXT_TOO_LONG``, ``TEXT_INVALID`` or ``FILE_UNREADABLE``.
    """
    if file is None:
        return text
    if text is not None:
        raise Invalid("TEXT_TWICE", "state --text or --file, not both", field="text")
    raw = _read(file, MAX_TEXT_BYTES + 1)
    if len(raw) > MAX_TEXT_BYTES:
        raise Invalid("TEXT_TOO_LONG", f"has more than {MAX_TEXT_BYTES} bytes", field="text")
    try:
        return raw.decode()
    except UnicodeDecodeError as broken:
        raise Invalid(
            "TEXT_INVALID", f"is no UTF-8 from byte {broken.start} on", field="text"
        ) from None


def required_text(text: str | None, file: Path | None) -> str:
    """Return the text as ``text_of`` does; raise ``Invalid`` ``TEXT_MISSING`` for none."""
    found = text_of(text, file)
    if found is None:
        raise Invalid("TEXT_MISSING", "a version needs its text", hint="Give --text or --file.")
    return found


def json_object(file: Path) -> dict[str, Any]:
    """Return the JSON object in a file; ``-`` is standard input.

    Raises ``Invalid`` ``JSON_INVALID`` saying where, and never what, or ``FILE_UNREADABLE``.
    """
    try:
        body = json.loads(_read(file, -1))
    except json.JSONDecodeError as broken:
        where = f"line {broken.lineno}, column {broken.colno}"
        raise Invalid("JSON_INVALID", broken.msg, field=where) from None
    except (ValueError, RecursionError) as broken:
        raise Invalid("JSON_INVALID", f"cannot be read ({type(broken).__name__})") from None
    if not isinstance(body, dict):
        raise Invalid("JSON_INVALID", "is no JSON object")
    return body


def coordinate(stated: str | None, field: str) -> int | None:
    """Return the tx that an option names, given as µs or RFC 3339."""
    return None if stated is None else instant(stated, field=field)


def readable(file: Path) -> Path:
    """Return ``file`` where it can be read; raise ``Invalid`` ``FILE_UNREADABLE``."""
    try:
        with file.open("rb"):
            return file
    except OSError as refused:
        raise _unreadable(file, refused) from None


def _read(file: Path, most: int) -> bytes:
    try:
        if file == _STDIN:
            return sys.stdin.buffer.read(most)
        with file.open("rb") as opened:
            return opened.read(most)
    except OSError as refused:
        raise _unreadable(file, refused) from None


def _unreadable(file: Path, refused: OSError) -> Invalid:
    return Invalid("FILE_UNREADABLE", refused.strerror or type(refused).__name__, field=str(file))
