"""Where a stack keeps its files: one folder, ``.telha/`` beside the project unless told else."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HOME_VARIABLE: Final = "TELHA_HOME"
_FOLDER: Final = ".telha"
_PROJECT_MARKS: Final = (_FOLDER, "pyproject.toml", ".git")


@dataclass(frozen=True, slots=True)
class Home:
    """The paths of one stack; two homes share nothing but the downloaded jars."""

    root: Path

    @property
    def project(self) -> Path:
        """The folder that the stack serves, where ``telha.toml`` is looked for."""
        return self.root.parent

    @property
    def lock(self) -> Path:
        """Held by whoever starts or stops something here."""
        return self.root / "lock"

    @property
    def state(self) -> Path:
        """Ports and processes, rewritten whole at each change."""
        return self.root / "state.json"

    @property
    def secrets(self) -> Path:
        """The generated passwords, readable by the owner alone."""
        return self.root / "secrets.json"

    @property
    def valkey(self) -> Path:
        """The configuration and append-only file of the Valkey server."""
        return self.root / "valkey"

    @property
    def beat_schedule(self) -> Path:
        """Where beat remembers when each entry ran last."""
        return self.root / "beat-schedule"

    def log(self, service: str) -> Path:
        """The console output of one service, appended to across its starts."""
        return self.root / "logs" / f"{service}.log"

    def make(self) -> None:
        """Create the folders, closed to other users of the machine."""
        for folder in (self.root, self.root / "logs", self.valkey):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def home_at(path: Path) -> Home:
    """The home at ``path``, made absolute so that it means the same from every folder."""
    return Home(path.expanduser().resolve())


def default_home(environ: Mapping[str, str] = os.environ, start: Path | None = None) -> Path:
    """``TELHA_HOME`` if set, else ``.telha`` beside the nearest project at or above ``start``.

    A project is a folder with a ``.telha``, a ``pyproject.toml`` or a ``.git``; where there is
    none, ``.telha`` in ``start`` (default: the working folder) itself.
    """
    if stated := environ.get(HOME_VARIABLE):
        return Path(stated).expanduser().resolve()
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if any((folder / mark).exists() for mark in _PROJECT_MARKS):
            return folder / _FOLDER
    return here / _FOLDER


def write_private(path: Path, text: str) -> None:
    """Replace ``path`` by ``text`` in one step, readable by its owner alone."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
