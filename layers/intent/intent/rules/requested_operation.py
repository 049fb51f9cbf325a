"""The operation of an action that a text names, and the new values of a change."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from pydantic import JsonValue

from intent.dates.schedules import find_schedule
from intent.dates.times import find_times
from intent.decision import ActionType
from intent.entities import extraction
from intent.entities.answers import asks_to_resume
from intent.regular_expressions import LowerPattern, either, lower_pattern

_UPDATES = (
    (
        "rename",
        lower_pattern(
            r"\brename\b",
            r"\b(?:change|set) (?:the |its |his )?name\b",
            r"\b(?:call|name) (?:it|that one|this one) ",
            r"\b(?:new|another|different|better) name\b",
            r"\b(?:want|like|prefer) (?:it|this|that|that one)(?: to be)? (?:called|named)\b",
        ),
    ),
    (
        "delete",
        lower_pattern(
            r"\b(?:delete|remove|bin|ditch|retire|trash|scrap|erase|get rid of|throw away|drop)\b(?! (?:the "
            r"|that |any )?(?:step|recipient|source|column|field|schedule|condition))",
            r"\b(?:don't|do not) need (?:the |that |this |my )?[\w -]{0,40}any ?more\b",
        ),
    ),
    (
        "resume",
        lower_pattern(
            r"\b(?:resume|unpause|un-pause|reactivate|re-?enable|restart|wake (?:[\w-]+ ){0,4}up|turn"
            r" (?:[\w-]+ ){0,4}(?:back "
            r")?on|switch (?:[\w-]+ ){0,4}(?:back )?on|bring (?:[\w-]+ ){0,6}back|start (?:it|that one) again"
            r"|enable)\b"
        ),
    ),
    (
        "pause",
        lower_pattern(
            r"\b(?:pause|pausing|suspend|put (?:[\w-]+ ){1,5}on hold|turn (?:[\w-]+ ){0,4}off|switch"
            r" (?:[\w-]+ "
            r"){0,4}off|disable|deactivate|mute|stop(?! \w+ing [^.!?]{1,60}[,;] (?:use|send|post|mail))"
            r"|halt|silence|shut (?:\w+ ){0,3}(?:off|down))\b"
        ),
    ),
)
OPERATION_FORMS: Mapping[str, LowerPattern] = dict(_UPDATES)
"""The words that name each operation on an agent."""
_AGENTS = either("agents?|bots?|automations?|assistants?|robots?")
_QUESTIONS = (
    (
        "help",
        lower_pattern(
            rf"\bwhat (?:can|could|do|does|would) (?:(?:the|your|my|our|these|an?) )?{_AGENTS} do\b",
            rf"\bwhat(?:'s| is| are) (?:an )?{_AGENTS}\W*$",
        ),
    ),
    (
        "list_runs",
        lower_pattern(
            r"\b(?:runs?|executions?|run history)\b(?=.*\b(?:list|show|history|last|recent|latest)\b)",
            r"\b(?:list|show|last|recent|latest|my|all)\b[^.?!]{0,30}\b(?:runs|executions|run history)\b",
            rf"\b{_AGENTS} (?:ran|have run|were run|worked)\b",
        ),
    ),
    (
        "list_agents",
        lower_pattern(
            rf"\b(?:list|show|see|display|which|what|enumerate|get|have)\b[^.?!]{{0,40}}\b{_AGENTS}\b(?= "
            r"(?:do|have|are|exist|i|we|there)\b|\W*$|\W*(?:please|pls|again)\W*$)",
            rf"\b(?:my|our|all) {_AGENTS}\W*(?:please\W*)?$",
            rf"\b(?:how many|overview of|list of)[^.?!]{{0,30}} {_AGENTS}\b",
            rf"\bdo (?:i|we) have (?:any|some)? ?{_AGENTS}\b",
        ),
    ),
    (
        "show_policy",
        lower_pattern(
            r"\b(?:retention|policy|policies)\b",
            r"\bhow long\b[^.?!]{0,40}\b(?:chats?|conversations?|messages)\b",
        ),
    ),
    (
        "help",
        lower_pattern(
            r"^\W*(?:please )?help\b",
            r"\bwhat can (?:you|i|we) do\b",
            r"\bwhat (?:commands|are you able)\b",
            r"\bhow does this work\b",
            r"\bwhat do you do\b",
        ),
    ),
)
_SETTINGS = (
    (
        "set_retention",
        lower_pattern(
            r"\bretention\b",
            r"\b(?:keep|store|retain|hold|save|delete|wipe|purge|erase|kept|deleted|wiped|remove|archive"
            r"|expire)\w*\b[^.!?]{0,80}\b(?:chats?|conversations?|messages|history)\b",
            r"\b(?:chats?|conversations?|messages|history)\b[^.!?]{0,80}\b(?:keep|store|retain|kept|stored"
            r"|retained|deleted|wiped|purged|erased|expire)\b",
        ),
    ),
)
_JOB = either(
    "analy[sz]e|analy[sz]ing|look(?:ing)? into|prepare|preparing|put(?:ting)? together|create|make"
    "|build|draft|write|summari[sz]e|review|research|compile|produce|present|dig into|study"
    "|investigate|examine|assess|evaluate|work out|design|figure out|turn|compare|get|send|do"
    "|crunch|understand|come up with"
)
_SEVERAL = lower_pattern(
    rf"\b{_JOB}\b[^.!?]{{3,160}}?(?:\band(?: then)?|,(?: and)?(?: then)?|\bthen|\bplus|\bso (?:that "
    rf")?(?:i|we) can) (?:also |to |help me )?{_JOB}\b"
)
_STUDY = lower_pattern(
    r"(?<![\w-])(?:analy[sz]\w*|research\w*|investigat\w*|assess\w*|evaluat\w*|stud(?:y|ied))\b"
)
_SHOWN = lower_pattern(r"\b(?:presentations?|present|decks?|slides?|keynote|talk)\b")
RUN_FORM = lower_pattern(
    r"\b(?:run|re-?run|execute|trigger|fire|launch|kick off|start|invoke|go with)\b(?!-)"
)
_ONCE = lower_pattern(r"\b(?:now|again|once|today|tonight|tomorrow|asap|straight away|immediately)\b")
CHANGE_FORM = lower_pattern(
    r"\b(?:change|update|modify|edit|make|set|switch|move|use|instead|from now on|reschedule|should"
    r"|add|point)\b"
)


def find_operation(action: ActionType, text: str) -> str | None:
    """Return the operation's name; None when the text names no known operation."""
    if action is ActionType.UPDATE_AGENT:
        return next((name for name, form in _UPDATES if form.search(text)), "change")
    if action is ActionType.QUERY_INFO:
        if asks_to_resume(text):
            return "resume_conversation"
        return next((name for name, form in _QUESTIONS if form.search(text)), None)
    if action is ActionType.MANAGE_PLATFORM:
        return next((name for name, form in _SETTINGS if form.search(text)), None)
    return None


