"""Payloads: what surfaces take and give, one list of problems at once, no text of people in it."""

import json
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType

import pytest
from pydantic import TypeAdapter

from app.core.errors import InvalidInput
from app.core.instants import FOREVER, LATEST
from app.core.values import MAX_KEY_BYTES, MAX_TEXT_BYTES
from app.payloads.answers import AnswerRef, ListIn, SaveIn
from app.payloads.base import Payload, parse
from app.payloads.imports import RowIn
from app.payloads.ingest import (
    CascadeIn,
    ClarifyIn,
    EndIn,
    Ingested,
    OverrideIn,
    ReleaseIn,
    VersionIn,
    WithdrawIn,
)
from app.payloads.tasks import CheckAnswerIn, RelayIn
from app.payloads.trace import TraceIn

CANARY = "Zelda Quimby-Canary"
NEW_YEAR = 1_767_225_600_000_000
SOURCE = {"tenant": "acme", "sourceId": "cap"}
VERSION = {**SOURCE, "text": "The cap is €2m."}
EVIDENCE = {"sourceId": "cap", "sourceVersionTx": 7, "start": 0, "end": 3}
CLAIM = {"idx": 0, "text": "The cap is €2m.", "evidence": [EVIDENCE]}
TRACE = {
    "tenant": "acme",
    "question": "What is the cap?",
    "timeBasis": {"txTime": 7},
    "claims": [CLAIM],
}
ROW = {"doc": "cap", "seq": 1, "text": "The cap is €2m."}
VALID: dict[type[Payload], dict[str, object]] = {
    VersionIn: dict(VERSION),
    EndIn: dict(SOURCE),
    WithdrawIn: {**SOURCE, "tx": 7},
    CascadeIn: dict(SOURCE),
    OverrideIn: {**SOURCE, "bind": 7},
    ReleaseIn: {"tenant": "acme", "overrideId": "o"},
    ClarifyIn: {"tenant": "acme", "clarificationId": "q", "state": "open"},
    TraceIn: dict(TRACE),
    SaveIn: {"tenant": "acme", "traceId": "t"},
    AnswerRef: {"tenant": "acme", "answerId": "a"},
    ListIn: {"tenant": "acme"},
    CheckAnswerIn: {"tenant": "acme"},
    RelayIn: {},
    RowIn: dict(ROW),
}
INPUTS = pytest.mark.parametrize("model", VALID, ids=lambda model: model.__name__)


def refusal(model: type[Payload], data: object) -> InvalidInput:
    with pytest.raises(InvalidInput) as refused:
        parse(model, data)
    assert refused.value.code == "PAYLOAD_INVALID"
    assert refused.value.problems
    assert CANARY not in str(refused.value)
    return refused.value


def fields(refused: InvalidInput) -> list[str]:
    return [problem.field for problem in refused.problems]


def names(model: type[Payload]) -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield field.alias or name


# What every payload does


@INPUTS
def test_a_mapping_and_its_json_are_the_same(model: type[Payload]) -> None:
    data = VALID[model]
    made = parse(model, data)
    assert parse(model, json.dumps(data)) == made
    assert parse(model, json.dumps(data).encode()) == made
    assert parse(model, MappingProxyType(data)) == made


@INPUTS
def test_what_was_made_comes_back_from_its_own_json(model: type[Payload]) -> None:
    made = parse(model, VALID[model])
    assert parse(model, made.model_dump_json(by_alias=True, exclude_none=True)) == made


@INPUTS
def test_names_outside_are_camel_case(model: type[Payload]) -> None:
    if model is not RowIn:
        assert all("_" not in name for name in names(model))


@pytest.mark.parametrize(
    "model", [model for model in VALID if model is not RowIn], ids=lambda model: model.__name__
)
def test_an_unknown_field_is_refused_by_name(model: type[Payload]) -> None:
    assert "validFrm" in fields(refusal(model, VALID[model] | {"validFrm": CANARY}))


@INPUTS
def test_a_payload_is_frozen(model: type[Payload]) -> None:
    made = parse(model, VALID[model])
    with pytest.raises(ValueError, match="frozen"):
        setattr(made, next(iter(type(made).model_fields)), "other")


