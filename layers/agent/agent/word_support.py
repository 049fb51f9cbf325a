"""Whether a message's own words bear out what a model calls. Pure.

Text of others may talk a model into anything, so its calls have no effect by themselves: the user's words
must name the act and the thing. What they do not name is asked first (`agent.chat.held_calls`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from intent.dates.times import LONG_DAY, LONG_MONTH
from intent.regular_expressions import lower_pattern, normalise
from intent.rules.named_acts import TOOL_ACTS, Act, names_act
from intent.rules.named_things import covers

_DATE = lower_pattern(
    rf"\d|\b(?:{LONG_DAY}|{LONG_MONTH}|today|tonight|tomorrow|weekend|week|month|year|day|noon|eod)s?\b"
)
_REPEATS = lower_pattern(rf"\b(?:every|each|(?:dai|week|month|year)ly|{LONG_DAY}s)\b")
_DUE = frozenset({"due_date", "due_at", "repeat"})
_IDS = frozenset({"task_id", "id"})
_TITLE_SHARE = 0.5
"""The share of a title's distinctive words that must be among the user's: models add verbs to titles."""


def supports_call(
    own_words: str, tool_name: str, arguments: Mapping[str, JsonValue], *, thing: str | None = None
) -> bool:
    """Whether the words name the act and the thing of a tool call in a chat.

    ``own_words`` are the message's own words (`intent.entities.own_words`). ``thing`` is the title or name of
    what the call's id refers to; without it, a call that names its thing by an id is not borne out. Every
    text among the arguments must be borne out too. False for tools that are not known here.
    """
    act = _act_of_call(tool_name, arguments)
    if act is None or not names_act(own_words, act):
        return False
    if not _bears_out_due(normalise(own_words), arguments):
        return False
    named = thing if thing is not None else arguments.get("name", arguments.get("title"))
    if not isinstance(named, str) or (thing is None and _IDS & arguments.keys()):
        return False
    if not covers(own_words, named, share=_TITLE_SHARE):
        return False
    given = {name: value for name, value in arguments.items() if name not in _IDS | _DUE}
    if any(arguments.get(name) for name in _DUE):
        given.pop("time_zone", None)  # a time is said in the user's own zone, without its name
    return all(covers(own_words, text, share=_TITLE_SHARE) for text in _texts(given))


def _bears_out_due(words: str, arguments: Mapping[str, JsonValue]) -> bool:
    """Whether the words say something of a time, a repetition, or of no reminder, where the call does."""
    if any(arguments.get(name) for name in _DUE) and not _DATE.search(words) and not _REPEATS.search(words):
        return False
    if arguments.get("repeat") and not _REPEATS.search(words):
        return False
    return arguments.get("remind") is not False or "remind" in words


def _act_of_call(tool_name: str, arguments: Mapping[str, JsonValue]) -> Act | None:
    is_completed = arguments.get("completed")
    if tool_name == "update_task" and isinstance(is_completed, bool):
        return Act.COMPLETE_TASK if is_completed else Act.REOPEN_TASK
    return TOOL_ACTS.get(tool_name)


def _texts(value: JsonValue | Mapping[str, JsonValue]) -> Iterator[str]:
    """Yields every text in a value."""
    if isinstance(value, str):
        if value.strip():
            yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
