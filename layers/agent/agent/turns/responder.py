"""From a message to a reply that is not stored yet: reads, builds the context, understands, acts.

`agent.turns.service` is responsible for order, leases and storing; nothing is written here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Event
from typing import NamedTuple, Protocol, TypeAlias

from agent.handler_interface import TurnRequest, known_agents, lessons_for
from agent.inference.turn_budget import TurnBudget
from agent.templates import budget_texts, skill_texts
from agent.turn_events import Chunk, ContextAssembled, Decided, Outcome, ReplyEvent, Thinking, TurnEvent
from agent.turns.redaction import contains_credentials, redact_events, redact_window
from agent.turns.reply_accumulator import ReplyAccumulator, words_or_pick
from agent.turns.turn_context import context_for, needs_summary, receipt_metadata
from agent.workspace.agents import is_slug
from agent.workspace.roster import Roster, RosterCache
from conversation.clock import Clock, Deadline
from conversation.context.window import Context, ContextLimits
from conversation.messages.history import Window
from conversation.messages.models import Message, Note
from conversation.messages.provenance import READ_FILES
from conversation.redaction.masking import mask_for_models
from conversation.turns.lease import HeldLease, Reply
from conversation.turns.turn_protocol import TurnProtocol
from conversation.usage.counters import ModelUsage, counts_of_turn, increment
from intent.analysis.act_analysis import decided_acts
from intent.decision import ActionType, Decision
from intent.entities import extraction
from intent.regular_expressions import MAX_CHARACTERS
from intent.situation import Situation
from llm.available_models import ModelRegistry
from llm.spend_guard import SpendGuard
from resilience.cpu_limit import CpuLimit
from storage.errors import StorageUnavailable
from storage.table import Action
from tasks.store import TaskStore
from tasks.task import Task

LOG = logging.getLogger("omniforge.turns")

MAX_DRAFTS = 3
"""How many replies are drafted for a turn whose effects keep conflicting, before it fails."""

ABOUT_AGENTS = frozenset({ActionType.EXECUTE_TASK, ActionType.UPDATE_AGENT, ActionType.QUERY_INFO})
"""Actions whose answer may be that there are no agents."""

_COMPOUNDS = frozenset(
    {"e-mail", "e-mails", "to-do", "to-dos", "follow-up", "follow-ups", "sign-up", "set-up"}
)
"""Usual words with a hyphen, which are hardly names of agents."""

_MOST_TASKS = 100

STOPPED_REPLY = "You stopped me before I had said anything."

SETUP_ACTIONS = frozenset({ActionType.CREATE_AGENT, ActionType.CREATE_SKILL, ActionType.UPDATE_AGENT})

_Event: TypeAlias = ContextAssembled | Decided | ReplyEvent


class DraftReply(NamedTuple):
    """A reply that is not stored yet, and the changes it makes."""

    reply: Reply
    effects: tuple[Action, ...]
    usage_writes: tuple[Action, ...] = ()
    """Adds the models' usage to the user's counters, which no turn reads."""


class Analyzer(Protocol):
    """Understands a message: `intent.analysis.analyzer.IntentAnalyzer`."""

    def analyze(self, situation: Situation, budget: SpendGuard | None = None) -> Decision:
        """Return what the message asks for; never fails for lack of a model, which ``budget`` pays for."""


class Master(Protocol):
    """Answers an understood message: `agent.chat.master_agent.MasterAgent`."""

    def reply(self, turn: TurnRequest, decision: Decision) -> Iterator[ReplyEvent]:
        """Yield the reply's text and tool uses as they come; an `Outcome` ends it, unless the turn was
        stopped.
        """


class Responder:
    """Understands and answers one message at a time; safe to use from several threads."""

    def __init__(
        self,
        *,
        protocol: TurnProtocol,
        rosters: RosterCache,
        analyzer: Analyzer,
        master: Master,
        clock: Clock,
        limits: ContextLimits,
        cpu_limit: CpuLimit,
        registry: ModelRegistry | None = None,
        tasks: TaskStore | None = None,
        page_url: str | None = None,
    ) -> None:
        """``registry`` knows the models there are for agents; None: some are assumed. ``tasks`` are the
        users' tasks; None: nobody has any. ``page_url`` is where the page is; None: unknown.
        """
        self._page_url = page_url
        self._registry = registry
        self._protocol = protocol
        self._rosters = rosters
        self._analyzer = analyzer
        self._master = master
        self._clock = clock
        self._limits = limits
        self._cpu_limit = cpu_limit
        self._tasks = tasks
        self._beside = ThreadPoolExecutor(max_workers=4, thread_name_prefix="roster")

    def read_window_and_roster(self, led: HeldLease) -> tuple[Window, Roster]:
        """The newest messages and the tenant's roster; both are read in parallel when the roster is not
        cached.
        """
        roster = self._rosters.cached(led.tenant)
        if roster is not None:
            window = self._protocol.read_history(led, limit=self._limits.max_messages)
            return window, self._no_older_than(window.messages, led, roster)
        fetching = self._beside.submit(self._rosters.for_tenant, led.tenant)
        return self._protocol.read_history(led, limit=self._limits.max_messages), fetching.result()

    def respond(
        self,
        led: HeldLease,
        window: Window,
        roster: Roster,
        *,
        budget: TurnBudget,
        deadline: Deadline,
        trace_id: str,
        stop: Event,
    ) -> Generator[TurnEvent, None, DraftReply]:
        """Understand and answer the message in front, yielding events on the way.

        Once ``stop`` is set, it goes no further: the reply is the text so far, and the turn's changes are not
        made. A turn that takes too much processor time ends the process.
        """
        with self._cpu_limit.enforced():
            return (
                yield from self._respond(
                    led, window, roster, budget=budget, deadline=deadline, trace_id=trace_id, stop=stop
                )
            )

    def _respond(
        self,
        led: HeldLease,
        window: Window,
        roster: Roster,
        *,
        budget: TurnBudget,
        deadline: Deadline,
        trace_id: str,
        stop: Event,
    ) -> Generator[TurnEvent, None, DraftReply]:
        started = self._clock.monotonic()
        policy = roster.record.policy
        window = redact_window(window) if policy.masks_secrets else window
        context = context_for(window, led, self._limits)
        situation = self._situation(led, context, roster, self._task_reader(led))
        recorder = _EventRecorder()
        events = self._events(led, context, situation, roster, budget=budget, deadline=deadline, stop=stop)
        yield from recorder.forward(redact_events(events) if policy.masks_secrets else events)
        if recorder.is_partial:
            yield from recorder.append_if_empty(STOPPED_REPLY)
        else:
            if budget.refused_by is not None:
                yield recorder.append(budget_texts.budget_spent(budget.refused_by))
            if recorder.sets_something_up and contains_credentials(led.entry):
                yield recorder.append(skill_texts.secret_by_name_hint())
        elapsed_ms = round((self._clock.monotonic() - started) * 1000)
        accumulated, partial = recorder.accumulated, {"partial": True} if recorder.is_partial else {}
        metadata = {
            **accumulated.metadata(recorder.decision, budget.usage, elapsed_ms=elapsed_ms, trace_id=trace_id),
            **receipt_metadata(context, self._limits),
            **({READ_FILES: True} if led.entry.attachments else {}),
            **partial,
        }
        note = recorder.note(situation)
        folds = needs_summary(window, led, accumulated.text, self._limits)
        reply = Reply(accumulated.text, metadata, note, accumulated.outcome.tool_messages, folds)
        return DraftReply(reply, accumulated.outcome.effects, self._counting(led, budget.usage))

    def _events(
        self,
        led: HeldLease,
        context: Context,
        situation: Situation,
        roster: Roster,
        *,
        budget: TurnBudget,
        deadline: Deadline,
        stop: Event,
    ) -> Iterator[_Event]:
        """Yield the events from the message to the outcome of its reply, or until the turn is stopped."""
        yield Thinking("understanding")
        if stop.is_set():
            return
        yield self._assembled(context)
        decision = self._analyzer.analyze(situation, budget)
        if self._may_lack_agents(decision, roster, led):
            known, roster = roster, self._reread(led, roster)
            situation = self._situation(led, context, roster, situation.read_tasks)
            if roster.agents != known.agents:
                decision = self._analyzer.analyze(situation, budget)
        _log(decision)
        yield Decided(decision)
        if stop.is_set():
            return
        yield Thinking("acting")
        turn = TurnRequest(
            str(led.turn_id),
            led.caller,
            situation,
            roster,
            budget,
            deadline,
            stop.is_set,
            lambda: self._has_model(roster),
            page_url=self._page_url,
            files=led.entry.attachments,
        )
        yield from self._master.reply(turn, decision)

    def _assembled(self, context: Context) -> ContextAssembled:
        budget_tokens = self._limits.budget_tokens
        LOG.debug(
            "context assembled",
            extra={
                "message_count": len(context.messages),
                "total_tokens": context.tokens,
                "budget": budget_tokens,
            },
        )
        return ContextAssembled(len(context.messages), context.tokens, budget_tokens)

    def reload_roster(self, led: HeldLease) -> Roster:
        """Drop the cached roster and return it read anew."""
        self._rosters.invalidate(led.tenant)
        return self._rosters.for_tenant(led.tenant)

    def _reread(self, led: HeldLease, roster: Roster) -> Roster:
        """Return the roster read anew; while storage can't be reached the known one, with which the message
        is answered now and stored later.
        """
        try:
            return self.reload_roster(led)
        except StorageUnavailable:
            return roster._replace(read_at=self._clock.now())

    def _has_model(self, roster: Roster) -> bool:
        allowed = roster.record.policy.model_allowlist
        return self._registry is None or bool(self._registry.find_strong_models(allowed))

    def _counting(self, led: HeldLease, usage: ModelUsage) -> tuple[Action, ...]:
        """Return the counter update; none for a turn that used no model, so that such a turn costs no extra
        write.
        """
        if usage.is_empty:
            return ()
        return (increment(led.caller, led.conversation_id, self._clock.now(), counts_of_turn(usage)),)

    def _no_older_than(self, history: Sequence[Message], led: HeldLease, roster: Roster) -> Roster:
        """Return the roster, read anew when the history mentions a change made after it was read, perhaps by
        another process.
        """
        changed = any(message.note.did and message.created_at > roster.read_at for message in history)
        return self.reload_roster(led) if changed else roster

    def _may_lack_agents(self, decision: Decision, roster: Roster, led: HeldLease) -> bool:
        """Whether the message is about an agent that another process may have made since the roster was
        read: nobody is told that there is none before it was read anew.
        """
        if roster.read_at >= led.entry.received_at:
            return False
        cards = roster.visible_to(led.caller.user)
        if not cards and decision.action_type in ABOUT_AGENTS:
            return True
        names = {card.name for card in cards}
        named = decision.entities.get(extraction.AGENT_NAME)
        return (named is not None and named not in names) or not _slugs_in(led.entry.content) <= names

    def _task_reader(self, led: HeldLease) -> Callable[[], Sequence[Task]]:
        """Return what reads the user's tasks, the first time it is called."""
        store = self._tasks
        return cache(lambda: store.list(led.caller, completed=None, limit=_MOST_TASKS)[0] if store else ())

    def _situation(
        self, led: HeldLease, context: Context, roster: Roster, read_tasks: Callable[[], Sequence[Task]]
    ) -> Situation:
        policy = roster.record.policy
        cards = roster.visible_to(led.caller.user)
        said = words_or_pick(led.entry.content, context.messages)
        return Situation(
            message=mask_for_models(said),
            raw_message=said,
            now=self._clock.now(),
            history=context.messages,
            summary=context.summary,
            agents=known_agents(cards, led.caller.user),
            skills=tuple(skill.name for skill in roster.skills_of(led.caller.user)),
            tenant_name=roster.record.name or led.tenant,
            assistant_name=policy.assistant_name,
            language=policy.language,
            time_zone=led.entry.time_zone or policy.time_zone,
            tone=policy.tone,
            instructions=policy.instructions,
            model=led.entry.model or _settled_on(context.messages),
            allowed_models=policy.model_allowlist,
            read_tasks=read_tasks,
            lessons=lessons_for(led.caller.user, roster.lessons),
        )


