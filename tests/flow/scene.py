"""A tenant with many answers, whose every change is followed and compared with a reading by hand.

A pair is one stored change and one answer that was live when it was stored: exactly the answers
that rest on what changed are checked, once a batch, and no other is looked at.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from app.core import claims_json
from app.core.states import AnswerState, ClaimCheck
from app.core.transitions import transition
from app.flow.jobs import JobState, list_jobs, show_job
from tests.builders import Said, World
from tests.dumps import Graph
from tests.flow.by_hand import Reading, Told, read_by_hand

Target = tuple[str, str]
"""What an answer may rest on: ``("source" | "clarification", id)``."""

_HEADS = """
MATCH (a:SAVED_ANSWER)-[:HEAD]->(v:AnswerVersion) WHERE a.tenant = $tenant AND a.answer_id > ''
RETURN a.answer_id AS answer_id, a.seq AS seq, a.status AS status, a.severity AS severity,
       a.claims_json AS claims_json, a.caveats AS caveats, v.emit_id AS emit_id,
       COUNT { (:Emit)-[:ABOUT]->(a) } AS windows,
       COUNT { MATCH (w:AnswerVersion)
               WHERE w.tenant = a.tenant AND w.answer_id = a.answer_id AND w.seq >= 1 } AS versions
"""
_CHECKED = """
MATCH (e:AuditEvent) WHERE e.tenant = $tenant AND e.at >= 0 AND e.kind = 'answer.checked'
RETURN e.event_id AS event_id, e.answers AS answers
"""
_SUPERSEDE = """
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $answer_id})-[h:HEAD]->(last:AnswerVersion)
OPTIONAL MATCH (e:Emit {tenant: $tenant, open_for: $answer_id})
SET e.state = 'suppressed', e.open_for = null, e.closed_at = e.due_at
DELETE h
WITH a, last
OPTIONAL MATCH (a)<-[:FOR]-(w:Watch)
OPTIONAL MATCH (w)-[x:WATCHES]->()
SET w.detached_at = last.recorded_at
DELETE x
WITH DISTINCT a, last
SET a.status = 'superseded', a.seq = a.seq + 1
WITH a, last
MATCH (n:SAVED_ANSWER {tenant: $tenant, answer_id: $successor})
CREATE (n)-[:SUPERSEDES]->(a)
CREATE (a)-[:HEAD]->(:AnswerVersion {
  tenant: $tenant, answer_id: $answer_id, seq: a.seq, status: a.status, severity: a.severity,
  claims_json: a.claims_json, claim_states: a.claim_states, caveats: a.caveats,
  recorded_at: last.recorded_at, why: 'refresh'
})-[:PREVIOUS]->(last)
"""


@dataclass
class Scene:
    """A tenant's live answers by what they rest on, and what was changed since the last dispatch.

    ``pairs`` counts what was evaluated; ``unchecked`` are answers whose first check waits.
    """

    world: World
    graph: Graph
    rests: dict[str, frozenset[Target]] = field(default_factory=dict)
    unchecked: set[str] = field(default_factory=set)
    changed: set[Target] = field(default_factory=set)
    wanted: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    pairs: int = 0

    def save(self, *said: Said, **stated: Any) -> str:
        """Save an answer, whose first check waits."""
        answer_id = self.world.saved(*said, **stated)
        sources = {("source", cite.source_id) for claim in said for cite in claim.cites}
        asked = {("clarification", each) for claim in said for each in claim.pending}
        self.rests[answer_id] = frozenset(sources | asked)
        self.unchecked.add(answer_id)
        return answer_id

    def first_checks(self) -> None:
        """Check what was saved at once; the jobs of the first checks then find nothing to do."""
        told = self.world.check(*self.unchecked)
        assert {each.answer_id for each in told} == self.unchecked
        assert self.world.run_jobs() == []
        self._compare(self.unchecked, self._heads())
        self.unchecked.clear()

    def delete(self, answer_id: str) -> None:
        self.world.delete(answer_id)
        self._forget(answer_id)

    def supersede(self, answer_id: str, successor: str) -> None:
        """Make an answer superseded by hand, as refresh is not built yet."""
        names = {"answer_id": answer_id, "successor": successor}
        self.graph.rows(_SUPERSEDE, self.world.tenant, **names)
        self._forget(answer_id)

    def note(self, target: Target) -> None:
        """Note that one change of a target was stored: a pair with every live answer."""
        self.changed.add(target)
        self.pairs += len(self.rests)

    def dispatch(self) -> None:
        """Follow the open changes: jobs for exactly the live answers that rest on what changed."""
        known = self._job_ids()
        self.world.dispatch()
        touched = {each for each, rests in self.rests.items() if rests & self.changed}
        queued = [each for job_id in self._job_ids() - known for each in self._ids_of(job_id)]
        assert Counter(queued) == Counter(touched)
        self.wanted |= touched
        self.changed.clear()

    def settle(self) -> None:
        """Follow and check all; compare who was checked, and what became of every answer."""
        self.dispatch()
        expected = (self.wanted | self.unchecked) & self.rests.keys()
        before = self._heads()
        self._new_checks()
        told = {each.answer_id: each for each in self.world.run_jobs()}
        assert Counter(self._new_checks()) == Counter(expected)
        after = self._heads()
        assert {each: held for each, held in after.items() if each not in expected} == {
            each: held for each, held in before.items() if each not in expected
        }
        for each in expected:
            found = _step(before[each], after[each])
            assert (told[each].changed, told[each].transition) == found
        self._compare(expected, after)
        self.wanted.clear()
        self.unchecked.clear()

    def sweep(self) -> None:
        """Let what is due be checked; then every live answer is what the reading says."""
        self.world.due()
        self.world.run_jobs()
        self._compare(self.rests, self._heads())

    def _compare(self, ids: Iterable[str], heads: dict[str, dict[str, Any]]) -> None:
        read = read_by_hand(self.graph, self.world.tenant, sorted(ids), self.world.clock.at)
        assert {each: _told(heads[each]) for each in read} == read

    def _forget(self, answer_id: str) -> None:
        del self.rests[answer_id]
        self.unchecked.discard(answer_id)

    def _heads(self) -> dict[str, dict[str, Any]]:
        return {row["answer_id"]: row for row in self.graph.rows(_HEADS, self.world.tenant)}

    def _new_checks(self) -> list[str]:
        """Return the answers that were checked since the last call, each as often as it was."""
        rows = self.graph.rows(_CHECKED, self.world.tenant)
        new = [row for row in rows if row["event_id"] not in self.seen]
        self.seen |= {row["event_id"] for row in new}
        return [each for row in new for each in row["answers"]]

    def _job_ids(self) -> set[str]:
        world = self.world
        waiting = list_jobs(world.store, world.tenant, state=JobState.OPEN, page=1000)
        return {job.job_id for job in waiting if job.why == "change"}

    def _ids_of(self, job_id: str) -> tuple[str, ...]:
        return show_job(self.world.store, self.world.tenant, job_id).ids


def _step(before: dict[str, Any], after: dict[str, Any]) -> tuple[bool, bool]:
    """Return whether a check changed an answer, and moved it: a version and an emit, or neither."""
    changed = _said(before) != _said(after)
    assert after["versions"] == after["seq"] == before["seq"] + changed
    if not changed:
        assert after == before
        return False, False
    moved = transition(_state(before), _state(after)) is not None
    assert (after["emit_id"] is not None) == moved
    assert after["windows"] - before["windows"] in ({0, 1} if moved else {0})
    return True, moved


def _said(head: dict[str, Any]) -> tuple[Any, ...]:
    claims = [
        (claim.idx, claim.state, claim.severity, claim.causes, claim.caveats)
        for claim in _state(head).claims
    ]
    return head["status"], head["severity"], head["caveats"], claims


def _state(head: dict[str, Any]) -> AnswerState:
    return claims_json.answer_state(
        head["status"], head["severity"], head["claims_json"], head["caveats"]
    )


def _told(head: dict[str, Any]) -> Reading:
    return Reading(head["status"], tuple(map(_claim, claims_json.loads(head["claims_json"]))))


def _claim(claim: ClaimCheck) -> Told:
    causes = frozenset(
        (cause.source_id, cause.clarification_id or cause.cited_tx, cause.winning_tx)
        for cause in claim.causes
    )
    return claim.state.value, causes
