"""Which adapters the settings name."""

from app.config import ModelsSettings
from app.models.chat import ChatGenerator
from app.models.extractive import ExtractiveGenerator
from app.models.http import Endpoint
from app.models.local import LocalEmbedder
from app.models.nli import OnnxNli
from app.models.none import NoEmbedder, NoGenerator
from app.models.openai import OpenAIEmbedder
from app.ports import Embedder, Generator, Veto


def embedder(models: ModelsSettings) -> Embedder:
    """Return the embedding model that is configured; nothing is loaded or called yet."""
    match models.embedding:
        case "none":
            return NoEmbedder()
        case "local":
            return LocalEmbedder()
        case "openai":
            return OpenAIEmbedder(
                _endpoint(models), models.embedding_model or "", models.embedding_dimensions or 0
            )


def veto(models: ModelsSettings) -> Veto | None:
    """Return the model that may veto what the rules clear; nothing is loaded yet."""
    return OnnxNli(models.nli) if models.nli is not None else None


def generator(models: ModelsSettings, embedding: Embedder) -> Generator:
    """Return the generator that is configured."""
    match models.generator:
        case "none":
            return NoGenerator()
        case "extractive":
            return ExtractiveGenerator(embedding)
        case "openai":
            return ChatGenerator(_endpoint(models), models.model or "", models.max_answer_tokens)


def _endpoint(models: ModelsSettings) -> Endpoint:
    return Endpoint(
        models.url or "", models.api_key, models.timeout_seconds, attempts=models.attempts
    )
