"""``python -m benchmarks [--small]``: one table, floor and product side by side."""

import json
import sys
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from benchmarks import (
    burst,
    checks,
    corpus,
    judging,
    memory,
    path,
    planning,
    verifying,
    winners,
    writing,
)
from benchmarks.corpus import FULL, SMALL, Size
from benchmarks.stage import Stage, mark, staged, stands
from benchmarks.timing import Measure

_SHARES = (100, 10, 1)  # the graph is measured at a hundredth, a tenth, and whole
_out = Console()


def main(
    *,
    small: Annotated[
        bool, typer.Option(help="A little of everything: shows that it runs.")
    ] = False,
    into: Annotated[Path | None, typer.Option(help="Also write the figures as JSON.")] = None,
) -> None:
    """Measure the product against its floors. Its own stack keeps the graph for the next run."""
    size = SMALL if small else FULL
    rounds = 3 if small else 15
    with staged(size, corpus.now(size)) as stage:
        found = list(_all(stage, size, rounds, small))
    _out.print(_table(found))
    _out.print(verifying.confusion())
    if into is not None:
        rows = [vars(each) | {"ratio": each.ratio, "held": each.held} for each in found]
        into.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def _all(stage: Stage, size: Size, rounds: int, small: bool) -> list[Measure]:
    found = [*_along_the_path(stage, size, 10 if small else 200)]
    steps = (
        judging.measured(stage, rounds=rounds),
        winners.measured(stage, rounds=rounds),
        writing.measured(stage, rounds=rounds, small=small),
        planning.measured(stage, rounds=rounds, small=small),
        verifying.measured(stage, rounds=rounds),
        checks.measured(stage, answers=50 if small else 500, rounds=rounds),
        burst.measured(
            stage, answers=100 if small else 5_000, rounds=1 if small else 3, rested=not small
        ),
        memory.measured(stage, rows=500 if small else 10_000, answers=50 if small else 500),
    )
    for measure in chain.from_iterable(steps):
        _tell(measure)
        found.append(measure)
    return found


def _along_the_path(stage: Stage, size: Size, rounds: int) -> list[Measure]:
    """Measure the path at each level of unrelated data while the graph grows; build it thereby."""
    levels: dict[int, list[float]] = {}
    counted: dict[int, dict[str, int]] = {}
    floor: list[float] = []
    built = stands(size)
    first = 0
    with path.workers(stage):
        path.latencies(stage, rounds=rounds)  # the first hundreds are slower than any later
        for share in (1,) if built else _SHARES:
            sources = size.sources // share
            if not built:
                corpus.build_sources(stage.driver, size, first=first, until=sources)
            first = sources
            counted[sources] = path.hot_hits(stage)
            floor, levels[sources] = path.latencies(stage, rounds=rounds)
    found = [*path.measured(floor, levels[size.sources]), *path.unrelated(levels, counted)]
    if not built:
        corpus.build_long(stage.driver, size)
        corpus.build_answers(stage.driver, size)
        mark(size)
    for measure in found:
        _tell(measure)
    return found


def _tell(measure: Measure) -> None:
    sys.stderr.write(f"{measure.name}: {measure.ratio:.2f} (bar {measure.bar})\n")


def _table(found: list[Measure]) -> Table:
    table = Table(title="floor and product, medians of interleaved rounds")
    for heading in ("what", "floor", "product", "ratio", "bar", ""):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    for each in found:
        sign = "≤" if each.at_most else "≥"
        table.add_row(
            f"{each.name}\n[dim]{each.note}[/]" if each.note else each.name,
            f"{each.floor:,.1f} {each.unit}",
            f"{each.product:,.1f} {each.unit}",
            f"{each.ratio:.2f}",
            f"{sign} {each.bar:g}",
            "[green]holds[/]" if each.held else "[red]falls short[/]",
        )
    return table


if __name__ == "__main__":
    typer.run(main)
