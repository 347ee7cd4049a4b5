"""Settings: one place, validated, from the environment or ``telha.toml`` (seed §8)."""

from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, Field, SecretStr, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from app.core.instants import DAY, SECOND

_SWEEP_ONLY: Final = (
    "answers.enabled without watch.enabled: no change wakes a check, staleness is found by the"
    " sweep only"
)
LONGEST_RETRY_PAUSE: Final = 30
"""Seconds: the longest that a task waits in a worker before it is tried again."""


class AnswersSettings(BaseModel, frozen=True, extra="forbid"):
    """Saved answers (seed §8)."""

    enabled: bool = False
    recheck_max_age_days: Annotated[int, Field(ge=1, le=3650)] = 7
    max_saved_per_tenant: Annotated[int, Field(ge=1)] = 10_000
    recheck_batch_size: Annotated[int, Field(ge=1, le=50)] = 50
    reverify_on_affected: bool = True
    verify_by_rules_alone: bool = False

    @property
    def max_age(self) -> int:
        """The sweep's safety net in µs."""
        return self.recheck_max_age_days * DAY


class WatchSettings(BaseModel, frozen=True, extra="forbid"):
    """Watches and their events."""

    enabled: bool = True
    debounce_seconds: Annotated[int, Field(ge=0, le=86_400)] = 60

    @property
    def debounce(self) -> int:
        """How long a window stays open, in µs."""
        return self.debounce_seconds * SECOND


class WorkerSettings(BaseModel, frozen=True, extra="forbid"):
    """Workers: leases, retries, and what the broker may hold back (seconds)."""

    lease_seconds: Annotated[int, Field(ge=2, le=3600)] = 6
    max_attempts: Annotated[int, Field(ge=1)] = 8
    visibility_timeout_seconds: Annotated[int, Field(ge=1)] = 120
    tick_seconds: Annotated[int, Field(ge=1, le=60)] = 2
    due_seconds: Annotated[int, Field(ge=1, le=3600)] = 5


class ModelsSettings(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """Models: what embeds, what generates, where they answer, and what they may cost in a day."""

    embedding: Literal["none", "local", "openai"] = "none"
    generator: Literal["none", "extractive", "openai"] = "extractive"
    nli: Path | None = None
    url: str | None = None
    api_key: SecretStr | None = None
    model: str | None = None
    embedding_model: str | None = None
    embedding_dimensions: Annotated[int, Field(ge=1, le=4096)] | None = None
    timeout_seconds: Annotated[float, Field(gt=0, le=600)] = 30.0
    attempts: Annotated[int, Field(ge=1, le=10)] = 3
    max_answer_tokens: Annotated[int, Field(ge=16, le=100_000)] = 1_000
    max_tokens_per_day: Annotated[int, Field(ge=0)] = 2_000_000
    max_embeddings_per_day: Annotated[int, Field(ge=0)] = 1_000_000
    input_price: Annotated[float, Field(ge=0)] = 0.0
    output_price: Annotated[float, Field(ge=0)] = 0.0

    @property
    def indexing(self) -> bool:
        """Whether anything would ever look into an index of chunks."""
        return self.generator != "none" or self.embedding != "none"

    def cost_micros(self, tokens_in: int, tokens_out: int) -> int:
        """Return what tokens cost, in millionths of the currency of the prices."""
        return round(tokens_in * self.input_price + tokens_out * self.output_price)

    @field_validator("url")
    @classmethod
    def _address(cls, url: str | None) -> str | None:
        if url is not None and (not url.startswith(("http://", "https://")) or "@" in url):
            raise ValueError("starts with http:// or https://, and holds no password")
        return url.rstrip("/") if url else url

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.generator == "openai" and not (self.url and self.model):
            raise ValueError("generator 'openai' needs models.url and models.model")
        embeds = self.url and self.embedding_model and self.embedding_dimensions
        if self.embedding == "openai" and not embeds:
            raise ValueError(
                "embedding 'openai' needs models.url, models.embedding_model and"
                " models.embedding_dimensions"
            )
        return self


class Settings(BaseSettings):
    """All settings. ``NEO4J_*`` are read without prefix, the rest as ``TELHA_…``, ``__`` nests."""

    model_config = SettingsConfigDict(
        env_prefix="TELHA_",
        env_nested_delimiter="__",
        toml_file="telha.toml",
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,  # the input of a failed check holds the passwords
    )

    neo4j_uri: Annotated[str | None, Field(validation_alias="NEO4J_URI")] = None
    neo4j_user: Annotated[str, Field(validation_alias="NEO4J_USER")] = "neo4j"
    neo4j_password: Annotated[SecretStr, Field(validation_alias="NEO4J_PASSWORD")] = SecretStr("")
    broker_url: SecretStr | None = None
    home: Path | None = None
    tenant: str = "default"
    settable_clock: bool = False
    answers: AnswersSettings = AnswersSettings()
    watch: WatchSettings = WatchSettings()
    models: ModelsSettings = ModelsSettings()
    worker: WorkerSettings = WorkerSettings()

    @field_validator("neo4j_uri")
    @classmethod
    def _known_scheme(cls, uri: str | None) -> str | None:
        if uri is not None and not uri.startswith(("neo4j://", "neo4j+s", "bolt://", "bolt+s")):
            raise ValueError("NEO4J_URI starts with neo4j://, neo4j+s://, bolt:// or bolt+s://")
        return uri

    @model_validator(mode="after")
    def _delays_stay_visible(self) -> Self:
        if self.worker.visibility_timeout_seconds <= LONGEST_RETRY_PAUSE:
            raise ValueError(
                f"worker.visibility_timeout_seconds must exceed {LONGEST_RETRY_PAUSE}, the longest"
                " pause before a retry, or the broker hands waiting tasks out again"
            )
        return self

    def warnings(self) -> list[str]:
        """Return what an operator should know at boot."""
        if self.answers.enabled and not self.watch.enabled:
            return [_SWEEP_ONLY]
        return []

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Environment over ``telha.toml`` over defaults."""
        del dotenv_settings, file_secret_settings
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)
