"""Names of present agents that have words in them which say something by themselves: ``stock-sunday``,
``slack-digest``, ``pause-report``.

While a message is read, these words stand as letters without a meaning, in the message and in the scene.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from intent.acts.act import Act, Meant, Span, Thing
from intent.acts.naming.extent import TIME_WORDS
from intent.acts.references import find_name_place, name_parts
from intent.acts.scene import Scene
from intent.acts.tokens import tokenise

_CHANNELS = frozenset("slack teams email mail emails mails sms gmail outlook inbox here chat".split())
_COMMANDS = frozenset("pause run stop delete copy rename share undo remind resume start cancel".split())
_MEANINGLESS = "q"


def read_beside_names(
    message: str, scene: Scene, read: Callable[[str, Scene], tuple[Act, ...]]
) -> tuple[Act, ...]:
    """Return the acts of a message as ``read`` finds them, whatever the names of agents in it say."""
    names = _neutral_names(message, scene.agents)
    if not names:
        return read(message, scene)
    neutral = _with_neutral_names(message, scene.agents, names)
    return _with_own_names(read(neutral, _neutral_scene(scene, names)), message, scene)


def _neutral_names(message: str, agents: Sequence[Thing]) -> Mapping[str, str]:
    """Return by id meaningless names for the agents that a message names in full; empty: there are none."""
    telling = [thing for thing in agents if _tells(thing.name)]
    if not telling:
        return {}
    words = [token.text.lower() for token in tokenise(message)]
    return {
        thing.id: "-".join(map(_neutral, name_parts(thing.name)))
        for thing in telling
        if find_name_place(words, thing.name) is not None
    }


def _tells(name: str) -> bool:
    parts = name_parts(name)
    return len(parts) > 1 and any(map(_has_meaning, parts))


def _has_meaning(part: str) -> bool:
    return part in TIME_WORDS | _CHANNELS | _COMMANDS


def _neutral(part: str) -> str:
    """Return as many letters as a part of a name has; the part itself where it says nothing."""
    return _MEANINGLESS * len(part) if _has_meaning(part) else part


def _with_neutral_names(message: str, agents: Sequence[Thing], names: Mapping[str, str]) -> str:
    """Return the message, as long as before, with the meaningless names in place of the agents' own."""
    for thing in agents:
        if thing.id not in names:
            continue
        while (place := _place(message, thing.name)) is not None:
            start, end = place
            said = tokenise(message[start:end])
            parts = iter([part for token in said for part in name_parts(token.text)])
            own = "".join(_neutral_text(message[start:end], list(parts)))
            message = f"{message[:start]}{own}{message[end:]}"
    return message


def _place(message: str, name: str) -> tuple[int, int] | None:
    tokens = tokenise(message)
    place = find_name_place([token.text.lower() for token in tokens], name)
    return None if place is None else (tokens[place[0]].start, tokens[place[1] - 1].end)


def _neutral_text(text: str, parts: Sequence[str]) -> str:
    small = text.lower()
    for part in parts:
        at = small.find(part)
        if at >= 0:
            small = f"{small[:at]}{_neutral(part)}{small[at + len(part) :]}"
    return small


def _neutral_scene(scene: Scene, names: Mapping[str, str]) -> Scene:
    """Return the scene with the meaningless names in place of the agents' own."""
    question = scene.question
    if question is not None:
        question = replace(question, options=_renamed(question.options, names))
    focus = None if scene.focus is None else _renamed([scene.focus], names)[0]
    return replace(
        scene, agents=_renamed(scene.agents, names), listed=_renamed(scene.listed, names),
        pair=_renamed(scene.pair, names), focus=focus, question=question,
    )  # fmt: skip


def _renamed(things: Iterable[Thing], names: Mapping[str, str]) -> tuple[Thing, ...]:
    return tuple(thing._replace(name=names.get(thing.id, thing.name)) for thing in things)


def without_name(act: Act, name: str) -> Act:
    """Return an act without an agent's name in its words, where a part of that says something by itself."""
    text = act.clause.text
    while _tells(name) and (place := _place(text, name)) is not None:
        text = f"{text[: place[0]]}{' ' * (place[1] - place[0])}{text[place[1] :]}"
    return replace(act, clause=act.clause._replace(text=text))


def _with_own_names(acts: Iterable[Act], message: str, scene: Scene) -> tuple[Act, ...]:
    """Return the acts with the agents as they are called, and the words as the message has them."""
    own = {thing.id: thing for thing in scene.agents}

    def things(of: Iterable[Thing]) -> tuple[Thing, ...]:
        return tuple(own.get(thing.id, thing) for thing in of)

    def words(span: Span) -> Span:
        said = message[span.start : span.end]
        return span._replace(text=said) if len(said) == len(span.text) else span

    return tuple(
        replace(
            act,
            clause=words(act.clause),
            meant=_meant(
                act.meant, things(act.meant.things), things(act.meant.candidates), things(act.meant.excepted)
            ),
            slots={name: _when(span) if name == "when" else words(span) for name, span in act.slots.items()},
            several=tuple(map(words, act.several)),
        )
        for act in acts
    )


def _when(span: Span) -> Span:
    """Return words that say when, without what stands for a name in them."""
    return span._replace(text=_STANDING.sub(lambda found: " " * len(found[0]), span.text))


_STANDING = re.compile(rf"{_MEANINGLESS}{{3,}}")


def _meant(
    meant: Meant, things: tuple[Thing, ...], candidates: tuple[Thing, ...], excepted: tuple[Thing, ...]
) -> Meant:
    return replace(meant, things=things, candidates=candidates, excepted=excepted)
