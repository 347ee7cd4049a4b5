"""What all payloads share: camelCase outside, exact instants, keys and texts, no unknown fields."""

from collections.abc import Callable, Mapping
from typing import Annotated, Final, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic.alias_generators import to_camel

from app.core import values
from app.core.errors import InvalidInput, Problem, TelhaError
from app.core.instants import LATEST, instant

_FIELD: Final = "value"
P = TypeVar("P", bound="Payload")
T = TypeVar("T")


class Payload(BaseModel):
    """A frozen value at a surface: camelCase names, unknown fields refused."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True
    )


def _instant(value: object, info: ValidationInfo) -> int:
    return _as_value_error(lambda: instant(value, field=info.field_name or _FIELD))


def _tenant(value: object) -> str:
    return _as_value_error(lambda: values.tenant_id(value))


def _key(value: object, info: ValidationInfo) -> str:
    return _as_value_error(lambda: values.key(value, field=info.field_name or _FIELD))


def _text(value: object, info: ValidationInfo) -> str:
    return _as_value_error(lambda: values.text(value, field=info.field_name or _FIELD))


Instant = Annotated[
    int,
    BeforeValidator(_instant),
    WithJsonSchema(
        {
            "description": "µs since 1970-01-01T00:00:00Z, or RFC 3339 with an offset",
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": LATEST},
                {"type": "string", "format": "date-time"},
            ],
        }
    ),
]
Tenant = Annotated[str, BeforeValidator(_tenant)]
Key = Annotated[str, BeforeValidator(_key)]
Text = Annotated[str, BeforeValidator(_text)]
Name = Annotated[Text, AfterValidator(lambda name: name.strip()), Field(min_length=1)]


def parse(model: type[P], data: object) -> P:
    """Return ``data`` (a mapping, or JSON as text or bytes) as ``model``.

    Raises ``InvalidInput`` ``PAYLOAD_INVALID`` that lists every problem by field; values of fields
    are never repeated in it, since they may be text of people.
    """
    try:
        if isinstance(data, str | bytes):
            return model.model_validate_json(data)
        return model.model_validate(dict(data) if isinstance(data, Mapping) else data)
    except ValidationError as refused:
        raise InvalidInput("PAYLOAD_INVALID", _problems(refused)) from None


def _problems(refused: ValidationError) -> list[Problem]:
    errors = refused.errors(include_url=False, include_input=False, include_context=False)
    return [
        Problem(_path(error["loc"]), error["msg"].removeprefix("Value error, ")) for error in errors
    ]


def _path(loc: tuple[int | str, ...]) -> str:
    path = ""
    for part in loc:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path or "payload"


def _as_value_error(validate: Callable[[], T]) -> T:
    try:
        return validate()
    except TelhaError as refused:
        raise ValueError(f"{refused.code}: {refused.message}") from None
