"""Where the words of a change only tell why it is wanted: ``make it 10, standup is later now``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from intent.acts.clauses import Clause
from intent.acts.lexicon import CORRECTIONS, EXCEPTIONS, LEADS, NEGATIONS, classes_of, verb_forms
from intent.acts.question_words import FINITE
from intent.acts.statements import tells_of_others

HOURS = frozenset("one two three four five six seven eight nine ten eleven twelve noon midnight".split())
TIME_WORDS = HOURS - {"noon", "midnight"} | frozenset(
    "at on by in the half quarter past to noon midnight am pm a.m p.m o'clock morning afternoon evening night"
    " monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays"
    " saturdays sundays weekdays weekends daily every day".split()
)
SUBJECTS = frozenset("i i'm i've i'll we we're we've we'll he she he's she's they they're there's".split())
STATED = frozenset("is are was were has have comes come my our his her their the".split())
AROUND_HOUR = frozenset(
    "instead rather better no nope wait actually sorry oops hmm make say meant mean correction"
    " at to it that is would be should please i o'clock oh um uh let's the works on then so".split()
)
"""The words around a bare hour that say nothing more: ``make it 8 then``."""
_MARKS = frozenset(",;:\u2013\u2014-(")
_ENDS = frozenset(".!?\n")
_CAUSES = frozenset("because cause cos coz since as".split())
_JOINTS = _CAUSES | {"but", "so", "and"}
_OCCASIONS = frozenset("before after when once while".split())
_OTHERS = frozenset("it it's its that that's thats this im ive were weve id he she they you".split())
_PEOPLE = frozenset(
    "nobody everybody everyone somebody someone nobody's everybody's everyone's people".split()
)
_REASONING = frozenset(
    "forgot forgetting got had can't cant couldn't couldnt won't wont didn't didnt theres there's there it's"
    " that's nobody everybody everyone somebody someone".split()
)
"""Words besides a subject with which people begin to tell why, leaving out who."""
_WISHING = frozenset("want need like prefer wish should would must let please".split())
STAYING = frozenset("stay stays same keep keeps remain remains rest other others only".split())
_EXCESS = frozenset("early late soon often much many little few seldom rarely".split())
_SHIFTING = frozenset("later earlier sooner latter".split())
_FEWEST_TOLD = 2
"""How many words a reason has at least."""
_NEAR, _MOST_HOURS = 5, 24


def is_hour(word: str) -> bool:
    """Return whether a word may be an hour by itself: ``8``, ``8:30``, ``noon``."""
    hour, _, minute = word.replace(".", ":").partition(":")
    is_number = hour.isdigit() and 0 < int(hour) <= _MOST_HOURS and (not minute or len(minute) == 2)
    return is_number or word in HOURS


def without_reason(clause: Clause) -> Clause:
    """Return a clause without what stands before and behind its wish and only tells why."""
    end = reason_place(clause.words)
    begin = _opening_end(clause.words[:end])
    whole = (0, len(clause.tokens))
    return clause if (begin, end) == whole else replace(clause, tokens=clause.tokens[begin:end])


def _opening_end(words: Sequence[str]) -> int:
    """Return the place behind a reason with which words begin: ``since I start early now,``, ``we open at 8
    now, so``; 0 without one.
    """
    first = next((at for at, word in enumerate(words) if word not in LEADS | _MARKS), 0)
    begins = _begins_statement(words[first + 1 : first + 2]) or tuple(words[first + 1 : first + 2]) == ("of",)
    end = 0
    if words and words[first] in _CAUSES and begins:
        end = words.index(",") + 1 if "," in words else 0
    elif "so" in words[first + _FEWEST_TOLD :]:
        at = words.index("so", first + _FEWEST_TOLD)
        told = [word for word in words[first:at] if word[0].isalnum()]
        end = at + 1 if tells_reason(told, is_set_off=True) else 0
    return end if any(map(_is_of_time, words[end:])) else 0


def reason_place(words: Sequence[str]) -> int:
    """Return the place from which words only tell why; their number where they tell no reason."""
    return _reason_place(tuple(words))


@lru_cache(maxsize=16)  # a turn asks for the reason of the same clauses many times over
def _reason_place(words: tuple[str, ...]) -> int:
    for end, begin in _cuts(words):
        if end and _is_reason(words, end, begin):
            return end
    return len(words)


def _cuts(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where what was wished may end, and where its reason begins."""
    for at, word in enumerate(words):
        if word in _MARKS or (word in _CAUSES and _begins_statement(words[at + 1 : at + 2])):
            yield at, at + 1
    hour = next((at for at, word in enumerate(words) if is_hour(word)), len(words))
    end = next((at for at in range(hour + 1, len(words)) if words[at] not in AROUND_HOUR), len(words))
    if hour < end < len(words):
        yield end, end + (words[end] in _MARKS | _ENDS or words[end] in _JOINTS - {"and"})


