"""A graph that holds some of everything, made by the flow alone; every invariant holds in it."""

from dataclasses import dataclass, replace

from app.core.instants import SECOND
from app.core.states import Status
from app.flow import refresh
from app.flow.refresh import Refresher
from app.flow.verify import Matcher
from app.payloads.answers import AnswerRef
from tests.builders import Cite, Said, World
from tests.fakes import WordEmbedder


@dataclass(frozen=True)
class Story:
    """A tenant, the answers in it that tests name, and another tenant."""

    world: World
    answer: str
    unchecked: str
    deleted: str
    verified: str
    other: str

    @property
    def names(self) -> dict[str, object]:
        """The story as parameters of a text."""
        return {
            "tenant": self.world.tenant,
            "answer": self.answer,
            "unchecked": self.unchecked,
            "deleted": self.deleted,
            "other": self.other,
        }


def told(world: World) -> Story:
    """Tell the story: its answer has left two events and has a window open."""
    cap, sky = world.version("cap", "The cap is €2m.").tx, world.version("sky", "It is blue.").tx
    _ended_overridden_and_removed(world)
    _windows_of_every_kind(world)
    verified = _verified_and_refreshed(world)
    world.ask("cap", "q1")
    claims = (
        Said("The cap is €2m.", [Cite("cap", cap, "€2m")], pending=["q1"]),
        Said("The sky is blue.", [Cite("sky", sky, "blue")]),
        Said("Nothing is cited for this."),
    )
    answer = world.answer(*claims)  # pending: the first transition
    world.close_windows()
    world.clarify("bound", "q1", text="The cap of the contract.")
    world.settle()
    world.close_windows()  # partially stale: the second event
    world.clock.advance(5)
    world.version("sky", "It is grey.")
    world.settle()  # a window is open
    world.answer(*claims[1:])
    world.override("cap", bind=cap, reason="Legal says so.")
    world.clock.advance(1)
    unchecked = world.saved(*claims[:2])
    world.dispatch()
    corrected = world.version("cap", "The cap is €3m.", corrects=cap).tx
    world.version("cap", "The cap is €4m.", corrects=corrected)
    deleted = world.saved(Said("Blue.", [Cite("sky", sky, "blue")]))
    world.delete(deleted)
    world.embedder = WordEmbedder()
    world.index()
    other = World(world.store)
    other.version("theirs", "Another tenant's.")
    return Story(world, answer, unchecked, deleted, verified, other.tenant)


def _verified_and_refreshed(world: World) -> str:
    """An answer that the matcher cleared, and one that was refreshed."""
    with_matcher = replace(world, verifier=Matcher(world.store, world.clock))
    tx = with_matcher.version("terms", "The fee is €2. It is paid once.").tx
    said = Said("The fee is €2.", [Cite("terms", tx, "The fee is €2.")])
    kept = with_matcher.answer(said)
    old = with_matcher.answer(said, question="What does it cost?")
    world.clock.advance(1)
    with_matcher.version("terms", "The fee is €2. It is paid twice.")
    with_matcher.settle()
    world.index()
    ref = AnswerRef(tenant=world.tenant, answer_id=old)
    refresh.ask_refresh(world.store, world.clock, ref, configured=True)
    made = Refresher(world.store, world.clock, world.answers, world.maker())
    made.run(world.leased())
    assert world.status(kept) is Status.CURRENT
    return kept


def _ended_overridden_and_removed(world: World) -> None:
    world.version("ended", "For now.")
    world.clock.advance(1)
    world.end("ended")
    for n in (1, 2, 3):
        world.clock.advance(1)
        world.version("rates", f"The rate is {n} %.")
    first = world.version("law", "Law one.").tx
    for n in (2, 3):
        world.clock.advance(1)
        world.version("law", f"Law {n}.")
    world.withdraw("law", world.clock.now())
    world.release(world.override("law", bind=first).override_id)
    world.override("law", text="A steward's own words.")
    world.version("gone", "Soon gone.")
    world.cascade("gone")
    world.clock.advance(1)


def _windows_of_every_kind(world: World) -> None:
    """One source with bounded and equal starts, overrides over overrides, and rival corrections."""
    start = world.clock.now() - 100 * SECOND

    def at(seconds: int) -> int:
        return start + seconds * SECOND

    first = world.version("busy", "First.", tx=at(0), validFrom=at(0)).tx
    world.version("busy", "A while.", tx=at(2), validFrom=at(10), validTo=at(20))
    world.version("busy", "Same start, later.", tx=at(3), validFrom=at(10), validTo=at(15))
    world.version("busy", "Same start, earlier.", tx=at(1), validFrom=at(10), validTo=at(25))
    wrong = world.version("busy", "Wrong.", tx=at(4), validFrom=at(40), validTo=at(50)).tx
    for n in (5, 6, 7):
        world.version("busy", f"Right {n}.", tx=at(n), corrects=wrong)
    world.withdraw("busy", at(7))
    world.version("busy", "Right, better said.", tx=at(8), corrects=at(5))
    removed = world.version("busy", "Bound, then removed.", tx=at(9), validFrom=at(60)).tx
    world.override("busy", bind=wrong, tx=at(20), validFrom=at(22), validTo=at(70))
    world.override("busy", bind=first, tx=at(21), validFrom=at(30), validTo=at(45))
    world.override("busy", bind=removed, tx=at(22), validFrom=at(5), validTo=at(35))
    world.withdraw("busy", removed)
