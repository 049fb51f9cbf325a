"""The act that a model's seven fields stand for, when it says nothing of acts. Pure.

The fields tell of one act. Where our own reading has an act that comes to the same action, it is the one, and
the other acts of the message stay; else the fields stand for the whole message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from intent.acts.act import Act, ActKind, ProposedAct
from intent.decision import ActionType, Verdict
from intent.entities import extraction

K = ActKind
_OPERATIONS: Mapping[str, ActKind] = {
    "pause": K.PAUSE_AGENT, "resume": K.RESUME_AGENT, "delete": K.DELETE_AGENT, "rename": K.CHANGE_AGENT,
    "change": K.CHANGE_AGENT, "share": K.SHARE_AGENT, "list_agents": K.LIST_AGENTS,
    "show_agent": K.SHOW_AGENT, "list_runs": K.SHOW_RESULT, "resume_conversation": K.RESUME_DRAFT,
    "search_conversations": K.RECALL, "set_retention": K.SET_POLICY, "show_policy": K.SHOW_POLICY,
}  # fmt: skip
_ACTIONS: Mapping[ActionType, ActKind] = {
    ActionType.CREATE_AGENT: K.CREATE_AGENT, ActionType.CREATE_SKILL: K.CONNECT,
    ActionType.EXECUTE_TASK: K.RUN_AGENT, ActionType.UPDATE_AGENT: K.CHANGE_AGENT,
}  # fmt: skip
_ANSWERS = frozenset({K.ANSWER, K.YES, K.NO, K.LATER, K.PICK, K.RESUME_DRAFT})
_TAKEN_FOR = frozenset({K.DO_IN_WORLD, K.NONE, K.UNSURE, K.CREATE_AGENT})
"""What our own reading makes of many a question; a model that takes the message for one is right."""
_ON_TASKS = frozenset(kind for kind in K if kind.value.startswith("task."))
_QUESTIONS = frozenset(
    {
        K.LIST_AGENTS, K.SHOW_AGENT, K.SHOW_RESULT, K.LIST_SKILLS, K.ASK_WORKSPACE, K.ASK_USAGE, K.RECALL,
        K.ASK_PRODUCT, K.ASK_WORLD, K.WHY, K.CLOCK, K.SUM, K.SHOW_POLICY,
    }
)  # fmt: skip
SAME_ACTION: Mapping[ActionType, frozenset[ActKind]] = {
    ActionType.CREATE_AGENT: frozenset({K.CREATE_AGENT, K.COPY_AGENT}),
    ActionType.CREATE_SKILL: frozenset({K.CONNECT}),
    ActionType.EXECUTE_TASK: frozenset({K.RUN_AGENT, K.CANCEL_RUN, K.SUM, K.DO_IN_WORLD}),
    ActionType.UPDATE_AGENT: frozenset(
        {
            K.CHANGE_AGENT, K.PAUSE_AGENT, K.RESUME_AGENT, K.DELETE_AGENT, K.SHARE_AGENT, K.UNSHARE_AGENT,
            K.RESTORE_AGENT, K.UNDO, K.COPY_AGENT,
        }
    ),
    ActionType.QUERY_INFO: _QUESTIONS,
    ActionType.MANAGE_PLATFORM: frozenset(
        {K.SET_POLICY, K.SHOW_POLICY, K.ASK_USAGE, K.EXPORT, K.ERASE, K.DELETE_CONVERSATION}
    ),
    ActionType.UNKNOWN: frozenset({K.SMALL_TALK, K.UNSURE, K.NONE, K.REMEMBER}),
}  # fmt: skip
"""The kinds of acts that an action may come to."""
_TASK_DEEDS = _ON_TASKS - {K.LIST_TASKS}
_KINDS: Mapping[ActionType, frozenset[ActKind]] = {
    **SAME_ACTION,
    ActionType.EXECUTE_TASK: SAME_ACTION[ActionType.EXECUTE_TASK] | _TASK_DEEDS,
    ActionType.QUERY_INFO: _QUESTIONS | {K.LIST_TASKS},
}
_SLOTS = {
    extraction.SCHEDULE_TEXT: "when", extraction.CRON: "cron", extraction.TIME_ZONE: "zone",
    extraction.SOURCE: "source", extraction.NEW_NAME: "name", extraction.PERIOD: "period",
}  # fmt: skip


def action_of(kind: ActKind) -> ActionType | None:
    """Return the action that an act comes to; None for answers and remarks, which tell of none themselves."""
    if kind in _ANSWERS | {K.NONE, K.WHY}:
        return None
    if kind is K.COPY_AGENT:
        return ActionType.CREATE_AGENT
    if kind is K.SHOW_POLICY:
        return ActionType.QUERY_INFO
    return next((action for action, kinds in _KINDS.items() if kind in kinds), None)


def kinds_of(action: ActionType) -> frozenset[ActKind]:
    """Return the kinds of acts that an action may come to, those done to tasks among them."""
    return _KINDS[action]


def acts_of_verdict(verdict: Verdict, message: str, own: Sequence[Act]) -> tuple[ProposedAct, ...]:
    """Return the act that a verdict without acts proposes; empty when our own reading says it better.

    ``own`` are the message's acts by our own reading of its words, ``message``.
    """
    if verdict.action_type is ActionType.QUERY_INFO and own and all(act.kind in _TAKEN_FOR for act in own):
        return (ProposedAct(K.ASK_WORLD, message),)
    kind = _kind(verdict)
    if kind is None or any(act.kind in _ANSWERS | _ON_TASKS for act in own):
        return ()
    same = [act for act in own if _is_same(act, kind, verdict)]
    if not same and kind not in _QUESTIONS and verdict.action_type is ActionType.EXECUTE_TASK:
        same = [act for act in own if act.kind in SAME_ACTION[ActionType.EXECUTE_TASK]]
    if same and same[0].kind is not kind:
        return ()
    text = same[0].clause.text if same else message
    return (ProposedAct(kind, text, agents=_agents(verdict), slots=_slots(verdict, kind)),)


def _kind(verdict: Verdict) -> ActKind | None:
    operation = verdict.entities.get(extraction.OPERATION)
    if isinstance(operation, str) and operation in _OPERATIONS:
        return _OPERATIONS[operation]
    return _ACTIONS.get(verdict.action_type)


def _is_same(act: Act, kind: ActKind, verdict: Verdict) -> bool:
    """Return whether an act of ours is the verdict's: of its kind, or of its action when it names none."""
    names_kind = extraction.OPERATION in verdict.entities
    return act.kind is kind or (not names_kind and act.kind in SAME_ACTION[verdict.action_type])


