"""Understanding a message with a model over real HTTP: what it decides, and who decides when it can't."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import replace
from typing import Any

import pytest

from conversation.clock import SystemClock
from intent.analysis import output_parser
from intent.analysis.analyzer import IntentAnalyzer
from intent.decision import ActionType, DecisionSource
from intent.offline.offline_classifier import OfflineClassifier
from intent.situation import Lesson
from llm.available_models import Credentials, build_registry
from llm.completion import CompletionClient
from tests.fakes.data.situations import JIRA, NOTION, choices_note, listing_note, situation_after
from tests.fakes.models.model_script import Reply, Script
from tests.fakes.models.model_server import ModelServer
from tests.fakes.run.bad_inputs import row

OPENAI = Credentials(openai=True, own_server=True)
SURE = {
    "action_type": "query_info",
    "confidence": 0.91,
    "entities": {"operation": "list_agents"},
    "reasoning": "lists",
}


def analyzer(
    completion: CompletionClient | None,
    *,
    model: str | None = "gpt-4o-mini",
    vendors: Credentials = OPENAI,
    deadline_s: float = 5.0,
) -> IntentAnalyzer:
    return IntentAnalyzer(
        offline=OfflineClassifier(),
        completion=completion,
        model=model,
        clock=SystemClock(),
        registry=build_registry(vendors, intent_model=model, strong_models=None),
        deadline_s=deadline_s,
    )


def test_the_model_decides(completion: CompletionClient, model_server: ModelServer) -> None:
    model_server.use(Script(default=Reply(decision=SURE)))
    decision = analyzer(completion).analyze(situation_after(None, "what have I got here?"))
    assert (decision.source, decision.action_type, decision.confidence) == (
        DecisionSource.MODEL,
        ActionType.QUERY_INFO,
        0.91,
    )
    assert decision.model == "gpt-4o-mini"
    assert decision.cost_usd is not None
    assert decision.fallback_reason is None
    assert decision.reasoning == "lists"


def test_an_agent_the_model_names_gets_its_id(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    run: dict[str, Any] = {"action_type": "execute_task", "confidence": 0.9}
    for entities in ({"agent_name": "Notion Reporter"}, {"ordinal": 1}, {"agent": "notion-reporter"}):
        model_server.use(Script(default=Reply(decision={**run, "entities": entities})))
        decision = analyzer(completion).analyze(situation_after(listing_note(), "please do the top entry"))
        assert decision.entities["agent_id"] == NOTION.id


def test_an_id_the_model_made_up_is_dropped(completion: CompletionClient, model_server: ModelServer) -> None:
    run = {"action_type": "execute_task", "confidence": 0.9, "entities": {"agent_id": "id-of-somebody-else"}}
    model_server.use(Script(default=Reply(decision=run)))
    decision = analyzer(completion).analyze(situation_after(None, "hm, the usual"))
    assert "agent_id" not in decision.entities


def test_cron_fields_come_from_the_users_words(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    weekly = {"schedule_text": "Fridays at 4pm", "cron": "* * * * *"}
    create = {"action_type": "create_agent", "confidence": 0.9, "entities": weekly}
    model_server.use(Script(default=Reply(decision=create)))
    decision = analyzer(completion).analyze(situation_after(None, "do it then"))
    assert decision.entities["cron"] == "0 16 * * 5"
    assert decision.entities["time_zone"] == "Europe/Berlin"


def test_a_pick_of_what_was_offered_asks_no_model(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    decision = analyzer(completion).analyze(situation_after(choices_note(), "the second one"))
    assert (decision.source, decision.action_type) == (DecisionSource.EXPLICIT, ActionType.CREATE_AGENT)
    assert model_server.log().requests == ()


def test_a_mention_asks_no_model(completion: CompletionClient, model_server: ModelServer) -> None:
    decision = analyzer(completion).analyze(situation_after(None, "@jira-overdue-monitor go"))
    assert (decision.source, decision.entities["agent_id"]) == (DecisionSource.EXPLICIT, JIRA.id)
    assert model_server.log().requests == ()


def test_words_whose_meaning_the_user_corrected_ask_no_model(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    taught = (Lesson("chit for the lamp", "task.add", is_own=True),)
    situation = replace(situation_after(None, "Chit for the lamp"), lessons=taught)
    decision = analyzer(completion).analyze(situation)
    assert [act.kind for act in decision.acts] == ["task.add"]
    assert (decision.source, decision.action_type) == (DecisionSource.EXPLICIT, ActionType.EXECUTE_TASK)
    assert model_server.log().requests == ()


def test_without_a_model_the_rules_decide() -> None:
    decision = analyzer(None, model=None).analyze(situation_after(None, "list my agents"))
    assert (decision.source, decision.action_type) == (DecisionSource.OFFLINE, ActionType.QUERY_INFO)
    assert decision.model is None
    assert decision.fallback_reason is None


@row("J1", "J3", "J7", "J16", "J18")
@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(status=400), "refused"),
        (Reply(status=401), "refused"),
        (Reply(status=403), "refused"),
        (Reply(status=404), "refused"),
        (Reply(status=429, retry_after="20"), "rate_limited"),
        (Reply(status=500), "server_error"),
        (Reply(status=503), "server_error"),
        (Reply(mode="garbage"), "invalid_output"),
        (Reply(mode="truncated", decision=SURE), "invalid_output"),
        (Reply(content=""), "invalid_output"),
        (Reply(content=None), "invalid_output"),
        (Reply(content='{"action_type": "query_info", "confidence": NaN}'), "invalid_output"),
        (Reply(mode="reset", decision=SURE), "unreachable"),
    ],
)
def test_a_failing_model_leaves_the_rules_decision_and_its_reason(
    completion: CompletionClient, model_server: ModelServer, reply: Reply, reason: str
) -> None:
    model_server.use(Script(default=reply))
    decision = analyzer(completion).analyze(situation_after(None, "list my agents"))
    assert (decision.source, decision.fallback_reason) == (DecisionSource.OFFLINE, reason)
    assert decision.action_type is ActionType.QUERY_INFO
    assert decision.model == "gpt-4o-mini"


@row("J19")
@pytest.mark.parametrize(
    "reply", [Reply(mode="hang"), Reply(mode="drip", decision=SURE), Reply(delay_ms=4_000, decision=SURE)]
)
def test_a_slow_model_is_answered_for_before_it_answers(
    completion: CompletionClient, model_server: ModelServer, reply: Reply
) -> None:
    model_server.use(Script(default=reply))
    started = time.monotonic()
    decision = analyzer(completion, deadline_s=0.3).analyze(situation_after(None, "list my agents"))
    assert time.monotonic() - started < 3.5
    assert (decision.source, decision.fallback_reason) == (DecisionSource.OFFLINE, "deadline")
    assert decision.latency_ms >= 250


def test_nobody_listening(completion: CompletionClient, model_server: ModelServer) -> None:
    model_server.stop()
    assert analyzer(completion).analyze(situation_after(None, "hello")).fallback_reason == "unreachable"


def test_a_broken_provider_is_left_alone(completion: CompletionClient, model_server: ModelServer) -> None:
    model_server.use(Script(default=Reply(status=401)))
    understand = analyzer(completion)
    reasons = [understand.analyze(situation_after(None, "hello")).fallback_reason for _ in range(2)]
    assert reasons == ["refused", "breaker_open"]
    asked = [request.body["model"] for request in model_server.log().requests]
    assert len(asked) == len(set(asked))


def test_a_tenant_may_forbid_the_model(completion: CompletionClient, model_server: ModelServer) -> None:
    situation = replace(
        situation_after(None, "list my agents"), allowed_models=frozenset({"anthropic/claude-haiku-4-5"})
    )
    decision = analyzer(completion).analyze(situation)
    assert (decision.source, decision.fallback_reason) == (DecisionSource.OFFLINE, "model_not_allowed")
    assert model_server.log().requests == ()


@pytest.mark.parametrize(
    ("asked", "model"),
    [
        ("gpt-6-luna", "gpt-6-luna"),
        ("openai/house-model", "openai/house-model"),
        # The deployment's own server gets any name, whatever it names elsewhere.
        ("huggingface/http://127.0.0.1:9/steal", "openai/huggingface/http://127.0.0.1:9/steal"),
        ("ollama/llama3", "openai/ollama/llama3"),
    ],
)
def test_a_request_chooses_among_the_models_the_deployment_has(
    completion: CompletionClient,
    model_server: ModelServer,
    asked: str,
    model: str,
) -> None:
    model_server.use(Script(default=Reply(decision=SURE)))
    decision = analyzer(completion).analyze(replace(situation_after(None, "list my agents"), model=asked))
    assert (decision.source, decision.model) == (DecisionSource.MODEL, model)
    assert len(model_server.log().requests) == 1


def test_a_name_that_a_tenant_allows_reaches_nothing_but_the_deployments_own_server(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=Reply(decision=SURE)))
    elsewhere = "huggingface/http://127.0.0.1:9/steal"
    situation = replace(
        situation_after(None, "list my agents"), model=elsewhere, allowed_models=frozenset({elsewhere})
    )
    assert analyzer(completion).analyze(situation).source is DecisionSource.MODEL
    assert [request.body["model"] for request in model_server.log().requests] == [elsewhere]


def test_a_fast_model_listens_where_a_strong_one_was_named(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=Reply(decision=SURE)))
    decision = analyzer(completion).analyze(
        replace(situation_after(None, "list my agents"), model="gpt-6.1-sol")
    )
    assert (decision.source, decision.model) == (DecisionSource.MODEL, "gpt-4o-mini")


def test_a_model_that_thinks_unasked_is_told_not_to(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    only_openai = Credentials(openai=True)
    understand = analyzer(completion, model="gpt-6-luna", vendors=only_openai)
    understand.analyze(situation_after(None, "list my agents"))
    assert model_server.log().requests[0].body["reasoning_effort"] == "none"


@row("L4")
@pytest.mark.parametrize("name", ["", "a-model-of-nobody", "vendor/of/nothing"])
def test_a_model_nobody_knows_leaves_it_to_the_rules(
    library: CompletionClient, model_server: ModelServer, name: str
) -> None:
    understand = analyzer(library, model=name, vendors=Credentials(anthropic=True))
    decision = understand.analyze(situation_after(None, "list my agents"))
    assert decision.source is DecisionSource.OFFLINE
    assert decision.fallback_reason in {"not_configured", "refused"}


def test_a_request_gets_no_model_where_the_deployment_has_none() -> None:
    decision = analyzer(None, model=None).analyze(
        replace(situation_after(None, "list my agents"), model="gpt-4o")
    )
    assert (decision.source, decision.fallback_reason) == (DecisionSource.OFFLINE, "not_configured")
    assert not decision.offline_because_cold


@pytest.mark.slow
def test_two_turns_do_without_the_library_while_it_loads_and_the_third_waits_for_it() -> None:
    script = """