def _begins_statement(words: Sequence[str]) -> bool:
    return bool(words) and (words[0] in SUBJECTS | _OTHERS | _PEOPLE | STATED)


def _is_reason(words: Sequence[str], end: int, begin: int) -> bool:
    head, behind = words[:end], words[begin:]
    first = next((word for word in behind if word[0].isalnum()), "")
    if _ENDS & set(behind[:-1]) or first in CORRECTIONS:
        return False
    if behind[:1] and behind[0] == "so" and not SUBJECTS & set(behind[1:2]):
        return False  # what follows is the wish
    if _is_of_time(first or " ") and (NEGATIONS | EXCEPTIONS | {"skip"}) & set(head):
        return False  # ``skip Saturdays, Mondays we are shut`` leaves out both
    said = [word for word in behind if word[0].isalnum() and word not in LEADS | _JOINTS]
    occasion = said[:1] != [] and said[0] in _OCCASIONS
    said = said[1:] if occasion else said
    has_time = any(map(_is_of_time, said))
    says_time = any(map(_is_of_time, head)) or bool(_SHIFTING & set(head))
    if not said or {"mean", "meant"} & set(said[:3]):
        return False
    if (has_time and not says_time) or any("@" in word or word[0] == "#" for word in behind):
        return False
    if any(one == "too" and two in _EXCESS for one, two in pairwise(said)):
        return not _WISHING & set(said)
    is_wish = tuple(words[:2]) == ("make", "it") and begin > end and bool(SUBJECTS & set(said[:1]))
    return is_wish or tells_reason(said, is_set_off=begin > end)


def tells_reason(words: Sequence[str], *, is_set_off: bool) -> bool:
    """Return whether words behind a wish only tell why: ``forgot there's a standup at 10``.

    ``is_set_off``: a mark or a word such as ``because`` stands before them.
    """
    if not words or (_WISHING | STAYING) & set(words) or any("@" in word for word in words):
        return False
    if words[0] in CORRECTIONS or _commands(words):
        return False
    if words[0] in SUBJECTS | _REASONING:
        return True
    if not is_set_off:
        return False
    if words[0] in _OTHERS:
        return not any(map(_is_of_time, words[1:]))
    at = 0
    while at < len(words) and _is_of_time(words[at]):
        at += 1
    if at and words[at - 1] != "the":
        return words[at : at + 1] != [] and words[at] in SUBJECTS | _PEOPLE  # ``at 7 nobody is here``
    if tells_of_others(words, with_own=True):
        return True
    is_subject = not classes_of(words[at]) if at < len(words) else False
    return is_subject and any(map(_is_finite, words[at + 1 : at + _NEAR]))


def _commands(words: Sequence[str]) -> bool:
    form = verb_forms().get(words[0])
    is_verb = (form is not None and form.is_base) or words[0] in {"use", "choose"}
    return is_verb and words[0] not in {"forget", "text", "report"}


def _is_finite(word: str) -> bool:
    form = verb_forms().get(word)
    return word in STATED or word in FINITE or (form is not None and not form.is_base)


def _is_of_time(word: str) -> bool:
    return word in TIME_WORDS or word[0].isdigit()
