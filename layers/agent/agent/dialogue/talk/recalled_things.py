"""What a sentence that is told back was about: the agent or the task that came of it."""

from __future__ import annotations

from dataclasses import replace

from agent.dialogue.agent_acts import listings
from agent.dialogue.result import Result
from agent.dialogue.talk.statements import asked_part, covers, is_of_dates, strong_terms_of, terms_of
from agent.dialogue.talk.word_kinship import root
from agent.dialogue.workbench import Workbench
from agent.handler_interface import agent_reference
from agent.workspace.agents import Agent
from conversation.messages.models import Reference
from intent.acts.act import Act, ActKind, Meant, Thing
from intent.acts.former_values import fields_asked
from intent.acts.lexicon import AGENT_NOUNS
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


def shown_instead(act: Act, bench: Workbench) -> Result | None:
    """Return how the agent is set up that a question for earlier words means, where none of them is found.

    It is the one that the question describes, else the one talked of, else the only one; None: it means none.
    """
    if act.kind is not ActKind.RECALL:
        return None
    cards = [card for card in bench.visible_agents() if card.owner == bench.turn.caller.user]
    asked = terms_of(question := asked_part(act.clause.text))
    terms = [one for one in strong_terms_of(question) if one not in _OF_FORM and not is_of_dates(one)]
    if terms:
        found = [one for one in cards if covers(f"{one.name.replace('-', ' ')} {one.summary}", terms)]
    else:
        subject = bench.turn.note.subject
        found = [one for one in cards if subject is not None and one.id == subject.id] or cards
    if len(found) != 1 or not (terms or fields_asked(act.clause.text) or len(asked) > 0):
        return None
    thing = Thing(found[0].id, found[0].name, found[0].summary)
    shown = replace(act, kind=ActKind.SHOW_AGENT, meant=Meant(things=(thing,)))
    return listings.show_agents(shown, bench)


_OF_FORM = frozenset(
    root(word)
    for word in (
        "made make set create created give gave pick picked choose chose want wanted arrange weekday weekdays"
        " every daily weekly time day".split()
        + list(AGENT_NOUNS)
    )
)
"""Words that say what is asked of an agent, and not which one."""


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