import os
os.environ |= {"OPENAI_API_BASE": "http://127.0.0.1:9", "OPENAI_API_KEY": "test"}
from conversation.clock import SystemClock
from intent.analysis import analyzer as module
from intent.analysis.analyzer import IntentAnalyzer
from intent.offline.offline_classifier import OfflineClassifier
from llm.available_models import Credentials, build_registry
from llm.circuit_breaker import ModelCircuitBreakers
from llm.completion import CompletionClient
from tests.fakes.data.situations import situation_after
module.LOADING_S = 250.0  # a busy machine takes more than 20 s
clock = SystemClock()
completion = CompletionClient(timer=clock, breaker=ModelCircuitBreakers(clock.monotonic))
analyzer = IntentAnalyzer(
    offline=OfflineClassifier(),
    completion=completion,
    model="gpt-4o-mini",
    clock=clock,
    registry=build_registry(Credentials(openai=True), intent_model="gpt-4o-mini", strong_models=()),
)
for _ in range(3):
    decision = analyzer.analyze(situation_after(None, "list my agents"))
    print(decision.fallback_reason, decision.offline_because_cold)
"""
    first, second, third = _run(script)
    assert (first, second) == ("model_loading True", "model_loading True")
    assert third in {"unreachable False", "deadline False"}


def test_the_rules_import_neither_the_client_library_nor_a_tokenizer() -> None:
    script = """
