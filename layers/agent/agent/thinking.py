"""From a message to a reply that is not stored yet: read, assemble, understand, act.

Order, leases and storing belong to `agent.turns`; nothing here writes.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from agent.events import Chunk, ContextAssembled, Decided, Outcome, ReplyEvent, Thinking, ToolUsed, TurnEvent
from agent.master import Turn
from agent.roster import Roster, Rosters
from conversation.clock import Clock
from conversation.context import DEFAULT_BUDGET_TOKENS, DEFAULT_MAX_MESSAGES, assemble
from conversation.leading import Led, Reply
from conversation.models import Message
from conversation.turns import TurnProtocol
from intent import entities
from intent.decision import Decision
from intent.situation import KnownAgent, Situation
from storage.table import Action

LOG = logging.getLogger("omniforge.turns")

WINDOW_TOKENS = 8_000
"""The smallest context window of a model worth asking; the last three exchanges are shortened to it."""


@dataclass(frozen=True, slots=True)
class ContextLimits:
    """How much of a conversation goes along with a message."""

    budget_tokens: int = DEFAULT_BUDGET_TOKENS
    max_messages: int = DEFAULT_MAX_MESSAGES
    window_tokens: int = WINDOW_TOKENS


@dataclass(frozen=True, slots=True)
class Thought:
    """A reply that is not stored yet, and what it changes."""

    reply: Reply
    effects: tuple[Action, ...]


class Analyzer(Protocol):
    """Understands a message: `intent.analyzer.IntentAnalyzer`."""

    def analyze(self, situation: Situation) -> Decision:
        """What the message asks for; never fails for want of a model."""


class Master(Protocol):
    """Answers an understood message: `agent.master.MasterAgent`."""

    def reply(self, turn: Turn, decision: Decision) -> Iterator[ReplyEvent]:
        """The reply's pieces and tools as they come; an `Outcome` ends it."""


class Thinker:
    """Understands and answers one message at a time; safe to use from several threads."""

    def __init__(
        self,
        *,
        protocol: TurnProtocol,
        rosters: Rosters,
        analyzer: Analyzer,
        master: Master,
        clock: Clock,
        limits: ContextLimits,
    ) -> None:
        self._protocol = protocol
        self._rosters = rosters
        self._analyzer = analyzer
        self._master = master
        self._clock = clock
        self._limits = limits
        self._beside = ThreadPoolExecutor(max_workers=4, thread_name_prefix="roster")

    def read(self, led: Led) -> tuple[tuple[Message, ...], Roster]:
        """The newest messages and the tenant's roster, read side by side when the roster is not cached."""
        roster = self._rosters.cached(led.tenant)
        if roster is not None:
            history = self._protocol.read(led, limit=self._limits.max_messages)
            return history, self._no_older_than(history, led, roster)
        fetching = self._beside.submit(self._rosters.for_tenant, led.tenant)
        return self._protocol.read(led, limit=self._limits.max_messages), fetching.result()

    def think(
        self, led: Led, history: Sequence[Message], roster: Roster, *, trace_id: str
    ) -> Generator[TurnEvent, None, Thought]:
        """Understand and answer the message in front, telling what happens on the way."""
        started = self._clock.monotonic()
        yield Thinking("understanding")
        limits = self._limits
        context = assemble(
            history,
            budget_tokens=limits.budget_tokens,
            max_messages=limits.max_messages,
            window_tokens=limits.window_tokens,
        )
        LOG.debug(
            "context assembled",
            extra={
                "message_count": len(context.messages),
                "total_tokens": context.tokens,
                "budget": limits.budget_tokens,
            },
        )
        yield ContextAssembled(len(context.messages), context.tokens, limits.budget_tokens)
        situation = self._situation(led, context.messages, roster)
        decision = self._analyzer.analyze(situation)
        _log(decision)
        yield Decided(decision)
        roster = self._knowing_the_named(decision, roster, led)
        yield Thinking("acting")
        turn = Turn(str(led.turn_id), led.caller, self._situation(led, context.messages, roster), roster)
        content: list[str] = []
        tools: list[str] = []
        outcome = Outcome()
        for event in self._master.reply(turn, decision):
            if isinstance(event, Outcome):
                outcome = event
                continue
            if isinstance(event, Chunk):
                content.append(event.text)
            elif isinstance(event, ToolUsed):
                tools.append(event.name)
            yield event
        elapsed_ms = round((self._clock.monotonic() - started) * 1000)
        metadata = _metadata(decision, tools, elapsed_ms, trace_id)
        return Thought(Reply("".join(content), metadata, outcome.note), outcome.effects)

    def forget_roster(self, led: Led) -> Roster:
        """The roster as it stands now."""
        self._rosters.drop(led.tenant)
        return self._rosters.for_tenant(led.tenant)

    def _no_older_than(self, history: Sequence[Message], led: Led, roster: Roster) -> Roster:
        """The conversation may speak of something another process made after our roster was read."""
        changed = any(message.note.did and message.created_at > roster.read_at for message in history)
        return self.forget_roster(led) if changed else roster

    def _knowing_the_named(self, decision: Decision, roster: Roster, led: Led) -> Roster:
        name = decision.entities.get(entities.AGENT_NAME)
        known = name is None or any(card.name == name for card in roster.visible_to(led.caller.user))
        return roster if known or roster.read_at >= led.entry.received_at else self.forget_roster(led)

    def _situation(self, led: Led, history: tuple[Message, ...], roster: Roster) -> Situation:
        policy = roster.record.policy
        cards = roster.visible_to(led.caller.user)
        return Situation(
            message=led.entry.content,
            now=self._clock.now(),
            history=history,
            agents=tuple(KnownAgent(card.id, card.name, card.summary) for card in cards),
            skills=roster.skills,
            tenant_name=roster.record.name or led.tenant,
            assistant_name=policy.assistant_name,
            language=policy.language,
            time_zone=led.entry.time_zone or policy.time_zone,
            tone=policy.tone,
            instructions=policy.instructions,
            model=led.entry.model,
            allowed_models=frozenset(policy.allowed_models) if policy.allowed_models is not None else None,
        )


def _log(decision: Decision) -> None:
    LOG.info(
        "intent decided",
        extra={
            "model": decision.model,
            "latency_ms": decision.latency_ms,
            "action_type": decision.action_type.value,
            "confidence": decision.confidence,
            "source": decision.source.value,
        },
    )
    if decision.fallback_reason:
        LOG.warning("keyword fallback used", extra={"reason": decision.fallback_reason})


def _metadata(
    decision: Decision, tools: list[str], elapsed_ms: int, trace_id: str
) -> Mapping[str, JsonValue]:
    return {
        "decision": decision.model_dump(mode="json"),
        "tool_calls": list(tools),
        "usage": {"cost_usd": decision.cost_usd},
        "processing_time_ms": elapsed_ms,
        "trace_id": trace_id,
    }
