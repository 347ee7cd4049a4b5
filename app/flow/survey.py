"""Survey: where the rows of an import lie, kept on disk, so that memory does not grow with them."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import groupby
from typing import Final, NamedTuple

from app.core.errors import Invalid, Unavailable

_TABLES: Final = """
CREATE TABLE document (nth INTEGER PRIMARY KEY, doc TEXT UNIQUE);
CREATE TABLE place (
  document INTEGER, seq INTEGER, line INTEGER, offset INTEGER, ends INTEGER, origin TEXT,
  author_ts INTEGER, committer_ts INTEGER, tx INTEGER, valid_from INTEGER, valid_to INTEGER,
  PRIMARY KEY (document, seq)
) WITHOUT ROWID;
"""
_ADD_DOCUMENT: Final = "INSERT INTO document (doc) VALUES (?) ON CONFLICT DO NOTHING"
_ADD_PLACE: Final = """
INSERT INTO place SELECT nth, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM document WHERE doc = ?
"""
_LINE: Final = """
SELECT line FROM place JOIN document ON document = nth WHERE doc = ? AND seq = ?
"""
_IN_ORDER: Final = """
SELECT doc, place.* FROM place JOIN document ON document = nth ORDER BY document, seq
"""


class Place(NamedTuple):
    """Where a row of a document lies in the file (bytes), and what it says but for its text.

    Stamps are in µs; ``ends`` where it has no text, since the document was deleted.
    """

    seq: int
    line: int
    offset: int
    ends: bool
    origin: str | None
    author_ts: int | None
    committer_ts: int | None
    tx: int | None
    valid_from: int | None
    valid_to: int | None


class Survey:
    """Places by document: documents as they came, the rows of each in published order."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database: Final = database
        self._last: str | None = None
        database.executescript(_TABLES)

    def add(self, doc: str, place: Place) -> None:
        """Note a row; raise ``Invalid`` ``ROW_INVALID`` where its document has its seq already."""
        if doc != self._last:
            self._database.execute(_ADD_DOCUMENT, (doc,))
            self._last = doc
        try:
            self._database.execute(_ADD_PLACE, (*place, doc))
        except sqlite3.IntegrityError:
            [line] = self._database.execute(_LINE, (doc, place.seq)).fetchone()
            raise Invalid(
                "ROW_INVALID",
                f"seq {place.seq} of {doc!r} was given in line {line} already",
                field=f"line {place.line}",
            ) from None

    def documents(self) -> Iterator[tuple[str, Iterator[Place]]]:
        """Yield each document with its places; read them before the next document."""
        rows = self._database.execute(_IN_ORDER)
        for doc, group in groupby(rows, key=lambda row: str(row[0])):
            yield doc, (Place(*row[2:]) for row in group)

    def count(self) -> tuple[int, int]:
        """Return how many documents and rows there are."""
        counted = "SELECT (SELECT count(*) FROM document), (SELECT count(*) FROM place)"
        documents, rows = self._database.execute(counted).fetchone()
        return documents, rows


@contextmanager
def surveyed() -> Iterator[Survey]:
    """Open a survey in a nameless file of its own, which is gone when it is closed.

    Raises ``Unavailable`` ``SURVEY_NO_ROOM`` where the temporary folder cannot hold it.
    """
    with closing(sqlite3.connect("", isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("BEGIN")
        try:
            yield Survey(database)
        except sqlite3.OperationalError as refused:
            raise Unavailable(
                "SURVEY_NO_ROOM",
                f"the temporary folder cannot hold the survey of the file ({refused})",
                hint="Make room there, or set TMPDIR to another folder, and run the import again.",
            ) from None