def requested_change(operation: str | None, entities: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return the agent's new values; a new ``what`` counts only when it is the only change."""
    if operation == "rename":
        return {extraction.NEW_NAME: entities[extraction.NEW_NAME]} if extraction.NEW_NAME in entities else {}
    if operation != "change":
        return {}
    change = extraction.changeable_entities(entities)
    if len(change) > 1:
        change.pop(extraction.WHAT, None)
    return {extraction.CHANGE: change} if change else {}


def action_on_agent(text: str) -> ActionType | None:
    """Return the action for an agent that a short text names; None when it names no action."""
    if any(form.search(text) for _, form in _UPDATES):
        return ActionType.UPDATE_AGENT
    if RUN_FORM.search(text) and not _is_when_it_runs(text):
        return ActionType.EXECUTE_TASK
    return ActionType.UPDATE_AGENT if CHANGE_FORM.search(text) or find_schedule(text) else None


def _is_when_it_runs(text: str) -> bool:
    """Whether "run" comes with a schedule or a time of day that is not today's: ``can it run at 8am``."""
    return bool(find_schedule(text) or (find_times(text) and not _ONCE.search(text)))


def needs_several_steps(signs: AbstractSet[str], text: str) -> bool:
    """Return whether work needs several steps: two jobs in one sentence, or a product the user must make."""
    is_study_to_show = _STUDY.search(text) and _SHOWN.search(text)
    return bool({"duty", "product"} <= signs or _SEVERAL.search(text) or is_study_to_show)
