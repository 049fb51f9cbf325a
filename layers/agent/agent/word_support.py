"""Whether a message's own words bear out what a model decided or calls. Pure.

Text of others may talk a model into anything, so its verdicts and calls have no effect by themselves: the
user's words must name the act and the thing. What they do not name is asked first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from intent.rules.named_acts import Act, names_act
from intent.rules.named_things import covers, names_addresses

_ACTS: Mapping[str, Act] = {
    "create_task": Act.ADD_TASK,
    "update_task": Act.CHANGE_TASK,
    "complete_task": Act.COMPLETE_TASK,
    "delete_task": Act.DELETE_TASK,
    "run_agent": Act.RUN,
}
"""The act of each tool that changes something for the user."""

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
    act = _ACTS.get(tool_name)
    if act is None or not names_act(own_words, act):
        return False
    named = thing if thing is not None else arguments.get("name", arguments.get("title"))
    if not isinstance(named, str) or (thing is None and _IDS & arguments.keys()):
        return False
    if not covers(own_words, named, share=_TITLE_SHARE):
        return False
    texts = _texts({name: value for name, value in arguments.items() if name not in _IDS | {"due_date"}})
    return all(
        covers(own_words, text, share=_TITLE_SHARE) and names_addresses(own_words, text) for text in texts
    )


def _texts(value: JsonValue | Mapping[str, JsonValue]) -> Iterator[str]:
    """Yields every text in a value; names of fields too where a model chose them."""
    if isinstance(value, str):
        if value.strip():
            yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
