"""Puts a mutant in the place of a statement, for all that is loaded in this process afterwards.

The check that parameters declared and used are the same is left out for it: a mutant that dropped
the only use of one is a mistake like any other, which its tests have to find.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pytest

from app.graph import audits, loader
from app.graph.loader import Statement
from app.graph.queries.audit import Audit

AUDIT: Final = "audit/"


def texts() -> dict[str, str]:
    """Return the text of every statement and, under ``audit/``, of every audit query."""
    found = {name: statement.text for name, statement in loader.load().items()}
    return found | {AUDIT + name: audit.text for name, audit in audits.load_audits().items()}


def plant(patch: pytest.MonkeyPatch, name: str, text: str) -> None:
    """Have ``text`` loaded as the statement ``name``."""
    parse, parse_audit, problems = loader.parse, audits.parse_audit, loader._text_problems

    def parsed(each: str, source: str) -> tuple[Statement, list[str]]:
        statement, found = parse(each, source)
        return (replace(statement, text=text) if each == name else statement), found

    def parsed_audit(each: str, source: str) -> tuple[Audit, list[str]]:
        audit, found = parse_audit(each, source)
        return (replace(audit, text=text) if AUDIT + each == name else audit), found

    def of_others(statement: Statement) -> Iterator[str]:
        return iter(()) if statement.name == name else problems(statement)

    patch.setattr(loader, "parse", parsed)
    patch.setattr(loader, "_text_problems", of_others)
    patch.setattr(audits, "parse_audit", parsed_audit)
