"""Tasks whose title lists several things: a part that is done is not the whole."""

from __future__ import annotations

from collections.abc import Sequence

from agent.dialogue import texts
from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result
from intent.acts.act import Act, Thing
from intent.acts.scene import Asked
from intent.acts.tokens import tokenise
from tasks.task import Task

_FEWEST = 3
_SHORT = 2


def ask_first(tasks: Sequence[Task], act: Act) -> Result | None:
    """Return the question whether the whole task is done, where words name only a part of it; else None."""
    if len(tasks) != 1:
        return None
    things = _listed(tasks[0].title)
    said = _words(act.clause.text)
    named = [thing for thing in things if _words(thing) & said]
    if len(things) < _FEWEST or not named or len(named) == len(things):
        return None
    held = HeldAct.of(act, [Thing(tasks[0].id, tasks[0].title)])
    question = AskedQuestion(asked=Asked.CONFIRM, waiting=(held,))
    rest = texts.join([thing for thing in things if thing not in named])
    return Result(
        f"{texts.quoted(tasks[0])} is one task. Shall I tick off all of it, {rest} too?", question=question
    )


def _listed(title: str) -> list[str]:
    """Return the things that a title lists: ``milk, bread and the visa form``."""
    before, mark, last = title.rpartition(" and ")
    listed = [*before.split(","), last] if mark else title.split(",")
    return [thing.strip() for thing in listed if thing.strip()] if "," in title else []


def _words(text: str) -> set[str]:
    return {token.word for token in tokenise(text) if token.is_word and len(token.word) > _SHORT} - _SMALL


_SMALL = frozenset("the and for are was done have has got did been with".split())