def _agents(verdict: Verdict) -> tuple[str, ...]:
    name = verdict.entities.get(extraction.AGENT_NAME)
    is_new = verdict.action_type is ActionType.CREATE_AGENT
    return (name,) if isinstance(name, str) and not is_new else ()


def _slots(verdict: Verdict, kind: ActKind) -> dict[str, str]:
    """Return the values of the entities, and of the change they tell of, by the slots' names."""
    change = verdict.entities.get(extraction.CHANGE)
    given: dict[str, JsonValue] = {**verdict.entities, **(change if isinstance(change, Mapping) else {})}
    slots = {slot: value for key, slot in _SLOTS.items() if isinstance(value := given.get(key), str)}
    if kind is K.CREATE_AGENT and isinstance(name := given.get(extraction.AGENT_NAME), str):
        slots["name"] = name
    if kind is K.CREATE_AGENT and isinstance(job := given.get(extraction.WHAT), str):
        slots["job"] = job
    if where := _where(given):
        slots["where"] = where
    return slots


def _where(given: Mapping[str, JsonValue]) -> str:
    delivery, recipients = given.get(extraction.DELIVERY), given.get(extraction.RECIPIENTS)
    parts = [delivery, *(recipients if isinstance(recipients, list) else [recipients])]
    return " ".join(part for part in parts if isinstance(part, str))
