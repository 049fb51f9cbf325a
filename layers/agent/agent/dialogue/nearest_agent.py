"""Work that a model finds no agent made for: the nearest one and why it doesn't fit, or a new one."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result
from agent.handler_interface import TurnRequest
from agent.templates import agent_texts
from agent.workspace.agents import MAX_FIELD_CHARACTERS
from agent.workspace.naming import NearestAgent, find_nearest_agent
from conversation.messages.models import Reference
from intent.acts.act import ActKind
from intent.acts.scene import Asked
from intent.decision import ActionType, Decision, DecisionSource

_ANSWERS = frozenset({ActKind.YES, ActKind.NO, ActKind.LATER, ActKind.PICK, ActKind.ANSWER})


def is_unclear_work(decision: Decision) -> bool:
    """Return whether a model takes a message for work that may as well need a new agent.

    It doesn't where the message's own words ask for a run of an agent, or answer something.
    """
    actions = {decision.action_type, decision.alternative_action}
    if decision.source is not DecisionSource.MODEL or not decision.is_ambiguous or decision.reading is None:
        return False
    if actions != {ActionType.EXECUTE_TASK, ActionType.CREATE_AGENT}:
        return False
    return not any(
        act.kind in _ANSWERS or (act.kind is ActKind.RUN_AGENT and act.meant.is_named)
        for act in decision.reading.own
    )


def offer(turn: TurnRequest, decision: Decision) -> Result:
    """Return the numbered options for such work; the answer is a number or the words of one."""
    subject = _subject(decision.entities)
    near = find_nearest_agent(f"{turn.message} {subject}", subject, turn.visible_agents())
    user = turn.caller.user
    create = HeldAct(kind=ActKind.CREATE_AGENT, text=turn.message, slots={"job": subject} if subject else {})
    options = [
        (agent_texts.new_agent_option(subject), create),
        (agent_texts.OTHER_WAY_OPTION, HeldAct(kind=ActKind.UNSURE, text=turn.message)),
    ]
    if near is None:
        opening = agent_texts.no_agent_for(subject, tuple(card.name for card in turn.visible_agents()[:5]))
    else:
        opening = agent_texts.nearest_agent(near, subject, user)
        options.insert(0, (agent_texts.run_anyway_option(near, user), _run(near)))
    labels = [label for label, _ in options]
    question = AskedQuestion(
        asked=Asked.WHICH,
        waiting=tuple(held for _, held in options),
        options=tuple(Reference(kind="option", id=str(at), name=label) for at, label in enumerate(labels)),
    )
    return Result(agent_texts.numbered_options(opening, labels), question=question, lacks_answer=True)


def _run(near: NearestAgent) -> HeldAct:
    card = near.card
    return HeldAct(kind=ActKind.RUN_AGENT, text=f"run {card.name}", things=((card.id, card.name),))


def _subject(entities: Mapping[str, JsonValue]) -> str:
    subject, output = _line(entities, "topic") or _line(entities, "what"), _line(entities, "output")
    outputs = "" if output in subject else output if output.endswith("s") else f"{output}s"
    return " and ".join(part for part in (subject, outputs) if part)


def _line(entities: Mapping[str, JsonValue], key: str) -> str:
    """Return a text of a model as one line of printable characters, cut to what a field takes."""
    value = entities.get(key)
    plain = "".join(mark if mark.isprintable() else " " for mark in value) if isinstance(value, str) else ""
    return " ".join(plain.split())[:MAX_FIELD_CHARACTERS].strip()
