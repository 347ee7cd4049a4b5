"""Nodes that stand alone: counters, locks, the clock, the ledger, requests (DESIGN §3)."""

from neomodel import IntegerProperty, StringProperty, StructuredNode


class Tenanted(StructuredNode):
    """What belongs to a tenant."""

    __abstract_node__ = True

    tenant = StringProperty(required=True)


class Tenant(StructuredNode):
    """The counter that holds a tenant's cap of saved answers (seed §8)."""

    tenant = StringProperty(unique_index=True)
    answers_live = IntegerProperty()
    locked_by = StringProperty()


class Clock(StructuredNode):
    """The settable clock of a local or test stack; its one node has the tenant ``*``."""

    tenant = StringProperty(unique_index=True)
    offset_us = IntegerProperty()


class MigrationLock(StructuredNode):
    """What a migration holds while it runs; its one node has the tenant ``*``."""

    tenant = StringProperty(unique_index=True)
    locked_by = StringProperty()


class Spend(Tenanted):
    """What a tenant's models used in a day (UTC), with what is reserved for calls under way."""

    day = IntegerProperty(required=True)
    tokens = IntegerProperty()
    embeddings = IntegerProperty()
    cost_micros = IntegerProperty()
    locked_by = StringProperty()


class Request(Tenanted):
    """A call that took effect, so that its repetition is answered and not done."""

    operation = StringProperty(required=True)
    request_id = StringProperty(required=True)
    digest = StringProperty()
    result_json = StringProperty()
    recorded_at = IntegerProperty()