@INPUTS
@pytest.mark.parametrize(
    "data",
    [
        None,
        7,
        True,
        [],
        [CANARY],
        CANARY,
        f'"{CANARY}"',
        f"[{CANARY!r}]",
        "[]",
        "null",
        b"\xff",
        "",
    ],
    ids=repr,
)
def test_what_is_no_object_is_refused(model: type[Payload], data: object) -> None:
    assert fields(refusal(model, data)) == ["payload"]


@pytest.mark.parametrize(
    "model",
    [model for model in VALID if model not in (RowIn, RelayIn)],
    ids=lambda model: model.__name__,
)
@pytest.mark.parametrize("tenant", [None, "", [], ["acme"], 7, True, "a b", "*", "a" * 65, CANARY])
def test_a_tenant_is_named_and_none_means_all(model: type[Payload], tenant: object) -> None:
    assert fields(refusal(model, VALID[model] | {"tenant": tenant})) == ["tenant"]
    without = {name: value for name, value in VALID[model].items() if name != "tenant"}
    assert "tenant" in fields(refusal(model, without))


def wrong_values(canary: str) -> list[object]:
    return [{"name": canary}, [canary], [[{canary: canary}]], f"{canary}\ud800", f"{canary}\x00"]


@INPUTS
def test_no_problem_repeats_what_stood_in_a_field(model: type[Payload]) -> None:
    """Text of people strays into any field; problems end in logs and in parked jobs."""
    free = {"text", "question", "draft", "title", "reason", "actor", "origin", "commit", "event"}
    free |= {"createdByPerson", "createdByKey"}
    for name in names(model):
        for wrong in wrong_values(CANARY):
            told = problems(model, VALID[model] | {name: wrong})
            assert CANARY not in told, name
            if not isinstance(wrong, str):
                assert name in told
        if name not in free:
            assert CANARY not in problems(model, VALID[model] | {name: CANARY})


def test_nor_deep_inside_a_trace() -> None:
    for wrong in [CANARY, *wrong_values(CANARY)]:
        for name in ("idx", "verdict", "validTime", "evidence"):
            refusal(TraceIn, TRACE | {"claims": [CLAIM | {name: wrong}]})
        for name in ("sourceVersionTx", "start", "end"):
            evidence = [EVIDENCE | {name: wrong}]
            refusal(TraceIn, TRACE | {"claims": [CLAIM | {"evidence": evidence}]})
        for name in ("txTime", "validTime"):
            refusal(TraceIn, TRACE | {"timeBasis": {"txTime": 7, name: wrong}})


def problems(model: type[Payload], data: dict[str, object]) -> str:
    try:
        parse(model, data)
    except InvalidInput as refused:
        return str(refused)
    return ""


def test_every_problem_is_listed_with_its_place() -> None:
    claims = [
        {"idx": -1, "text": 7, "evidence": [{"sourceId": "", "start": 0.5, "end": -1}]},
        CLAIM,
        {"idx": 2, "text": "x", "evidnce": [], "verdict": "maybe", "validTime": "2026-03-01"},
    ]
    refused = refusal(TraceIn, {"question": "", "timeBasis": {}, "claims": claims, "kind": "other"})
    assert sorted(fields(refused)) == sorted(
        [
            "tenant",
            "kind",
            "timeBasis.txTime",
            "claims[0].idx",
            "claims[0].text",
            "claims[0].evidence[0].sourceId",
            "claims[0].evidence[0].sourceVersionTx",
            "claims[0].evidence[0].start",
            "claims[0].evidence[0].end",
            "claims[2].evidnce",
            "claims[2].verdict",
            "claims[2].validTime",
        ]
    )
    assert all(problem.message for problem in refused.problems)
    assert all(problem.message in str(refused) for problem in refused.problems)


# Instants, to the digit (G5)


@dataclass(frozen=True)
class Instant:
    id: str
    json: str
    at: int | None


