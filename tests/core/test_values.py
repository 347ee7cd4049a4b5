"""Names, keys and texts: what may be one, to the byte, and what is derived from them (G4, G8)."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import Invalid, InvalidInput, Problem, TelhaError
from app.core.values import (
    MAX_KEY_BYTES,
    MAX_TEXT_BYTES,
    clarification_key,
    derived_id,
    key,
    sha256,
    source_key,
    tenant_id,
    text,
)

CANARY = "Zelda Quimby-Canary"
TENANTS = st.from_regex(r"\A[A-Za-z0-9_-]{1,64}\Z")
NAMES = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=20)


def refusal(validate: object, value: object) -> TelhaError:
    assert callable(validate)
    with pytest.raises(Invalid) as refused:
        validate(value, field="name")
    assert refused.value.field == "name"
    assert CANARY not in str(refused.value)
    return refused.value


@given(TENANTS)
def test_a_tenant_is_kept_as_it_is(name: str) -> None:
    assert tenant_id(name) == name


@pytest.mark.parametrize(
    "value",
    [None, "", [], ["a"], 0, True, b"a", "a b", "a/b", "a.b", "é", "a\n", "a\x1fb", "a" * 65, "*"],
    ids=repr,
)
def test_anything_else_is_no_tenant_and_never_all(value: object) -> None:
    assert refusal(tenant_id, value).code == "TENANT_INVALID"


def test_a_tenant_is_named_by_default_in_its_refusal() -> None:
    with pytest.raises(Invalid) as refused:
        tenant_id("")
    assert refused.value.field == "tenant"


@given(NAMES)
def test_a_key_is_kept_as_it_is(name: str) -> None:
    assert key(name, field="name") == name


@pytest.mark.parametrize(
    "value", ["a" * MAX_KEY_BYTES, "é" * (MAX_KEY_BYTES // 2), "a/b c.md", "😀"]
)
def test_a_key_may_have_so_many_bytes(value: str) -> None:
    assert key(value, field="name") == value


@pytest.mark.parametrize(
    "value",
    ["a" * (MAX_KEY_BYTES + 1), "é" * (MAX_KEY_BYTES // 2) + "a", "é" * 4100, "a" * 8165],
    ids=len,
)
def test_a_key_is_counted_in_bytes(value: str) -> None:
    refused = refusal(key, value)
    assert refused.code == "KEY_TOO_LONG"
    assert str(len(value.encode())) in refused.message
    assert str(MAX_KEY_BYTES) in refused.message


@pytest.mark.parametrize(
    "value",
    [None, "", 0, b"a", ["a"], "a\x00", "a\x1fb", "\n", "a\x7f", "a\x80", "a\x9f", "\ud800"],
    ids=repr,
)
def test_a_key_has_no_control_characters(value: object) -> None:
    assert refusal(key, value).code == "KEY_INVALID"


def test_a_tenant_and_a_key_fit_into_an_index_key_of_the_store() -> None:
    longest = source_key("t" * 64, "k" * MAX_KEY_BYTES)
    assert len(longest.encode()) + 64 < 8_164


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_text_is_kept_as_it_is(value: str) -> None:
    assert text(value, field="name") == value


@pytest.mark.parametrize("value", ["", "  a \r\n\t", "e\u0301", "\x00", "a" * MAX_TEXT_BYTES])
def test_a_text_is_never_normalised(value: str) -> None:
    assert text(value, field="name") == value


@pytest.mark.parametrize("value", [None, 0, b"a", [CANARY], {"a": CANARY}, "a\ud800"], ids=repr)
def test_what_is_no_text(value: object) -> None:
    assert refusal(text, value).code == "TEXT_INVALID"


@pytest.mark.parametrize("value", ["a" * (MAX_TEXT_BYTES + 1), "é" * (MAX_TEXT_BYTES // 2 + 1)])
def test_a_text_is_counted_in_bytes(value: str) -> None:
    refused = refusal(text, value)
    assert refused.code == "TEXT_TOO_LONG"
    assert str(len(value.encode())) in refused.message


@given(TENANTS, NAMES, TENANTS, NAMES)
def test_two_sources_have_two_keys(tenant: str, name: str, other: str, another: str) -> None:
    same = (tenant, name) == (other, another)
    assert (source_key(tenant, name) == source_key(other, another)) is same


@given(TENANTS, NAMES, NAMES)
def test_no_source_has_the_key_of_a_clarification(tenant: str, name: str, other: str) -> None:
    assert source_key(tenant, name) != clarification_key(tenant, other)


def test_keys_and_digests_are_what_they_were() -> None:
    """Stored graphs hold them: a change here is a migration."""
    assert source_key("acme", "a/b") == "acme\x1fa/b"
    assert clarification_key("acme", "q1") == "acme\x1f\x1fq1"
    assert sha256("€2m") == "a449533b50f9ac2ed60874469b86e7804526ccea4c637ba60d617d53a81e594a"
    assert derived_id("change", "acme\x1fcap", 7) == "9c3167b2-cd47-5ae2-9abe-1c3a8df13691"


def test_a_derived_id_is_a_uuid_and_depends_on_each_part() -> None:
    made = {derived_id("a", "b", 1), derived_id("a", "b", 2), derived_id("a", "c", 1)}
    made |= {derived_id("b", "b", 1), derived_id("a", "b"), derived_id("a")}
    assert len(made) == 6
    assert {uuid.UUID(one).version for one in made} == {5}
    assert derived_id("a", 1) == derived_id("a", "1")


def test_an_error_tells_what_where_and_what_to_do() -> None:
    told = TelhaError("CODE", "it is wrong", field="tx", hint="Mend it.")
    assert str(told) == "it is wrong [tx] Mend it."
    assert str(TelhaError("CODE", "it is wrong")) == "it is wrong"
    assert (told.code, told.message, told.field, told.hint) == (
        "CODE",
        "it is wrong",
        "tx",
        "Mend it.",
    )


def test_an_input_refused_whole_lists_every_problem() -> None:
    problems = [Problem("a", "is wrong"), Problem("b[0].c", "is missing")]
    told = InvalidInput("CODE", problems, hint="Mend them.")
    assert told.problems == tuple(problems)
    assert str(told) == "a: is wrong; b[0].c: is missing Mend them."
