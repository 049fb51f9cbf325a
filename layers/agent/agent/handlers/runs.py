"""Answers to requests to run an agent, now or again, and to questions about runs.

A stream follower starts the run after the turn's commit (`agent.runs.triggers`): the reply says that it is
started, and where its result will appear.
"""

from __future__ import annotations

from collections.abc import Mapping

from agent import agent_targets, shared_runs
from agent.handler_interface import HandlerReply, TurnRequest, agent_reference, agent_references
from agent.handlers import clarification
from agent.requested_entities import CONFIRMED, EXACT, Entities, RequestedEntities
from agent.templates import agent_texts, run_texts
from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import AgentCard, AgentStatus
from agent.workspace.errors import RunNotFound
from agent.workspace.runs import Run, RunStatus, run_id_of_turn
from conversation.errors import QuotaExceeded
from conversation.limits.quotas import QuotaKind
from conversation.messages.models import Note, Pending, Reference
from intent.decision import ActionType, Decision
from intent.regular_expressions import LazyPattern

MAX_WORDS = 30
MAX_TAIL = 200
CHANGE = "change"

_IT = "(it|that|this|the (run|job|report|last run))"
_AGAIN = LazyPattern(
    r"\b(same (thing|one|job|report|run|analysis)( again)?|(again|once more|one more time|another time)"
    r"|(as|like) (last|before|the last)( time)?|(re-?run|repeat|redo))\b"
)
_WORK = LazyPattern(
    r"\b(run|re-?run|do|redo|repeat|execute|make|generate|start|launch|same|kick off|give me)\b"
)
_OTHER = LazyPattern(
    r"\b(creat(e|ing)|build|set ?up|schedule|every|daily|weekly|monthly|hourly)\b"
    r"|^\W*(what|who|why|how|when|where|which|tell|explain|show)\b"
)
_PROGRESS = LazyPattern(
    rf"\b((is|has|was) {_IT}( run)? (still |already |been )*"
    r"(done|ready|finish(ed)?|completed?|over|running|through)"
    rf"|(did|has) {_IT} (work|finish|run|succeed|fail)(ed)?"
    rf"|how('s| is| was| did) {_IT} (go(ing|ne)?|doing|coming along|went)"
    r"|how far is (it|the run)|(status|progress|state) of (it|that|(the|my) (last |latest )?run)"
    rf"|why (did|has|is|was) {_IT} (fail(ed)?|stop(ped)?|crash(ed)?|broken?)|what went wrong"
    r"|still running)\b|^\W*(done|finished|ready|status|progress|any news)( yet)?\W*$"
)
_WORKER = "(it|that|the (run|agent|job|last run))"
_OUTCOME = "(results?|output|outcome|findings)"
_RESULT = LazyPattern(
    rf"\bwhat (did|has) {_WORKER} (find|found|say|said|come up with|produced?|return(ed)?|do|done|get|got"
    r"|deliver(ed)?|result in)\b"
    rf"|\bwhat does {_WORKER} (find|say|come up with|produce|return|deliver)\b"
    rf"|\bwhat {_WORKER} (has )?(found|said|came up with|produced|returned|did|got)\b"
    rf"|\b(show|give|tell|send|read)( me| us)?( again)? (the|its|that) {_OUTCOME}\b"
    rf"|\bwhat( was| is| were| are|'s) (the|its) {_OUTCOME}\b|\bwhat came out\b"
)
_STOP = LazyPattern(
    r"^\W*((please|ok|okay|no|wait|actually|oh)\W+)*((can|could) you (please )?)?"
    r"(cancel|stop|abort|kill|halt) (it|that|this"
    r"|(the|that|my|this)( (last|latest|current))? (run|execution|job)"
    r"|the (first|second|third|last) (one|run))( please| now)*\W*$"
)
_START = LazyPattern(
    r"^\W*((please|ok|okay|now|and|can you|could you)\W+)*(re-?)?(start|turn|switch|activate)"
    r" (it|that|this|him|her)( back)?( on)?( again)?( please| now)*\W*$"
)
_NAMES_A_RUN = LazyPattern(r"\b(the|that|my|this|last|latest|current) (run|execution)\b")
_TAIL = LazyPattern(
    r"\b(?:but|except|only)\s+(?:(?:this time|now)\s+)?"
    r"(?:(?:for|with|using|about|on|in|from|of)\s)?([\s\S]+)",
)


def asks_again(message: str) -> bool:
    """Whether the message asks to repeat an earlier run."""
    is_short = len(message.split()) <= MAX_WORDS
    return is_short and bool(_AGAIN.search(message) and _WORK.search(message)) and not _OTHER.search(message)


def _asks_how_far(message: str) -> bool:
    """Whether the message asks how far a run is."""
    return _is_short(message) and _PROGRESS.search(message) is not None


def asks_for_result(message: str) -> bool:
    """Whether the message asks for the result of a run."""
    return _is_short(message) and _RESULT.search(message) is not None


