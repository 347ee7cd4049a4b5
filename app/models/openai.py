"""Embeddings from an OpenAI-compatible endpoint: ``POST /embeddings``."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from app.core.errors import Unavailable
from app.models.http import Endpoint, ModelDown, ModelRefused

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BATCH: Final = 128


@dataclass(frozen=True, slots=True)
class OpenAIEmbedder:
    """A model by name at an endpoint, with the length that its vectors must have."""

    endpoint: Endpoint
    model: str
    dimensions: int
    configured: bool = True
    metered: bool = True

    @property
    def name(self) -> str:
        """The model and the length of its vectors."""
        return f"{self.model}-{self.dimensions}"

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one row of length 1 a text, whatever length the endpoint gives."""
        import numpy as np  # noqa: PLC0415 — keeps a stack without models quick to open

        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for first in range(0, len(texts), _BATCH):
            batch = list(texts[first : first + _BATCH])
            rows[first : first + len(batch)] = self._batch(batch)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
        return np.asarray(unit, dtype=np.float32)

    def _batch(self, texts: list[str]) -> "NDArray[np.float32]":
        import numpy as np  # noqa: PLC0415 — as above

        body = {"model": self.model, "input": texts, "encoding_format": "float"}
        try:
            answer = self.endpoint.post("/embeddings", body)
        except ModelDown as down:
            raise Unavailable("MODEL_UNAVAILABLE", f"the embedding model: {down.why}") from None
        except ModelRefused as refused:
            raise _refused(refused.why) from None
        rows = np.asarray(_vectors(answer, len(texts)), dtype=np.float32)
        if rows.shape != (len(texts), self.dimensions) or not np.isfinite(rows).all():
            raise _refused(f"its vectors are not {self.dimensions} finite numbers each")
        return rows


def _vectors(answer: Any, wanted: int) -> list[Any]:
    """Return the vectors in the order of the texts; their ``index`` says whose each is."""
    try:
        found = {int(each["index"]): list(map(float, each["embedding"])) for each in answer["data"]}
        vectors = [found[nth] for nth in range(wanted)]
    except (KeyError, TypeError, ValueError):
        raise _refused("the answer does not hold a vector for each text") from None
    if len({len(vector) for vector in vectors}) > 1:
        raise _refused("its vectors differ in length")
    return vectors


def _refused(why: str) -> Unavailable:
    return Unavailable(
        "MODEL_REFUSED",
        f"the embedding model: {why}",
        hint="Check models.url, models.api_key, models.embedding_model and"
        " models.embedding_dimensions.",
    )
