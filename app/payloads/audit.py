"""What is told of the audit queries."""

from app.payloads.base import Payload


class AuditView(Payload):
    """An audit query: its question, and an example for each parameter beside the tenant.

    Of an ``invariant`` nothing may return: each row is a fault.
    """

    name: str
    title: str
    about: str
    invariant: bool
    parameters: dict[str, int | str]
