"""Documents of a published history: a path is where one lies for a while, not what it is.

A document keeps its name through every rename, ends where its file is deleted, and goes on where a
file appears again at the path at which it was deleted. It is called by its first path; where that
name is taken, since the document that has it was moved elsewhere, by the path with ``#2``, ``#3``.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count


@dataclass(frozen=True, slots=True)
class Commit:
    """A published step of a history; stamps in µs, ``None`` where they are out of range."""

    commit_id: str
    author_ts: int | None
    committer_ts: int | None


@dataclass(frozen=True, slots=True)
class Touch:
    """What a step did to a path: ``blob`` names the content, ``None`` where no file is left.

    ``old_path`` is where the file lay before, if it was renamed.
    """

    path: str
    blob: str | None
    old_path: str | None = None


@dataclass(frozen=True, slots=True)
class Published:
    """One published version of a document, or its end where ``blob`` is ``None``."""

    commit: Commit
    path: str
    blob: str | None


@dataclass(slots=True)
class Document:
    """A document under its stable name: its versions in published order, and where it ever lay."""

    name: str
    versions: list[Published] = field(default_factory=list)
    paths: set[str] = field(default_factory=set)


def documents(history: Iterable[tuple[Commit, Iterable[Touch]]]) -> list[Document]:
    """Return the documents of a history, in the order in which they first appeared.

    Names depend on what came before alone, so a history that grows renames nothing.
    """
    shelf = _Shelf()
    for commit, touches in history:
        shelf.take(commit, list(touches))
    return list(shelf.named.values())


class _Shelf:
    """Which document lies where, and which one was deleted where."""

    def __init__(self) -> None:
        self.named: dict[str, Document] = {}
        self._lying: dict[str, Document] = {}
        self._deleted: dict[str, Document] = {}

    def take(self, commit: Commit, touches: list[Touch]) -> None:
        """Do what a step did; what left a path leaves before anything arrives there."""
        moved = {each.path: self._lift(each.old_path) for each in touches}
        for each in touches:
            if each.blob is None:
                self._end(commit, moved[each.path] or self._lift(each.path), each.path)
        for each in touches:
            if each.blob is not None:
                document = moved[each.path] or self._at(each.path)
                self._publish(commit, document, each.path, each.blob)

    def _lift(self, path: str | None) -> Document | None:
        return None if path is None else self._lying.pop(path, None)

    def _end(self, commit: Commit, document: Document | None, path: str) -> None:
        if document is not None:
            document.versions.append(Published(commit, path, None))
            self._deleted[path] = document

    def _publish(self, commit: Commit, document: Document, path: str, blob: str) -> None:
        document.versions.append(Published(commit, path, blob))
        document.paths.add(path)
        self._lying[path] = document
        self._deleted.pop(path, None)

    def _at(self, path: str) -> Document:
        """Return the document of a path: what lies there, what was deleted there, or a new one."""
        found = self._lying.get(path) or self._deleted.get(path)
        if found is None:
            found = Document(self._free_name(path))
            self.named[found.name] = found
        return found

    def _free_name(self, path: str) -> str:
        names = (path if nth == 1 else f"{path}#{nth}" for nth in count(1))
        return next(name for name in names if name not in self.named)
