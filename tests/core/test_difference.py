"""The difference of two texts by words, and which claims belong together."""

from hypothesis import given
from hypothesis import strategies as st

from app.core.difference import Op, Piece, paired, word_diff

TEXTS = st.text(st.sampled_from("ab .é\n"), max_size=40)


@given(TEXTS, TEXTS)
def test_the_pieces_make_up_both_texts(old: str, new: str) -> None:
    pieces = word_diff(old, new)
    assert "".join(each.text for each in pieces if each.op is not Op.ADDED) == old
    assert "".join(each.text for each in pieces if each.op is not Op.REMOVED) == new


def test_a_changed_word_is_removed_and_added() -> None:
    assert word_diff("The cap is €2m.", "The cap is €5m.") == (
        Piece(Op.SAME, "The cap is €"),
        Piece(Op.REMOVED, "2m"),
        Piece(Op.ADDED, "5m"),
        Piece(Op.SAME, "."),
    )


def test_equal_texts_belong_together_before_alike_ones() -> None:
    old = ["The cap is €2m.", "The sky is blue.", "It rains today in Ulm."]
    new = ["The sky is grey.", "The cap is €2m.", "The sky is blue.", "Nothing else."]
    assert list(paired(old, new)) == [(0, 1), (1, 2), (2, None), (None, 0), (None, 3)]


@given(st.lists(TEXTS, max_size=4), st.lists(TEXTS, max_size=4))
def test_each_text_is_in_one_pair(old: list[str], new: list[str]) -> None:
    pairs = list(paired(old, new))
    assert sorted(i for i, _ in pairs if i is not None) == list(range(len(old)))
    assert sorted(j for _, j in pairs if j is not None) == list(range(len(new)))