def asks_to_stop(message: str) -> bool:
    """Whether the message asks to stop a run."""
    return _STOP.search(message) is not None


def _asks_to_start(message: str) -> bool:
    """Whether the message may ask to resume something that was paused."""
    return _START.search(message) is not None


def _names_a_run(message: str) -> bool:
    """Whether the message mentions a run, not just "it"."""
    return _NAMES_A_RUN.search(message) is not None


def parameters(message: str, wish: RequestedEntities) -> Mapping[str, str]:
    """What applies to this run only; when no rule recognises it, the words behind "but"."""
    known = {
        "period": wish.period,
        "scope": wish.scope,
        "condition": wish.condition,
        "format": wish.format,
        "deadline": wish.deadline,
    }
    own = {name: value for name, value in known.items() if value}
    tail = _TAIL.search(shared_runs.without_wishes(message))
    if own or tail is None:
        return own
    words = " ".join(tail.group(1).split())[:MAX_TAIL].strip(" .,;:!?")
    return {CHANGE: words} if words else {}


def _is_short(message: str) -> bool:
    return len(message.split()) <= MAX_WORDS // 2


LOOKED_AT = 50
_FROM_NOW_ON = LazyPattern(
    r"\b(every|each)\b"
    r"|\b(hourly|daily|nightly|weekly|monthly|on (weekdays|weekends|\w+days))\b( at [\w: ]+)?\W*$"
)
_OPEN = (ActionType.EXECUTE_TASK, ActionType.UNKNOWN)


def reply(turn: TurnRequest, entities: Entities, store: AgentStore) -> HandlerReply:
    """The answer to a request to have something done now."""
    if (answered := shared_runs.reply_to_answer(turn, entities, store, is_yes=True)) is not None:
        return answered
    wish = RequestedEntities.of(entities)
    card = agent_targets.find_agent(turn, wish, store)
    if card is not None:
        exact = entities.get(EXACT) if entities.get(CONFIRMED) is True else None
        own = _as_parameters(exact) if isinstance(exact, dict) else parameters(turn.message, wish)
        return _start(turn, card, own, store)
    cards = turn.visible_agents()
    if wish.ordinal is not None or (not cards and wish.agent_name is not None):
        return HandlerReply(agent_texts.no_such_agent(cards), Note(listed=agent_references(cards)))
    return clarification.options_for_task(turn, entities)


def reply_to_refusal(turn: TurnRequest, pending: Pending, store: AgentStore) -> HandlerReply | None:
    """The answer to a no, where it does not just end the matter; else None."""
    return shared_runs.reply_to_answer(turn, pending.entities, store, is_yes=False)


def _as_parameters(exact: Entities) -> Mapping[str, str]:
    return {name: value for name, value in exact.items() if isinstance(value, str)}


def is_schedule_change(turn: TurnRequest, entities: Entities, store: AgentStore) -> bool:
    """Whether the message gives the caller's agent a schedule, not work for now: ``run it every day at
    5``.
    """
    wish = RequestedEntities.of(entities)
    if wish.schedule_text is None or _FROM_NOW_ON.search(turn.message) is None:
        return False
    card = agent_targets.find_agent(turn, wish, store)
    return card is not None and card.owner == turn.caller.user


def agent_to_resume(turn: TurnRequest) -> AgentCard | None:
    """The paused agent just talked about, when "start it again" means its schedule and not a run."""
    about = turn.note.about
    if about is None or about.kind != "agent" or not _asks_to_start(turn.message):
        return None
    cards = (card for card in turn.own_agents() if card.id == about.id and card.status is AgentStatus.PAUSED)
    return next(cards, None)


def reply_about_earlier_run(
    turn: TurnRequest, decision: Decision, wish: RequestedEntities, store: AgentStore
) -> HandlerReply | None:
    """The answer to a message about an earlier run; None when it is about something else.

    The words decide: whether "it" is a run depends on what was talked about, which no tier's decision tells.
    """
    message = turn.message
    if asks_again(message) and decision.action_type in _OPEN:
        return _again(turn, wish, store)
    is_stop = asks_to_stop(message)
    asks = is_stop or _asks_how_far(message) or asks_for_result(message)
    run = _meant(turn, wish, store) if asks else None
    if run is None:
        return _never_ran(turn, store) if asks and not is_stop else None
    if is_stop:
        is_meant = not run.status.is_final or _names_a_run(message)
        return _stop(turn, run, store) if is_meant else None  # "stop it" after the run means its agent
    note = Note(about=_reference(run))
    return HandlerReply(run_texts.shown(run, turn.situation.time_zone), note, used_tools=("show_run",))