INSTANTS = [
    Instant("seven microseconds", '"2026-01-01T00:00:00.000007Z"', NEW_YEAR + 7),
    Instant("integer", "1767225600123456", 1767225600123456),
    Instant("largest odd digits", "8999999999999999", 8999999999999999),
    Instant("the last", str(LATEST), LATEST),
    Instant("zero", "0", 0),
    Instant("seconds by mistake", "1767225600", 1767225600),
    Instant("out of the range of years", '"2500-01-01T00:00:00.123457Z"', None),
    Instant("2^53 + 1", "9007199254740993", None),
    Instant("2^63", "9223372036854775808", None),
    Instant("2^63 as text", '"9223372036854775808"', None),
    Instant("a hundred digits", "9" * 100, None),
    Instant("negative", "-1", None),
    Instant("a float", "1767225600000007.0", None),
    Instant("scientific", "1.7672256e15", None),
    Instant("scientific as text", '"1.7672256e15"', None),
    Instant("a leap second", '"2016-12-31T23:59:60Z"', None),
    Instant("naive", '"2026-03-01T11:00:00"', None),
    Instant("a truth", "true", None),
    Instant("empty", '""', None),
    Instant("not a number", "NaN", None),
]
PLACES: list[tuple[type[Payload], str]] = [
    (VersionIn, "tx"),
    (VersionIn, "validFrom"),
    (VersionIn, "validTo"),
    (VersionIn, "sourceTs"),
    (VersionIn, "corrects"),
    (EndIn, "tx"),
    (WithdrawIn, "tx"),
    (OverrideIn, "bind"),
    (OverrideIn, "validTo"),
    (ListIn, "at"),
    (ListIn, "knownAt"),
    (RowIn, "author_ts"),
    (RowIn, "valid_to"),
]


def with_literal(model: type[Payload], name: str, literal: str) -> str:
    body = json.dumps(VALID[model] | {name: CANARY}, ensure_ascii=False)
    return body.replace(f'"{CANARY}"', literal)


@pytest.mark.parametrize("case", INSTANTS, ids=lambda case: case.id)
@pytest.mark.parametrize(
    ("model", "name"), PLACES, ids=lambda each: each if isinstance(each, str) else each.__name__
)
def test_an_instant_keeps_every_digit_or_is_refused(
    model: type[Payload], name: str, case: Instant
) -> None:
    body = with_literal(model, name, case.json)
    if case.at is None:
        refused = refusal(model, body)
        assert fields(refused) in ([name], ["payload"])
        return
    made = parse(model, body)
    shown = made.model_dump(mode="json", by_alias=True)[name]
    assert (shown, type(shown)) == (case.at, int)
    assert f"{case.at}" in made.model_dump_json(by_alias=True)
    if "NaN" not in body:
        assert parse(model, json.loads(body)) == made


@pytest.mark.parametrize("case", INSTANTS, ids=lambda case: case.id)
def test_so_do_the_instants_of_a_trace(case: Instant) -> None:
    body = json.dumps(
        TRACE
        | {
            "timeBasis": {"txTime": "HERE", "validTime": "HERE"},
            "claims": [
                CLAIM | {"validTime": "HERE", "evidence": [EVIDENCE | {"sourceVersionTx": "HERE"}]}
            ],
        }
    ).replace('"HERE"', case.json)
    if case.at is None:
        assert len(refusal(TraceIn, body).problems) in (1, 4)
        return
    made = parse(TraceIn, body)
    [claim] = made.claims
    assert made.time_basis.tx_time == made.time_basis.valid_time == case.at
    assert claim.valid_time == claim.evidence[0].source_version_tx == case.at


def test_an_open_end_is_null_outside() -> None:
    told = Ingested(
        source_id="cap",
        tx=7,
        valid_from=7,
        valid_to=typing.cast("int", None),
        outcome="stored",
        removal=None,
        wins_now=True,
        why_not=None,
        winning_tx=7,
    )
    assert json.loads(told.model_dump_json(by_alias=True))["validTo"] is None
    assert str(FOREVER) not in told.model_dump_json()


# Keys, texts, names


