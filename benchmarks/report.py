"""``python -m benchmarks.report FIGURES.json``: the figures as Markdown, a table and a chart."""

import json
import sys
from pathlib import Path
from typing import Any

_WIDTH = 24
_LONGEST = 3.0


def main() -> None:
    """Print the figures of a run that was written with ``--into``."""
    rows: list[dict[str, Any]] = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.stdout.write("\n".join([*_table(rows), "", "```", *_chart(rows), "```", ""]))


def _table(rows: list[dict[str, Any]]) -> list[str]:
    lines = ["| what | floor | product | ratio | bar | |", "|---|--:|--:|--:|--:|---|"]
    for row in rows:
        what = f"{row['name']} ({row['note']})" if row["note"] else row["name"]
        bar = f"{'≤' if row['at_most'] else '≥'} {row['bar']:g}"
        values = (f"{row[name]:,.1f} {row['unit']}" for name in ("floor", "product"))
        verdict = "holds" if row["held"] else "**falls short**"
        lines.append(f"| {what} | {' | '.join(values)} | {row['ratio']:.2f} | {bar} | {verdict} |")
    return lines


def _chart(rows: list[dict[str, Any]]) -> list[str]:
    """Return a bar a measure: what it takes as a share of what it may take, which is ``|``."""
    return [f"{_bar(_share(row))} {_share(row):5.2f}  {row['name']}" for row in rows]


def _share(row: dict[str, Any]) -> float:
    share = row["ratio"] / row["bar"]
    return float(share if row["at_most"] else 1 / share)


def _bar(share: float) -> str:
    """Return a bar of fixed width; more than three times what it may take ends with an arrow."""
    cells = round(min(share, _LONGEST) / _LONGEST * _WIDTH)
    bar = ("█" * cells).ljust(_WIDTH)
    if share > _LONGEST:
        bar = bar[:-1] + "▶"
    mark = round(_WIDTH / _LONGEST)
    return bar[:mark] + "|" + bar[mark:]


if __name__ == "__main__":
    main()
