"""A step of the ledger, done for real: what a world answers to it, in the ledger's words."""

from typing import Any

from tests.builders import World
from tests.dumps import Graph
from tests.flow.ledger import OWN_TEXT, Bind, Cascade, Release, Says, Step, Withdraw


def act(world: World, source_id: str, step: Step, overrides: dict[int, str]) -> str | int:
    """Do one step of a source; ``overrides`` (tx to id) learns of those that it sets."""
    match step:
        case Says():
            return say(world, source_id, step)[0]
        case Withdraw(tx):
            return world.withdraw(source_id, tx).tombstoned
        case Cascade():
            return world.cascade(source_id).tombstoned
        case Bind(tx, valid_from, valid_to):
            what = {"text": OWN_TEXT} if tx is None else {"bind": tx}
            made = world.override(source_id, validFrom=valid_from, validTo=valid_to, **what)
            overrides[made.tx] = made.override_id
            return made.tx
        case Release(tx):
            return world.release(overrides[tx]).tx


def say(world: World, source_id: str, says: Says) -> tuple[str, int]:
    """Ingest a version, correction or end; return the outcome and the tx that it got."""
    stated: dict[str, Any] = {
        "tx": says.tx,
        "validFrom": says.valid_from,
        "sourceTs": says.source_ts,
    }
    if says.text is None:
        told = world.end(source_id, **stated)
    else:
        stated |= {"validTo": says.valid_to, "corrects": says.corrects}
        told = world.version(source_id, says.text, **stated)
    return told.outcome, told.tx


def supersede(world: World, graph: Graph, old: str, new: str) -> None:
    """Have ``new`` stand in for ``old``, which stays due: as a refresh will leave it at worst."""
    graph.rows(
        "MATCH (a:SAVED_ANSWER {tenant: $tenant, answer_id: $old})-[:HEAD]->(v) "
        "MATCH (n:SAVED_ANSWER {tenant: $tenant, answer_id: $new}) "
        "CREATE (n)-[:SUPERSEDES]->(a) "
        "SET a.status = 'superseded', v.status = 'superseded', a.recheck_due_at = 1 "
        "WITH a MATCH (a)<-[:FOR]-(w:Watch) OPTIONAL MATCH (w)-[x:WATCHES]->() "
        "SET w.detached_at = a.saved_at DELETE x",
        world.tenant,
        old=old,
        new=new,
    )
