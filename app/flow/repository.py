"""A git repository as it is read: its first-parent history, and the contents of files.

Whatever the user's configuration says, the same commits give the same history: what matters is
stated on each command line. Nothing is written, and no command gets anything through a shell.
"""

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final

from app.core.documents import Commit, Touch
from app.core.errors import Invalid, Unavailable
from app.core.instants import LATEST, SECOND
from app.core.values import MAX_TEXT_BYTES

_UNREADABLE: Final = "REPO_UNREADABLE"
_CHUNK: Final = 1024 * 1024
_FILE_MODES: Final = frozenset({"100644", "100755", "100664"})
_LOG: Final = (
    "--first-parent",
    "--diff-merges=first-parent",
    "--root",
    "-z",
    "--no-show-signature",
)
_RENAMES: Final = ("-M50%", "-l5000", "--raw", "--no-abbrev")
_FORMAT: Final = "--format=%x01%H,%at,%ct"
_ELSEWHERE: Final = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY")


class Unreadable(Exception):
    """A file's content that is no text which can be stored; the message says why."""


@dataclass(frozen=True, slots=True)
class Repository:
    """A git repository at the commit ``head``."""

    path: Path
    head: str

    def history(self) -> Iterator[tuple[Commit, list[Touch]]]:
        """Yield the commits from the first to ``head`` with what each did to the tree."""
        with _reading(self.path, "log", *_LOG, *_RENAMES, "--reverse", _FORMAT, self.head) as out:
            yield from _commits(_tokens(out))

    def paths(self, globs: Sequence[str]) -> set[str]:
        """Return every path that ever held a file and matches one of ``globs``, as git matches."""
        specs = [f":(top,glob){glob}" for glob in globs]
        names = ("--no-renames", "--name-only", "--format=", self.head, "--", *specs)
        with _reading(self.path, "log", *_LOG, *names) as out:
            return {_path(token) for token in _tokens(out) if token}

    @contextmanager
    def contents(self) -> Iterator["Contents"]:
        """Open the contents of files by their blob."""
        with _process(self.path, "cat-file", "--batch") as process:
            yield Contents(_piped(process.stdin), _piped(process.stdout))


@dataclass(frozen=True, slots=True)
class Contents:
    """What blobs hold, asked one by one of one process."""

    given: IO[bytes]
    told: IO[bytes]

    def text(self, blob: str) -> str:
        """Return a blob as text, exactly as it is; raise ``Unreadable`` where it is none.

        Raises ``Invalid`` ``BLOB_MISSING`` where the repository does not hold it.
        """
        self.given.write(f"{blob}\n".encode())
        self.given.flush()
        header = self.told.readline().split()
        if header[1:2] == [b"missing"]:
            raise Invalid(
                "BLOB_MISSING", "the repository does not hold this content", field=f"blob {blob}"
            )
        size = int(header[-1]) if header else 0
        if size > MAX_TEXT_BYTES:
            self._pass_over(size + 1)
            raise Unreadable(f"has {size} bytes, the limit is {MAX_TEXT_BYTES}")
        raw = self.told.read(size + 1)
        if len(raw) != size + 1:
            raise Unavailable("GIT_ENDED", "git ended before it told a content; try again")
        return _as_text(raw[:-1])

    def _pass_over(self, left: int) -> None:
        while left > 0 and (piece := self.told.read(min(left, _CHUNK))):
            left -= len(piece)


