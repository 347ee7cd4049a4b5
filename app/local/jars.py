"""The jars of Neo4j: exactly those of a lock file, each proven by its sha256."""

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import stamina
from jgo.config import GlobalSettings
from jgo.env import LockedDependency as Locked
from jgo.env import LockFile
from jgo.maven import MavenContext, PythonResolver
from jgo.maven._core import DEFAULT_REMOTE_REPOS

from app.core.errors import Unavailable
from app.local.report import Downloads, Report

_CONNECTIONS: Final = 8
_TIMEOUT: Final = 60
_LISTED: Final = 5


def classpath(report: Report, *, lock_file: Path, repository: Path | None = None) -> list[Path]:
    """The locked jars, fetched where missing and all verified; nothing else gets on the list.

    Raises ``Unavailable``: ``LOCAL_JAR_MISMATCH`` where a file is not the locked one,
    ``LOCAL_DOWNLOAD_FAILED`` where one cannot be fetched.
    """
    settings = GlobalSettings.load()
    repository = repository or Path(settings.repo_cache)
    lock = _load(lock_file)
    missing = [jar for jar in lock.dependencies if not _path(repository, jar).exists()]
    if missing:
        _fetch(missing, repository, {**DEFAULT_REMOTE_REPOS, **settings.repositories}, report)
    _verify(lock, repository)
    return [_path(repository, jar) for jar in lock.dependencies]


def _load(lock_file: Path) -> LockFile:
    lock = LockFile.load(lock_file)
    unproven = [_name(jar) for jar in lock.dependencies if not jar.sha256]
    if unproven or not lock.dependencies:
        raise Unavailable(
            "LOCAL_LOCK_INCOMPLETE",
            f"{lock_file} has no sha256 for: {', '.join(unproven) or 'any jar'}",
        )
    return lock


def _verify(lock: LockFile, repository: Path) -> None:
    """Compare every file with its sha256: 140 MB take 0.3 s, so no stamp is trusted instead."""
    problems = lock.verify_checksums(repository)
    if problems:
        listed = "; ".join(problems[:_LISTED])
        raise Unavailable(
            "LOCAL_JAR_MISMATCH",
            f"{len(problems)} of the jars of Neo4j are not the locked ones: {listed}",
            hint="Nothing was started. Delete these files to have them fetched anew.",
        )


def _fetch(
    missing: list[Locked], repository: Path, remotes: dict[str, str], report: Report
) -> None:
    """Download into a folder beside, prove each file, and only then move it into its place."""
    repository.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=".telha-", dir=repository))
    try:
        with (
            report.downloads("Fetching Neo4j", len(missing)) as progress,
            ThreadPoolExecutor(_CONNECTIONS) as pool,
        ):
            resolver = PythonResolver(progress_callback=_counting(progress))
            context = MavenContext(resolver, staging, remote_repos=remotes, timeout=_TIMEOUT)
            for jar in pool.map(lambda jar: _fetch_one(context, jar), missing):
                _verify(LockFile([jar]), staging)
                target = _path(repository, jar)
                target.parent.mkdir(parents=True, exist_ok=True)
                _path(staging, jar).replace(target)
                progress.finished()
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _fetch_one(context: MavenContext, jar: Locked) -> Locked:
    component = context.project(jar.groupId, jar.artifactId).at_version(jar.version)
    artifact = component.artifact(jar.classifier or "", jar.packaging)
    target = _path(context.repo_cache, jar)
    try:
        for attempt in stamina.retry_context(on=(OSError, RuntimeError), attempts=4):
            with attempt:
                target.unlink(missing_ok=True)
                context.resolver.download(artifact)
    except (OSError, RuntimeError) as error:
        raise Unavailable(
            "LOCAL_DOWNLOAD_FAILED",
            f"{_name(jar)} could not be fetched: {error}",
            hint="Check the network; a mirror can be named in jgo's own configuration file.",
        ) from error
    return jar


def _counting(
    progress: Downloads,
) -> Callable[[str, int], contextlib.AbstractContextManager[Callable[[int], None]]]:
    @contextlib.contextmanager
    def callback(_filename: str, _size: int) -> Iterator[Callable[[int], None]]:
        yield progress.received

    return callback


def _name(jar: Locked) -> str:
    return f"{jar.groupId}:{jar.artifactId}:{jar.version}"


def _path(repository: Path, jar: Locked) -> Path:
    classifier = f"-{jar.classifier}" if jar.classifier else ""
    folder = repository.joinpath(*jar.groupId.split("."), jar.artifactId, jar.version)
    return folder / f"{jar.artifactId}-{jar.version}{classifier}.{jar.packaging}"
