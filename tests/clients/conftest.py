"""A twin with a scripted model for the official clients."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.clients.handbook import ASKED, FAST, STRONG, answered
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.models.model_script import Reply
from tests.fakes.models.model_server import ModelServer


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer(answered(Reply(content="Hello"))) as running:
        yield running


@pytest.fixture
def forgetful(server: ModelServer) -> None:
    """The model knows nothing of the tests before, and answers shortly."""
    server.forget()
    server.use(answered(Reply(content="Thirty days.")))


@pytest.fixture(scope="module")
def twin(server: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    """A twin whose model is ready."""
    environ = {
        "OPENAI_BASE_URL": server.base_url,
        "OPENAI_API_KEY": "test",
        "OMNIFORGE_INTENT_MODEL": FAST,
        "OMNIFORGE_STRONG_MODELS": STRONG,
        "OMNIFORGE_INTENT_DEADLINE_MS": "15000",
    }
    with Twin(tmp_path_factory.mktemp("clients"), environ=environ) as twin:
        asked = twin.token("other", "first")
        eventually(lambda: "Hello" in twin.chat(ASKED, token=asked).text, within_s=180)
        yield twin
