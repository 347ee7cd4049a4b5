"""Which tests run which statements, and how long each takes."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

import pytest

from app.graph import audits, store
from tests.mutation.mutants import Mutant
from tests.mutation.plant import AUDIT

TESTS: Final = ("tests/queries", "tests/flow", "tests/cases", "tests/model", "tests/serial")
AT_ONCE: Final = ("serial", "eight", "at_once")  # how tests are called in which several write
LEFT_OUT: Final = "soak or planted or loader or migrate or exact_invalidation"


class Uses:
    """A pytest plugin that notes what every test runs."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.tests: dict[str, set[str]] = defaultdict(set)
        self.failed: set[str] = set()
        self._test = ""
        text, rows = store._text, audits._rows

        def noted_text(statement: Any, parameters: Any) -> str:
            self.tests[statement.name].add(self._test)
            return text(statement, parameters)

        def noted_rows(tx: Any, audit: Any, given: Any) -> Any:
            self.tests[AUDIT + audit.name].add(self._test)
            return rows(tx, audit, given)

        store._text, audits._rows = noted_text, noted_rows

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Whatever runs from now on is this test's."""
        self._test = nodeid

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how long it took, and whether it can be used."""
        self.seconds[report.nodeid] += report.duration
        if not report.passed:
            self.failed.add(report.nodeid)

    def save(self, path: Path) -> None:
        """Write down what was seen."""
        tests = {name: sorted(used - self.failed) for name, used in self.tests.items()}
        seconds = {test: each for test, each in self.seconds.items() if test not in self.failed}
        path.write_text(json.dumps({"tests": tests, "seconds": seconds}), encoding="utf-8")


class Known:
    """What an earlier run wrote down."""

    def __init__(self, path: Path) -> None:
        seen = json.loads(path.read_text(encoding="utf-8"))
        self._tests: Final[dict[str, list[str]]] = seen["tests"]
        self._seconds: Final[dict[str, float]] = seen["seconds"]

    def tests_for(self, name: str, mutant: Mutant, most: float) -> list[str]:
        """Return the tests that could see a mutant, the likeliest first, ``most`` seconds in all.

        A test of the statement itself, then those of its step, then the quickest; for a lock, those
        in which several write at once.
        """
        short = name.removeprefix(AUDIT)
        ids = {test for test in self._seconds if f"[{short}]" in test or f"[{name}]" in test}
        ids |= set(self._tests.get(name, ()))
        step, spent = short.partition("/")[0], 0.0
        wanted: list[str] = []

        def rank(test: str) -> tuple[bool, bool, bool, float]:
            at_once = any(word in test for word in AT_ONCE)
            return (
                f"[{short}]" not in test,
                mutant.kind == "lock" and not at_once,
                f"test_{step}" not in test,
                self._seconds[test],
            )

        for test in sorted(ids, key=rank):
            spent += self._seconds[test]
            if wanted and spent > most:
                break
            wanted.append(test)
        return wanted

    def seconds(self, tests: list[str]) -> float:
        """Return how long some tests took together."""
        return sum(self._seconds[test] for test in tests)
