"""Another process that writes at the same time."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest
from neo4j import Driver

T = TypeVar("T")


def after_rival(driver: Driver, text: str, work: Callable[[], T], **given: object) -> T:
    """Do ``work``, which has to wait until a rival's statement, begun before it, commits."""
    with ThreadPoolExecutor(1) as pool, driver.session() as session:
        rival = session.begin_transaction()
        rival.run(text, given).consume()
        told = pool.submit(work)
        with pytest.raises(TimeoutError):
            told.result(timeout=0.7)
        rival.commit()
        return told.result(timeout=10)
