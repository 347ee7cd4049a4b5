"""Histories for a scene: random ones with every kind of change, and those of a real corpus."""

import json
import random
from collections import defaultdict
from pathlib import Path
from typing import Any

from app.core.errors import TelhaError
from app.core.instants import DAY, SECOND, instant
from app.flow.sources import list_versions, read_version
from tests.builders import Cite, Said
from tests.corpora import Row
from tests.flow.scene import Scene, Target

ANSWERS = 220
SOURCES = [f"s{nth}" for nth in range(40)]
QUESTIONS = [f"q{nth}" for nth in range(10)]


class RandomHistory:
    """Sources that change in every way there is, and answers that come and go."""

    def __init__(self, scene: Scene, chance: random.Random) -> None:
        self.scene, self.world, self.chance = scene, scene.world, chance
        self.txs: dict[str, list[int]] = defaultdict(list)
        self.overrides: list[tuple[str, str]] = []

    def begin(self) -> None:
        for source_id in SOURCES:
            self._keep(source_id, self.world.version(source_id, "A so.").tx)
            self.scene.note(("source", source_id))
            self.world.clock.advance(1)
        for nth, question in enumerate(QUESTIONS):
            self.world.ask(SOURCES[nth], question)
            self.scene.note(("clarification", question))
        self.scene.dispatch()
        for _ in range(ANSWERS):
            self.save()
        self.scene.first_checks()

    def save(self) -> str:
        said = [self._claim(nth) for nth in range(self.chance.choice((0, 1, 1, 2, 3)))]
        return self.scene.save(*said, question=f"What of {self.chance.random()}?")

    def batch(self) -> None:
        """Store some changes, among which answers come and go and wake-ups arrive."""
        for _ in range(self.chance.choice((1, 2, 4, 12, 40))):
            self.world.clock.advance(1)
            match self.chance.randint(0, 40):
                case 0:
                    self.save()
                case 1:
                    self.scene.delete(self.chance.choice(sorted(self.scene.rests)))
                case 2:
                    old = self.chance.choice(sorted(self.scene.rests))
                    self.scene.supersede(old, self.save())
                case 3 | 4:
                    self.scene.dispatch()
                case _:
                    self._change()

    def _change(self) -> None:
        act = self.chance.choice(
            [self._version] * 8
            + [self._clarify] * 4
            + [self._correct, self._correct, self._end, self._withdraw, self._withdraw]
            + [self._bind, self._own, self._release]
        )
        try:
            target = act(self.chance.choice(SOURCES))
        except TelhaError:
            return  # what is refused changes nothing
        if target is not None:
            self.scene.note(target)

    def _version(self, source_id: str, **stated: Any) -> Target | None:
        text = f"{self.chance.choice('AABC')} so."
        told = self.world.version(source_id, text, **self._times(), **stated)
        return self._stored(source_id, told.tx, told.outcome)

    def _correct(self, source_id: str) -> Target | None:
        return self._version(source_id, corrects=self._tx(source_id))

    def _end(self, source_id: str) -> Target | None:
        told = self.world.end(source_id)
        return ("source", source_id) if told.outcome == "stored" else None

    def _withdraw(self, source_id: str) -> Target | None:
        if self.chance.random() < 0.05:
            gone = self.world.cascade(source_id).tombstoned
        else:
            gone = self.world.withdraw(source_id, self._tx(source_id)).tombstoned
        return ("source", source_id) if gone else None

    def _bind(self, source_id: str) -> Target:
        made = self.world.override(source_id, bind=self._tx(source_id))
        self.overrides.append((source_id, made.override_id))
        return "source", source_id

    def _own(self, source_id: str) -> Target:
        made = self.world.override(source_id, text="A steward says so.")
        self.overrides.append((source_id, made.override_id))
        self.txs[source_id].append(made.tx)
        return "source", source_id

    def _release(self, _: str) -> Target | None:
        if not self.overrides:
            return None
        source_id, override_id = self.chance.choice(self.overrides)
        return ("source", source_id) if self.world.release(override_id).changed else None

    def _clarify(self, _: str) -> Target | None:
        question = self.chance.choice(QUESTIONS)
        state = self.chance.choice(("open", "bound", "conflicted", "withdrawn"))
        stated: dict[str, Any] = {"text": "So."} if state == "bound" else {}
        told = self.world.clarify(state, question, **stated)
        return ("clarification", question) if told.changed else None

    def _times(self) -> dict[str, int]:
        """Where a version lies in time: mostly now, at times earlier, later or for a while."""
        now = self.world.clock.at
        times: dict[str, int] = {}
        if self.chance.random() < 0.2:
            times["tx"] = now - self.chance.randint(0, 60) * SECOND
        if self.chance.random() < 0.4:
            times["validFrom"] = now + self.chance.randint(-60, 30) * SECOND
            if self.chance.random() < 0.5:
                times["validTo"] = times["validFrom"] + self.chance.randint(1, 60) * SECOND
        return times

    def _stored(self, source_id: str, tx: int, outcome: str) -> Target | None:
        if outcome != "stored":
            return None
        self._keep(source_id, tx)
        return "source", source_id

    def _keep(self, source_id: str, tx: int) -> None:
        self.txs[source_id].append(tx)

    def _tx(self, source_id: str) -> int:
        return self.chance.choice(self.txs[source_id])

    def _claim(self, nth: int) -> Said:
        cited = self.chance.sample(SOURCES, self.chance.choice((0, 1, 1, 1, 2, 3)))
        about = {SOURCES[nth]: question for nth, question in enumerate(QUESTIONS)}
        pending = [about[each] for each in cited if each in about and self.chance.random() < 0.5]
        ago = self.chance.randint(0, 60) * SECOND
        return Said(
            f"Claim {nth} of {self.chance.random()}.",
            [Cite(each, self._tx(each), "so") for each in cited],
            valid_time=self.world.clock.at - ago if self.chance.random() < 0.2 else None,
            pending=pending,
        )


