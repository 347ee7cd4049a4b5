"""Which adapters the settings name, and what an embedded stack takes."""

from pathlib import Path

import pytest

from app.config import ModelsSettings, Settings
from app.local.service import Endpoints
from app.models import choose
from app.models.chat import ChatGenerator
from app.models.extractive import ExtractiveGenerator
from app.models.local import LocalEmbedder
from app.models.nli import OnnxNli
from app.models.none import NoEmbedder, NoGenerator
from app.models.openai import OpenAIEmbedder
from app.wiring import on_local

AT = {"url": "https://m.example/v1", "model": "chat", "embedding_model": "vectors"}
LOCAL = Endpoints(
    neo4j_uri="bolt://127.0.0.1:1",
    neo4j_user="neo4j",
    neo4j_password="x",
    broker_url="redis://127.0.0.1:2/0",
)


@pytest.mark.parametrize(
    ("embedding", "kind"),
    [("none", NoEmbedder), ("local", LocalEmbedder), ("openai", OpenAIEmbedder)],
)
def test_an_embedder_is_the_one_that_is_named(embedding: str, kind: type) -> None:
    models = ModelsSettings.model_validate(
        {"embedding": embedding, "embedding_dimensions": 3, **AT}
    )
    made = choose.embedder(models)
    assert isinstance(made, kind)
    assert made.configured == (embedding != "none")
    assert made.metered == (embedding == "openai")
    assert (made.dimensions > 0) == made.configured
    assert made.name


@pytest.mark.parametrize(
    ("generator", "kind"),
    [("none", NoGenerator), ("extractive", ExtractiveGenerator), ("openai", ChatGenerator)],
)
def test_a_generator_is_the_one_that_is_named(generator: str, kind: type) -> None:
    models = ModelsSettings.model_validate({"generator": generator, **AT})
    made = choose.generator(models, NoEmbedder())
    assert isinstance(made, kind)
    assert made.configured == (generator != "none")


def test_what_may_veto_is_the_folder_that_is_named_and_nobody_unless_one_is() -> None:
    assert choose.veto(ModelsSettings()) is None
    assert isinstance(choose.veto(ModelsSettings(nli=Path("/nowhere"))), OnnxNli)


def test_an_embedded_stack_embeds_with_the_local_model_unless_told_otherwise() -> None:
    assert on_local(Settings(), LOCAL).models.embedding == "local"
    stated = Settings.model_validate({"models": {"embedding": "none"}})
    assert on_local(stated, LOCAL).models.embedding == "none"
    priced = Settings.model_validate({"models": {"max_tokens_per_day": 5}})
    assert on_local(priced, LOCAL).models == ModelsSettings(embedding="local", max_tokens_per_day=5)