@pytest.mark.parametrize(
    ("value", "taken"),
    [
        ("a" * MAX_KEY_BYTES, True),
        ("é" * (MAX_KEY_BYTES // 2), True),
        ("a/b c.md", True),
        ("a" * (MAX_KEY_BYTES + 1), False),
        ("é" * 4_100, False),
        ("a" * 8_165, False),
        ("a\x1fb", False),
        ("a\nb", False),
        ("", False),
        (7, False),
    ],
)
def test_keys_are_counted_in_bytes(value: object, taken: bool) -> None:
    for model, name in ((VersionIn, "sourceId"), (VersionIn, "requestId"), (SaveIn, "traceId")):
        data = VALID[model] | {name: value}
        if taken:
            assert value in parse(model, data).model_dump(by_alias=True).values()
        else:
            assert fields(refusal(model, data)) == [name]


@pytest.mark.parametrize(
    "text", ["", " a\r\n\t ", "e\u0301", "Terms\r\nFee: €2m\r\nEnd", "a" * 20_000]
)
def test_a_text_is_stored_as_given(text: str) -> None:
    assert parse(VersionIn, VERSION | {"text": text}).text == text
    assert parse(TraceIn, TRACE | {"claims": [CLAIM | {"text": text}]}).claims[0].text == text


@pytest.mark.parametrize(
    "text", [None, 7, b"a", "\ud800", "é" * (MAX_TEXT_BYTES // 2 + 1)], ids=type
)
def test_what_is_no_text(text: object) -> None:
    assert fields(refusal(VersionIn, VERSION | {"text": text})) == ["text"]


@pytest.mark.parametrize("name", ["", "   ", "\n\t"])
def test_a_name_is_not_blank(name: str) -> None:
    assert fields(refusal(SaveIn, VALID[SaveIn] | {"title": name})) == ["title"]


def test_a_name_loses_the_blanks_around_it() -> None:
    assert parse(SaveIn, VALID[SaveIn] | {"title": "  Board pack "}).title == "Board pack"


# Rules within one payload


@dataclass(frozen=True)
class Rule:
    id: str
    model: type[Payload]
    more: dict[str, object]
    taken: bool


RULES = [
    Rule("an override binds or says", OverrideIn, {"bind": 7}, True),
    Rule("not both", OverrideIn, {"bind": 7, "text": "x"}, False),
    Rule("not neither", OverrideIn, {"bind": None}, False),
    Rule("its own text", OverrideIn, {"bind": None, "text": "x"}, True),
    Rule("its own empty text", OverrideIn, {"bind": None, "text": ""}, True),
    Rule("the version at zero", OverrideIn, {"bind": 0}, True),
    Rule("a binding states its outcome", ClarifyIn, {"state": "bound", "text": "x"}, True),
    Rule("and may choose a version", ClarifyIn, {"state": "bound", "text": "x", "bind": 0}, True),
    Rule("a version alone is no outcome", ClarifyIn, {"state": "bound", "bind": 7}, False),
    Rule("no binding without text", ClarifyIn, {"state": "bound"}, False),
    Rule("no outcome while open", ClarifyIn, {"state": "open", "text": "x"}, False),
    Rule("no version while open", ClarifyIn, {"state": "open", "bind": 0}, False),
    Rule("no outcome in conflict", ClarifyIn, {"state": "conflicted", "text": "x"}, False),
    Rule("no outcome withdrawn", ClarifyIn, {"state": "withdrawn", "bind": 7}, False),
    Rule("withdrawn", ClarifyIn, {"state": "withdrawn"}, True),
    Rule("no other state", ClarifyIn, {"state": "closed"}, False),
    Rule("a person", SaveIn, {"createdByPerson": "ann"}, True),
    Rule("a key", SaveIn, {"createdByKey": "k1"}, True),
    Rule("not both", SaveIn, {"createdByPerson": "ann", "createdByKey": "k1"}, False),
    Rule("a page", ListIn, {"page": 1000}, True),
    Rule("no page of none", ListIn, {"page": 0}, False),
    Rule("no larger page", ListIn, {"page": 1001}, False),
    Rule("no page of text", ListIn, {"page": "9"}, False),
    Rule("a status", ListIn, {"status": "partially_stale"}, True),
    Rule("no other status", ListIn, {"status": "fresh"}, False),
    Rule("a query", TraceIn, {"kind": "query"}, True),
    Rule("no other kind", TraceIn, {"kind": "chat"}, False),
    Rule("no claims", TraceIn, {"claims": []}, True),
    Rule("no time basis", TraceIn, {"timeBasis": None}, False),
    Rule("all tenants", RelayIn, {}, True),
    Rule("one tenant", RelayIn, {"tenant": "acme"}, True),
    Rule("no empty tenant", RelayIn, {"tenant": ""}, False),
]


@pytest.mark.parametrize("case", RULES, ids=lambda case: f"{case.model.__name__}: {case.id}")
def test_rules_within_a_payload(case: Rule) -> None:
    data = VALID[case.model] | case.more
    if case.taken:
        parse(case.model, data)
    else:
        refusal(case.model, data)


@pytest.mark.parametrize("offset", [-1, 0.0, 1.5, "0", True, None, 2**63, MAX_TEXT_BYTES + 1])
def test_an_offset_is_a_count_of_code_points(offset: object) -> None:
    for name in ("start", "end"):
        claims = [CLAIM | {"evidence": [EVIDENCE | {name: offset}]}]
        assert fields(refusal(TraceIn, TRACE | {"claims": claims})) == [
            f"claims[0].evidence[0].{name}"
        ]


# Rows of an import


@pytest.mark.parametrize("text", [None, "", "left over"])
def test_a_deletion_has_no_text_whatever_its_column_holds(text: str | None) -> None:
    assert parse(RowIn, ROW | {"event": "delete", "text": text}).text == ""
    assert parse(RowIn, {"doc": "cap", "seq": 1, "event": "delete"}).text == ""


@pytest.mark.parametrize("event", ["modify", "add", "rename", "deleted"])
def test_every_other_row_has_a_text(event: str) -> None:
    assert fields(refusal(RowIn, ROW | {"event": event, "text": None})) == ["text"]
    assert fields(refusal(RowIn, {"doc": "cap", "seq": 1, "event": event})) == ["text"]
    assert parse(RowIn, ROW | {"event": event, "text": ""}).text == ""


def test_other_columns_of_a_row_are_ignored_and_the_commit_is_its_origin() -> None:
    assert parse(RowIn, ROW | {"commit": "c0ffee", "bot": False}).commit == "c0ffee"
    assert parse(RowIn, ROW | {"origin": "c0ffee"}).commit == "c0ffee"
    assert parse(RowIn, ROW | {"author_ts": None}).author_ts is None


@pytest.mark.parametrize("seq", [-1, 1.0, "1", None, True, 2**63])
def test_a_row_has_a_place(seq: object) -> None:
    assert fields(refusal(RowIn, ROW | {"seq": seq})) == ["seq"]


# The published schema


def test_the_schema_of_a_trace_is_closed_and_every_reference_in_it_resolves() -> None:
    schema = TraceIn.model_json_schema()
    text = json.dumps(schema)
    objects = [schema, *schema["$defs"].values()]
    assert {one["title"] for one in objects} == {"TraceIn", "ClaimIn", "EvidenceIn", "TimeBasis"}
    for one in objects:
        assert one["type"] == "object"
        assert one["additionalProperties"] is False
        assert set(one["required"]) <= set(one["properties"])
        assert one["description"]
    for reference in text.split('"$ref": "')[1:]:
        assert reference.split('"')[0].removeprefix("#/$defs/") in schema["$defs"]


def test_the_schema_says_what_the_model_requires() -> None:
    schema = TraceIn.model_json_schema()
    assert set(schema["required"]) == {"tenant", "question", "timeBasis"}
    evidence = schema["$defs"]["EvidenceIn"]
    assert set(evidence["required"]) == {"sourceId", "sourceVersionTx", "start", "end"}
    assert evidence["properties"]["start"]["maximum"] == MAX_TEXT_BYTES
    instant = schema["$defs"]["TimeBasis"]["properties"]["txTime"]
    assert {"type": "integer", "minimum": 0, "maximum": LATEST} in instant["anyOf"]


@INPUTS
def test_every_input_has_a_schema(model: type[Payload]) -> None:
    assert TypeAdapter(model).json_schema()["type"] == "object"
