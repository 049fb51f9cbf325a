"""The sentences that ask about proposed acts. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent.dialogue.texts import join, verb_of
from intent.acts.act import ActKind

_PARTS = {
    "name": "called {}", "source": "reading {}", "when": "running {}", "where": "sending to {}",
}  # fmt: skip
_CHANGES = {
    "name": "name", "title": "title", "source": "source", "when": "schedule", "due": "date",
    "where": "delivery", "job": "job", "period": "period",
}  # fmt: skip
_MOST_CHARACTERS = 300


def ask_whether(deeds: Sequence[str]) -> str:
    """Ask whether to do something; each deed is an infinitive."""
    return f"Shall I {join(deeds)}?"


def create(brief: str, like: Sequence[str], parts: Mapping[str, str]) -> str:
    """Return what setting up an agent does."""
    told = [_PARTS[name].format(_lowered(parts[name])) for name in _PARTS if parts.get(name)]
    model = f" like {join(like)}" if like else ""
    details = f", {join(told)}" if told else ""
    return f"set up an agent{model} for “{_cut(brief)}”{details}"


def add(titles: Sequence[str], due: str) -> str:
    """Return what adding tasks does."""
    quoted = join([f"“{_cut(title)}”" for title in titles]) or "a task"
    return f"add {quoted} to your tasks" + (f", due {due}" if due else "")


def change(kind: ActKind, names: Sequence[str], values: Mapping[str, str]) -> str:
    """Return what any other act does."""
    if kind is ActKind.UNDO:
        return "take back the last change"
    told = [f"{word}: {_cut(values[name])}" for name, word in _CHANGES.items() if values.get(name)]
    things = join(names) if names else "it"
    if kind is ActKind.UNSHARE_AGENT:
        return f"make {things} private"
    if kind is ActKind.RESUME_AGENT:
        return f"turn {things} on again"
    return f"{verb_of(kind)} {things}" + (f" ({'; '.join(told)})" if told else "")


def _lowered(words: str) -> str:
    return words[:1].lower() + words[1:] if words[1:2].islower() else words


def _cut(words: str) -> str:
    flat = " ".join(words.split())
    return flat if len(flat) <= _MOST_CHARACTERS else f"{flat[: _MOST_CHARACTERS - 1]}…"
