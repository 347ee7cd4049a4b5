"""Re-check: read, decide, commit if unchanged (seed §3.4, §10; DESIGN §5).

The seqs of all that an answer watches are read first, the tiles in later statements; what was
decided outside any transaction is committed only if none of the seqs moved meanwhile.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from app.config import AnswersSettings, WatchSettings
from app.core.check import Decision, Reading, affected, decide, structurally
from app.core.errors import NotFound
from app.core.rules import Verdict, Verification
from app.core.states import ClaimCheck
from app.core.values import derived_id
from app.flow.commit import Commit, commit_checks
from app.flow.confirm import confirm_unmoved
from app.flow.jobs import Lease, queue_check
from app.flow.reading import Head, read_answers, read_boundaries, read_heads
from app.graph.queries import recheck as q
from app.payloads.answers import Checked
from app.ports import Clock, Run, Store, Tx, Verified, Verifier

_OPTIMISTIC_TRIES: Final = 2


@dataclass(frozen=True, slots=True)
class Rechecker:
    """Re-checks answers of one tenant. It holds no generator, so it can call none (seed §3.8)."""

    store: Store
    clock: Clock
    verifier: Verifier
    answers: AnswersSettings
    watch: WatchSettings

    def check(
        self, tenant: str, ids: Sequence[str], *, lease: Lease | None = None
    ) -> list[Checked]:
        """Check the live ones of ``ids``; return the outcome of each, ascending by id.

        Under a ``lease``, ``ids`` are all that its job still wants: the commit must still hold it,
        the one that leaves none finishes it, and answers that another check covered meanwhile are
        left out; raises ``LeaseLost``. Safe to run any number of times and at once:
        the same store state gives no new version and no emit.
        """
        done = self._confirmed(tenant, ids, lease)
        left = sorted(set(ids) - {checked.answer_id for checked in done})
        for _ in range(_OPTIMISTIC_TRIES):
            if left:
                checked, left = self._optimistic(tenant, left, lease)
                done += checked
            if left and lease is not None:
                left = sorted(set(left) & set(lease.wanted(self.store)))
        if left:
            done += self._locked(tenant, left, lease)
        return sorted(done, key=_by_id)

    def _confirmed(self, tenant: str, ids: Sequence[str], lease: Lease | None) -> list[Checked]:
        """Check those that are only due by age and that nothing can have moved."""
        if lease is None or lease.why != "due":
            return []
        now = self.clock.now()
        max_age = self.answers.max_age
        return confirm_unmoved(self.store, tenant, ids, lease, now=now, max_age=max_age)

    def _optimistic(
        self, tenant: str, ids: Sequence[str], lease: Lease | None
    ) -> tuple[list[Checked], list[str]]:
        """Check outside any transaction; return what was committed, and what was refused."""
        heads, readings, now = self.store.reading(partial(self._read, tenant=tenant, ids=ids))
        if not heads:
            return [], []
        checks = {each.answer_id: structurally(each) for each in readings}
        verified = self._verified(tenant, checks)
        decisions = _decisions(readings, checks, verified)
        commit = self._commit(tenant, heads, decisions, now, lease, verified)
        done = self.store.write(lambda tx: commit_checks(tx, commit))
        settled = {checked.answer_id for checked in done}
        return done, [head.answer_id for head in heads if head.answer_id not in settled]

    def _locked(self, tenant: str, ids: Sequence[str], lease: Lease | None) -> list[Checked]:
        """Check under the locks of all it reads, since a steady writer refuses every other commit.

        Decides structurally; a configured model is asked by a follow-up job.
        """

        def work(tx: Tx) -> list[Checked]:
            token = derived_id("lock", tenant, *ids)
            tx.run(q.LOCK_TARGETS, tenant=tenant, ids=list(ids), token=token)
            heads, readings, now = self._read(tx.run, tenant=tenant, ids=ids)
            checks = {each.answer_id: structurally(each) for each in readings}
            verified = Verified(self._unasked(checks))
            decisions = _decisions(readings, checks, verified)
            done = commit_checks(tx, self._commit(tenant, heads, decisions, now, lease, verified))
            put_off = [each.answer_id for each in decisions if each.failed]
            if put_off:
                queue_check(tx, tenant, put_off, now=now)
            return done

        return self.store.write(work)

    def _read(
        self, run: Run, *, tenant: str, ids: Sequence[str]
    ) -> tuple[list[Head], list[Reading], int]:
        """Read the seqs of what answers watch first, then all that rules 1 to 3 need.

        The clock (µs) is read after the heads: no check judges at an earlier instant than the one
        before it.
        """
        heads = read_heads(run, tenant, ids)
        now = self.clock.now()
        if not heads:
            return [], [], now
        heads = read_boundaries(run, tenant, heads, now)
        return heads, read_answers(run, tenant, heads, now), now

    def _verified(self, tenant: str, checks: dict[str, list[ClaimCheck]]) -> Verified:
        silent = self._unasked(checks)
        asked = {
            answer_id: claims for answer_id, each in checks.items() if (claims := affected(each))
        }
        if not asked or not self.answers.reverify_on_affected:
            return Verified(silent)
        said = self.verifier.verify(tenant, asked)
        return replace(said, verdicts=silent | dict(said.verdicts))

    def _unasked(self, checks: dict[str, list[ClaimCheck]]) -> dict[tuple[str, int], Verification]:
        """Return the verdict on affected claims while the verifier has said nothing."""
        if not self.answers.reverify_on_affected:
            verdict = Verdict.OFF
        else:
            verdict = Verdict.FAILED if self.verifier.configured else Verdict.UNAVAILABLE
        return {
            (answer_id, check.idx): Verification(verdict)
            for answer_id, each in checks.items()
            for check in affected(each)
        }

    def _commit(
        self,
        tenant: str,
        heads: Sequence[Head],
        decisions: Sequence[Decision],
        now: int,
        lease: Lease | None,
        verified: Verified,
    ) -> Commit:
        return Commit(
            tenant=tenant,
            heads=tuple(heads),
            decisions=tuple(decisions),
            now=now,
            max_age=self.answers.max_age,
            debounce=self.watch.debounce,
            lease=lease,
            keep=verified.keep,
        )


def _decisions(
    readings: Sequence[Reading], checks: dict[str, list[ClaimCheck]], verified: Verified
) -> list[Decision]:
    return [decide(each, checks[each.answer_id], verified.verdicts) for each in readings]


def _by_id(checked: Checked) -> str:
    return checked.answer_id


def ask_check(
    store: Store, tenant: str, answer_id: str, *, now: int, job_id: str | None = None
) -> None:
    """Queue a check of one answer that somebody asked for, once under its id.

    Raises ``NotFound`` ``ANSWER_NOT_FOUND`` where the tenant has no such answer, or it is deleted
    or superseded.
    """
    if not read_heads(store.read, tenant, [answer_id]):
        raise NotFound("ANSWER_NOT_FOUND", "no such live answer in this tenant", field="answerId")
    store.write(lambda tx: queue_check(tx, tenant, [answer_id], now=now, job_id=job_id))


def run_job(rechecker: Rechecker, lease: Lease) -> list[Checked]:
    """Check the answers of a leased job that still want it, and finish the job.

    The commit that checks the last of them finishes it too; what came to less is finished here.
    Raises ``LeaseLost``; any other failure leaves the job leased, to be put back by the caller.
    """
    wanted = lease.wanted(rechecker.store)
    done = rechecker.check(lease.tenant, wanted, lease=lease) if wanted else []
    if not wanted or len(done) < len(wanted):
        rechecker.store.write(lambda tx: lease.finish(tx, now=rechecker.clock.now()))
    return done
