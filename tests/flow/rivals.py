"""Another process that writes at the same time."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

import pytest
from neo4j import Driver

T = TypeVar("T")


@contextmanager
def rivalled(
    driver: Driver, text: str, **given: object
) -> Iterator[Callable[[Callable[[], T]], T]]:
    """Run a rival's statement, whose commit waits until what is then done has waited for it."""
    with ThreadPoolExecutor(1) as pool, driver.session() as session:
        rival = session.begin_transaction()
        rival.run(text, given).consume()

        def wait(work: Callable[[], T]) -> T:
            told = pool.submit(work)
            with pytest.raises(TimeoutError):
                told.result(timeout=0.7)
            rival.commit()
            return told.result(timeout=10)

        yield wait
