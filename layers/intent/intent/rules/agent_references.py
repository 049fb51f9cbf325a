"""The agent that a message means, by name, list position, distinctive word or pronoun."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from pydantic import JsonValue

from conversation.messages.models import Note, Reference
from intent.dates.times import COUNTED, ORDINALS, parse_number
from intent.entities.answers import index_of, parse_pick
from intent.entities.extraction import AGENT_ID, AGENT_NAME
from intent.regular_expressions import either, lower_pattern
from intent.situation import KnownAgent, Situation

_ORDINALS = {
    **ORDINALS, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "former": 1, "latter": -1, "last": -1,
}  # fmt: skip
_THING = either("one|ones|agent|bot|option|entry|item|automation|assistant")
_PLACE = lower_pattern(
    rf"\b(?:the|my|that) (?:very )?({'|'.join(_ORDINALS)})\b(?! (?:of|time|week|month|quarter|day"
    rf"|year))(?: {_THING})?",
    rf"^\W*({'|'.join(_ORDINALS)}) {_THING}\b",
    r"^\W*(?:please )?(?:run|start|execute|pause|stop|resume|delete|show|open|launch) #?(\d{1,2})\W*"
    r"(?:please\W*)?$",
    rf"\b(?:number|no\.?|nr\.?|#|agent|option) ?(\d{{1,2}}|{COUNTED})\b(?![.:,]?\d|[%-])(?! (?:that|who"
    r"|which|to|\w+ing)\b)",
)
_POINTING = lower_pattern(
    r"\b(?:it|its|this one|that one|the same(?: one| agent| thing)?|him|her|(?:this|that) (?:agent|bot"
    r"|automation|thing))\b",
    r"\b(?:run|do|start|execute|pause|stop|resume|delete|remove|change|rename|update|make|repeat"
    r"|show) (?:that|this)\b",
    r"\b(?:again|once more|one more time)\b",
    r"^\W*(?:and |ok |the )*same (?:(?:thing|time|day|one|again|but)\b|for\b|with\b|in\b)",
)
_MOST_POINTING_WORDS = 16
_GOING_ON = lower_pattern(
    r"\W*(?:(?:ok|okay|and|now|then|please|also) )*"
    r"(?:(?:the )?same(?= (?:thing|one|again|but|for|with|as|in|please)\b|\W*$)|again|once more"
    r"|one more time|do (?:it|that|the same)|(?:(?:but|only|just|now) )*(?:for|with|as|in))\b"
)
_SLUG = re.compile(r"(?<![\w#@./-])[a-z]+(?:[-_][a-z0-9]+)+(?![\w@-])")
_NOUN = either("agent|bot|robot|one|automation|assistant|monitor|reporter|watcher|report|workflow")
_COMMON = frozenset(
    {
        "the", "my", "our", "a", "an", "and", "of", "for", "to", "in", "on", "agent", "bot", "daily",
        "weekly", "monthly", "hourly", "new", "one", "it", "this", "that", "with", "from", "by",
        "report", "monitor", "reporter", "analyzer", "assistant", "every", "day", "week", "month",
    }
)  # fmt: skip


class AgentReference(NamedTuple):
    """The agent a message means. ``position`` is its list position, None when it was not found by a list."""

    id: str
    name: str
    position: int | None = None


def find_meant_agent(text: str, situation: Situation) -> AgentReference | None:
    """Return the one agent that the words mean in this situation; None when they mean none or several."""
    is_pointed_at = _points_back(text) and not situation.has_paste
    return find_described_agent(text, situation) or (
        last_mentioned_agent(situation) if is_pointed_at else None
    )


def find_described_agent(text: str, situation: Situation) -> AgentReference | None:
    """Return the one agent that the words name or describe, ignoring pronouns; else None."""
    return (
        _named(text, situation.agents)
        or _in_list(text, situation)
        or _by_telling_word(text, situation.agents)
    )


def replace_agent_name(text: str, name: str) -> str:
    """Return the text with the agent's name replaced by "that agent"."""
    return _form_of(name).sub("that agent", text)


@lru_cache(maxsize=256)
def _form_of(name: str) -> re.Pattern[str]:
    words = r"[\W_]+".join(map(re.escape, _key(name).split())) or r"(?!)"
    return re.compile(
        rf"(?:\b(?:the|my|our|your)\s+)?@?(?<!\w){words}(?!\w)(?:\s+(?:agent|bot|assistant)\b)?",
        re.IGNORECASE,
    )