def open_repository(path: Path) -> Repository:
    """Return the repository at ``path``, bare or not, as it stands at its ``HEAD``.

    Raises ``Unavailable`` ``GIT_MISSING``, ``Invalid`` ``REPO_UNREADABLE``, ``REPO_EMPTY`` or, as
    coordinates need the whole history, ``REPO_SHALLOW``.
    """
    if _told(path, "rev-parse", "--is-shallow-repository") == "true":
        raise Invalid(
            "REPO_SHALLOW",
            "this clone holds a part of the history only",
            field="repo",
            hint="Run `git fetch --unshallow` in it.",
        )
    named = ("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    return Repository(path, _told(path, *named, code="REPO_EMPTY"))


def _told(path: Path, *arguments: str, code: str = _UNREADABLE) -> str:
    with _reading(path, *arguments, code=code) as out:
        return out.read().decode().strip()


@contextmanager
def _reading(path: Path, *arguments: str, code: str = _UNREADABLE) -> Iterator[IO[bytes]]:
    """Yield what a git command prints; raise ``Invalid`` with what it told where it fails."""
    with TemporaryFile() as errors, _process(path, *arguments, errors=errors) as process:
        yield _piped(process.stdout)
        if process.wait() != 0:
            errors.seek(0)
            raise Invalid(code, _why(errors.read()) or "has no commit", field="repo")


@contextmanager
def _process(
    path: Path, *arguments: str, errors: IO[bytes] | None = None
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run git; whatever happens meanwhile, it has ended afterwards."""
    command = ["git", "-C", str(path), "--no-pager", "--no-replace-objects"]
    settings = ["-c", "core.quotePath=false", "-c", "core.fsmonitor=false"]
    environment = {name: held for name, held in os.environ.items() if name not in _ELSEWHERE}
    try:
        process = subprocess.Popen(
            [*command, *settings, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors or subprocess.DEVNULL,
            env=environment | {"LC_ALL": "C"},
        )
    except FileNotFoundError:
        raise Unavailable(
            "GIT_MISSING", "the command `git` is not installed", hint="Install git."
        ) from None
    with process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise


def _tokens(out: IO[bytes]) -> Iterator[bytes]:
    """Yield what stands between NUL bytes."""
    rest = b""
    while chunk := out.read(_CHUNK):
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole
    if rest:
        yield rest


def _commits(tokens: Iterator[bytes]) -> Iterator[tuple[Commit, list[Touch]]]:
    """Read a log: for each commit a header, then for each file touched a line and its paths."""
    commit, touches = None, list[Touch]()
    for token in tokens:
        said = token.lstrip(b"\n")
        if said.startswith(b"\x01"):
            if commit is not None:
                yield commit, touches
            commit, touches = _commit(said[1:]), []
        elif said.startswith(b":"):
            touches.append(_touch(said.decode(), tokens))
    if commit is not None:
        yield commit, touches


def _commit(header: bytes) -> Commit:
    commit_id, author_ts, committer_ts = header.decode().strip().split(",")
    return Commit(commit_id, _stamp(author_ts), _stamp(committer_ts))


def _touch(line: str, tokens: Iterator[bytes]) -> Touch:
    _, mode, _, blob, status = line.split()
    path = _path(next(tokens))
    old_path = None
    if status.startswith("R"):
        old_path, path = path, _path(next(tokens))
    return Touch(path, blob if mode in _FILE_MODES else None, old_path)


def _stamp(seconds: str) -> int | None:
    """Return a stamp in µs; ``None`` for what only a broken clock or tool writes."""
    at = int(seconds) * SECOND if seconds else -1
    return at if 0 <= at <= LATEST else None


def _path(raw: bytes) -> str:
    """Return a path; what is no UTF-8 in it stays apart, and is refused where it becomes a name."""
    return raw.decode(errors="surrogateescape")


def _piped(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise Unavailable("GIT_ENDED", "git ended before it began; try again")
    return stream


def _as_text(raw: bytes) -> str:
    if b"\0" in raw:
        raise Unreadable("is binary")
    try:
        return raw.decode()
    except UnicodeDecodeError as broken:
        raise Unreadable(f"is no UTF-8 from byte {broken.start} on") from None


def _why(errors: bytes) -> str:
    """Return the line with which git gave up."""
    lines = errors.decode(errors="replace").strip().splitlines()
    fatal = [line.removeprefix("fatal: ") for line in lines if line.startswith("fatal: ")]
    return (fatal or lines or [""])[-1]
