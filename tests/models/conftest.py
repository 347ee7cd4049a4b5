"""An endpoint for each test."""

from collections.abc import Iterator

import pytest

from tests.models.endpoint import Played, played


@pytest.fixture
def endpoint() -> Iterator[Played]:
    with played() as running:
        yield running
