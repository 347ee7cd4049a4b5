"""Names and keys: what may be one, how they are joined, how ids are derived.

Ids are derived from what they stand for, so that doing a thing twice is doing it once.
"""

import hashlib
import re
import uuid
from typing import Final

from app.core.errors import Invalid

SEPARATOR: Final = "\x1f"
MAX_KEY_BYTES: Final = 4_096
MAX_TEXT_BYTES: Final = 4 * 1024 * 1024
_TENANT: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_NAMESPACE: Final = uuid.UUID("5c9b6d4e-7f6f-5d0e-9a53-2f0f5f1f7a11")


def tenant_id(value: object, *, field: str = "tenant") -> str:
    """Return ``value`` as a tenant id or raise ``Invalid`` ``TENANT_INVALID``; none means "all"."""
    if isinstance(value, str) and _TENANT.fullmatch(value):
        return value
    raise Invalid(
        "TENANT_INVALID",
        "a tenant id has 1 to 64 of the characters A-Z a-z 0-9 _ -",
        field=field,
        hint="Name the tenant; there is no default that means all.",
    )


def key(value: object, *, field: str) -> str:
    """Return ``value`` as a key: text of 1 to 4,096 UTF-8 bytes without control characters.

    Raises ``Invalid`` ``KEY_INVALID`` or ``KEY_TOO_LONG`` naming ``field``. The limit leaves room
    for the tenant in a composite index key (the store takes 8,164 bytes in all).
    """
    if not isinstance(value, str) or not value or _CONTROL.search(value):
        raise Invalid(
            "KEY_INVALID", "must be text, not empty, without control characters", field=field
        )
    if len(value.encode()) > MAX_KEY_BYTES:
        raise Invalid(
            "KEY_TOO_LONG",
            f"has {len(value.encode())} bytes, the limit is {MAX_KEY_BYTES}",
            field=field,
        )
    return value


def text(value: object, *, field: str) -> str:
    """Return ``value`` as storable text of at most 4 MiB in UTF-8, exactly as given.

    Raises ``Invalid`` ``TEXT_INVALID`` (no text, or a lone surrogate) or ``TEXT_TOO_LONG``.
    """
    if not isinstance(value, str):
        raise Invalid("TEXT_INVALID", "must be text", field=field)
    try:
        size = len(value.encode())
    except UnicodeEncodeError:
        raise Invalid("TEXT_INVALID", "holds a lone surrogate", field=field) from None
    if size > MAX_TEXT_BYTES:
        raise Invalid(
            "TEXT_TOO_LONG", f"has {size} bytes, the limit is {MAX_TEXT_BYTES}", field=field
        )
    return value


def source_key(tenant: str, source_id: str) -> str:
    """Return the key of a source in the graph: tenant, U+001F, source id."""
    return f"{tenant}{SEPARATOR}{source_id}"


def sha256(content: str) -> str:
    """Return the hexadecimal SHA-256 of ``content`` in UTF-8."""
    return hashlib.sha256(content.encode()).hexdigest()


def derived_id(kind: str, *parts: str | int) -> str:
    """Return the id that ``kind`` and ``parts`` always give (a UUID, version 5)."""
    return str(uuid.uuid5(_NAMESPACE, SEPARATOR.join([kind, *map(str, parts)])))


def clarification_key(tenant: str, clarification_id: str) -> str:
    """Return the key of a clarification as a change names it; no source key can equal it."""
    return f"{tenant}{SEPARATOR}{SEPARATOR}{clarification_id}"
