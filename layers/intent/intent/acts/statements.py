"""Statements about something else than an agent: ``the coach leaves at 7.45``, ``we have a long weekend``.

What they say of days and hours is no schedule.
"""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.clauses import Clause
from intent.acts.lexicon import AGENT_NOUNS, CORRECTIONS, LEADS
from intent.acts.references import find_meant
from intent.acts.scene import Scene
from intent.acts.tokens import tokenise
from intent.acts.told_deeds import mentions
from intent.regular_expressions import pattern
from intent.times.reader import read_times
from intent.times.words.lexicon import WEEKDAYS

_OWN = frozenset("i we i'm we're i've we've".split())
_PEOPLE = frozenset(
    "he she they he's she's they're everybody everyone nobody somebody nobody's everybody's".split()
)
_DETERMINERS = frozenset("the a an my our his her their your".split())
_STATING = frozenset(
    "is are was were has have had isn't aren't don't doesn't won't haven't hasn't didn't leaves leave arrives"
    " comes goes gets opens closes starts begins ends finishes lands departs works plays meets visits takes"
    " sets drives travels returns".split()
)
_POINTING = frozenset("it it's its that that's".split())
_RESULTS = AGENT_NOUNS | frozenset(
    "mail mails email emails e-mail message messages report reports list lists summary digest result results"
    " update updates post posts run runs schedule time times one ones overview reminder alert alerts job"
    " check checks watch name day days hour".split()
)
"""Words for an agent, what it brings and when."""
_WISHING = frozenset(
    "want wants need needs needed like likes prefer prefers wish would should must shall ought rather instead"
    " please only suits better best except until till again resume every each from so enough plenty".split()
)
_BEING_WHERE = frozenset("here there in out at on off away back coming due around over".split())
"""Words behind ``'s`` where that is short for "is"."""
_OPENINGS = frozenset("by the way fyi because since as cos also just btw".split())
_FEWEST, _MOST_SUBJECT = 3, 5


def tells_of_others(words: Sequence[str], *, with_own: bool = False) -> bool:
    """Return whether words state something of another subject than an agent, and wish for nothing.

    ``with_own``: what the speaker tells of himself counts, too.
    """
    said = _behind_opening([word for word in words if word[0].isalnum()])
    if len(said) < _FEWEST or set(said) & (_WISHING | _POINTING) or CORRECTIONS & set(words[:1]):
        return False
    first = said[0]
    if _says_what_day_is(said):
        return True
    if first in _OWN | _PEOPLE:
        return with_own or first not in _OWN
    if first.endswith("'s") and first.removesuffix("'s") not in _RESULTS and said[1] in _BEING_WHERE:
        return True  # ``inspector's here at 2``
    if first not in _DETERMINERS:
        return False
    at = next((at for at, word in enumerate(said[: _MOST_SUBJECT + 1]) if at > 1 and word in _STATING), 0)
    return at > 0 and not _RESULTS & set(said[1:at])


def _says_what_day_is(said: Sequence[str]) -> bool:
    """Return whether words say what a day is for: ``Tuesday is planning``, ``the 24th is a holiday``."""
    if said[0] == "the" and said[1].isdigit() and said[2] in _ORDINALS:
        return said[3:4] in (["is"], ["was"]) and not _FITTING & set(said[4:])
    at = 1 if said[0] == "on" else 0
    if said[at] not in WEEKDAYS or len(said) < at + _FEWEST:
        return False
    if said[at + 1] in _OWN | _PEOPLE:
        return said[at + 2] in _STATING or "'" in said[at + 1]
    return not at and said[1] in {"is", "was", "has"} and not _FITTING & set(said[2:])


_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_FITTING = frozenset("fine good ok okay perfect great ideal it when enough easier free right correct".split())


def tells_what_day_is(clause: Clause) -> bool:
    """Return whether a clause only says what a day is for, as the reason of what stands before it."""
    said = [word for word in clause.words if word[0].isalnum()]
    return len(said) >= _FEWEST and _says_what_day_is(said)


def tells_time_of_others(clause: Clause, scene: Scene) -> bool:
    """Return whether every part of a clause that has a time only states something of another subject."""
    if scene.question is not None or scene.has_draft or clause.is_question:
        return False
    gives_place = any("@" in word or word[0] == "#" for word in clause.words)
    if gives_place or find_meant(clause, scene.agents).is_named:
        return False
    return times_are_of_others(clause, scene)


def times_are_of_others(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause has times, and only in what it states of another subject."""
    parts = [found[0] for found in _PARTS.finditer(clause.text)]
    timed = [one for one in parts if read_times(one, now=scene.now, zone=scene.zone)]
    deeds = any(True for _ in mentions(clause))
    said = ([one.word for one in tokenise(part)] for part in timed)
    return bool(timed) and all(tells_of_others(words, with_own=deeds) for words in said)


def without_told(text: str) -> str:
    """Return a text of the same length without the parts that state something of another subject."""
    for found in _PARTS.finditer(text):
        if tells_of_others([one.word for one in tokenise(found[0])]):
            text = f"{text[: found.start()]}{' ' * len(found[0])}{text[found.end() :]}"
    return text


def says_nobody(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause says of every time in it that nobody is there then: ``nobody's in at 5``."""
    parts = [found[0] for found in _PARTS.finditer(clause.text)]
    timed = [one for one in parts if read_times(one, now=scene.now, zone=scene.zone)]
    said = ([token.word for token in tokenise(one) if token.is_word] for one in timed)
    return bool(timed) and all(words[:1] != [] and words[0] in _NOBODY for words in said)


_NOBODY = frozenset("nobody nobody's noone no-one none".split())


_PARTS = pattern(r"(?:[^\s.!?;,]|[^\S\n](?!and\b)|[.,](?=\S))++")


def names_occasion(words: Sequence[str]) -> bool:
    """Return whether words are nothing but the name of a single occasion: ``long weekend``."""
    said = [word for word in words if word[0].isalnum()]
    at = said.index("weekend") if "weekend" in said else -1
    if at < 0 or len(said) > _MOST_SUBJECT:
        return False
    before, behind = set(said[:at]), said[at + 1 :]
    return bool(before & _SINGLE or set(behind[:1]) & _TRIPS) and before <= _SINGLE | _DETERMINERS


_SINGLE = frozenset("long bank this next coming holiday easter".split())
_TRIPS = frozenset("break trip off away getaway holiday outing".split())


def _behind_opening(words: Sequence[str]) -> Sequence[str]:
    if tuple(words[:3]) == ("by", "the", "way"):
        words = words[3:]
    openings = (LEADS | _OPENINGS) - _DETERMINERS - _OWN
    at = next((at for at, word in enumerate(words) if word not in openings), len(words))
    return words[at:]
