"""Every property that can hold text of people is registered (answer_gdpr_erasure_row)."""

import re
from pathlib import Path

import pytest
from neomodel import StringProperty

from app.graph import schema

REGISTER = Path(__file__).parent.parent.parent / "docs/erasure-surfaces.md"

# Ids, keys, digests and words of closed vocabularies: nothing a person wrote.
NO_TEXT_OF_PEOPLE = re.compile(
    r"tenant|.*_id|.*_key|.*_sha256|.*digest|locked_by|lease_token|live_trace|open_for|"
    r"status|from_status|to_status|severity|state|change_state|kind|why|what|direction|verdict|removal|"
    r"made_by|chunked_by|embedded_by|model|embedding_model|.*_version|"
    r"valid_from_rule|operation|audience|job_kind|time_basis_json|claims_json"
)


def registered() -> set[tuple[str, str]]:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", REGISTER.read_text(), re.MULTILINE)
    return {(label, name) for label, names in rows for name in re.findall(r"`(\w+)`", names)}


def text_properties() -> set[tuple[str, str]]:
    return {
        (node.__label__, name)
        for node in schema.node_classes()
        for name, declared in node.defined_properties(aliases=False, rels=False).items()
        if isinstance(declared, StringProperty)
    }


@pytest.mark.parametrize(("label", "name"), sorted(text_properties()))
def test_a_property_with_free_text_is_registered(label: str, name: str) -> None:
    assert NO_TEXT_OF_PEOPLE.fullmatch(name) or (label, name) in registered()


def test_what_is_registered_exists() -> None:
    lists = {("AuditEvent", "outcomes"), ("Verification", "reasons")}
    assert registered() <= text_properties() | lists
