"""The local embedding model: word vectors from the package ``wordllama``, loaded when first used.

Nothing is fetched: the weights are in the package.
"""

import logging
from collections.abc import Sequence
from functools import cache, cached_property
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from app.core.errors import Unavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PACKAGE: Final = "wordllama"
_DIMENSIONS: Final = 256
_CONFIG: Final = "l2_supercat"
_LONGEST: Final = 20_000  # characters; texts of a batch are padded to the longest


class LocalEmbedder:
    """Averages of word vectors, 256 long; no torch, no network, no cost."""

    configured = True
    dimensions = _DIMENSIONS
    metered = False

    @cached_property
    def name(self) -> str:
        """The package with its version, and the model in it."""
        return f"{_PACKAGE}-{version(_PACKAGE)}/{_CONFIG}-{_DIMENSIONS}"

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one row of length 1 a text."""
        import numpy as np  # noqa: PLC0415 — as below

        if not texts:
            return np.zeros((0, _DIMENSIONS), dtype=np.float32)
        rows = _model().embed([text[:_LONGEST] or " " for text in texts], norm=False)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
        return np.asarray(np.nan_to_num(unit), dtype=np.float32)


@cache
def _model() -> Any:
    """Load the model; the package sets up logging for everybody when imported, which is undone."""
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    try:
        from wordllama import WordLlama  # noqa: PLC0415 — 0.3 s and 50 MB, only where it is used

        spec = find_spec(_PACKAGE)
        folder = Path(str(spec.origin)).parent if spec else None
        return WordLlama.load(_CONFIG, cache_dir=folder, dim=_DIMENSIONS, disable_download=True)
    except (ImportError, OSError) as missing:
        raise Unavailable(
            "MODEL_UNAVAILABLE",
            f"the local embedding model cannot be loaded ({type(missing).__name__})",
            hint=f"Install the package {_PACKAGE}.",
        ) from None
    finally:
        root.setLevel(level)
        root.handlers[:] = handlers
