"""The graph that is measured: histories, answers and citations, as the product writes them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from neo4j import Driver
from rich.progress import Progress

from app.core import claims_json
from app.core.fold import folded
from app.core.instants import DAY, FOREVER, HOUR
from app.core.states import ClaimCheck, ClaimState

TENANT: Final = "bench"
START: Final = 1_577_836_800_000_000
"""2020-01-01T00:00:00Z in µs: where every history starts; its nth version holds from n hours on."""

PER_SOURCE: Final = 10
CLAIMS: Final = 5
_BATCH: Final = 2_000

_HISTORIES: Final = """
UNWIND $sources AS r
CREATE (s:Source {tenant: $tenant, source_id: r.id, source_key: r.key, tiles_seq: 1,
                  last_tx: $start + (r.versions - 1) * $hour,
                  last_recorded_at: $start + r.versions * $hour})
WITH s, r
CALL (s, r) {
  UNWIND range(0, r.versions - 1) AS i
  WITH s, r, i, $start + i * $hour AS at
  CREATE (v:SourceVersion {
    tenant: $tenant, source_key: r.key, source_id: r.id, tx: at, valid_from: at, valid_to: $forever,
    valid_from_rule: 'stated', text: 'The limit of ' + r.id + ' is ' + i + '.',
    text_sha256: r.id + ':' + i, ends: false, override_only: false, competes: true,
    observed_at: at, observed_from: at, recorded_at: at})-[:VERSION_OF]->(s)
  CREATE (s)-[:WINS {source_key: r.key, valid_from: at, tx_from: at,
                     valid_to: CASE i WHEN r.versions - 1 THEN $forever ELSE at + $hour END}]->(v)
  FOREACH (_ IN CASE WHEN r.won AND i < r.versions - 1 THEN [1] ELSE [] END |
    CREATE (s)-[:WON {source_key: r.key, valid_from: at + $hour, valid_to: $forever, tx_from: at,
                      tx_to: at + $hour}]->(v))
  RETURN collect(v) AS versions
}
UNWIND range(1, size(versions) - 1) AS i
WITH versions[i] AS newer, versions[i - 1] AS older
CREATE (newer)-[:PREVIOUS]->(older)
"""

_ANSWERS: Final = """
UNWIND $answers AS r
CREATE (t:Trace {tenant: $tenant, trace_id: r.id, kind: 'generation',
                 question: 'What is the limit?', draft: 'As cited.',
                 tx_time: $now, recorded_at: $now, body_digest: r.id})
CREATE (a:SAVED_ANSWER {
  tenant: $tenant, answer_id: r.id, trace_id: r.id, live_trace: r.id,
  question: 'What is the limit?', draft: 'As cited.', time_basis_json: '{}',
  status: 'current', claims_json: $claims_json,
  claim_states: $claim_states, caveats: [], seq: 1, saved_at: $now, changed_at: $now,
  checked_at: $now, recheck_due_at: $now + 7 * $day, checked_through: $now, failures: 0,
  checked_seqs: [w IN r.watches | 1], emit_number: 0, emitted_seq: 1,
  suppressed_run: 0})-[:PINS]->(t)
CREATE (a)-[:HEAD]->(:AnswerVersion {
  tenant: $tenant, answer_id: r.id, seq: 1, status: 'current', claims_json: $claims_json,
  claim_states: $claim_states, caveats: [], recorded_at: $now, why: 'saved'})
CREATE (w:Watch {tenant: $tenant, watch_id: r.id, job_kind: 'check:answer', answer_id: r.id})
       -[:FOR]->(a)
WITH r, t, w
CALL (r, t) {
  UNWIND r.claims AS c
  CREATE (t)-[:MAKES]->(k:Claim {tenant: $tenant, trace_id: r.id, idx: c.idx,
                                 text: 'The limit is 9.', verdict: 'supported'})
  WITH k, c
  UNWIND c.cites AS key
  MATCH (v:SourceVersion {source_key: key, tx: $start + ($versions - 1) * $hour})
  CREATE (k)-[:CITES {start: 0, end: 3, quote_sha256: ''}]->(v)
}
UNWIND range(0, size(r.watches) - 1) AS i
MATCH (s:Source {source_key: r.watches[i]})
CREATE (w)-[:WATCHES {idx: i}]->(s)
"""


@dataclass(frozen=True)
class Size:
    """How much of everything; ``longest`` is the one long history."""

    versions: int
    longest: int
    answers: int
    citations: int

    @property
    def sources(self) -> int:
        """How many sources of ten versions there are."""
        return (self.versions - self.longest) // PER_SOURCE


FULL: Final = Size(versions=1_000_000, longest=50_000, answers=10_000, citations=100_000)
SMALL: Final = Size(versions=5_000, longest=1_500, answers=100, citations=1_000)


def now(size: Size) -> int:
    """Return an instant (µs) after everything."""
    return START + size.versions * HOUR


def key(source_id: str, tenant: str = TENANT) -> str:
    """Return a source's key."""
    return f"{tenant}\u001f{source_id}"


