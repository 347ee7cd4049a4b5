"""No model: what is configured where none is wanted."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from app.core.errors import Unavailable
from app.core.generation import Draft, Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class NoEmbedder:
    """Embeds nothing: retrieval goes by words alone."""

    configured = False
    name = "none"
    dimensions = 0
    metered = False

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Refuse."""
        del texts
        raise Unavailable("MODEL_UNAVAILABLE", "no embedding model is configured")


class NoGenerator:
    """Generates nothing; who asks it did not ask whether it is configured."""

    configured = False
    name = "none"
    prompt_version = "none"

    def most_tokens(self, question: str, passages: Sequence[Passage]) -> int:
        """Return nothing."""
        del question, passages
        return 0

    def generate(self, question: str, passages: Sequence[Passage]) -> Draft:
        """Refuse."""
        del question, passages
        _refuse()


def _refuse() -> NoReturn:
    raise Unavailable("GENERATOR_UNAVAILABLE", "no generator is configured")
