"""A model that fails is passed over for another one within the same turn, over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from agent.inference.question_answering import UNREACHABLE
from agent.turn_events import Done
from conversation.clock import Deadline, SystemClock
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.store import TenantStore
from conversation.turns.admission import IncomingMessage
from llm.adapters.registry import DirectAdapters
from llm.available_models import ModelServers
from llm.circuit_breaker import ModelCircuitBreakers
from tests.fakes.data.scripted_turns import MAYA
from tests.fakes.deployment import functions
from tests.fakes.models.model_script import Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer

FAST, FAST_TOO = "gpt-4o-mini", "gpt-6-luna"
STRONG, STRONG_TOO = "gpt-6.1-sol", "gpt-4.1"
QUESTION = "Who wrote Moby-Dick?"
ANSWER = "Herman Melville wrote it."
TURN_S = 12.0

FAULTS = {
    "slow": (Reply(content=ANSWER, delay_ms=60_000), "deadline"),
    "hung": (Reply(mode="hang"), "deadline"),
    "drip-feeding": (Reply(content=ANSWER, mode="drip"), "deadline"),
    "closing half-way": (Reply(content=ANSWER, mode="reset"), "unreachable"),
    "throttled": (Reply(status=429, retry_after="60"), "rate_limited"),
    "failing": (Reply(status=500), "server_error"),
    "unavailable": (Reply(status=503), "server_error"),
    "no model server": (Reply(mode="garbage"), None),
    "answering nothing": (Reply(content=None), "invalid_output"),
    "refused": (Reply(status=401), "refused"),
    "forbidden": (Reply(status=403), "refused"),
    "retired": (Reply(status=404), "refused"),
}

_ACT: dict[str, Any] = {"kind": "world.ask", "text": QUESTION, "target": None, "slots": {}}
UNDERSTOOD = Reply(decision={"action_type": "query_info", "confidence": 0.95, "acts": [_ACT]})
ROUTED = Reply(decision={"model": STRONG, "tools": [], "can_answer": True, "think": False, "reason": "x"})


class Chat:
    """The chat function, and the server of its models."""

    def __init__(self, function: ModuleType, server: ModelServer) -> None:
        self.function = function
        self.server = server

    def script(self, faults: dict[str, Reply]) -> None:
        """Let these models fail and the others answer."""
        self.server.use(
            Script(
                [
                    *(Rule("", reply, model=name) for name, reply in faults.items()),
                    Rule("", ROUTED, prompt="Pick who answers"),
                    *(Rule("", Reply(content=ANSWER), model=name) for name in (STRONG, STRONG_TOO)),
                ],
                UNDERSTOOD,
            )
        )
        self.server.forget()

    def ask(self, model: str | None = None) -> tuple[str, dict[str, Any]]:
        """The answer's text and metadata."""
        deadline = Deadline.after(self.function.clock, TURN_S)
        incoming = IncomingMessage(MAYA, QUESTION, model=model)
        done = [*self.function.turns().run(incoming, deadline)][-1]
        assert isinstance(done, Done)
        return done.answer.content, dict(done.answer.metadata)

    def asked(self) -> list[str]:
        """The models that were asked, in order."""
        return [str(request.body["model"]) for request in self.server.log().requests]


OWN_FAST, OWN_STRONG = "acme-small", "acme-large"
_OWN: dict[str, Any] = {
    "vendor": "openai", "context_tokens": 64_000, "max_output_tokens": 8_000, "input_usd_per_million": 1,
    "output_usd_per_million": 6, "supports_tools": True, "supports_thinking": False,
    "retires_on": "2099-06-30",
}  # fmt: skip
OWN_MODELS = [
    {**_OWN, "id": f"openai/{OWN_FAST}", "aliases": [OWN_FAST], "tier": "fast"},
    {**_OWN, "id": f"openai/{OWN_STRONG}", "aliases": [OWN_STRONG], "tier": "strong"},
]


@pytest.fixture(scope="module")
def function(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "test")
        settings = functions.settings(
            tmp_path_factory.mktemp("failover"),
            OMNIFORGE_INTENT_MODEL=FAST,
            OMNIFORGE_STRONG_MODELS=f"{STRONG},{STRONG_TOO}",
            OMNIFORGE_INTENT_DEADLINE_MS="2500",  # a busy machine is no fault of a model
        )
        return functions.load("chat", settings)


