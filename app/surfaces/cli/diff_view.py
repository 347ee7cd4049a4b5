"""How two answers side by side look to people."""

from collections.abc import Sequence
from typing import Final

from rich.console import Group
from rich.text import Text

from app.core.difference import Op
from app.payloads.refresh import ClaimDiff, DiffView, EvidenceView, PieceView
from app.surfaces.cli.text import facts, plain, when

_STYLES: Final = {Op.SAME: "", Op.REMOVED: "red strike", Op.ADDED: "green"}
_MARKS: Final = {Op.SAME: ("", ""), Op.REMOVED: ("[-", "-]"), Op.ADDED: ("{+", "+}")}


def drawn_diff(view: DiffView) -> Group:
    """Return two answers: what was removed is struck through and in [-…-], added in {+…+}."""
    return Group(
        facts([("old", view.old_answer_id), ("new", view.new_answer_id)]),
        Text("\ndraft", "bold"),
        _pieces(view.draft),
        Text("\nclaims", "bold"),
        *(_claim(each) for each in view.claims),
    )


def _pieces(pieces: Sequence[PieceView]) -> Text:
    text = Text()
    for piece in pieces:
        before, after = _MARKS[piece.op]
        text.append(f"{before}{plain(piece.text)}{after}", _STYLES[piece.op])
    return text


def _claim(claim: ClaimDiff) -> Group:
    head = Text(f"{_place(claim.old_idx)} → {_place(claim.new_idx)}  ")
    old = [_cited("old", each) for each in claim.old_evidence]
    new = [_cited("new", each) for each in claim.new_evidence]
    return Group(head.append(_pieces(claim.text)), *old, *new)


def _place(idx: int | None) -> str:
    return "–" if idx is None else str(idx)


def _cited(name: str, each: EvidenceView) -> Text:
    span = f"[{each.start}, {each.end})"
    quote = plain(each.quote)
    return Text(f"       {name} evidence {plain(each.source_id)} {when(each.tx)} {span} “{quote}”")
