"""Words of an agent's job that a change puts in place of others: ``change the 3 days to 5``, ``60 days, not
30``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent.workspace.agents import Agent
from intent.acts.exchanged_words import exchanged_words, with_exchanged
from intent.acts.lexicon import LEADS, POINTERS, verb_forms
from intent.acts.tokens import Token, tokenise

_CHANGING = frozenset({"change", "swap", "replace", "switch", "exchange", "raise", "lower", "set", "turn"})
_TOWARDS = frozenset({"to", "into", "with", "by", "for", "->", "=>", "\u2192"})
_INSTEAD = (("instead", "of"), ("rather", "than"))
_ENDS = frozenset(",.;!?")


def reworded(agent: Agent, text: str) -> dict[str, str]:
    """Return the label and the brief of an agent with the words exchanged that a change names, by field.

    Empty where the words name none of its job: those of its schedule, sources or recipients count for
    nothing here.
    """
    tokens = _without_frame(tokenise(text))
    what = _exchanged(tokens, text, agent.what)
    if not what or what == agent.what:
        return {}
    brief = "\n".join(_exchanged(tokens, text, line) or line for line in agent.brief.splitlines())
    return {"what": what, "brief": brief} if agent.brief else {"what": what}


def names_amount(text: str) -> bool:
    """Return whether words want one amount in place of another, and no time: ``change the 3 days to 5``."""
    pair = _commanded(_without_frame(tokenise(text)))
    if pair is None:
        return False
    old, new = ([one for one in part if one.word != "the"] for part in pair)
    is_counted = [one.text.isdigit() for one in old] == [True, False] and old[1].word not in _OF_CLOCK
    return is_counted and len(new) == 1 and new[0].text.isdigit()


_OF_CLOCK = frozenset({"am", "pm", "o'clock", "oclock"})


def _without_frame(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return words without ``make it`` or ``make that`` at their beginning."""
    kept = list(tokens)
    while kept and (kept[0].word in LEADS or not kept[0].is_word):
        kept.pop(0)
    is_frame = len(kept) > 1 and kept[0].word == "make" and kept[1].word in POINTERS
    return kept[2:] if is_frame else kept


def _exchanged(tokens: Sequence[Token], text: str, job: str) -> str:
    pair = _commanded(tokens) or _instead(tokens) or _counted_otherwise(tokens, job)
    if pair is None:
        return exchanged_words(tokens, text, job) if "not" in {one.word for one in tokens} else ""
    old, new = pair
    numbers = [one for one in old if one.text.isdigit()]
    if len(new) == 1 and new[0].text.isdigit() and len(numbers) == 1:
        old = numbers  # ``the 3 days to 5``
    return with_exchanged(new, old, text, job)


def _counted_otherwise(tokens: Sequence[Token], job: str) -> tuple[Sequence[Token], Sequence[Token]] | None:
    """Return the number of a job that words deny and the one in its place, where both count the same: ``not
    seen for 8 weeks, not 6``.
    """
    words = [one.word for one in tokens]
    at = max((at for at, word in enumerate(words) if word == "not"), default=0)
    old = next((one for one in tokens[at + 1 : at + 3] if one.text.isdigit()), None)
    new = max((place for place in range(at) if tokens[place].text.isdigit()), default=None)
    if not at or old is None or new is None or new + 1 >= at:
        return None
    counted = list(pairwise(one.word.removesuffix("s") for one in tokenise(job)))
    is_same = (old.text, words[new + 1].removesuffix("s")) in counted
    return ([old], [tokens[new]]) if is_same else None


def _commanded(tokens: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]] | None:
    """Return the words that a command wants replaced and those that take their place."""
    begin = next((at for at, one in enumerate(tokens) if _base(one.word) in _CHANGING), None)
    if begin is None:
        return None
    to = next((at for at in range(begin + 2, len(tokens)) if tokens[at].word in _TOWARDS), None)
    return None if to is None else (tokens[begin + 1 : to], _up_to_mark(tokens[to + 1 :]))


def _instead(tokens: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]] | None:
    """Return the two sides of ``5 days instead of 3``."""
    words = [one.word for one in tokens]
    at = next((at for at in range(1, len(words)) if tuple(words[at : at + 2]) in _INSTEAD), None)
    if at is None:
        return None
    new, old = tokens[:at], _up_to_mark(tokens[at + 2 :])
    is_hour = {"at", "by"} & {one.word for one in new} and all(one.text.isdigit() for one in old)
    return None if is_hour else (old, new)  # ``let it come at 6 instead of 7``


def _up_to_mark(tokens: Sequence[Token]) -> list[Token]:
    end = next((at for at, one in enumerate(tokens) if one.text in _ENDS), len(tokens))
    kept = list(tokens[:end])
    while kept and kept[-1].word in LEADS:
        kept.pop()
    return kept


def _base(word: str) -> str:
    form = verb_forms().get(word)
    return word if form is None else form.base
