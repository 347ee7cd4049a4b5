"""Payloads of the tasks that have none of their own; the others take those of their step."""

from pydantic import Field

from app.payloads.base import Key, Payload, Tenant


class CheckAnswerIn(Payload):
    """Check one answer now, or, without an id, whatever jobs of the tenant are waiting."""

    tenant: Tenant
    answer_id: Key | None = None
    request_id: Key | None = None


class RelayIn(Payload):
    """One pass of the relay, for one tenant or, where none is named, for each that needs it."""

    tenant: Tenant | None = Field(default=None)
