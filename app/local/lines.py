"""The lines of Neo4j that a stack can run: which jars, which Java, whose data."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.core.errors import Invalid

_HERE: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Line:
    """One line. Its data ``folder`` is its own: a server reads no store that a newer one wrote.

    ``java_lock`` names the package to fetch Java from, where the installed one is too old.
    """

    name: str
    version: str
    main_class: str
    java: int
    folder: str
    jars_lock: Path
    java_lock: Path | None = None


LTS: Final = Line(
    name="5.26",
    version="5.26.30",
    main_class="org.neo4j.server.CommunityEntryPoint",
    java=21,
    folder="neo4j",
    jars_lock=_HERE / "jgo.lock.toml",
)
NEWER: Final = Line(
    name="2026.08",
    version="2026.08.1",
    main_class="org.neo4j.server.Neo4jCommunity",
    java=25,
    folder="neo4j-2026",
    jars_lock=_HERE / "neo4j_2026" / "jgo.lock.toml",
    java_lock=_HERE / "neo4j_2026" / "java.lock",
)
LINES: Final = (LTS, NEWER)


def line_of(version: str) -> Line:
    """Return the line of a version (``5.26.30``) or by name (``5.26``).

    Raises ``Invalid`` ``LOCAL_VERSION_UNKNOWN``.
    """
    for each in LINES:
        if version in {each.version, each.name}:
            return each
    raise Invalid(
        "LOCAL_VERSION_UNKNOWN",
        f"no jars are locked for Neo4j {version}",
        field="neo4j_version",
        hint=f"There are {' and '.join(each.version for each in LINES)}.",
    )
