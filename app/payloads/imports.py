"""Rows and results of an import."""

from typing import Annotated

from pydantic import AliasChoices, ConfigDict, Field, StrictInt, model_validator

from app.core.instants import LATEST
from app.payloads.base import Instant, Key, Payload, Text


class RowIn(Payload):
    """One published version of a document, as a line of JSON; names are snake_case in files.

    ``doc`` is the document's stable name and becomes the source id, ``seq`` its place in published
    order, ``commit`` is kept as the version's origin. A row whose ``event`` is ``delete`` has no
    text, every other one must. Other columns are ignored.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=None)

    doc: Key
    seq: Annotated[StrictInt, Field(ge=0, le=LATEST)]
    text: Text
    event: str = "modify"
    commit: Annotated[str | None, Field(validation_alias=AliasChoices("commit", "origin"))] = None
    author_ts: Instant | None = None
    committer_ts: Instant | None = None
    tx: Instant | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None

    @model_validator(mode="before")
    @classmethod
    def _deleted(cls, row: object) -> object:
        if isinstance(row, dict) and row.get("event") == "delete":
            return row | {"text": ""}
        return row


class Imported(Payload):
    """What an import did: rows by what became of them."""

    sources: int
    rows: int
    stored: int
    observed: int
    duplicates: int


class Skipped(Payload):
    """A published version that could not be stored, and why."""

    path: str
    commit: str
    why: str


class GitImported(Imported):
    """What an import of a repository did, up to the commit ``head``.

    ``before_since`` counts versions that were not asked for.
    """

    head: str
    before_since: int
    skipped: tuple[Skipped, ...]
