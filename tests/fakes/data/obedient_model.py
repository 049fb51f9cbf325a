"""A conversation whose intent model returns what it is told to, whatever the message says.

The analyzer is the real one, so that plain answers and commands are read without the model, as in a turn.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from pydantic import JsonValue

from conversation.identity import ADMIN, Caller, TurnId
from intent.analysis.analyzer import IntentAnalyzer
from intent.decision import Decision
from intent.offline.offline_classifier import OfflineClassifier
from llm.available_models import ModelRegistry
from llm.catalogue import Vendor
from storage.keys import TenantId
from tests.fakes.data.chat_session import CONVERSATION, Talk, TalkReply
from tests.fakes.models.scripted_models import FAST, ScriptedModels, response
from tests.fakes.run.clocks import ManualClock

STANDUP, INVOICE, DIGEST = "standup-notes", "invoice-watch", "old-digest"
TASKS = ("Buy milk", "Renew passport", "Call Dr. Stein about biopsy")
_OFFLINE = OfflineClassifier()


class ObedientTalk:
    """Maya's conversation with her three agents and three tasks; she is an administrator."""

    def __init__(self) -> None:
        self.talk = Talk(Caller(TenantId("acme"), "maya", frozenset({ADMIN})))
        hourly = {"cron": "0 * * * *", "text": "Every hour"}
        daily = {"cron": "0 9 * * *", "text": "Daily at 9:00 AM"}
        mail = {"channels": ["email"], "recipients": ["maya@acme.example"]}
        self.talk.create(STANDUP, "standup notes", schedule=hourly)
        self.talk.create(INVOICE, "new invoices", kind="monitor", schedule=daily, delivery=mail)
        self.talk.create(DIGEST, "digest of old things")
        self.read(f"pause {DIGEST}")
        for title in TASKS:
            self.read(f'add a task "{title}"')
        self.before = self.state()

    def say(self, message: str, action: str, **entities: JsonValue) -> TalkReply:
        """Answer the message, for which the model returns this verdict."""
        return self.obey(message, {"action_type": action, "confidence": 0.97, "entities": entities})

    def obey(self, message: str, verdict: Mapping[str, JsonValue]) -> TalkReply:
        """The same with the whole verdict."""
        decision = self._decide(message, verdict)
        self.talk.clock.advance(1)
        return self.talk._answered(self._turn_id(), message, decision)

    def answer(self, message: str) -> TalkReply:
        """Answer a message for which the model returns a yes to anything."""
        return self.obey(message, {"action_type": "unknown", "confidence": 0.9, "entities": {"reply": "yes"}})

    def read(self, message: str) -> TalkReply:
        """Answer a message that the offline tier reads, without a model."""
        decision = _OFFLINE.classify(self.talk.turn(self._turn_id(), message).situation)
        self.talk.clock.advance(1)
        return self.talk._answered(self._turn_id(), message, decision)

    def state(self) -> tuple[object, ...]:
        """Everything that a message may change."""
        caller, talk = self.talk.caller, self.talk
        agents = tuple(agent.model_dump_json() for agent in talk.agents())
        tasks = tuple(task.model_dump_json() for task in talk.tasks.list(caller)[0])
        runs = tuple(run.id for run in talk.store.runs.list(caller, limit=50)[0])
        policy = talk.tenants.record(caller.tenant).policy.model_dump_json()
        skills = tuple(card.id for card in talk.skills.visible_cards(caller))
        return agents, tasks, runs, policy, skills

    def has_changed(self) -> bool:
        """Whether anything differs from the beginning."""
        return self.state() != self.before

    def _decide(self, message: str, verdict: Mapping[str, JsonValue]) -> Decision:
        clock = ManualClock()
        analyzer = IntentAnalyzer(
            offline=_OFFLINE,
            completion=ScriptedModels(clock, [response(json.dumps(verdict))]),
            model=FAST,
            clock=clock,
            registry=ModelRegistry(vendors=frozenset({Vendor.OPENAI}), intent_model=FAST, strong_models=()),
        )
        return analyzer.analyze(self.talk.turn(self._turn_id(), message).situation)

    def _turn_id(self) -> str:
        return str(TurnId.make(CONVERSATION, self.talk.clock.now()))
