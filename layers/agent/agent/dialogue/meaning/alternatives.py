"""Values that a message leaves open between: two names, or two days, and what decides between them.

``call it low-water or river-levels`` is asked about; with ``whichever is shorter`` it is settled by itself.
Both values are remembered, so that ``the other one after all`` means something in the next message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from agent.dialogue.agent_acts import creation_texts
from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result
from agent.handler_interface import TurnRequest
from conversation.messages.models import Reference, Role
from intent.acts.act import Act, ActKind, Meant, Span, Thing
from intent.acts.clauses import Clause
from intent.acts.references import find_meant
from intent.acts.scene import Asked
from intent.acts.tokens import Token, tokenise
from intent.times.reader import read_times

K = ActKind
_NAMING = frozenset({"rename", "call", "name", "renamed", "called"})
_EARLIEST = frozenset({"earlier", "earliest", "sooner", "soonest", "first"})
_LATEST = frozenset({"later", "latest"})
_SHORTEST = frozenset({"shorter", "shortest"})
_LONGEST = frozenset({"longer", "longest"})
_MOST_WORDS = 8


class Names(NamedTuple):
    """Two names for an agent, and the one that the message itself settles on; empty: it leaves that open."""

    act: Act
    names: tuple[str, ...]
    settled: str


def names_in(turn: TurnRequest) -> Names | None:
    """Return the names between which a message leaves an agent's new name open; None where it doesn't."""
    known = frozenset(agent.name for agent in turn.own_agents())
    tokens = tokenise(turn.message)
    if not _NAMING & {token.word for token in tokens}:
        return None
    things = [Thing(agent.id, agent.name) for agent in turn.own_agents()]
    meant = find_meant(Clause(turn.message, tokens), things)
    is_known = len(meant.things) == 1 and meant.is_named
    at = next((at for at in range(1, len(tokens) - 1) if _is_choice(tokens, at, known)), None)
    if not is_known or at is None:
        return None
    names = (tokens[at - 1].text.lower(), tokens[at + 1].text.lower())
    settled = _chosen(names, tokens, len, _SHORTEST, _LONGEST)
    act = Act(K.CHANGE_AGENT, _span(" or ".join(names)), meant=meant)
    return Names(act, names, settled or "")


def _is_choice(tokens: Sequence[Token], at: int, known: frozenset[str]) -> bool:
    """Return whether ``or`` at a place joins two words that are written as names."""
    names = [tokens[at - 1].text, tokens[at + 1].text]
    is_written = all("-" in name.strip("-") and name[0].isalnum() for name in names)
    return tokens[at].word == "or" and is_written and not known & {name.lower() for name in names}


def _chosen(
    values: Sequence[str],
    tokens: Sequence[Token],
    key: Callable[[str], int],
    least: frozenset[str],
    most: frozenset[str],
) -> str | None:
    said = {token.word for token in tokens}
    if not said & (least | most) or len({key(value) for value in values}) < len(values):
        return None
    return min(values, key=key) if said & least else max(values, key=key)


def ask_name(found: Names) -> Result:
    """Ask which of two names an agent should have."""
    [agent] = found.act.meant.things
    return Result(creation_texts.which_name(agent.name, found.names), question=_question(found))


def renamed(found: Names) -> Act:
    """Return the change that gives an agent the name which its message settles on."""
    return replace(found.act, slots={"name": _span(found.settled)})


def remembered(found: Names) -> AskedQuestion:
    """Return both names as what may still be chosen, once the agent has one of them."""
    return _question(found).model_copy(update={"is_suggestion": True})


def _question(found: Names) -> AskedQuestion:
    act = replace(found.act, slots={})
    thing = act.meant.things[0]
    waiting = tuple(
        HeldAct.of(replace(act, slots={"name": _span(name)}), [Thing(thing.id, thing.name)])
        for name in found.names
    )
    options = tuple(
        Reference(kind="option", id=str(place), name=name) for place, name in enumerate(found.names)
    )
    return AskedQuestion(asked=Asked.WHICH, waiting=waiting, options=options)


def on_settled_day(acts: Sequence[Act], turn: TurnRequest) -> Sequence[Act]:
    """Return the acts; the task among them due on the day that the message settles on of several:
    ``the 27th or the 20th, whichever is earlier``. Said by itself, it is about the task talked of last, and
    the days of the message before.
    """
    tokens = tokenise(turn.message)
    words = [token.word for token in tokens if token.is_word]
    if "whichever" not in words and not ({"take", "say"} & set(words) and (_EARLIEST | _LATEST) & set(words)):
        return acts
    task = next((one for one in acts if one.kind in {K.ADD_TASK, K.CHANGE_TASK}), None)
    if task is not None and (when := _settled(turn.message, tokens, turn)):
        return [replace(task, slots={**task.slots, "when": _span(when)}, dues=())]
    about = turn.note.subject
    if len(words) > _MOST_WORDS or about is None or about.kind != "task":
        return acts
    when = _settled(turn.situation.last_text(Role.USER), tokens, turn)
    if not when:
        return acts
    whole = _span(turn.message)
    meant = Meant(things=(Thing(about.id, about.name),), is_focus=True)
    return [Act(K.CHANGE_TASK, whole, meant=meant, slots={"when": _span(when)})]


def _settled(text: str, tokens: Sequence[Token], turn: TurnRequest) -> str:
    """Return the words of the day that is chosen of those a text names; empty for fewer than two."""
    now, zone = turn.situation.now, turn.situation.time_zone
    found: dict[int, str] = {}
    for part in _parts(text):
        for one in read_times(part, now=now, zone=zone):
            if one.day is not None:
                found[one.day.toordinal()] = part[one.span[0] : one.span[1]]
    said = {token.word for token in tokens}
    if len(found) < 2 or not said & (_EARLIEST | _LATEST):
        return ""
    return found[min(found) if said & _EARLIEST else max(found)]


def _parts(text: str) -> Iterator[str]:
    """Yield the parts of a text of which each names one day: up to a mark, ``or`` or ``and``."""
    begin = 0
    for token in tokenise(text):
        if token.text in _MARKS or token.word in _JOINTS:
            yield text[begin : token.start]
            begin = token.end
    yield text[begin:]


_MARKS, _JOINTS = frozenset(",.;:!?"), frozenset({"or", "and", "but"})


def _span(text: str) -> Span:
    return Span(text, 0, len(text))
