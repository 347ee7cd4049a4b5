"""A tiny NLI model in a folder of its own: the word "voided" is all that it reads.

Its graph looks up a row of three numbers for each token and adds up those that the mask lets
through; the mark at the beginning weighs for entailment.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

LABELS = ("ENTAILMENT", "NEUTRAL", "CONTRADICTION")
VETO = 95
"""Percent that the model gives for one "voided"."""

_WORDS = {"[UNK]": (0, 0, 0), "[CLS]": (2, 0, 0), "[SEP]": (0, 0, 0), "voided": (0, 0, 5)}
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_FLOAT, _INT64 = 1, 7


def tiny_nli(
    folder: Path,
    *,
    weight: float = 5,
    labels: Sequence[str] = LABELS,
    inputs: Sequence[str] = _INPUTS,
    positions: int = 34,
) -> Path:
    """Write a model whose "voided" weighs ``weight``; return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = np.array([*_WORDS.values()], dtype=np.float32)
    rows[-1, -1] = weight
    (folder / "model.onnx").write_bytes(_model(rows, inputs))
    _tokenizer().save(str(folder / "tokenizer.json"))
    id2label = {str(n): label for n, label in enumerate(labels)}
    config = {"id2label": id2label, "max_position_embeddings": positions, "hidden_size": 3}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def _tokenizer() -> Tokenizer:
    """Words in small letters; settings for batches are in it, as exports have them."""
    tokenizer = Tokenizer(
        models.WordLevel({word: n for n, word in enumerate(_WORDS)}, unk_token="[UNK]")
    )
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.add_special_tokens(["[CLS]", "[SEP]"])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    tokenizer.enable_truncation(8)
    tokenizer.enable_padding(length=200, pad_id=3, pad_token="voided")
    return tokenizer


def _model(rows: "np.ndarray[Any, Any]", inputs: Sequence[str]) -> bytes:
    """Return the bytes of an ONNX model (protocol buffers, field by field)."""
    nodes = [
        _node("Gather", ["rows", "input_ids"], "found"),
        _node("Cast", ["attention_mask"], "mask", _number("to", _FLOAT)),
        _node("Einsum", ["found", "mask"], "logits", _text("equation", "bnk,bn->bk")),
    ]
    table = b"".join(_int(1, size) for size in rows.shape)
    table += _int(2, _FLOAT) + _bytes(8, b"rows") + _bytes(9, rows.tobytes())
    graph = b"".join(_bytes(1, node) for node in nodes) + _bytes(2, b"tiny") + _bytes(5, table)
    graph += b"".join(_bytes(11, _value(name, _INT64, "b", "n")) for name in inputs)
    graph += _bytes(12, _value("logits", _FLOAT, "b", "k"))
    return _int(1, 8) + _bytes(7, graph) + _bytes(8, _int(2, 13))


def _node(kind: str, takes: Sequence[str], gives: str, *attributes: bytes) -> bytes:
    told = b"".join(_bytes(1, each.encode()) for each in takes) + _bytes(2, gives.encode())
    return told + _bytes(4, kind.encode()) + b"".join(_bytes(5, each) for each in attributes)


def _number(name: str, value: int) -> bytes:
    return _bytes(1, name.encode()) + _int(3, value) + _int(20, 2)


def _text(name: str, value: str) -> bytes:
    return _bytes(1, name.encode()) + _bytes(4, value.encode()) + _int(20, 3)


def _value(name: str, kind: int, *sizes: str) -> bytes:
    shape = b"".join(_bytes(1, _bytes(2, size.encode())) for size in sizes)
    tensor = _int(1, kind) + _bytes(2, shape)
    return _bytes(1, name.encode()) + _bytes(2, _bytes(1, tensor))


def _int(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    low, rest = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])