def _slugs_in(message: str) -> frozenset[str]:
    """The words of a message that have the form of an agent's name of several words."""
    words = (word.strip(".,;:!?()\"'").lower() for word in message[:MAX_CHARACTERS].split())
    return frozenset(word for word in words if "-" in word and is_slug(word)) - _COMPOUNDS


class _EventRecorder:
    """Collects the events of a turn up to its outcome, or until it is stopped."""

    def __init__(self) -> None:
        self.accumulated = ReplyAccumulator()
        self.decision: Decision | None = None
        self.is_partial = True
        """Whether the outcome is still missing."""

    @property
    def sets_something_up(self) -> bool:
        """Whether the message asks for an agent or a skill, or for a change of an agent."""
        return self.decision is not None and self.decision.action_type in SETUP_ACTIONS

    def forward(self, events: Iterator[_Event]) -> Iterator[TurnEvent]:
        """Record all events and forward them, except the `Outcome`."""
        for event in events:
            self._hear(event)
            if not isinstance(event, Outcome):
                yield event

    def append(self, text: str) -> Chunk:
        """Add words of our own to the end of the reply."""
        chunk = Chunk(text)
        self._hear(chunk)
        return chunk

    def append_if_empty(self, text: str) -> Iterator[Chunk]:
        """Add words of our own only when the reply has no text."""
        if not self.accumulated.text:
            yield self.append(text)

    def note(self, situation: Situation) -> Note:
        """Return the note of the reply; a reply that was cut short keeps open what was open before it."""
        note = self.accumulated.outcome.note
        note = note.with_open_from(situation.last_note()) if self.is_partial else note
        return note.model_copy(update={"model": situation.model}) if situation.model else note

    def _hear(self, event: _Event) -> None:
        match event:
            case Decided():
                self.decision = event.decision
            case ContextAssembled():
                pass
            case Outcome():
                if self.decision is not None and event.meant is not None:
                    self.decision = self.decision.model_copy(update={"acts": decided_acts(event.meant)})
                self.accumulated.add(event)
                self.is_partial = False
            case _:
                self.accumulated.add(event)


def _settled_on(history: Sequence[Message]) -> str | None:
    """Return the model that a request named last; it applies until another one is named."""
    return next((message.note.model for message in reversed(history) if message.note.model), None)


def _log(decision: Decision) -> None:
    LOG.info(
        "intent decided",
        extra={
            "model": decision.model,
            "latency_ms": decision.latency_ms,
            "action_type": decision.action_type.value,
            "confidence": decision.confidence,
            "source": decision.source.value,
            "cost_usd": decision.cost_usd,
        },
    )
    if decision.fallback_reason:
        LOG.warning("keyword fallback used", extra={"reason": decision.fallback_reason})
    if decision.offline_because_cold:
        LOG.info("model not loaded yet", extra={"turns": 1})