def _never_ran(turn: TurnRequest, store: AgentStore) -> HandlerReply | None:
    """The answer about a run when none is known; None when something other than an agent was talked about."""
    about = agent_targets.last_subject(turn)
    if about is not None and about.kind != "agent":
        return None
    if about is not None:
        return HandlerReply(run_texts.never_ran(about.name), Note(about=about))
    last = _newest(turn, store)
    if last is None:
        return HandlerReply(run_texts.listed((), turn.situation.time_zone), used_tools=("list_runs",))
    words = run_texts.shown(last, turn.situation.time_zone)
    return HandlerReply(words, Note(about=_reference(last)), used_tools=("show_run",))


def _again(turn: TurnRequest, wish: RequestedEntities, store: AgentStore) -> HandlerReply | None:
    """A run like an earlier one; None when the agent that is meant never ran."""
    card = agent_targets.find_agent(turn, wish, store) if wish.agent_name or wish.agent_id else None
    about = agent_targets.last_subject(turn)
    if card is None and about is not None and about.kind == "agent" and agent_targets.refers_back(turn):
        card = agent_targets.find_by_id(turn, about.id, store)
    last = _last(turn, card, store)
    if last is None:
        return (
            None
            if card is not None
            else HandlerReply(run_texts.nothing_to_repeat(), used_tools=("list_runs",))
        )
    again = card or agent_targets.find_by_id(turn, last.agent_id, store)
    if again is None:
        return HandlerReply(agent_texts.gone(last.agent_name))
    own = parameters(turn.message, wish)
    return _start(turn, again, {**last.parameters, **own}, store, last=last)


def _last(turn: TurnRequest, card: AgentCard | None, store: AgentStore) -> Run | None:
    """The run to repeat: the agent's newest, else the one just talked about, else the newest of all, in any
    conversation.
    """
    about = agent_targets.last_subject(turn)
    if card is None and about is not None and about.kind == "run" and (run := _get(turn, about.id, store)):
        return run
    return _newest(turn, store, agent_id=card.id if card else None)


def _newest(turn: TurnRequest, store: AgentStore, *, agent_id: str | None = None) -> Run | None:
    """The user's newest run, of that agent or of any; None when there is none among the last `LOOKED_AT`."""
    runs, _ = store.runs.list(turn.caller, limit=LOOKED_AT if agent_id else 1)
    return next((run for run in runs if agent_id in (None, run.agent_id)), None)


def _meant(turn: TurnRequest, wish: RequestedEntities, store: AgentStore) -> Run | None:
    """The run that a message means: by its place in a list, by what was just talked about, or by the word
    "run".
    """
    if wish.ordinal is not None:
        picked = agent_targets.item_in_last_list(turn, wish.ordinal)
        return _get(turn, picked.id, store) if picked is not None and picked.kind == "run" else None
    about = agent_targets.last_subject(turn)
    if about is not None and about.kind == "run":
        return _get(turn, about.id, store)
    if about is not None and about.kind == "agent":
        return _newest(turn, store, agent_id=about.id)
    return _newest(turn, store) if _names_a_run(turn.message) else None


def _get(turn: TurnRequest, run_id: str, store: AgentStore) -> Run | None:
    try:
        return store.runs.get(turn.caller, run_id)
    except RunNotFound:
        return None


def _stop(turn: TurnRequest, run: Run, store: AgentStore) -> HandlerReply:
    about = Note(about=_reference(run))
    if run.status.is_final:
        return HandlerReply(run_texts.already_over(run), about)
    note = Note(did=f"cancelled the run of {run.agent_name}", about=_reference(run))
    effects = store.runs.cancel_actions(turn.caller.tenant, run)
    is_begun = run.status is RunStatus.RUNNING
    return HandlerReply(run_texts.stopped(run, is_begun=is_begun), note, effects, ("cancel_run",))


def _start(
    turn: TurnRequest,
    card: AgentCard,
    parameters: Mapping[str, str],
    store: AgentStore,
    *,
    last: Run | None = None,
) -> HandlerReply:
    if card.owner != turn.caller.user:
        return shared_runs.start(turn, card, parameters, store, last=last)
    try:
        store.runs.quotas.take(turn.caller, QuotaKind.RUNS, record=turn.roster.record)
    except QuotaExceeded as exceeded:
        return HandlerReply(str(exceeded), Note(about=agent_reference(card)))
    now = turn.situation.now
    run = Run.create(
        card,
        run_id=run_id_of_turn(turn.turn_id, now),
        user=turn.caller.user,
        now=now,
        conversation_id=turn.conversation_id,
        parameters=parameters,
    )
    note = Note(did=f"started a run of {card.name}", about=_reference(run))
    text = run_texts.started(card, run, last=last, time_zone=turn.situation.time_zone)
    effects = store.runs.queue_actions(turn.caller.tenant, run)
    return HandlerReply(
        text, note, effects, ("run_agent",), effect=agent_targets.run_effect(card, parameters)
    )


def _reference(run: Run) -> Reference:
    return Reference(kind="run", id=run.id, name=run.agent_name)
