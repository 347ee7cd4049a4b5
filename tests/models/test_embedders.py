"""Embedders: rows of length one, in order, and failures by one code each."""

import logging
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from pydantic import SecretStr

from app.core.errors import Unavailable
from app.models import local
from app.models.http import Endpoint
from app.models.local import LocalEmbedder
from app.models.none import NoEmbedder
from app.models.openai import OpenAIEmbedder
from tests.models.endpoint import Played, Reply


def remote(endpoint: Played) -> OpenAIEmbedder:
    place = Endpoint(endpoint.url, SecretStr("sk"), 5.0, attempts=2, pause=0.001)
    return OpenAIEmbedder(place, "vectors", 3)


def data(*rows: Any) -> Reply:
    """Vectors, told in the reverse order, as the index allows."""
    told = [{"index": nth, "embedding": row} for nth, row in enumerate(rows)]
    return Reply({"data": told[::-1]})


def test_the_local_model_embeds_what_is_alike_alike() -> None:
    rows = LocalEmbedder().embed(["The car is red.", "A red automobile.", "Taxes fell in May.", ""])
    assert rows.shape == (4, 256)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1)[:3] == pytest.approx([1, 1, 1], abs=1e-5)
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.2


def test_the_local_model_says_the_same_alone_and_among_others() -> None:
    alone = LocalEmbedder().embed(["The cap is €2m."])[0]
    among = LocalEmbedder().embed(["x " * 500, "The cap is €2m."])[1]
    assert alone == pytest.approx(among, abs=1e-5)


def test_the_local_model_works_out_its_name_once() -> None:
    """Each question of a batch asks for it, and reading a package's version takes a millisecond."""
    model = LocalEmbedder()
    assert model.name is model.name


def test_loading_the_local_model_leaves_logging_as_it_was() -> None:
    program = """
import logging
before = logging.getLogger().level, list(logging.getLogger().handlers)
from app.models.local import LocalEmbedder
LocalEmbedder().embed(["x"])
assert (logging.getLogger().level, logging.getLogger().handlers) == before
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_package_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", None)
    with pytest.raises(Unavailable) as refused:
        local._model.__wrapped__()
    assert refused.value.code == "MODEL_UNAVAILABLE"
    assert logging.getLogger().handlers is not None


def test_rows_come_in_the_order_of_the_texts_with_length_one(endpoint: Played) -> None:
    endpoint.says(data([3, 0, 4], [0, 2, 0]))
    rows = remote(endpoint).embed(["a", "b"])
    assert rows.tolist() == [pytest.approx([0.6, 0, 0.8]), [0, 1, 0]]
    assert endpoint.asked[0][1]["input"] == ["a", "b"]


def test_many_texts_are_some_calls(endpoint: Played) -> None:
    endpoint.says(data(*[[1, 0, 0]] * 128), data(*[[0, 1, 0]] * 2))
    rows = remote(endpoint).embed(["a"] * 130)
    assert rows[127].tolist() == [1, 0, 0]
    assert rows[129].tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply({}, 429), "MODEL_UNAVAILABLE"),
        (Reply({}, 500), "MODEL_UNAVAILABLE"),
        (Reply({}, 401), "MODEL_REFUSED"),
        (Reply(b"no JSON"), "MODEL_REFUSED"),
        (Reply({"data": []}), "MODEL_REFUSED"),
        (Reply([]), "MODEL_REFUSED"),
        (data([1, 0]), "MODEL_REFUSED"),
        (data([1, 0, float("nan")]), "MODEL_REFUSED"),
        (data(["a", "b", "c"]), "MODEL_REFUSED"),
    ],
)
def test_a_failure_has_one_code(endpoint: Played, reply: Reply, code: str) -> None:
    endpoint.says(reply)
    with pytest.raises(Unavailable) as refused:
        remote(endpoint).embed(["a"])
    assert refused.value.code == code


def test_vectors_that_differ_in_length_are_refused(endpoint: Played) -> None:
    endpoint.says(data([1, 0, 0], [1, 0]))
    with pytest.raises(Unavailable) as refused:
        remote(endpoint).embed(["a", "b"])
    assert refused.value.code == "MODEL_REFUSED"


def test_none_embeds_nothing() -> None:
    with pytest.raises(Unavailable) as refused:
        NoEmbedder().embed(["a"])
    assert refused.value.code == "MODEL_UNAVAILABLE"
