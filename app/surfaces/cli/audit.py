"""``telha audit``: the queries for auditors, and the invariants, run on a tenant."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from app.core.errors import Conflict, Invalid
from app.flow import audit
from app.payloads.audit import AuditView
from app.surfaces.cli.rows import drawn_rows
from app.surfaces.cli.shared import AsJson, Tenant, console, example, group, print_json, session
from app.surfaces.cli.text import Listing

app = group("Ask the graph what an auditor asks; prove what must hold.")


@app.command(epilog=example("telha audit ls"))
def ls(tenant: Tenant = None, as_json: AsJson = False) -> None:
    """List the audit queries with an example of each parameter."""
    with session(tenant, as_json) as on:
        on.show(audit.list_audits(on.stack.audits), _listed)


@app.command(epilog=example("telha audit run answers_touched_by_source --param source_id=rates/de"))
def run(
    name: Annotated[str, typer.Argument(metavar="NAME", help="As `telha audit ls` lists it.")],
    param: Annotated[
        list[str] | None, typer.Option("--param", help="NAME=VALUE; times as RFC 3339 or µs.")
    ] = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Run one query; rows of an invariant are faults, and the exit code is then 4."""
    with session(tenant, as_json) as on:
        given = _parameters(param or [])
        now = on.stack.clock.now()
        rows = audit.run_audit(on.stack.audits, on.tenant, name, given, now=now)
        _print(rows, as_json=as_json)
        broken = [name] if rows and _is_invariant(audit.list_audits(on.stack.audits), name) else []
        _refuse(broken)


@app.command(epilog=example("telha audit check"))
def check(tenant: Tenant = None, as_json: AsJson = False) -> None:
    """Run all invariants; where one does not hold, its rows are shown and the exit code is 4."""
    with session(tenant, as_json) as on:
        broken = audit.broken_invariants(on.stack.audits, on.tenant)
        if as_json:
            print_json(broken)
        else:
            for name, rows in broken.items():
                console().print(name, style="bold red")
                _print(rows, as_json=False)
            if not broken:
                console().print("all invariants hold", style="green")
        _refuse(list(broken))


def _parameters(stated: Sequence[str]) -> dict[str, object]:
    given: dict[str, object] = {}
    for each in stated:
        name, equals, value = each.partition("=")
        if not equals or name in given:
            raise Invalid("PARAM_INVALID", "is not NAME=VALUE, or is given twice", field="--param")
        given[name] = value
    return given


def _is_invariant(audits: Sequence[AuditView], name: str) -> bool:
    return any(each.invariant for each in audits if each.name == name)


def _print(rows: Sequence[Mapping[str, object]], *, as_json: bool) -> None:
    if as_json:
        print_json(rows)
    else:
        console().print(drawn_rows(rows))


def _refuse(broken: Sequence[str]) -> None:
    if broken:
        raise Conflict(
            "INVARIANT_BROKEN",
            f"what must always hold does not: {', '.join(broken)}",
            hint="Each row is a fault in the stored graph; see the query in cypher/audit.",
        )


def _listed(audits: Sequence[AuditView]) -> Listing:
    return Listing(
        ("audit", "kind", "what it asks", "parameters"),
        [
            (
                each.name,
                "invariant" if each.invariant else "question",
                each.title,
                " ".join(f"{name}={value}" for name, value in each.parameters.items()) or None,
            )
            for each in audits
        ],
    )