class RealHistory:
    """The documents of a corpus, imported to about half; a batch brings further rows of some."""

    def __init__(self, scene: Scene, chance: random.Random, found: list[Row], path: Path) -> None:
        self.scene, self.world, self.chance, self.path = scene, scene.world, chance, path
        self.documents: dict[str, list[Row]] = defaultdict(list)
        for row in sorted(found, key=lambda row: row["seq"]):
            self.documents[row["doc"]].append(row)
        stamps = [row.get(name) for row in found for name in ("author_ts", "committer_ts")]
        self.world.clock.at = DAY + max(instant(each, field="ts") for each in stamps if each)
        self.taken: dict[str, int] = {}

    def begin(self, answers: int) -> None:
        for doc, held in self.documents.items():
            self._take(doc, -(-len(held) // 2))
            self.scene.note(("source", doc))
        self.scene.dispatch()
        cited = [doc for doc in self.documents if self._texts(doc)]
        for nth in range(answers):
            docs = self.chance.sample(cited, self.chance.choice((1, 1, 2, 3)))
            claims = [Said(f"{nth}: {doc}.", [self._cite(doc)]) for doc in docs]
            self.scene.save(*claims)
        self.scene.first_checks()

    def batch(self) -> bool:
        """Import further rows of some documents; whether there were any left."""
        left = [doc for doc, held in self.documents.items() if self.taken[doc] < len(held)]
        for doc in self.chance.sample(left, min(len(left), self.chance.randint(1, 25))):
            self.world.clock.advance(1)
            if self._take(doc, self.taken[doc] + self.chance.choice((1, 1, 2, 3))):
                self.scene.note(("source", doc))
        return bool(left)

    def _take(self, doc: str, until: int) -> bool:
        """Import a document up to a row; whether anything was stored."""
        held = self.documents[doc][:until]
        self.taken[doc] = len(held)
        self.path.write_text("".join(f"{json.dumps(row)}\n" for row in held), encoding="utf-8")
        return self.world.imported(self.path).stored > 0

    def _cite(self, doc: str) -> Cite:
        """Cite a version of a document, mostly the newest, by some of its words."""
        stored = self._texts(doc)
        tx = max(stored) if self.chance.random() < 0.8 else self.chance.choice(sorted(stored))
        text = stored[tx]
        self.world.texts[doc, tx] = text
        start = self.chance.randrange(len(text))
        return Cite(doc, tx, text[start : start + 40])

    def _texts(self, doc: str) -> dict[int, str]:
        """Return the texts of the newest stored versions of a document, by tx."""
        store, tenant = self.world.store, self.world.tenant
        held = list_versions(store, tenant, doc, page=3)
        texts = {v.tx: read_version(store, tenant, doc, v.tx).text for v in held if not v.ends}
        return {tx: text for tx, text in texts.items() if text}
