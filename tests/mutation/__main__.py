"""Plants mistakes in the Cypher files one by one, and tells which of them no test finds.

What it learned about the tests and its results stay in ``.telha-mutants``: it goes on where it was
stopped. Servers that already run there are used, and left.
"""

import argparse
import json
import os
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from neo4j.exceptions import ClientError

from app.core.values import sha256
from app.graph.store import open_driver
from app.local import stack
from app.local.service import SERVERS
from tests.mutation.child import forked
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.plant import AUDIT, plant, texts
from tests.mutation.uses import LEFT_OUT, TESTS, Known, Uses

HOME: Final = Path(__file__).parents[2] / ".telha-mutants"
USES, RESULTS, LOG = HOME / "uses.json", HOME / "results.jsonl", HOME / "last.log"
FIRST: Final = ("change", "job", "recheck", "ingest", "recut", "emit", "save")
GRAPHS, SECONDS, WANTED = "80", 90.0, 0.85
PYTEST: Final = (
    *("-q", "--no-header", "--tb=no", "--timeout=120", "-p", "no:cacheprovider"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # a child has modules at hand
)
VERDICTS: Final = {0: "survived", 1: "killed", -signal.SIGKILL: "no verdict, timed out"}


def main() -> int:
    """Try every mutant that has no result yet; fail where the tests find too few of all."""
    asked = argparse.ArgumentParser(prog="tests.mutation", description=__doc__)
    asked.add_argument("only", nargs="*", default=[""], help="how names of statements begin")
    asked.add_argument("--seconds", type=float, default=SECONDS, help="of tests for a mutant")
    asked.add_argument(
        "--one-in", type=int, default=1, help="try one in so many, the same each time"
    )
    asked.add_argument("--again", action="store_true", help="try survivors again")
    given = asked.parse_args()
    HOME.mkdir(exist_ok=True)
    running = stack.running(HOME)
    servers = running or stack.up(HOME, services=SERVERS)
    os.environ |= {
        "NEO4J_URI": servers.neo4j_uri,
        "NEO4J_USER": servers.neo4j_user,
        "NEO4J_PASSWORD": servers.neo4j_password,
        "TELHA_BROKER_URL": servers.broker_url,
        "TELHA_GRAPHS": GRAPHS,
    }
    try:
        if not USES.exists():
            assert forked(_learn, LOG, 3600) == 0, LOG.read_text(encoding="utf-8")
        wanted = [each for each in _all(tuple(given.only)) if each.drawn(given.one_in)]
        _try_all(wanted, given.seconds, again=given.again)
    finally:
        if not running:
            stack.down(HOME)
    return 0 if _report() >= WANTED else 1


def _learn() -> int:
    uses = Uses()
    pytest.main([*PYTEST, "-m", "not soak", "-k", f"not ({LEFT_OUT})", *TESTS], plugins=[uses])
    uses.save(USES)
    return 0


@dataclass(frozen=True)
class Case:
    """A mutant of a statement; its key stays the same while the statement does."""

    name: str
    text: str
    mutant: Mutant

    @property
    def key(self) -> str:
        """What it is called in the results."""
        return f"{self.name} {self.mutant.kind} {self.mutant.shown(self.text)}"

    def drawn(self, one_in: int) -> bool:
        """Tell whether it is among those that chance, the same each time, draws."""
        return int(sha256(self.key), 16) % one_in == 0


def _all(only: tuple[str, ...]) -> list[Case]:
    found = texts()
    names = [name for name in sorted(found, key=_turn) if name.startswith(only)]
    return [Case(name, found[name], mutant) for name in names for mutant in mutants(found[name])]


def _try_all(cases: list[Case], seconds: float, *, again: bool) -> None:
    trial, done = Trial(Known(USES), seconds), results()
    for case in cases:
        if case.key in done and not (again and done[case.key] == "survived"):
            continue
        started = time.monotonic()
        result = trial.verdict(case.name, case.mutant, case.text)
        spent = round(time.monotonic() - started, 1)
        row = {"mutant": case.key, "result": result, "seconds": spent}
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
        _say(f"{result:10} {spent:6} s  {case.key}")


def _turn(name: str) -> tuple[bool, bool]:
    return name.startswith(AUDIT), not name.startswith(FIRST)


@dataclass(frozen=True)
class Trial:
    """How one mutant fares before the tests that could see it."""

    known: Known
    seconds: float

    def verdict(self, name: str, mutant: Mutant, text: str) -> str:
        """Plant the mutant, and run its tests until one fails."""
        tests, wrong = self.known.tests_for(name, mutant, self.seconds), mutant.of(text)
        if not is_cypher(wrong):
            return "no Cypher"
        if not tests:
            return "survived"

        def judged() -> int:
            plant(pytest.MonkeyPatch(), name, wrong)
            return int(pytest.main([*PYTEST, "-x", *tests]))

        code = forked(judged, LOG, 60 + 4 * self.known.seconds(tests))
        return VERDICTS.get(code, f"no verdict, {code}")


def is_cypher(text: str) -> bool:
    """Tell whether the server takes ``text`` for Cypher."""
    where = (os.environ[each] for each in ("NEO4J_URI", "NEO4J_USER", "NEO4J_PASSWORD"))
    with open_driver(*where) as driver, driver.session() as session:
        try:
            session.run(f"EXPLAIN {text}").consume()
        except ClientError as error:
            return error.code == "Neo.ClientError.Statement.ParameterMissing"
        return True


def results() -> dict[str, str]:
    """Return the last result of every mutant that was tried."""
    if not RESULTS.exists():
        return {}
    rows = map(json.loads, RESULTS.read_text(encoding="utf-8").splitlines())
    return {row["mutant"]: row["result"] for row in rows}


def _report() -> float:
    counted: dict[str, Counter[str]] = {}
    for key, result in results().items():
        name, kind, _ = key.split(" ", 2)
        for group in (name.partition("/")[0], f"({kind})", "(all)"):
            counted.setdefault(group, Counter())[result] += 1
    for group, verdicts in counted.items():
        _say(f"{group:12} {_share(verdicts):6.1%}  {dict(verdicts)}")
    return _share(counted.get("(all)", Counter()))


def _share(verdicts: Counter[str]) -> float:
    killed = sum(n for verdict, n in verdicts.items() if verdict.startswith("killed"))
    return killed / max(1, killed + verdicts["survived"])


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