def _points_back(text: str) -> bool:
    """Return whether a short message points back: ``pause it``, ``that one``, ``again``."""
    return _POINTING.search(text) is not None and len(text.split()) <= _MOST_POINTING_WORDS


def is_continuation(text: str) -> bool:
    """Return whether a message asks for more of what was just done: ``same for Q1``, ``and now for 2024``."""
    return _GOING_ON.match(text) is not None


def describes_an_agent(text: str) -> bool:
    """Return whether the words describe an agent, known or unknown: ``the churn bot``, ``lead-scorer``."""
    described = (set(_key(match[1]).split()) - _COMMON for match in _DESCRIBED.finditer(text))
    return any(described) or _SLUG.search(text) is not None


def agent_of_last_reply(situation: Situation) -> AgentReference | None:
    """Return the one agent that the last reply was about; else None."""
    note = situation.last_note()
    return last_mentioned_agent(situation) if note.subject or len(note.listed) == 1 else None


def find_agent_by_name(name: str, agents: Sequence[KnownAgent]) -> AgentReference | None:
    """Return the agent with this name, ignoring letter case, blanks and hyphens; else None."""
    wanted = _key(name)
    matching = [agent for agent in _own_first(agents) if _key(agent.name) == wanted]
    return AgentReference(matching[0].id, matching[0].name) if wanted and matching else None


def parse_position(text: str) -> int | None:
    """Return the list position named by words such as ``the second one`` or ``number 3``; -1 is the last."""
    match = _PLACE.search(text)
    if match is None:
        return None
    word = next(group for group in match.groups() if group).lower()
    return _ORDINALS.get(word) or parse_number(word)


def parse_bare_position(text: str) -> int | None:
    """Return the list position when the text names nothing else."""
    match = _PLACE.search(text)
    return parse_position(text) if match and match[0].strip() == text.strip() else parse_pick(text)


def agent_at_position(place: int, situation: Situation) -> AgentReference | None:
    """Return the agent at this position of the newest list; None when there is no agent."""
    listed = situation.last_list()
    index = index_of(place, listed)
    if index is None or listed[index].kind != "agent":
        return None
    return AgentReference(listed[index].id, listed[index].name, index + 1)


def is_command_like(name: str) -> bool:
    """Return whether a name is made of words of commands and answers: ``all``, ``delete-everything``.

    A colleague's agent of such a name is found by its place in a list only.
    """
    return set(_key(name).split()) <= _COMMAND_WORDS


_COMMAND_WORDS = frozenset(
    {
        "a", "abort", "about", "add", "again", "agent", "agents", "ahead", "all", "allow", "an", "and",
        "another", "any", "anything", "are", "automation", "automations", "bot", "both", "bots", "build",
        "by", "cancel", "change", "chat", "chats", "complete", "conversation", "conversations", "create",
        "data", "delete", "do", "done", "dont", "each", "edit", "erase", "every", "everybody", "everyone",
        "everything", "execute", "first", "for", "forget", "from", "go", "help", "her", "him", "how", "in",
        "is", "it", "last", "later", "launch", "let", "list", "mail", "make", "mark", "me", "message",
        "messages", "mind", "mine", "my", "never", "new", "next", "no", "nobody", "none", "nope", "not",
        "nothing", "now", "of", "ok", "okay", "on", "one", "ones", "open", "our", "pause", "please",
        "policy", "post", "remove", "rename", "rerun", "resume", "run", "runs", "same", "second", "send",
        "set", "setting", "settings", "share", "show", "skill", "skills", "something", "start", "stop",
        "sure", "task", "tasks", "tell", "that", "the", "them", "then", "these", "thing", "things", "third",
        "this", "those", "to", "today", "todo", "todos", "tomorrow", "undo", "up", "update", "us", "what",
        "when", "where", "which", "who", "why", "with", "yeah", "yep", "yes", "yesterday", "you", "your",
    }
)  # fmt: skip
_NAMING = ("run", "start", "execute", "launch", "show", "open", "describe", "about", "agent", "bot")


