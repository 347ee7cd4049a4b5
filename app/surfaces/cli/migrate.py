"""``telha migrate``: the schema of the database."""

from rich.table import Table

from app.payloads.base import Payload
from app.surfaces.cli import shared
from app.surfaces.cli.text import facts


class Migrated(Payload):
    """The migrations that were applied, none where the schema stood already."""

    applied: tuple[str, ...]


def migrate(as_json: shared.AsJson = False) -> None:
    """Bring the configured database to the schema of this release."""
    with shared.reported(as_json):
        done = Migrated(applied=tuple(shared.migrate_database()))
        shared.show(done, _migrated, as_json=as_json)


def _migrated(done: Migrated) -> Table:
    return facts([("applied", "\n".join(done.applied) or "nothing, the schema stands")])