@pytest.fixture
def chat(function: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Iterator[Chat]:
    with ModelServer() as server:
        monkeypatch.setenv("OPENAI_API_KEY", "test")
        direct = DirectAdapters(ModelServers(openai_url=server.base_url), max_connections=8)
        monkeypatch.setattr(function.models().completion, "_direct", direct)
        # Faults of one test are no other's.
        monkeypatch.setattr(
            function.models().completion, "_breaker", ModelCircuitBreakers(SystemClock().monotonic)
        )
        yield Chat(function, server)


@pytest.mark.parametrize(("fault", "reason"), FAULTS.values(), ids=FAULTS.keys())
def test_another_fast_model_understands_for_one_that_fails(
    chat: Chat, fault: Reply, reason: str | None
) -> None:
    chat.script({FAST: fault})
    text, metadata = chat.ask()
    assert text == ANSWER
    decision = metadata["decision"]
    assert decision["source"] == "model", decision
    assert decision["model"] != FAST
    assert decision["passed_over"][0]["model"] == FAST
    assert reason in (None, decision["passed_over"][0]["reason"])
    assert metadata["routing"]["by"] == "model"
    assert metadata["routing"]["router"] != FAST
    assert metadata["routing"]["router_passed_over"][0]["model"] == FAST


@pytest.mark.parametrize(("fault", "reason"), FAULTS.values(), ids=FAULTS.keys())
def test_another_strong_model_answers_for_one_that_fails(
    chat: Chat, fault: Reply, reason: str | None
) -> None:
    chat.script({STRONG: fault})
    text, metadata = chat.ask()
    assert text == ANSWER
    routing = metadata["routing"]
    assert routing["model"] == STRONG_TOO
    assert [each["model"] for each in routing["passed_over"]] == [STRONG]
    assert reason in (None, routing["passed_over"][0]["reason"])


def test_models_of_the_operators_own_catalogue_answer_for_those_that_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer() as server:
        monkeypatch.setenv("OPENAI_API_KEY", "test")
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        settings = functions.settings(
            tmp_path, OMNIFORGE_INTENT_MODEL=FAST, OMNIFORGE_MODEL_CATALOGUE=json.dumps(OWN_MODELS)
        )
        own = Chat(functions.load("chat", settings), server)
        allowed = (FAST, STRONG, *(each["id"] for each in OWN_MODELS))
        TenantStore(tables=own.function.tables, clock=SystemClock()).save(
            MAYA.tenant, TenantPolicy(allowed_models=allowed)
        )
        own.script({FAST: Reply(status=500), STRONG: Reply(status=500), OWN_STRONG: Reply(content=ANSWER)})

        text, metadata = own.ask()

    assert text == ANSWER
    assert metadata["decision"]["model"] == f"openai/{OWN_FAST}"
    assert metadata["routing"]["model"] == f"openai/{OWN_STRONG}"


@pytest.mark.parametrize("mode", ["reset", "unended", "broken", "stall", "trickle"])
def test_half_an_answer_of_a_model_that_breaks_off_is_replaced_by_anothers(chat: Chat, mode: Any) -> None:
    chat.script({STRONG: Reply(content="It was Jane", mode=mode)})
    text, metadata = chat.ask()
    assert text == ANSWER
    assert metadata["routing"]["model"] == STRONG_TOO


@pytest.mark.parametrize("fault", [Reply(status=401), Reply(status=500), Reply(mode="garbage")])
def test_dead_fast_models_do_not_silence_a_strong_one(chat: Chat, fault: Reply) -> None:
    fast = [each.id for each in chat.function.models().registry.find_fast_models()]
    chat.script(dict.fromkeys(fast, fault))
    for _ in range(4):
        text, metadata = chat.ask()
        assert text == ANSWER
        assert metadata["routing"]["by"] == "fallback"


def test_a_model_named_by_the_user_is_answered_for_too(chat: Chat) -> None:
    chat.script({STRONG_TOO: Reply(status=404)})
    text, metadata = chat.ask(model=STRONG_TOO)
    assert text == ANSWER
    assert metadata["routing"]["model"] == STRONG
    assert metadata["routing"]["passed_over"] == [{"model": STRONG_TOO, "reason": "refused"}]


def test_the_router_is_not_offered_a_model_that_rests(chat: Chat) -> None:
    chat.script({STRONG: Reply(status=404)})
    chat.ask()
    chat.server.forget()
    text, metadata = chat.ask()
    assert text == ANSWER
    assert STRONG not in chat.asked()
    prompts = [each.system for each in chat.server.log().requests if "Pick who answers" in each.system]
    assert prompts
    assert not any(f"- {STRONG}:" in prompt for prompt in prompts)
    assert metadata["routing"]["passed_over"] == [{"model": STRONG, "reason": "breaker_open"}]


def test_only_when_every_strong_model_fails_the_answer_says_so(chat: Chat) -> None:
    chat.script(dict.fromkeys((STRONG, STRONG_TOO), Reply(status=500)))
    text, _ = chat.ask()
    assert text.startswith(UNREACHABLE)
