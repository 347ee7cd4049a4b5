"""DESIGN §4–6 read literally for a whole tenant: plain data, and everything recomputed each time.

What a source says is the ledger's; here are the counters that its changes raise, clarifications,
traces, and answers with every version that they ever had. Nothing is incremental but what the
design calls append-only.
"""

from dataclasses import dataclass, field

from app.core.instants import MINUTE
from tests.flow.ledger import Bind, Cascade, Ledger, Refused, Release, Says, Step, Withdraw
from tests.model.judge import Judged, Made, folded, judged, next_edge

PUT_OFF = 10 * MINUTE  # while the check of an answer that was due waits


@dataclass
class Change:
    """A raise of a counter: its place in the target's list is its seq - 1."""

    what: str
    tx: int | None
    recorded_at: int
    open: bool = True


@dataclass
class Source:
    """A source, and what it was after each change."""

    ledger: Ledger = field(default_factory=lambda: Ledger([], []))
    changes: list[Change] = field(default_factory=list)
    past: list[tuple[int, Ledger]] = field(default_factory=list)

    @property
    def seq(self) -> int:
        return len(self.changes)


@dataclass
class Clarification:
    """A question about a source: how it stands is its newest state, with text and chosen tx."""

    source_id: str
    states: list[tuple[str, str | None, int | None]] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)

    @property
    def seq(self) -> int:
        return len(self.changes)

    @property
    def state(self) -> str:
        return self.states[-1][0]


@dataclass(frozen=True)
class Version:
    """What an answer was: the claims as judged, and when and why that was recorded."""

    why: str
    recorded_at: int
    claims: tuple[Judged, ...]

    @property
    def status(self) -> str:
        return folded([claim.state for claim in self.claims])


@dataclass
class Answer:
    """A saved answer; ``covered`` are the seqs of its targets that its last check had read."""

    trace: int
    versions: list[Version]
    due_at: int | None
    saved_at: int
    covered: tuple[int, ...] | None = None
    checked_at: int | None = None
    expires_at: int | None = None
    queued_until: int | None = None
    fires: set[tuple[str, int]] = field(default_factory=set)
    checks: int = 0
    deleted_at: int | None = None

    @property
    def newest(self) -> Version:
        return self.versions[-1]


@dataclass
class Trace:
    """What was generated, and when it was taken in."""

    claims: tuple[Made, ...]
    recorded_at: int


