"""Settings: the defaults of seed §8, one validated place, and no secret where it can be read."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from app.config import (
    LONGEST_RETRY_PAUSE,
    AnswersSettings,
    ModelsSettings,
    Settings,
    WatchSettings,
    WorkerSettings,
)
from app.core.instants import DAY, SECOND

SECRET = "hunter2-canary"


@pytest.fixture(autouse=True)
def _nothing_around(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty folder, and no variable that the settings read."""
    monkeypatch.chdir(tmp_path)
    for name in ("NEO4J_URI", "NEO4J_USER", "NEO4J_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    for name in ("BROKER_URL", "HOME", "TENANT", "SETTABLE_CLOCK", "ANSWERS__ENABLED"):
        monkeypatch.delenv(f"TELHA_{name}", raising=False)


def test_answers_have_the_defaults_of_the_specification() -> None:
    answers = Settings().answers
    assert answers.enabled is False
    assert answers.recheck_max_age_days == 7
    assert answers.max_saved_per_tenant == 10_000
    assert answers.recheck_batch_size == 50
    assert answers.reverify_on_affected is True


def test_what_is_deliberately_not_configurable_is_not() -> None:
    assert set(AnswersSettings.model_fields) == {
        "enabled",
        "recheck_max_age_days",
        "max_saved_per_tenant",
        "recheck_batch_size",
        "reverify_on_affected",
        "verify_by_rules_alone",
    }


def test_settings_in_their_unit() -> None:
    assert AnswersSettings(recheck_max_age_days=2).max_age == 2 * DAY
    assert WatchSettings().debounce == 60 * SECOND
    assert WatchSettings(debounce_seconds=0).debounce == 0


@pytest.mark.parametrize(
    ("group", "name", "value"),
    [
        ("answers", "recheck_max_age_days", 0),
        ("answers", "recheck_max_age_days", 3651),
        ("answers", "max_saved_per_tenant", 0),
        ("answers", "recheck_batch_size", 0),
        ("answers", "recheck_batch_size", 51),
        ("answers", "enabled", "perhaps"),
        ("answers", "enabld", True),
        ("watch", "debounce_seconds", -1),
        ("watch", "debounce_seconds", 86_401),
        ("watch", "debounce", 60),
        ("models", "embedding", "some"),
        ("models", "generator", "gpt"),
        ("models", "url", "ftp://models.example"),
        ("models", "url", "https://user:secret@models.example"),
        ("models", "attempts", 0),
        ("models", "timeout_seconds", 0),
        ("models", "max_tokens_per_day", -1),
        ("models", "max_embeddings_per_day", -1),
        ("models", "embedding_dimensions", 5000),
        ("models", "max_answer_tokens", 1),
        ("models", "input_price", -1),
        ("worker", "lease_seconds", 1),
        ("worker", "max_attempts", 0),
        ("worker", "tick_seconds", 0),
        ("worker", "due_seconds", 0),
        ("worker", "visibility_timeout_seconds", 0),
    ],
)
def test_a_wrong_setting_is_refused_by_name(group: str, name: str, value: object) -> None:
    with pytest.raises(ValidationError) as refused:
        Settings.model_validate({group: {name: value}})
    assert f"{group}.{name}" in str(refused.value)


@pytest.mark.parametrize(
    ("group", "name", "value"),
    [
        ("answers", "recheck_max_age_days", 1),
        ("answers", "recheck_batch_size", 1),
        ("answers", "max_saved_per_tenant", 1),
        ("watch", "debounce_seconds", 86_400),
        ("worker", "lease_seconds", 2),
        ("worker", "visibility_timeout_seconds", LONGEST_RETRY_PAUSE + 1),
    ],
)
def test_a_setting_at_its_limit_is_taken(group: str, name: str, value: int) -> None:
    assert getattr(getattr(Settings.model_validate({group: {name: value}}), group), name) == value


@pytest.mark.parametrize("timeout", [1, LONGEST_RETRY_PAUSE - 1, LONGEST_RETRY_PAUSE])
def test_a_broker_that_hands_waiting_tasks_out_again_is_refused(timeout: int) -> None:
    with pytest.raises(ValidationError, match="visibility_timeout_seconds must exceed"):
        Settings(worker=WorkerSettings(visibility_timeout_seconds=timeout))


def test_the_shipped_delays_stay_below_the_visibility_timeout() -> None:
    assert Settings().worker.visibility_timeout_seconds > LONGEST_RETRY_PAUSE


def test_answers_without_watch_are_warned_of_at_boot() -> None:
    [warning] = Settings(
        answers=AnswersSettings(enabled=True), watch=WatchSettings(enabled=False)
    ).warnings()
    assert "sweep" in warning
    assert "answers.enabled" in warning


@pytest.mark.parametrize(("answers", "watch"), [(True, True), (False, True), (False, False)])
def test_nothing_else_is_warned_of(answers: bool, watch: bool) -> None:
    settings = Settings(
        answers=AnswersSettings(enabled=answers), watch=WatchSettings(enabled=watch)
    )
    assert settings.warnings() == []


@pytest.mark.parametrize(
    "uri",
    ["neo4j://h", "neo4j+s://h", "neo4j+ssc://h", "bolt://h:7687", "bolt+s://h", "bolt+ssc://h"],
)
def test_an_address_of_a_graph(monkeypatch: pytest.MonkeyPatch, uri: str) -> None:
    monkeypatch.setenv("NEO4J_URI", uri)
    assert Settings().neo4j_uri == uri


@pytest.mark.parametrize("uri", ["", "http://h", "h:7687", "neo4j:h", "redis://h", "xbolt://h"])
def test_anything_else_is_none(monkeypatch: pytest.MonkeyPatch, uri: str) -> None:
    monkeypatch.setenv("NEO4J_URI", uri)
    with pytest.raises(ValidationError, match="NEO4J_URI"):
        Settings()


def test_the_environment_comes_before_the_file_and_the_file_before_the_defaults(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "telha.toml").write_text(
        'tenant = "acme"\n[answers]\nrecheck_max_age_days = 3\nrecheck_batch_size = 9\n'
    )
    monkeypatch.setenv("TELHA_ANSWERS__RECHECK_BATCH_SIZE", "5")
    settings = Settings()
    assert settings.tenant == "acme"
    assert settings.answers.recheck_max_age_days == 3
    assert settings.answers.recheck_batch_size == 5
    assert settings.answers.max_saved_per_tenant == 10_000


def test_a_misspelt_setting_in_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "telha.toml").write_text("[answers]\nenabld = true\n")
    with pytest.raises(ValidationError, match="enabld"):
        Settings()
    (tmp_path / "telha.toml").write_text("answer = 1\n")
    with pytest.raises(ValidationError, match="answer"):
        Settings()


