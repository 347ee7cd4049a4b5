"""Audit: what auditors ask of the graph, and what must always hold; nothing here writes."""

from collections.abc import Mapping
from typing import Final

from app.core.errors import Invalid
from app.core.instants import instant
from app.core.values import tenant_id
from app.payloads.audit import AuditView
from app.ports import Audits

Row = dict[str, object]
_TENANT: Final = "tenant"
_NOW: Final = "at"


def list_audits(audits: Audits) -> list[AuditView]:
    """Return every audit query by name."""
    return [
        AuditView.model_validate(
            {
                "name": audit.name,
                "title": audit.title,
                "about": audit.about,
                "invariant": audit.invariant,
                "parameters": {k: v for k, v in audit.examples.items() if k != _TENANT},
            }
        )
        for audit in sorted(audits.audits.values(), key=lambda audit: audit.name)
    ]


def run_audit(
    audits: Audits, tenant: str, name: str, given: Mapping[str, object], *, now: int
) -> list[Row]:
    """Return the rows of an audit query for a tenant; paths, nodes and relationships as plain maps.

    Where a query asks for an integer, text is read as one or as RFC 3339, as a command line has it.
    ``at`` is ``now`` (µs) unless given. Raises ``NotFound`` ``AUDIT_UNKNOWN`` naming those alike,
    ``Invalid`` ``AUDIT_PARAMETER`` naming the parameter that is missing, unknown or of no use.
    """
    if _TENANT in given:
        raise Invalid("AUDIT_PARAMETER", "the tenant is named apart", field=_TENANT)
    audit = audits.audits.get(name)
    examples: Mapping[str, object] = audit.examples if audit else {}
    values = {_NOW: now, **given} if _NOW in examples else given
    return audits.run(
        name,
        {_TENANT: tenant_id(tenant)}
        | {key: _value(key, value, examples.get(key, value)) for key, value in values.items()},
    )


def broken_invariants(audits: Audits, tenant: str) -> dict[str, list[Row]]:
    """Return the rows of each invariant that does not hold in a tenant; empty means healthy."""
    found = {
        name: audits.run(name, {_TENANT: tenant_id(tenant)})
        for name, audit in audits.audits.items()
        if audit.invariant
    }
    return {name: rows for name, rows in found.items() if rows}


def _value(name: str, given: object, example: object) -> object:
    """Return ``given`` as the type of ``example``."""
    if isinstance(example, int):
        return _integer(name, given)
    if isinstance(given, type(example)):
        return given
    raise _refused(name, "text")


def _integer(name: str, given: object) -> int:
    try:
        return instant(given, field=name)
    except Invalid:
        raise _refused(name, "a whole number, or an instant with its offset from UTC") from None


def _refused(name: str, wanted: str) -> Invalid:
    return Invalid("AUDIT_PARAMETER", f"{name} takes {wanted}", field=name)
