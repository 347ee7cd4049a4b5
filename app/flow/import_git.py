"""Import from git: the first-parent history of a repository, one source a document.

What a file's content cannot say as text (binary, no UTF-8, too large) is an end where text stood
before: the old text is no longer what is published. Where none did, it is passed over.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.core.documents import Document, Published, documents
from app.core.errors import Invalid
from app.core.imports import Coordinates, Row, coordinates
from app.core.values import key
from app.flow.imports import Histories, Progress, arrival, import_histories
from app.flow.ingest import Arrival
from app.flow.repository import Contents, Unreadable, open_repository
from app.payloads.imports import GitImported, Skipped
from app.ports import Clock, Store


@dataclass(frozen=True, slots=True)
class _Place:
    """The ``nth`` version of a document, with the coordinates that its whole history gives it."""

    document: Document
    nth: int
    at: Coordinates

    @property
    def version(self) -> Published:
        return self.document.versions[self.nth]


@dataclass(slots=True)
class _Reader:
    """Brings versions as statements, and notes those that are no text."""

    contents: Contents
    skipped: list[Skipped] = field(default_factory=list)

    def bring(self, place: _Place) -> Arrival | None:
        """Return a version as a statement; ``None`` where it is no text, and none stood before."""
        version = place.version
        text = None
        if version.blob is not None:
            try:
                text = self.contents.text(version.blob)
            except Unreadable as broken:
                self._skip(version, str(broken))
        if text is None and not self._stood(place):
            return None
        return arrival(text, place.at, version.commit.commit_id)

    def _stood(self, place: _Place) -> bool:
        """Whether any earlier version of the document is text."""
        earlier = place.document.versions[: place.nth]
        return any(self._is_text(version.blob) for version in reversed(earlier))

    def _is_text(self, blob: str | None) -> bool:
        if blob is None:
            return False
        try:
            self.contents.text(blob)
        except Unreadable:
            return False
        return True

    def _skip(self, version: Published, why: str) -> None:
        self.skipped.append(_skipped(version, why))


def import_git(
    store: Store,
    clock: Clock,
    tenant: str,
    path: Path,
    *,
    globs: Sequence[str],
    since: int = 0,
    progress: Progress | None = None,
) -> GitImported:
    """Import the documents of a git repository that ever lay at a path which matches a glob.

    A document is imported whole, under all its paths, up to ``HEAD``. Coordinates are those of its
    whole history; rows with a tx before ``since`` (µs) are not written. Raises ``Invalid``
    ``REPO_UNREADABLE``, ``REPO_EMPTY``, ``REPO_SHALLOW``, ``GLOB_MATCHES_NOTHING`` or
    ``STAMP_IN_FUTURE`` naming the commit, and nothing is imported then; else as ``import_jsonl``.
    """
    repository = open_repository(path)
    matching = repository.paths(globs)
    found = [each for each in documents(repository.history()) if each.paths & matching]
    if not found:
        raise Invalid(
            "GLOB_MATCHES_NOTHING",
            "no file of the history matches",
            field="glob",
            hint="`*` stays within a folder, `**/` goes through all; quote the glob.",
        )
    nameless = [each for each in found if not _is_name(each.name)]
    now = clock.now()
    placed = {each.name: list(_placed(each, now)) for each in found if _is_name(each.name)}
    written = {
        name: [each for each in all_ if each.at.tx >= since] for name, all_ in placed.items()
    }
    with repository.contents() as contents:
        reader = _Reader(contents)
        histories = _histories(written, reader)
        done = import_histories(store, clock, tenant, histories, progress=progress)
    return GitImported(
        **done.model_dump(),
        head=repository.head,
        before_since=sum(map(len, placed.values())) - done.rows,
        skipped=(
            *(_skipped(each.versions[0], "its path cannot be a name") for each in nameless),
            *reader.skipped,
        ),
    )


def _histories(written: dict[str, list[_Place]], reader: _Reader) -> Histories[_Place]:
    kept = {name: places for name, places in written.items() if places}
    return Histories(len(kept), sum(map(len, kept.values())), kept.items(), reader.bring)


def _placed(document: Document, now: int) -> Iterator[_Place]:
    rows = (
        Row(
            row=f"commit {version.commit.commit_id} of {version.path!r}",
            author_ts=version.commit.author_ts,
            committer_ts=version.commit.committer_ts,
        )
        for version in document.versions
    )
    for nth, at in enumerate(coordinates(rows, clock=now)):
        yield _Place(document, nth, at)


def _is_name(name: str) -> bool:
    try:
        key(name, field="path")
    except Invalid:
        return False
    return True


def _skipped(version: Published, why: str) -> Skipped:
    shown = version.path.encode(errors="surrogateescape").decode(errors="replace")
    return Skipped(path=shown, commit=version.commit.commit_id, why=why)