def build_sources(driver: Driver, size: Size, *, first: int, until: int) -> None:
    """Write the sources of ten versions from the ``first`` on."""
    rows = [_source(f"s{n}", PER_SOURCE) for n in range(first, until)]
    _write(driver, "histories", _HISTORIES, "sources", rows, now(size), {})


def build_long(driver: Driver, size: Size) -> None:
    """Write the sources of special length, recorded version by version."""
    lengths = {"one": 1, "thousand": min(1_000, size.longest), "longest": size.longest}
    rows = [_source(name, versions, won=True) for name, versions in lengths.items()]
    _write(driver, "long histories", _HISTORIES, "sources", rows, now(size), {})


def build_answers(driver: Driver, size: Size) -> None:
    """Write the answers; all their citations win."""
    rows: list[dict[str, object]] = [answer(n, size) for n in range(size.answers)]
    shared = {**_claims(CLAIMS), "versions": PER_SOURCE}
    _write(driver, "answers", _ANSWERS, "answers", rows, now(size), shared)
    driver.execute_query(
        "MERGE (n:Tenant {tenant: $tenant}) SET n.answers_live = $live",
        tenant=TENANT,
        live=size.answers,
    )


def build_citing(driver: Driver, size: Size, tenant: str, tx: int, *, answers: int) -> None:
    """Write answers of a tenant that all cite the version at ``tx`` (µs) of its source ``s``."""
    cited = key("s", tenant)
    rows: list[dict[str, object]] = [
        {"id": f"a{n}", "claims": [{"idx": 0, "cites": [cited]}], "watches": [cited]}
        for n in range(answers)
    ]
    shared = {**_claims(1), "tenant": tenant, "start": tx, "versions": 1}
    _write(driver, "answers on one source", _ANSWERS, "answers", rows, now(size), shared)


def instants(size: Size, answers: int | None = None) -> list[dict[str, object]]:
    """Return what the statements that judge take: answers, and the instant of each (µs)."""
    return [
        {"answer_id": f"a{n}", "at": now(size)}
        for n in range(size.answers if answers is None else answers)
    ]


def _claims(count: int) -> dict[str, object]:
    state = folded([ClaimCheck(idx, "supported", ClaimState.OK) for idx in range(count)])
    return {
        "claims_json": claims_json.dumps(state.claims),
        "claim_states": [claim.state for claim in state.claims],
    }


def _source(source_id: str, versions: int, *, won: bool = False) -> dict[str, object]:
    return {"id": source_id, "key": key(source_id), "versions": versions, "won": won}


def answer(n: int, size: Size) -> dict[str, Any]:
    """Return the ``n``-th answer: its id, its claims with the keys of what they cite, its watch."""
    each = size.citations // size.answers
    cited = [key(f"s{(n * 7_919 + j * 104_729) % size.sources}") for j in range(each)]
    claims = [{"idx": idx, "cites": cited[idx::CLAIMS]} for idx in range(CLAIMS)]
    return {"id": f"a{n}", "claims": claims, "watches": sorted(set(cited))}


def _write(
    driver: Driver,
    what: str,
    text: str,
    name: str,
    rows: list[dict[str, object]],
    at: int,
    shared: dict[str, Any],
) -> None:
    fixed = {
        "tenant": TENANT,
        "start": START,
        "hour": HOUR,
        "day": DAY,
        "forever": FOREVER,
        "now": at,
    }
    with Progress(transient=True) as progress:
        for part in progress.track(list(_parts(rows)), description=what):
            driver.execute_query(text, {**fixed, **shared, name: part})


def _parts(rows: list[dict[str, object]]) -> Iterator[list[dict[str, object]]]:
    for start in range(0, len(rows), _BATCH):
        yield rows[start : start + _BATCH]
