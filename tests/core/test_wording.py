"""Words: what is denied, what is a name, what is the opposite, what binds how strongly."""

import pytest

from app.core.plain import plain
from app.core.wording import Mode, Wording, opposite, spoken, stem, wording


def said(text: str, language: str = "en") -> Wording:
    return wording(plain(text, language), language)


def denied(text: str, language: str = "en") -> set[str]:
    return {word.text for word in said(text, language).words if word.negated}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Work is not permitted.", {"permitted"}),
        ("You don’t pay tax.", {"pay", "tax"}),
        ("Logs never leave the EU.", {"leave", "EU"}),
        ("The fee is non-refundable for users.", {"refundable"}),
        ("The cap no longer applies.", {"applies"}),
        ("No more than ten devices are allowed.", set()),
        ("It is not unusual that it is not used; it works.", {"unusual"}),
        ("No minor issues but two critical issues.", {"minor", "issues"}),
        ("It is not late, it is early.", {"late"}),
    ],
)
def test_what_a_negation_reaches(text: str, words: set[str]) -> None:
    assert denied(text) == words


def test_negation_in_other_languages() -> None:
    assert denied("Telearbeit ist nicht erlaubt.", "de") == {"erlaubt"}
    assert denied("Le service n'est pas disponible.", "fr") == {"disponible"}


@pytest.mark.parametrize(
    ("one", "other", "is_opposite"),
    [
        ("enabled", "disabled", True),
        ("optional", "mandatory", True),
        ("prohibited", "allowed", True),
        ("resolved", "unresolved", True),
        ("active", "inactive", True),
        ("rise", "falls", True),
        ("on", "off", True),
        ("kept", "retained", False),
        ("seat", "plan", False),
    ],
)
def test_opposites(one: str, other: str, is_opposite: bool) -> None:
    assert opposite(stem(one), stem(other)) is opposite(stem(other), stem(one)) is is_opposite


@pytest.mark.parametrize(
    ("one", "other"),
    [("retained", "kept"), ("permitted", "allows"), ("notifies", "told"), ("Seats", "seat")],
)
def test_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_names_are_written_as_names() -> None:
    words = {w.text: w.name for w in said("Users of GitHub in Frankfurt use SAML daily.").words}
    assert words == {
        "Users": False, "GitHub": True, "Frankfurt": True,
        "use": False, "SAML": True, "daily": False,
    }  # fmt: skip


def test_the_us_are_no_pronoun() -> None:
    assert "us" in {word.stem for word in said("The US and the EU").words}


@pytest.mark.parametrize(
    ("text", "mode"),
    [("You must pay", Mode.MUST), ("You shall pay", Mode.MUST), ("You may pay", Mode.MAY)],
)
def test_modes(text: str, mode: Mode) -> None:
    assert said(text).modes == ((0, mode, 0),)


def test_conditions_quantifiers_and_history() -> None:
    assert said("It is free unless revoked.").conditions == {"unless"}
    assert said("Only full-time employees are covered.").quantifier == "only"
    assert said("All employees are covered.").quantifier == "all"
    text = "Until 2025 the cap was EUR 2; it is now EUR 5."
    [(start, end)] = said(text).past
    assert text[start:end] == "Until 2025 the cap was EUR 2"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Telearbeit ist nicht erlaubt.", "de"),
        ("Remote work is permitted.", "en"),
        ("Le service est disponible.", "fr"),
        ("eol: 2022-01-11", ""),
    ],
)
def test_the_language_that_is_spoken(text: str, language: str) -> None:
    assert spoken(text) == language


def test_what_plain_leaves_out_and_keeps() -> None:
    assert plain("6. **Must** _pay_ [here](http://x.y)") == "Must pay here"
    assert plain("latest_release_date: 1") == "latest_release_date: 1"
    assert plain('<Update date="2025-06-23">Done</Update>').split() == [
        '<Update', 'date="2025-06-23">Done</Update>',
    ]  # fmt: skip
