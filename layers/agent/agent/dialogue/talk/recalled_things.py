"""What a sentence that is told back was about: the agent or the task that came of it."""

from __future__ import annotations

from dataclasses import replace

from agent.dialogue.result import Result
from agent.dialogue.workbench import Workbench
from agent.handler_interface import agent_reference
from agent.workspace.agents import Agent
from conversation.messages.models import Reference
from intent.acts.act import ActKind
from intent.acts.references import find_name_place
from intent.acts.tokens import tokenise

_MOST_READ = 12
"""The most agents read for one answer; each is a request."""


def with_thing(result: Result, bench: Workbench) -> Result:
    """Return an answer that quotes the user, about what came of the quoted sentence; unchanged for any
    other, and where nothing did.
    """
    if not result.quote or result.about is not None:
        return result
    if (agent := _agent_of(result.quote, bench)) is not None:
        return replace(result, about=agent_reference(agent), kind=ActKind.SHOW_AGENT)
    plain = _plain(result.quote)
    task = next((one for one in bench.tasks() if _plain(one.title) in plain), None)
    if task is None:
        return result
    return replace(result, about=Reference(kind="task", id=task.id, name=task.title))


def _agent_of(quote: str, bench: Workbench) -> Agent | None:
    """Return the user's agent that a sentence names, or that keeps it among its owner's words."""
    words, plain = [token.word for token in tokenise(quote)], _plain(quote)
    cards = [card for card in bench.visible_agents() if card.owner == bench.turn.caller.user]
    named = next((card for card in cards if find_name_place(words, card.name) is not None), None)
    if named is not None:
        return bench.agent(named.id)
    agents = (bench.agent(card.id) for card in cards[:_MOST_READ])
    return next((one for one in agents if one is not None and one.brief and plain in _plain(one.brief)), None)


def _plain(text: str) -> str:
    return " ".join(token.word for token in tokenise(text) if token.is_word)
