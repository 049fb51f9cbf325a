"""Whether an agent's job asks for changes: of the user's tasks, or elsewhere through a skill. Pure.

A run reads texts that may tell it to change something. Only what the job names needs no approval; what
exactly that is shows in the run. `agent.word_support` judges messages, which have to name the thing, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from agent.inference.call_guard import CallSupport
from intent.regular_expressions import LazyPattern
from tools.remote.remote_server import SEPARATOR

_ACTS: Mapping[str, LazyPattern] = {
    "create_task": LazyPattern(r"\b(add|create|put|note|make|set up|write|remind|open|turn|file)\b"),
    "update_task": LazyPattern(
        r"\b(change|move|rename|re-?schedule|postpone|push|set|update|edit|extend|shift|reopen|mark|complete)\b"
    ),
    "complete_task": LazyPattern(r"\b(done|complete|finish|tick|check(ed)? off|mark|close|cross(ed)? off)\b"),
    "delete_task": LazyPattern(r"\b(delete|remove|drop|get rid of|clear|erase)\b"),
}
_WRITES = (
    "add|append|approve|archive|assign|book|cancel|change|close|comment|complete|create|delete|edit|enter|file"
    "|forward|inform|insert|invite|log|mail|mark|message|move|note|notify|open|order|patch|pay|post|publish|put"
    "|record|remove|rename|reply|save|schedule|send|set|share|store|submit|tag|tell|transfer|update|upload|warn"
    "|write"
)
_WRITING_TOOL = LazyPattern(rf"(?<![a-z])(?:{_WRITES})(?![a-z])")
_WRITING_JOB = LazyPattern(rf"\b(?:{_WRITES})(?:s|es|ing|ting)?\b")
_TO_OWNER = LazyPattern(r"\b(?:send|mail|message|notify|inform|tell|warn|write|post) (?:me|us)\b")
"""Names the delivery of the result, which is no work of a skill."""
_TASKS = LazyPattern(r"\b(tasks?|to-?dos?|to-?do list|reminders?|remind me)\b")
_DENIED = LazyPattern(r"\b(don'?t|do not|never|without)\b(?! forget)")
_SENTENCE = re.compile(r"[^.!?;\n]+")


def support_of_job(job_words: str) -> CallSupport:
    """What a job asks for, in sentences that deny nothing.

    A change of tasks has to be named together with the word for tasks. A skill's tool whose name says that it
    writes is asked for by a job that writes anything anywhere: names of tools are too various for more.
    """

    def is_asked_for(tool: str, arguments: Mapping[str, JsonValue], names: Mapping[str, str]) -> bool:  # noqa: ARG001
        skill, _, name = tool.partition(SEPARATOR)
        if skill and name:
            wishes = map(_TO_OWNER.replace_matches, _wishes(job_words))
            return not _WRITING_TOOL.search(name) or any(map(_WRITING_JOB.search, wishes))
        act = _ACTS.get(tool)
        return act is not None and any(
            act.search(sentence) and _TASKS.search(sentence) for sentence in _wishes(job_words)
        )

    return is_asked_for


def _wishes(text: str) -> Iterator[str]:
    return (sentence for sentence in _SENTENCE.findall(text) if not _DENIED.search(sentence))
