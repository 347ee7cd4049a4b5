"""Which ``except`` branches no test ran: ``python -m tests.excepts`` after a run under coverage."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from coverage import CoverageData

ROOT: Final = Path(__file__).parents[1]


def unrun(data: CoverageData, folder: Path) -> Iterator[tuple[Path, int]]:
    """Yield file and line of every handler under ``folder`` whose first statement never ran."""
    for path in sorted(folder.rglob("*.py")):
        ran = set(data.lines(str(path)) or ())
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ExceptHandler) and node.body[0].lineno not in ran:
                yield path, node.lineno


def main() -> int:
    """Print what no test ran; fail where there is anything."""
    data = CoverageData(str(ROOT / ".coverage"))
    data.read()
    found = [f"{path.relative_to(ROOT)}:{line}" for path, line in unrun(data, ROOT / "app")]
    sys.stdout.write("".join(f"no test ran {each}\n" for each in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
