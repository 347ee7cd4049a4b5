"""Every version of a source cited at every instant, beside a literal reading of DESIGN §5.

Time is a few µs long here, so that windows of versions, ends and overrides touch everywhere.
"""

import random
from functools import partial

import pytest

from tests.builders import World
from tests.dumps import Graph
from tests.flow.acts import act
from tests.flow.ledger import Bind, Release, Says, Step, Withdraw
from tests.model.judge import Made, judged
from tests.model.machine import attempt, body_of
from tests.model.seen import Seen, claims
from tests.model.tenant import Tenant

SOURCE, QUESTION = "s", "q1"
INSTANTS, START, STEPS = 6, 10, 15


@pytest.mark.parametrize("scene", range(36))
def test_every_citation_is_judged_at_every_instant(world: World, graph: Graph, scene: int) -> None:
    drawn, model = random.Random(scene), Tenant(cap=9, max_age=1)
    world.clock.at = START
    written(world, model, drawn)
    texts = [held.tx for held in model.sources[SOURCE].ledger.held if held.text]
    pins = [*range(INSTANTS + 1), None]
    made = [
        Made(((SOURCE, tx),), pinned, drawn.choice([(), (QUESTION,)]))
        for tx in texts
        for pinned in pins
    ]
    answer_id = saved(world, made)
    if drawn.random() < 0.5:
        world.clarify("withdrawn", QUESTION)
        model.clarify(QUESTION, "withdrawn", SOURCE, None, None, world.clock.at)
    model.save(model.trace(tuple(made), world.clock.at), world.clock.at)
    now = model.instant(model.answers[0], world.clock.at)
    world.settle()
    found = claims(Seen(graph, world.tenant).answer(answer_id)["head"]["claims_json"])
    assert found == tuple(judged(each, now, model) for each in made)


def written(world: World, model: Tenant, drawn: random.Random) -> None:
    """Write some statements and decisions about one source, and open a question about it."""
    overrides: dict[int, str] = {}
    for _ in range(STEPS):
        world.clock.at += 1
        step = drawn_step(model, drawn, overrides)
        wanted = attempt(partial(model.do, SOURCE, step, world.clock.at))
        assert attempt(partial(act, world, SOURCE, step, overrides)) == wanted, step
    about = {"sourceId": SOURCE, "question": "Which?"}
    world.clarify("open", QUESTION, **about)
    model.clarify(QUESTION, "open", SOURCE, None, None, world.clock.at)


def drawn_step(model: Tenant, drawn: random.Random, overrides: dict[int, str]) -> Step:
    """Draw what happens next: much of it overrides, which lie over each other."""
    if SOURCE not in model.sources:
        return Says("A", valid_from=drawn.randrange(INSTANTS))
    held = sorted(each.tx for each in model.sources[SOURCE].ledger.held)
    start, end = sorted(drawn.sample(range(INSTANTS + 1), 2))
    until = drawn.choice([end, None])
    match drawn.choices(["says", "ends", "bind", "release", "withdraw"], [6, 3, 6, 3, 2])[0]:
        case "ends":
            return Says(None, valid_from=start)
        case "bind":
            return Bind(drawn.choice([None, held[0], *held]), start, until)
        case "release" if overrides:
            return Release(drawn.choice(sorted(overrides)))
        case "withdraw":
            return Withdraw(drawn.choice(held))
        case _:
            return Says(drawn.choice("ABC"), valid_from=start, valid_to=until)


def saved(world: World, made: list[Made]) -> str:
    """Save an answer with these claims, unchecked."""
    added = world.add(
        {
            "tenant": world.tenant,
            "question": "Which?",
            "draft": "So it is.",
            "timeBasis": {"txTime": world.clock.at},
            "claims": [body_of(idx, each) for idx, each in enumerate(made)],
        }
    )
    return world.save(added.trace_id).answer_id
