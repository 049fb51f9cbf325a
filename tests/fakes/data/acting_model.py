"""A conversation whose intent model returns the acts it is told to, and what became of the user's things.

The analyzer, its parser and the master agent are the real ones; only the model's text is scripted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from conversation.identity import ADMIN, Caller, TurnId
from intent.acts.act import ActKind
from intent.analysis.analyzer import IntentAnalyzer
from intent.analysis.verdict_acts import SAME_ACTION
from intent.decision import ActionType, Decision
from intent.offline.offline_classifier import OfflineClassifier
from llm.available_models import ModelRegistry
from llm.catalogue import Vendor
from storage.keys import TenantId
from tests.fakes.data.chat_session import CONVERSATION, Talk, TalkReply
from tests.fakes.models.scripted_models import FAST, ScriptedModels, response
from tests.fakes.run.clocks import ManualClock

AGENTS: Sequence[Mapping[str, Any]] = (
    {"name": "standup-notes", "what": "notes of the standup", "schedule": {"cron": "0 * * * *"}},
    {
        "name": "invoice-watch", "what": "new invoices", "kind": "monitor", "schedule": {"cron": "0 9 * * *"},
        "delivery": {"channels": ["email"], "recipients": ["maya@acme.example"]},
    },
    {"name": "old-digest", "what": "digest of the news"},
    {
        "name": "sales-weekly", "what": "sales of the week", "sources": ["salesforce"],
        "schedule": {"cron": "0 9 * * 1", "text": "Mondays at 9:00 AM"},
        "delivery": {"channels": ["slack"], "recipients": ["#sales"]},
    },
    {"name": "stock-daily", "what": "stock levels", "schedule": {"cron": "30 18 * * *"}},
)  # fmt: skip
TASKS = ("Buy milk", "Renew passport", "Call Dr. Stein about biopsy")


class ActingTalk:
    """Maya's conversation with her five agents, one of them paused, and three tasks."""

    def __init__(self) -> None:
        self.talk = Talk(Caller(TenantId("acme"), "maya", frozenset({ADMIN})))
        for agent in AGENTS:
            self.talk.create(agent["name"], **{key: value for key, value in agent.items() if key != "name"})
        for title in TASKS:
            self.read(f'add a task "{title}"')
        self.read("pause old-digest")
        self.talk.history.clear()

    def say(self, message: str, answer: Mapping[str, Any] | str) -> TalkReply:
        """Answer the message, for which the model returns this."""
        text = answer if isinstance(answer, str) else json.dumps(answer)
        return self._answered(message, self._analyzer(text))

    def read(self, message: str) -> TalkReply:
        """Answer a message without a model."""
        return self._answered(message, self._analyzer(None))

    def state(self) -> dict[str, Any]:
        """Everything that a message may change."""
        caller, talk = self.talk.caller, self.talk
        runs, _ = talk.store.runs.list(caller, limit=50)
        return {
            "agents": {agent.name: _agent(agent.model_dump(mode="json")) for agent in talk.agents()},
            "tasks": {
                task.title: {"done": task.completed, "due": task.due_date and task.due_date.isoformat()}
                for task in talk.tasks.list(caller)[0]
            },
            "runs": sorted(run.agent_name for run in runs if run.status != "cancelled"),
            "cancelled": sorted(run.agent_name for run in runs if run.status == "cancelled"),
            "policy": talk.tenants.record(caller.tenant).policy.model_dump_json(),
            "skills": [card.id for card in talk.skills.visible_cards(caller)],
        }

    def _analyzer(self, text: str | None) -> IntentAnalyzer:
        clock = ManualClock()
        return IntentAnalyzer(
            offline=OfflineClassifier(),
            completion=None if text is None else ScriptedModels(clock, [response(text)]),
            model=None if text is None else FAST,
            clock=clock,
            registry=ModelRegistry(vendors=frozenset({Vendor.OPENAI}), intent_model=FAST, strong_models=()),
        )

    def _answered(self, message: str, analyzer: IntentAnalyzer) -> TalkReply:
        self.talk.clock.advance(1)
        turn_id = str(TurnId.make(CONVERSATION, self.talk.clock.now()))
        decision: Decision = analyzer.analyze(self.talk.turn(turn_id, message).situation)
        return self.talk._answered(turn_id, message, decision)


def answer_of(acts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a model's whole answer with these acts: its seven fields are those of the first act."""
    kind = ActKind(acts[0]["kind"])
    action = next((action for action, kinds in SAME_ACTION.items() if kind in kinds), ActionType.UNKNOWN)
    return {
        "action_type": action.value, "confidence": 0.95, "entities": {}, "reasoning": "",
        "is_ambiguous": False, "acts": list(acts),
    }  # fmt: skip


def _agent(stored: Mapping[str, Any]) -> dict[str, Any]:
    schedule = stored["schedule"] or {}
    return {
        "status": stored["status"], "shared": stored["shared"], "what": stored["what"],
        "cron": schedule.get("cron", ""), "zone": schedule.get("time_zone", ""),
        "sources": stored["sources"], "channels": stored["delivery"]["channels"],
        "to": stored["delivery"]["recipients"], "instructions": stored["instructions"],
        "brief": stored["brief"],
    }  # fmt: skip
