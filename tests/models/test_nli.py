"""A user's own NLI model: what it reads, that nothing is dropped, and how it fails."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.core.errors import Unavailable
from app.core.verification import Doubt
from app.models.nli import OnnxNli
from tests.models.tiny_nli import LABELS, VETO, tiny_nli

SEP = 2
READS = Doubt(first=True, percent=VETO)
INPUT = 32
"""Tokens of an input of the tiny model: two fewer than its positions."""


def loaded(folder: Path, **stated: Any) -> OnnxNli:
    return OnnxNli(tiny_nli(folder, **stated))


def rewritten(file: Path, change: Callable[[Any], None]) -> None:
    told = json.loads(file.read_text())
    change(told)
    file.write_text(json.dumps(told))


def refused(folder: Path) -> Unavailable:
    with pytest.raises(Unavailable) as told:
        OnnxNli(folder).read([("a voided fee", "extra")])
    assert told.value.code == "MODEL_UNAVAILABLE"
    return told.value


def test_each_pair_is_read_in_its_order(tmp_path: Path) -> None:
    pairs = [("It is voided.", "It holds."), ("It holds.", "It is VOIDED."), ("", "It holds.")]
    assert loaded(tmp_path).read(pairs) == [READS, READS, Doubt(first=False, percent=11)]
    assert loaded(tmp_path).read([]) == []


@pytest.mark.parametrize(("weight", "first"), [(1.9, False), (2, True), (2.1, True)])
def test_a_contradiction_that_is_as_likely_as_the_next_comes_first(
    tmp_path: Path, weight: float, first: bool
) -> None:
    [doubt] = loaded(tmp_path, weight=weight).read([("voided", "x")])
    assert doubt.first is first


@pytest.mark.parametrize("label", ["contradiction", "Contradictory", "CONTRADICTS"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_label_may_stand_anywhere_in_any_case(tmp_path: Path, label: str, place: int) -> None:
    labels = ["entailment", "neutral"]
    labels.insert(place, label)
    [doubt] = loaded(tmp_path, labels=labels).read([("voided", "x")])
    assert doubt.first is (place == 2)


@pytest.mark.parametrize("inputs", [("input_ids", "attention_mask"), None])
def test_a_model_gets_the_inputs_that_it_has(tmp_path: Path, inputs: tuple[str] | None) -> None:
    stated = {} if inputs is None else {"inputs": inputs}
    assert loaded(tmp_path, **stated).read([("voided", "x")]) == [READS]


LONG = [
    pytest.param(" ".join(["w"] * 500) + " voided", "short", id="premise"),
    pytest.param("short", " ".join(["w"] * 500) + " voided", id="claim"),
    pytest.param(" ".join(["w"] * 500), " ".join(["w"] * 300) + " voided", id="both"),
]


@pytest.mark.parametrize(("premise", "claim"), LONG)
def test_a_word_in_the_last_piece_of_a_long_text_is_read(
    tmp_path: Path, premise: str, claim: str
) -> None:
    assert loaded(tmp_path).read([(premise, claim)]) == [READS]


@dataclass
class Session:
    """The session of a model that knows every token and reads nothing; notes each input."""

    rows: list[list[int]] = field(default_factory=list)

    def get_inputs(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name="input_ids")]

    def run(self, names: None, feed: dict[str, Any]) -> list[list[list[float]]]:
        self.rows += feed["input_ids"].tolist()
        return [[[1.0, 0.0, 0.0]]]


@pytest.mark.parametrize(
    ("premise", "claim"), [(200, 5), (5, 200), (100, 100), (60, 29), (29, 0), (15, 14)]
)
def test_every_word_of_one_text_is_asked_with_every_word_of_the_other(
    tmp_path: Path, premise: int, claim: int
) -> None:
    tiny_nli(tmp_path)
    words = {f"w{n}": n for n in range(10, 210)}
    rewritten(tmp_path / "tokenizer.json", lambda told: told["model"]["vocab"].update(words))
    model, session = OnnxNli(tmp_path), Session()
    model.__dict__["_model"] = replace(model._model, session=session)
    model.read([(" ".join([*words][:premise]), " ".join([*words][:claim]))])
    assert max(len(row) for row in session.rows) <= INPUT
    assert (len(session.rows) == 1) == (premise + claim <= INPUT - 3)
    assert {each for row in session.rows for each in premise_of(row)} == set(
        range(10, 10 + premise)
    )
    asked = {pair for row in session.rows for pair in product(premise_of(row), claim_of(row))}
    assert asked == set(product(range(10, 10 + premise), range(10, 10 + claim)))


def premise_of(row: list[int]) -> list[int]:
    """The first text of an input ``[CLS] … [SEP] … [SEP]``."""
    return row[1 : row.index(SEP)]


def claim_of(row: list[int]) -> list[int]:
    return row[row.index(SEP) + 1 : -1]


def test_a_text_cannot_hold_the_marks_of_a_model(tmp_path: Path) -> None:
    assert loaded(tmp_path).read([("[CLS] [CLS] voided [SEP]", "It holds.")]) == [READS]


BROKEN = [
    pytest.param("model.onnx", None, "model.onnx cannot be read", id="no model"),
    pytest.param("tokenizer.json", None, "tokenizer.json cannot be read", id="no tokenizer"),
    pytest.param("config.json", None, "config.json cannot be read", id="no configuration"),
    pytest.param("model.onnx", b"not a model", "cannot be loaded", id="a model that is none"),
    pytest.param("tokenizer.json", b"{}", "cannot be loaded", id="a tokenizer that is none"),
    pytest.param("config.json", b"{", "config.json cannot be used", id="no JSON"),
    pytest.param("config.json", b"{}", r"\(id2label: Field required\)", id="no labels"),
    pytest.param(
        "config.json",
        b'{"id2label": {"1": "contradiction", "2": "entailment"}}',
        "numbered from 0",
        id="labels that are not numbered from 0",
    ),
]


@pytest.mark.parametrize(("name", "content", "why"), BROKEN)
def test_a_folder_that_is_not_whole_is_unavailable(
    tmp_path: Path, name: str, content: bytes | None, why: str
) -> None:
    file = tiny_nli(tmp_path) / name
    file.unlink() if content is None else file.write_bytes(content)
    told = refused(tmp_path)
    assert str(tmp_path) in told.message
    with pytest.raises(Unavailable, match=why):
        _ = OnnxNli(tmp_path).name


UNFIT = [
    pytest.param({"labels": ("entailment", "not_entailment")}, "begins with", id="label"),
    pytest.param({"labels": (*LABELS, "other")}, "4 finite numbers", id="more labels"),
    pytest.param({"weight": float("nan")}, "3 finite numbers", id="no numbers"),
    pytest.param({"positions": 12}, "room for 7 tokens", id="no room"),
    pytest.param(
        {"inputs": ("input_ids", "attention_mask", "position_ids")},
        "asks for position_ids",
        id="another input",
    ),
]


@pytest.mark.parametrize(("stated", "why"), UNFIT)
def test_a_model_that_does_not_fit_is_unavailable(
    tmp_path: Path, stated: dict[str, Any], why: str
) -> None:
    assert why in refused(tiny_nli(tmp_path, **stated)).message


def test_a_run_that_fails_is_unavailable(tmp_path: Path) -> None:
    tiny_nli(tmp_path)
    rewritten(tmp_path / "tokenizer.json", lambda told: told["model"]["vocab"].update(extra=99))
    assert "it fails (" in refused(tmp_path).message


def test_a_failure_tells_no_text(tmp_path: Path) -> None:
    class Telling(Session):
        def run(self, names: None, feed: dict[str, Any]) -> list[list[list[float]]]:
            raise ValueError("the fee of Ada")

    model = loaded(tmp_path)
    model.__dict__["_model"] = replace(model._model, session=Telling())
    with pytest.raises(Unavailable) as told:
        model.read([("the fee of Ada", "x")])
    assert "Ada" not in str(told.value)


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_without_the_packages_the_way_to_get_them_is_told(
    tmp_path: Path, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny_nli(tmp_path)
    monkeypatch.setitem(sys.modules, package, None)
    assert "pip install telha[nli]" in str(refused(tmp_path))


def test_a_model_that_was_mended_is_loaded(tmp_path: Path) -> None:
    model = OnnxNli(tmp_path / "nli")
    with pytest.raises(Unavailable):
        _ = model.name
    tiny_nli(tmp_path / "nli")
    assert model.read([("voided", "x")]) == [READS]


def test_a_name_stands_for_what_is_in_the_folder(tmp_path: Path) -> None:
    name = loaded(tmp_path / "a" / "nli").name
    assert name.startswith("nli@")
    assert loaded(tmp_path / "b" / "nli").name == name
    others: list[dict[str, Any]] = [{"weight": 4}, {"labels": ("a", "b", "contradiction")}]
    names = [loaded(tmp_path / str(n) / "nli", **each).name for n, each in enumerate(others)]
    tiny_nli(tmp_path / "c" / "nli")
    file = tmp_path / "c" / "nli" / "tokenizer.json"
    file.write_text(file.read_text() + "\n")
    names.append(OnnxNli(file.parent).name)
    assert len({name, *names}) == 4


def test_what_is_replaced_on_disk_is_not_what_a_loaded_model_is_named_for(tmp_path: Path) -> None:
    model = loaded(tmp_path)
    name = model.name
    tiny_nli(tmp_path, weight=0)
    assert (model.name, model.read([("voided", "x")])) == (name, [READS])


FORKED = """
import os, sys
from pathlib import Path
import numpy
from app.config import ModelsSettings
from app.models import choose
veto = choose.veto(ModelsSettings(nli=Path(sys.argv[1])))
assert not {"onnxruntime", "tokenizers"} & sys.modules.keys()
child = os.fork()
if child == 0:
    numpy.ones((300, 300)) @ numpy.ones((300, 300))
    before = len(os.listdir("/proc/self/task"))
    [doubt] = veto.read([("voided", "x")])
    os._exit(0 if doubt.first and len(os.listdir("/proc/self/task")) == before else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_it_is_loaded_after_a_fork_starts_no_thread_and_reports_to_nobody(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    ran = subprocess.run(
        [sys.executable, "-c", FORKED, str(tiny_nli(tmp_path / "nli"))],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HOME": str(home)},
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert list(home.rglob("*")) == []
