"""Quotes what the user said: the best sentence, with what changed it, unless it is to be forgotten."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.dialogue.result import Result
from agent.dialogue.talk import texts
from agent.dialogue.talk.earlier_messages import day_of
from agent.dialogue.talk.occasion import Occasion
from agent.dialogue.talk.statements import Statement, strong_terms_of, terms_of
from intent.acts.act import ActKind
from intent.acts.told_facts import asks_to_forget

_TOOL = "search_conversations"
_CERTAIN, _SURE = 0.99, 0.5


def quote(occasion: Occasion, found: Sequence[Statement], *, is_more: bool = True) -> Result:
    """Quote the best of the statements; ``is_more``: it answers another question than the last reply."""
    # What only corrects another sentence is told behind that one.
    best = next((one for one in found if one.score >= _SURE and found[0].sentence in one.amended), found[0])
    when = day_of(best.said_at, occasion)
    forgotten = [text for text in best.amended if asks_to_forget(text)]
    asked = set(strong_terms_of(occasion.words))
    if any(asked & set(terms_of(to_forget(text))) for text in forgotten):
        return Result(texts.told_to_forget(when), tool=_TOOL, kind=ActKind.RECALL)
    amended = [text for text in best.amended if text not in forgotten]
    if len(amended) == 1 and (value := with_correction(best.sentence, amended[0])):
        text = texts.told_corrected(when, amended[0], value)
        return Result(text, tool=_TOOL, kind=ActKind.RECALL, quote=best.sentence)
    plain, again = texts.told(when, best.sentence), texts.told_again(best.sentence)
    lines = [occasion.fresh([again, plain]) if is_more and best.sentence in occasion.last_reply else plain]
    if amended:
        lines.append(texts.told_since(amended))
    older = (one for one in found[1:] if one.score >= _CERTAIN and one.said_at < best.said_at)
    second = next((one for one in older if best.sentence not in one.amended), None)
    if second is not None and len(second.sentence.split()) <= 20:
        lines.append(texts.told_more(day_of(second.said_at, occasion), second.sentence))
    return Result("\n".join(lines), tool=_TOOL, kind=ActKind.RECALL, quote=best.sentence)


def with_correction(sentence: str, correction: str) -> str:
    """Return a sentence with its only number as a later one puts it right: ``space 84`` for ``space 48``
    after ``oops no, it's 84``; empty where more than one is told, or something else is corrected.
    """
    old, new = _NUMBER.findall(sentence), _NUMBER.findall(correction)
    values = [one for one in new if one not in old]
    if len(old) > 1 and len(new) == 1 and len(new[0]) == len(old[-1]) and _ENDING.search(correction):
        head, _, tail = sentence.rpartition(old[-1])
        return f"{head}{new[0]}{tail}"
    is_only = len(set(old)) == 1 and len(values) == 1 and len(new) <= len(values) + len(old)
    if not is_only or len(correction.split()) > _MOST_WORDS or old[0].isdigit() is not values[0].isdigit():
        return ""
    return sentence.replace(old[0], values[0])


_NUMBER = re.compile(r"(?<![\w.,])[A-Z]?\d[\d.,:-]*(?<=\d)(?!\w)")
"""A number, or a letter with one: ``48``, ``7719``, ``B17``."""
_ENDING = re.compile(r"\b(?:ends?|finish(?:es)?|last)\b", re.IGNORECASE)
_MOST_WORDS = 8


def to_forget(text: str) -> str:
    """Return what a text asks to forget, up to the next mark: ``the door code``."""
    behind = text[text.lower().index("forget") + len("forget") :]
    return next((part for part in _MARKS.split(behind) if terms_of(part)), behind)


_MARKS = re.compile(r"[,.;!?\n]")
