"""Traces: made elsewhere, checked against the stored texts, refused whole or kept (issue §3)."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from app.core.errors import InvalidInput
from app.core.instants import HOUR
from app.payloads.trace import TraceIn
from tests.builders import NOON, Cite, Said, World, refused
from tests.dumps import Graph
from tests.flow.conftest import Stores


def one_claim(world: World, **evidence: Any) -> dict[str, Any]:
    """A body with one claim on the cap of €2m; its evidence may be bent."""
    told = world.version("cap", "The cap is €2m.")
    body = world.trace_body([Said("The cap is €2m.", [Cite("cap", told.tx, "€2m")])])
    body["claims"][0]["evidence"][0] |= evidence
    return body


def problems(world: World, body: dict[str, Any]) -> list[str]:
    refusal = refused(lambda: world.add(body))
    assert isinstance(refusal, InvalidInput)
    assert refusal.code == "TRACE_INVALID"
    return [problem.field for problem in refusal.problems]


def test_a_trace_is_kept_with_claims_and_evidence(world: World, graph: Graph) -> None:
    added = world.add(one_claim(world))
    assert (added.kind, added.claims, added.created, added.warnings) == ("generation", 1, True, ())
    cites = """MATCH (:Trace {tenant: $tenant})-[:MAKES]->(c:Claim)-[x:CITES]->(v:SourceVersion)
               RETURN c.text AS text, x.start AS start, x.end AS end, v.tx AS tx"""
    assert graph.rows(cites, world.tenant) == [
        {"text": "The cap is €2m.", "start": 11, "end": 14, "tx": NOON}
    ]


def test_spans_count_code_points(world: World) -> None:
    told = world.version("cap", "😀😀 cap e\u0301 €2m")
    said = Said("The cap is €2m.", [Cite("cap", told.tx, "€2m")])
    body = world.trace_body([said])
    assert body["claims"][0]["evidence"][0]["start"] == 10
    assert world.add(body).created


@pytest.mark.parametrize("quote", ["€\u2009000", "€ 000", "€\n\t000", "€\u00a0000"])
def test_a_quote_is_compared_after_nfkc_with_runs_of_white_space_as_one_blank(
    world: World, quote: str
) -> None:
    told = world.version("cap", "fee €\u202f000 due")
    body = world.trace_body([Said("x", [Cite("cap", told.tx, "€\u202f000")])])
    body["claims"][0]["evidence"][0]["quote"] = quote
    assert world.add(body).created


@pytest.mark.parametrize(
    ("evidence", "field"),
    [
        ({"sourceId": "nowhere"}, "claims[0].evidence[0]"),
        ({"sourceVersionTx": 5}, "claims[0].evidence[0]"),
        ({"end": 16, "quote": None}, "claims[0].evidence[0]"),
        ({"start": 14, "quote": None}, "claims[0].evidence[0]"),
        ({"start": 15, "end": 14, "quote": None}, "claims[0].evidence[0]"),
        ({"quote": "€5m"}, "claims[0].evidence[0].quote"),
        ({"start": 10}, "claims[0].evidence[0].quote"),
    ],
)
def test_evidence_that_does_not_stand_is_refused_and_nothing_is_written(
    world: World, graph: Graph, evidence: dict[str, Any], field: str
) -> None:
    body = one_claim(world, **evidence)
    before = graph.dump(world.tenant)
    assert problems(world, body) == [field]
    assert graph.dump(world.tenant) == before


def test_all_problems_are_listed_at_once(world: World) -> None:
    world.version("sky", "The sky is blue.")
    world.ask("sky", "q-sky")
    body = one_claim(world, quote="€5m")
    body["claims"].append(body["claims"][0] | {"pendingClarifications": ["nobody's", "q-sky"]})
    body["claims"].append({"idx": 7, "text": "x", "evidence": [{"sourceId": "gone"}]})
    body["claims"][2]["evidence"][0] |= {"sourceVersionTx": 1, "start": 0, "end": 1}
    assert problems(world, body) == [
        "claims[0].evidence[0].quote",
        "claims[1].idx",
        "claims[1].evidence[0].quote",
        "claims[2].evidence[0]",
        "claims[1].pendingClarifications[0]",
        "claims[1].pendingClarifications[1]",
    ]


def test_an_end_cannot_be_cited(world: World) -> None:
    world.version("cap", "The cap is €2m.", tx=5)
    end = world.end("cap")
    body = one_claim(world)
    body["claims"][0]["evidence"][0]["sourceVersionTx"] = end.tx
    assert problems(world, body) == ["claims[0].evidence[0]"]


def test_another_tenants_version_does_not_resolve(world: World) -> None:
    body = one_claim(world) | {"tenant": world.tenant + "x"}
    assert problems(world, body) == ["claims[0].evidence[0]"]


def test_the_same_trace_again_is_the_same_trace(world: World, graph: Graph) -> None:
    body = one_claim(world)
    first = world.add(body)
    before = graph.dump(world.tenant)
    again = world.add(body)
    assert (again.trace_id, again.created) == (first.trace_id, False)
    assert graph.dump(world.tenant) == before


def test_a_stated_id_with_another_body_is_a_conflict(world: World, graph: Graph) -> None:
    body = one_claim(world) | {"traceId": "t1"}
    world.add(body)
    before = graph.dump(world.tenant)
    assert refused(lambda: world.add(body | {"draft": "other"})).code == "TRACE_CONFLICT"
    assert graph.dump(world.tenant) == before


def test_one_trace_added_by_eight_at_once_is_one_trace(
    world: World, graph: Graph, stores: Stores
) -> None:
    for nth in range(5):
        body = one_claim(world) | {"draft": f"draft {nth}"}
        with ThreadPoolExecutor(8) as pool:
            added = list(
                pool.map(
                    lambda each, body=body: each.add(body), [world.on(stores()) for _ in "8" * 8]
                )
            )
        assert len({each.trace_id for each in added}) == 1
        assert sum(each.created for each in added) == 1
    assert graph.count(world.tenant, "Trace") == graph.count(world.tenant, "Claim") == 5


@pytest.mark.parametrize(
    ("apart", "warned"), [(0, False), (1, True), (HOUR - 1, True), (HOUR, False)]
)
def test_a_valid_time_near_the_moment_of_asking_is_warned_about(
    world: World, apart: int, warned: bool
) -> None:
    basis = {"txTime": NOON, "validTime": NOON - apart}
    assert bool(world.add(one_claim(world) | {"timeBasis": basis}).warnings) is warned


@pytest.mark.parametrize(
    ("basis", "own", "pinned"),
    [
        ({"txTime": 9}, None, None),
        ({"txTime": 9, "validTime": 9}, None, None),
        ({"txTime": 9, "validTime": 5}, None, 5),
        ({"txTime": 9, "validTime": 5}, 7, 7),
        ({"txTime": 9, "validTime": 9}, 9, 9),
    ],
)
def test_a_claim_is_pinned_by_its_own_time_else_by_the_basis_never_by_now(
    world: World, graph: Graph, basis: dict[str, int], own: int | None, pinned: int | None
) -> None:
    body = one_claim(world) | {"timeBasis": basis}
    body["claims"][0]["validTime"] = own
    world.add(body)
    found = graph.one("MATCH (c:Claim {tenant: $tenant}) RETURN c.pinned_at", world.tenant)
    assert found == pinned


def test_a_trace_may_be_without_claims_and_claims_without_evidence(world: World) -> None:
    assert world.trace().claims == 0
    assert world.trace(Said("All is well.")).claims == 1


def test_the_schema_is_published_from_the_model() -> None:
    schema = TraceIn.model_json_schema(by_alias=True)
    assert {"tenant", "question", "timeBasis"} <= set(schema["required"])
    assert "pendingClarifications" in schema["$defs"]["ClaimIn"]["properties"]