@pytest.mark.parametrize("name", Settings.model_fields)
def test_settings_are_frozen(name: str) -> None:
    with pytest.raises(ValidationError, match="frozen"):
        setattr(Settings(), name, "other")


def test_no_secret_in_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", SECRET)
    monkeypatch.setenv("TELHA_BROKER_URL", f"redis://:{SECRET}@h/0")
    settings = Settings()
    assert settings.neo4j_password.get_secret_value() == SECRET
    for shown in (repr(settings), str(settings), settings.model_dump_json(), f"{settings!r}"):
        assert SECRET not in shown


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TELHA_WORKER__VISIBILITY_TIMEOUT_SECONDS", "5"),
        ("TELHA_WORKER__LEASE_SECONDS", SECRET),
        ("TELHA_ANSWERS__ENABLED", SECRET),
        ("NEO4J_URI", f"http://neo4j:{SECRET}@h"),
    ],
)
def test_no_secret_in_a_refusal(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """A check of all settings fails with all of them at hand, passwords included."""
    monkeypatch.setenv("NEO4J_PASSWORD", SECRET)
    monkeypatch.setenv("TELHA_BROKER_URL", f"redis://:{SECRET}@h/0")
    monkeypatch.setenv(name, value)
    with pytest.raises(ValidationError) as refused:
        Settings()
    assert SECRET not in str(refused.value)
    assert SECRET not in repr(refused.value)


def test_out_of_the_box_no_model_is_called_over_the_network() -> None:
    models = Settings().models
    assert (models.embedding, models.generator, models.url) == ("none", "extractive", None)
    assert models.nli is None
    assert models.indexing
    assert not ModelsSettings(generator="none").indexing


@pytest.mark.parametrize(
    "stated",
    [
        {"generator": "openai"},
        {"generator": "openai", "url": "https://m.example"},
        {"generator": "openai", "model": "m"},
        {"embedding": "openai", "url": "https://m.example", "embedding_model": "m"},
        {"embedding": "openai", "url": "https://m.example", "embedding_dimensions": 3},
        {"embedding": "openai", "embedding_model": "m", "embedding_dimensions": 3},
    ],
)
def test_an_endpoint_that_is_half_configured_is_refused(stated: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="needs models"):
        ModelsSettings.model_validate(stated)


def test_the_key_of_an_endpoint_comes_from_the_environment_and_is_shown_nowhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TELHA_MODELS__API_KEY", SECRET)
    settings = Settings()
    assert settings.models.api_key is not None
    assert settings.models.api_key.get_secret_value() == SECRET
    assert SECRET not in f"{settings!r} {settings} {settings.model_dump_json()}"
    monkeypatch.setenv("TELHA_MODELS__GENERATOR", "openai")
    with pytest.raises(ValidationError) as refused:
        Settings()
    assert SECRET not in str(refused.value)


def test_what_tokens_cost_is_told_in_millionths() -> None:
    models = ModelsSettings(input_price=2.5, output_price=10)
    assert models.cost_micros(1_000, 100) == 3_500
    assert ModelsSettings().cost_micros(1_000, 100) == 0


def test_the_last_slash_of_an_address_is_not_part_of_it() -> None:
    assert ModelsSettings(url="https://m.example/v1/").url == "https://m.example/v1"
