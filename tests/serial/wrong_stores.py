"""Stores that do right things in a wrong way, for bugs that no single statement holds."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Final, TypeVar, cast

from app.graph.catalog import Query
from app.graph.loader import Statement
from app.graph.queries import job as j
from app.graph.queries import recheck as q
from app.graph.rows import Nothing
from app.ports import Store, Tx
from tests.fakes import Broken, OneByOne
from tests.serial.stage import START

R = TypeVar("R")
T = TypeVar("T")


@dataclass(frozen=True)
class LateChange:
    """A change with what the cursor goes by."""

    change_id: str
    recorded_at: int


OPEN_AFTER: Final = Statement(
    name="planted/open_after",
    about="Read open changes that were recorded after an instant.",
    params=("tenant", "page", "after"),
    columns=("change_id", "recorded_at"),
    access="read",
    all_tenants=None,
    text="""
MATCH (c:Change)
WHERE c.state = 'open' AND c.tenant = $tenant AND c.recorded_at > $after
RETURN c.change_id AS change_id, c.recorded_at AS recorded_at
ORDER BY recorded_at LIMIT $page""",
)


@dataclass
class CursorStore(OneByOne):
    """A store that reads open changes from where any reader of the tenant last stopped."""

    store: Store

    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        return self.store.read(query, **parameters)

    def write(self, work: Callable[[Tx], T], /) -> T:
        return self.store.write(lambda tx: work(_GoingOn(tx)))


@dataclass
class _GoingOn:
    tx: Tx
    cursors: ClassVar[dict[object, int]] = {}

    def run(self, query: Query[R], /, **parameters: object) -> list[R]:
        if query.name != j.READ_OPEN_CHANGES.name:
            return self.tx.run(query, **parameters)
        tenant = parameters["tenant"]
        after = self.cursors.get(tenant, -1)
        asked = Query(OPEN_AFTER.name, LateChange)
        rows = self.tx.run(asked, **parameters, after=after)
        self.cursors[tenant] = max([after, *(row.recorded_at for row in rows)])
        return [cast("Any", query.row)(change_id=row.change_id) for row in rows]


LATE_EMITS: Final = Statement(
    name="planted/late_emits",
    about="Open the windows that versions of answers told of.",
    params=("tenant", "rows"),
    columns=(),
    access="write",
    all_tenants=None,
    text="""
UNWIND $rows AS r
MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: r.answer_id})
WHERE r.moved AND NOT EXISTS { MATCH (:Emit {tenant: $tenant, open_for: r.answer_id}) }
CREATE (:Emit {tenant: $tenant, emit_id: r.emit_id, answer_id: r.answer_id, open_for: r.answer_id,
               state: 'open', opened_seq: r.seq + 1, opened_at: r.checked_at,
               due_at: r.window_due_at, first_check: r.first_check})-[:ABOUT]->(a)""",
)


@dataclass
class LateEmitStore(OneByOne):
    """A store that opens event windows after the commit; sometimes it dies in between."""

    store: Store
    chance: random.Random | None

    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        return self.store.read(query, **parameters)

    def write(self, work: Callable[[Tx], T], /) -> T:
        late: list[dict[str, object]] = []

        def noted(tx: Tx) -> T:
            late.clear()
            return work(_Noting(tx, late))

        done = self.store.write(noted)
        if late:
            if self.chance and self.chance.random() < 0.3:
                raise Broken
            asked = Query(LATE_EMITS.name, Nothing)
            self.store.write(lambda tx: [tx.run(asked, **given) for given in late])
        return done


@dataclass
class _Noting:
    tx: Tx
    late: list[dict[str, object]]

    def run(self, query: Query[R], /, **parameters: object) -> list[R]:
        if query.name == q.APPEND_VERSIONS.name:
            self.late.append(parameters)
        return self.tx.run(query, **parameters)


@dataclass(frozen=True)
class HeadWithLosses(q.HeadRow):
    """A head, and the citations that lost when its seqs were read."""

    losses: list[dict[str, Any]] = field(default_factory=list)


def heads_with_losses(catalogue: Mapping[str, Statement]) -> Statement:
    """Judge citations and read heads in one statement, the tiles first, with a slow plan."""
    losses, heads = catalogue[q.READ_LOSSES.name].text, catalogue[q.READ_HEADS.name].text
    judged = losses.replace("UNWIND $instants AS r", "WITH {answer_id: id, at: $instant} AS r", 1)
    row = ", ".join(f"{each.name}: {each.name}" for each in fields(q.LossRow))
    text = f"""
UNWIND $ids AS id
CALL (id) {{
  CALL (id) {{ {judged} }}
  RETURN collect({{{row}}}) AS losses
}}
WITH id, losses, reduce(n = 0, x IN range(0, 1000000 + size(losses)) | n + x) AS slow
WHERE slow > 0
{heads.removeprefix("UNWIND $ids AS id")}, losses"""
    return Statement(
        name="planted/heads_with_losses",
        about="Judge the citations of answers and read their heads.",
        params=("tenant", "ids", "instant"),
        columns=tuple(each.name for each in fields(HeadWithLosses)),
        access="read",
        all_tenants=None,
        text=text,
    )


@dataclass
class OneStatementStore(OneByOne):
    """A store that reads tiles with the heads, in one statement."""

    store: Store
    losses: list[q.LossRow] = field(default_factory=list)

    def read(self, query: Query[R], /, **parameters: object) -> list[R]:
        if query.name == q.READ_LOSSES.name:
            return cast("list[R]", self.losses)
        if query.name != q.READ_HEADS.name:
            return self.store.read(query, **parameters)
        asked = Query("planted/heads_with_losses", HeadWithLosses)
        rows = self.store.read(asked, **parameters, instant=START + 1_000_000)
        self.losses = [q.LossRow(**loss) for row in rows for loss in row.losses]
        return cast("list[R]", rows)

    def write(self, work: Callable[[Tx], T], /) -> T:
        return self.store.write(work)
