"""The jars are those of the lock file, or nothing starts."""

import shutil
from pathlib import Path

import pytest
from jgo.config import GlobalSettings
from jgo.env import LockFile

from app.core.errors import Unavailable
from app.local.jars import classpath
from app.local.lines import LTS
from app.local.report import Quiet
from app.local.service import Endpoints


@pytest.fixture
def one_jar(tmp_path: Path, endpoints: Endpoints) -> tuple[Path, Path, Path]:
    """A lock of one jar, a repository that holds it, and the jar."""
    del endpoints  # once servers run, their jars are there
    whole = LockFile.load(LTS.jars_lock)
    jar = min(whole.dependencies, key=lambda each: each.artifactId)
    lock = tmp_path / "jgo.lock.toml"
    LockFile([jar]).save(lock)
    [found] = classpath(Quiet(), lock_file=lock)
    repository = Path(GlobalSettings.load().repo_cache)
    copied = tmp_path / "repository" / found.relative_to(repository)
    copied.parent.mkdir(parents=True)
    shutil.copy(found, copied)
    return lock, tmp_path / "repository", copied


def test_a_jar_as_locked_is_accepted(one_jar: tuple[Path, Path, Path]) -> None:
    lock, repository, jar = one_jar
    assert classpath(Quiet(), lock_file=lock, repository=repository) == [jar]


def test_a_corrupted_jar_is_refused(one_jar: tuple[Path, Path, Path]) -> None:
    lock, repository, jar = one_jar
    content = bytearray(jar.read_bytes())
    content[len(content) // 2] ^= 1
    jar.write_bytes(content)

    with pytest.raises(Unavailable) as refused:
        classpath(Quiet(), lock_file=lock, repository=repository)
    assert refused.value.code == "LOCAL_JAR_MISMATCH"
    assert jar.parent.parent.name in refused.value.message
