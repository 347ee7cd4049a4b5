"""A user's own NLI model, an ONNX folder: it may veto what the rules clear, and clears nothing.

It is loaded when it is first asked, so after the fork that made the process. Each piece of text is
asked by itself, so what is said of it does not depend on what else is asked.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel, ValidationError, field_validator

from app.core.errors import Unavailable
from app.core.verification import Doubt

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

_FILES: Final = ("model.onnx", "tokenizer.json", "config.json")
_LONGEST: Final = 512  # tokens of an input; what is longer is cut
_LEAST: Final = 8  # tokens of text in an input
_UNUSED: Final = 2  # positions that hold no token in models of RoBERTa's kind
_OVERLAP: Final = 4  # a piece shares a quarter of its tokens with the next
_SILENT: Final = "ORT_DISABLE_TELEMETRY"  # else the package reports to its maker, over the network
_INPUTS: Final = {
    "input_ids": "ids",
    "attention_mask": "attention_mask",
    "token_type_ids": "type_ids",
}


class OnnxNli:
    """The model of a folder with ``model.onnx``, ``tokenizer.json`` and ``config.json``."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder

    @property
    def name(self) -> str:
        """The folder's name, and what stands for the bytes of its three files."""
        return self._model.name

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Doubt]:
        """Say of each premise and hypothesis how strongly any piece of them contradicts."""
        model = self._model
        try:
            return [model.doubt(premise, hypothesis) for premise, hypothesis in pairs]
        except Unavailable:
            raise
        except Exception as broken:  # noqa: BLE001 — neither package names what it raises
            raise _unavailable(self._folder, f"it fails ({type(broken).__name__})") from None

    @cached_property
    def _model(self) -> "_Model":
        return _load(self._folder)


@dataclass(frozen=True, slots=True)
class _Model:
    """A loaded model. ``label`` says contradiction; ``room`` is for tokens of both texts."""

    folder: Path
    name: str
    session: Any
    tokenizer: "Tokenizer"
    labels: int
    label: int
    room: int

    def doubt(self, premise: str, hypothesis: str) -> Doubt:
        """Return the strongest reading over all pieces of two texts, each with each."""
        claim = self._cut(hypothesis, self.room // 2)
        left = self.room - len(claim.ids)  # no other piece of the claim is longer
        whole = self.tokenizer.post_process(self._cut(premise, left), claim)
        return max(self._read(each) for each in (whole, *whole.overflowing))

    def _cut(self, text: str, most: int) -> "Encoding":
        """Cut a text into pieces of at most so many tokens, each overlapping the next."""
        cut = self.tokenizer.encode(text, add_special_tokens=False)
        cut.truncate(most, stride=most // _OVERLAP)
        return cut

    def _read(self, piece: "Encoding") -> Doubt:
        import numpy as np  # noqa: PLC0415 — keeps a stack without models quick to open

        feed = {
            each.name: np.asarray([getattr(piece, _INPUTS[each.name])], dtype=np.int64)
            for each in self.session.get_inputs()
        }
        logits = np.asarray(self.session.run(None, feed)[0], dtype=np.float64)
        if logits.shape != (1, self.labels) or not np.isfinite(logits).all():
            raise _unavailable(self.folder, f"it does not give {self.labels} finite numbers a pair")
        weights = np.exp(logits[0] - logits.max())
        contradiction = weights[self.label]
        percent = round(100 * float(contradiction / weights.sum()))
        return Doubt(first=bool(contradiction == weights.max()), percent=percent)


class _Config(BaseModel, frozen=True, extra="ignore"):
    id2label: dict[int, str]
    max_position_embeddings: int = _LONGEST + _UNUSED

    @field_validator("id2label")
    @classmethod
    def _counted(cls, labels: dict[int, str]) -> dict[int, str]:
        if sorted(labels) != list(range(len(labels))):
            raise ValueError("labels are numbered from 0")
        return labels

    @property
    def contradiction(self) -> int | None:
        """The number of the label that says so."""
        found = (n for n, each in self.id2label.items() if each.lower().startswith("contradict"))
        return next(found, None)


def _load(folder: Path) -> _Model:
    """Load a folder: what it is named for is what runs, whatever is put there later."""
    files = {name: _bytes(folder, name) for name in _FILES}
    config = _config(folder, files["config.json"])
    if config.contradiction is None:
        raise _unavailable(folder, 'no label of its config.json begins with "contradict"')
    session, tokenizer = _opened(folder, files)
    strange = {each.name for each in session.get_inputs()} - _INPUTS.keys()
    if strange:
        raise _unavailable(folder, f"its model.onnx asks for {', '.join(sorted(strange))}")
    length = min(_LONGEST, config.max_position_embeddings - _UNUSED)
    room = length - tokenizer.num_special_tokens_to_add(is_pair=True)
    if room < _LEAST:
        raise _unavailable(folder, f"its input has room for {max(room, 0)} tokens of text")
    digest = sha256(b"".join(sha256(each).digest() for each in files.values())).hexdigest()
    return _Model(
        folder=folder,
        name=f"{folder.resolve().name}@{digest[:12]}",
        session=session,
        tokenizer=tokenizer,
        labels=len(config.id2label),
        label=config.contradiction,
        room=room,
    )


def _bytes(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except OSError as missing:
        why = f"its {name} cannot be read ({type(missing).__name__})"
        raise _unavailable(folder, why) from None


def _config(folder: Path, content: bytes) -> _Config:
    try:
        return _Config.model_validate_json(content)
    except ValidationError as refused:
        first = refused.errors()[0]
        why = ": ".join([*map(str, first["loc"]), first["msg"]])
        raise _unavailable(folder, f"its config.json cannot be used ({why})") from None


def _opened(folder: Path, files: Mapping[str, bytes]) -> "tuple[Any, Tokenizer]":
    """Open model and tokenizer, on one thread, since a worker has many processes."""
    os.environ[_SILENT] = "1"
    try:
        import onnxruntime  # noqa: PLC0415 — optional, 1 s, and never before a fork
        from tokenizers import Tokenizer  # noqa: PLC0415 — as above
    except ImportError:
        raise _unavailable(
            folder, "its packages are not installed", hint="Run `pip install telha[nli]`."
        ) from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # failures arrive as exceptions
    try:
        tokenizer = Tokenizer.from_buffer(files["tokenizer.json"])
        session = onnxruntime.InferenceSession(
            files["model.onnx"], options, providers=["CPUExecutionProvider"]
        )
    except Exception as broken:  # noqa: BLE001 — neither package names what it raises
        raise _unavailable(folder, f"it cannot be loaded ({type(broken).__name__})") from None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True  # a text cannot end itself
    return session, tokenizer


def _unavailable(folder: Path, why: str, *, hint: str | None = None) -> Unavailable:
    told = f"the NLI model in {folder}: {why}"
    return Unavailable("MODEL_UNAVAILABLE", told, hint=hint or "Check models.nli.")