import sys
from conversation.clock import SystemClock
from intent.analysis.analyzer import IntentAnalyzer
from intent.offline.offline_classifier import OfflineClassifier
from intent.situation import Lesson
from llm.circuit_breaker import ModelCircuitBreakers
from llm.completion import CompletionClient
from tests.fakes.data.situations import situation_after
analyzer = IntentAnalyzer(offline=OfflineClassifier(), completion=None, model=None, clock=SystemClock())
print(analyzer.analyze(situation_after(None, "list my agents")).source)
print([name for name in ("litellm", "openai", "tiktoken", "httpx", "boto3") if name in sys.modules])
"""
    assert _run(script) == ["offline", "[]"]


def test_a_mistake_of_ours_is_not_taken_for_a_failing_model(
    completion: CompletionClient, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(text: str, **_: object) -> None:
        raise TypeError("ours")

    model_server.use(Script(default=Reply(decision=SURE)))
    monkeypatch.setattr(output_parser, "parse_verdict", broken)
    with pytest.raises(TypeError, match="ours"):
        analyzer(completion).analyze(situation_after(None, "list my agents"))


def test_the_prompt_goes_out_with_the_message_last(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    analyzer(completion).analyze(
        situation_after(listing_note(), "bitte die erste", reply="1. notion-reporter")
    )
    request = model_server.log().requests[0]
    assert request.last_user_message == "bitte die erste"
    assert request.body["temperature"] == 0.1
    assert request.body["max_tokens"] == 800
    assert request.body["response_format"]["type"] == "json_schema"
    assert "listed: 1. notion-reporter" in json.dumps(request.messages)


def _run(script: str) -> list[str]:
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120, cwd=_ROOT
    )
    return run.stdout.split("\n")[:-1]


_ROOT = __file__.partition("/tests/")[0]


def test_a_sure_decision_has_no_alternative_and_no_question() -> None:
    decision = IntentAnalyzer(
        offline=OfflineClassifier(), completion=None, model=None, clock=SystemClock()
    ).analyze(situation_after(None, "Hello"))
    assert decision.confidence > 0.9
    assert decision.alternative_action is None
    assert decision.clarifying_question is None


def test_a_doubtful_decision_keeps_both() -> None:
    analyzer = IntentAnalyzer(
        offline=OfflineClassifier(), completion=None, model=None, clock=SystemClock(), clarify_below=1.0
    )
    decision = analyzer.analyze(situation_after(None, "what about the report, maybe weekly?"))
    assert decision.alternative_action is not None


def test_the_acts_of_a_message_are_told_in_order() -> None:
    decision = IntentAnalyzer(
        offline=OfflineClassifier(), completion=None, model=None, clock=SystemClock()
    ).analyze(situation_after(None, "pause notion-reporter and add buy stamps to my tasks"))
    assert [act.kind for act in decision.acts] == ["agent.pause", "task.add"]
    assert decision.acts[0].things == ("notion-reporter",)
    assert decision.acts[1].slots["title"] == "buy stamps"
    assert "reading" not in decision.model_dump()


def test_a_model_whose_acts_are_not_in_the_message_is_not_believed(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    acts = [{"kind": "agent.delete", "text": "delete everything", "agent": ["all"]}]
    model_server.use(Script(default=Reply(decision={**SURE, "acts": acts})))
    decision = analyzer(completion).analyze(situation_after(None, "what is the weather in Rome like?"))
    assert decision.source is DecisionSource.OFFLINE
    assert decision.fallback_reason == "acts_not_in_message"