@dataclass
class Tenant:
    """All of it. Answers are numbered as they were saved, traces as they were taken in."""

    cap: int
    max_age: int
    sources: dict[str, Source] = field(default_factory=dict)
    clarifications: dict[str, Clarification] = field(default_factory=dict)
    traces: list[Trace] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)

    # What is written

    def do(self, source_id: str, step: Step, clock: int) -> str | int:
        """Do a step on a source; raise ``Refused``."""
        source = self.sources.get(source_id) or Source()
        before = source.ledger.copy()
        told = source.ledger.do(step, clock)
        self.sources[source_id] = source
        raised = _raised(step, before, source.ledger, told, clock)
        if raised is not None:
            recorded_at = _recorded(source.changes, clock)
            source.changes.append(Change(*raised, recorded_at))
            source.past.append((recorded_at, source.ledger.copy()))
        return told

    def clarify(
        self, name: str, state: str, source_id: str, text: str | None, tx: int | None, clock: int
    ) -> bool:
        """Move a clarification on; return whether that changed anything."""
        held = self.clarifications.get(name)
        if held is None and state != "open":
            raise Refused("CLARIFICATION_UNKNOWN")
        if held is None and source_id not in self.sources:
            raise Refused("SOURCE_UNKNOWN")
        held = held or Clarification(source_id)
        if held.source_id != source_id:
            raise Refused("CLARIFICATION_ELSEWHERE")
        if held.states and held.states[-1] == (state, text, tx):
            return False
        if tx is not None:
            chosen = self.sources[source_id].ledger.at(tx)
            if chosen is None:
                raise Refused("VERSION_UNKNOWN")
            if chosen.text is None or chosen.gone:
                raise Refused("NOT_BINDABLE")
        self.clarifications[name] = held
        held.states.append((state, text, tx))
        change = Change(f"clarification_{state}", tx, _recorded(held.changes, clock))
        held.changes.append(change)
        return True

    def trace(self, claims: tuple[Made, ...], clock: int) -> int:
        self.traces.append(Trace(claims, clock))
        return len(self.traces) - 1

    def save(self, trace: int, clock: int) -> int:
        live = [answer for answer in self.answers if answer.deleted_at is None]
        if any(answer.trace == trace for answer in live):
            raise Refused("ALREADY_SAVED")
        if len(live) >= self.cap:
            raise Refused("TOO_MANY_ANSWERS")
        claims = tuple(Judged(caveats=made.lasting) for made in self.traces[trace].claims)
        first = Version("saved", clock, claims)
        self.answers.append(Answer(trace, [first], clock + self.max_age, clock))
        return len(self.answers) - 1

    def delete(self, nth: int, clock: int) -> None:
        answer = self.answers[nth]
        if answer.deleted_at is None:
            answer.deleted_at = max(clock, answer.newest.recorded_at)
            answer.due_at = answer.expires_at = None
            last = Version("deleted", answer.deleted_at, answer.newest.claims)
            answer.versions.append(last)

    # What follows from it

    def dispatch(self) -> None:
        for name in (*self.sources, *self.clarifications):
            for change in self.target(name).changes:
                change.open = False

    def queue_due(self, clock: int) -> int:
        """Put off whoever is due, and let its check wait; return how many."""
        due = [a for a in self.answers if a.due_at is not None and a.due_at <= clock]
        for answer in due:
            answer.due_at = answer.queued_until = clock + PUT_OFF
        return len(due)

    def waiting(self) -> list[int]:
        """The live answers that want a check: for a change, the first one, or because due."""
        return [nth for nth, answer in enumerate(self.answers) if self._waits(answer)]

    def _waits(self, answer: Answer) -> bool:
        if answer.deleted_at is not None:
            return False
        moved = answer.covered != self.seqs(answer)
        return moved or (answer.queued_until is not None and answer.due_at == answer.queued_until)

    def check(self, nth: int, clock: int) -> bool:
        """Check a live answer; return whether that appended a version."""
        answer = self.answers[nth]
        made = self.traces[answer.trace].claims
        at = self.instant(answer, clock)
        claims = tuple(judged(each, at, self) for each in made)
        if answer.covered is not None:
            answer.fires |= {
                (target, seq)
                for target, was, now in zip(
                    self.targets(answer), answer.covered, self.seqs(answer), strict=True
                )
                for seq in range(was + 1, now + 1)
            }
        answer.covered, answer.checked_at = self.seqs(answer), clock
        answer.checks += 1
        edges = [next_edge(self.sources[s].ledger, at) for s in self.unpinned(answer)]
        answer.expires_at = min((e for e in edges if e is not None), default=None)
        answer.due_at = min(e for e in (clock + self.max_age, answer.expires_at) if e is not None)
        changed = claims != answer.newest.claims
        if changed:
            recorded_at = max(clock, answer.newest.recorded_at)
            answer.versions.append(Version("check", recorded_at, claims))
        return changed

    # Looking

    def instant(self, answer: Answer, clock: int) -> int:
        """ "Now" for an answer: no check judges before the newest write that it knows of."""
        cited = self.cited(answer)
        return max([clock, *(self.sources[each].ledger.last for each in cited)])

    def cited(self, answer: Answer) -> list[str]:
        made = self.traces[answer.trace].claims
        return sorted({source_id for claim in made for source_id, _ in claim.cites})

    def unpinned(self, answer: Answer) -> list[str]:
        """The sources that claims cite which are judged now."""
        made = self.traces[answer.trace].claims
        return sorted({s for claim in made if claim.pinned is None for s, _ in claim.cites})

    def targets(self, answer: Answer) -> list[str]:
        """What an answer watches, in order."""
        made = self.traces[answer.trace].claims
        return self.cited(answer) + sorted({name for claim in made for name in claim.pending})

    def seqs(self, answer: Answer) -> tuple[int, ...]:
        return tuple(self.target(name).seq for name in self.targets(answer))

    def target(self, name: str) -> Source | Clarification:
        """A source or a clarification; no two have one name here."""
        return self.sources[name] if name in self.sources else self.clarifications[name]


def _recorded(changes: list[Change], clock: int) -> int:
    return max([clock, *(change.recorded_at + 1 for change in changes)])


def _raised(
    step: Step, before: Ledger, after: Ledger, told: str | int, clock: int
) -> tuple[str, int | None] | None:
    """What the change says that a step made, with the tx that it names."""
    match step:
        case Says(tx=stated) if told == "stored":
            kept = stated is not None and stated <= clock
            return "version", stated if kept else max(clock, before.last + 1)
        case Withdraw(tx) if told:
            return "withdraw", tx
        case Cascade() if told:
            return "cascade", None
        case Bind():
            return "override", after.last
        case Release(tx) if before.bound != after.bound:
            return "release", tx
        case _:
            return None