def _own_first(agents: Sequence[KnownAgent]) -> list[KnownAgent]:
    """The user's own agents, then those of colleagues whose names can't be taken for a command."""
    colleagues = [agent for agent in agents if agent.shared_by and not is_command_like(agent.name)]
    return [agent for agent in agents if not agent.shared_by] + colleagues


def _named(text: str, agents: Sequence[KnownAgent]) -> AgentReference | None:
    """Finds the longest name among the user's own agents, then among those of colleagues.

    A colleague's agent comes first where its name is written as one word, hyphens and all, and holds the own
    agent's name.
    """
    words, known = f" {_key(text)} ", _own_first(agents)
    own = _longest([agent for agent in known if not agent.shared_by and f" {_key(agent.name)} " in words])
    others = [agent for agent in known if agent.shared_by and _is_named(agent.name, words)]
    written = _longest([agent for agent in others if "-" in agent.name and _is_written(agent.name, text)])
    if own is not None and written is not None and not _is_written(own.name, text):
        own = written if _key(own.name) in _key(written.name) else own
    found = own or _longest(others)
    return AgentReference(found.id, found.name) if found else None


def _longest(agents: Sequence[KnownAgent]) -> KnownAgent | None:
    named = [agent for agent in agents if _key(agent.name)]
    return max(named, key=lambda agent: len(agent.name), default=None)


def _is_named(name: str, words: str) -> bool:
    """Whether a colleague's agent is named: a single word counts only where a name is due."""
    key = _key(name)
    if " " in key:
        return f" {key} " in words
    before = (f" {word} {article}{key} " for word in _NAMING for article in ("", "the "))
    return any(form in words for form in (*before, f" {key} agent ", f" {key} bot "))


def _is_written(name: str, text: str) -> bool:
    """Whether the name stands in the text as it is spelled, and not as a part of a longer one."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text, re.IGNORECASE) is not None


def _in_list(text: str, situation: Situation) -> AgentReference | None:
    place = parse_position(text)
    return agent_at_position(place, situation) if place is not None else None


def _by_telling_word(text: str, agents: Sequence[KnownAgent]) -> AgentReference | None:
    """Finds ``the Jira one``: its words occur in only one agent's name, or else name and summary."""
    wanted = set().union(*(set(_key(match[1]).split()) - _COMMON for match in _DESCRIBED.finditer(text)))
    known = _own_first(agents)
    own, others = ([agent for agent in known if bool(agent.shared_by) is shared] for shared in (False, True))
    for group in (own, others):
        for describe in (_name_of, _name_and_summary_of):
            matching = [agent for agent in group if wanted & set(_key(describe(agent)).split())]
            if wanted and len(matching) == 1:
                return AgentReference(matching[0].id, matching[0].name)
    return None


_DESCRIBED = lower_pattern(rf"\b(?:the|my|our|that|this) ((?:[\w-]+ ){{1,4}}?){_NOUN}\b")


def _name_of(agent: KnownAgent) -> str:
    return agent.name


def _name_and_summary_of(agent: KnownAgent) -> str:
    return f"{agent.name} {agent.summary}"


def only_subject(note: Note) -> Reference | None:
    """Return the one thing that a reply was about, or the only one that it listed."""
    return note.subject or (note.listed[0] if len(note.listed) == 1 else None)


def last_mentioned_agent(situation: Situation) -> AgentReference | None:
    """Return the one agent of the newest reply about an agent; None when that reply listed several."""
    for note in situation.reply_notes():
        only = only_subject(note)
        if only is not None:
            return _agent(only, situation.agents)
        if note.pending and (waiting := _pending(note.pending.entities)):
            return waiting
        if note.listed:
            return None
    return None


def _pending(entities: Mapping[str, JsonValue]) -> AgentReference | None:
    agent_id, name = entities.get(AGENT_ID), entities.get(AGENT_NAME)
    return AgentReference(agent_id, name) if isinstance(agent_id, str) and isinstance(name, str) else None


def _agent(reference: Reference, agents: Sequence[KnownAgent]) -> AgentReference | None:
    """The agent itself, or the agent of a run, which the run is named after."""
    if reference.kind == "run":
        return find_agent_by_name(reference.name, agents)
    return AgentReference(reference.id, reference.name) if reference.kind == "agent" else None


def _key(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))
