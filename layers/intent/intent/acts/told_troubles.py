"""Troubles and chores that people tell without asking for anything, and what each is about: ``the survey
comments`` of ``nobody ever reads the survey comments``, ``the domain renewal`` of ``third time now that the
domain renewal slipped through``.

An offer is due, whose subject is that thing and not the complaint around it. Pure; knows no agents.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise

from intent.acts.lexicon import (
    AGENT_NOUNS,
    AUXILIARIES,
    LEADS,
    POINTERS,
    QUESTION_WORDS,
    SUBJECTS,
    TASK_NOUNS,
)
from intent.acts.past_forms import base_of_past
from intent.acts.slot_types import CLOSED_CLASS
from intent.acts.tokens import Token, stretches, tokenise
from intent.acts.told_systems import without_system_told

_MARKS = frozenset(".,;:!?\n\u2013\u2014-")
_JOINTS = frozenset("and but because so that when until while then whenever how since as if".split())
_SLIPPING = frozenset("slip slips slipped slipping fall falls fell fallen falling".split())
_WAYS_OUT = frozenset("through by past between under behind out".split())
_PERISHING = frozenset(
    "vanish vanishes vanished disappear disappears disappeared lapse lapses lapsed rot rots rotting".split()
)
_ENDS_OF_ROWS = frozenset(
    {
        ("pile", "up"), ("piles", "up"), ("piled", "up"), ("gather", "dust"), ("gathers", "dust"),
        ("goes", "unnoticed"), ("go", "unnoticed"), ("went", "unnoticed"), ("goes", "missing"),
        ("go", "missing"), ("went", "missing"), ("goes", "unanswered"), ("go", "unanswered"),
        ("catches", "me"), ("catch", "me"), ("caught", "me"), ("catches", "us"), ("catch", "us"),
        ("caught", "us"), ("creeps", "up"), ("creep", "up"), ("crept", "up"),
    }
)  # fmt: skip
"""How the end of something begins that is left alone, or that comes unexpected."""
_PASSIVE = frozenset("get gets got getting was were been be is are goes went".split())
_LEFT_ALONE = frozenset("forgotten overlooked neglected missed ignored unread unanswered unnoticed".split())
_NOBODY = frozenset("nobody noone".split())
_NOBODY_ROWS = frozenset({("no", "one"), ("hardly", "anyone"), ("hardly", "anybody"), ("none", "of")})
_NEVER = frozenset("never rarely hardly".split())
_ADVERBS = frozenset(
    "ever really actually even just always still often again constantly regularly properly simply all"
    " somehow usually only us them else here".split()
)
_ATTENDING = frozenset(
    "read reads answer answers check checks look looks watch watches notice notices update updates open opens"
    " reply replies clean cleans chase chases order orders water waters follow follows review reviews"
    " collect collects renew renews file files reorder reorders count counts restock restocks refill refills"
    " return returns replace replaces test tests service services inspect inspects record records log logs"
    " hand hands maintain maintains prepare prepares send sends monitor monitors read".split()
)
"""What somebody ought to do about a thing: what nobody likes or knows is no trouble of ours."""
_PARTICLES = frozenset("at to after up on into for in back over through together down".split())
_BEFORE_CHORE = frozenset({"have", "to", "am", "must", "been"})
_ONCE = frozenset({"was", "were", "went", "got", "been"})
_BY_HAND = frozenset({("by", "hand"), ("by", "myself")})
_MANUAL = frozenset({"manually"})
_DETERMINERS = frozenset("the my our a an his her their this that these those".split())
_POINTING = frozenset({"this", "that", "these", "those"})
_TIMING = frozenset("every each on in last this at during twice again third second once".split())
_ENDS_OF_OBJECT = frozenset("together from out into by manually off over in onto across with for on".split())
_DOERS = frozenset({"i", "we"})
_LABELS = frozenset(
    "pain problem trouble headache nightmare bugbear worry struggle annoyance bottleneck weakness".split()
)
_BEING = frozenset({"is", "are", "was", "were"})
_NO_VERBS = AUXILIARIES | frozenset(
    "times days hours makes else about if its it's happens has is counts matters helps works comes".split()
)
_FARTHEST, _LONGEST, _LONGEST_OBJECT = 7, 12, 8


def trouble_in(text: str) -> str:
    """Return the thing that words tell a trouble or a chore of, as written; empty where they tell of none,
    ask anything, or only say where something is kept.
    """
    if "?" in text or len(text) > _MOST_CHARACTERS:
        return ""
    told = without_system_told(text) or text
    parts = [part for part in stretches(tokenise(told), _MARKS | _JOINTS) if part]
    wholes = [part for part in stretches(tokenise(told), _MARKS | _JOINTS - {"that"}) if part]
    found = chain(
        (reading(part) for part in parts for reading in (_neglected, _mishap)),
        (_by_hand(part) for part in wholes),
    )
    bare = (one for one in map(_bare, found) if any(token.word not in CLOSED_CLASS for token in one))
    subject = next(bare, ()) or _bare(_labelled(tokenise(told)))
    if not subject:
        return ""
    first = subject[0].word if subject[0].word in _DETERMINERS else subject[0].text
    return f"{first}{told[subject[0].end : subject[-1].end]}"


_MOST_CHARACTERS = 600


def _mishap(part: Sequence[Token]) -> Sequence[Token]:
    """Return what slips through, is forgotten or piles up: what stands before the verb that says so."""
    words = [token.word for token in part]
    for place, (word, behind) in enumerate(pairwise(words)):
        ahead = set(words[place + 1 : place + 4])
        is_slip = word in _SLIPPING and bool(_WAYS_OUT & ahead)
        is_left = word in _PASSIVE and (behind in _LEFT_ALONE or _is_neglect(words, place))
        if is_slip or is_left or (word, behind) in _ENDS_OF_ROWS or word in _PERISHING:
            return part[:place]
    return part[:-1] if words[-1:] != [] and words[-1] in _PERISHING and len(part) > 1 else ()


def _is_neglect(words: Sequence[str], place: int) -> bool:
    """Return whether a passive is denied: ``never gets closed``."""
    before, behind = words[max(0, place - 2) : place], words[place + 1]
    is_past = behind.endswith("ed") or behind in {"done", "written", "read", "paid", "sent", "kept"}
    return bool(_NEVER & set(before)) and is_past


def _neglected(part: Sequence[Token]) -> Sequence[Token]:
    """Return what nobody attends to: what stands behind ``nobody ever reads``."""
    words = [token.word for token in part]
    for place, pair in enumerate(pairwise([*words, ""])):
        if words[place] not in _NOBODY and pair not in _NOBODY_ROWS:
            continue
        near = range(place + 1, min(len(words), place + 6))
        verb = next((at for at in near if _attends(words[at])), None)
        between = set(words[place + 1 : verb]) - _ADVERBS - {"one", "of", "anyone", "anybody"}
        if verb is None or between:
            return ()
        begin = verb + 1
        while words[begin : begin + 1] != [] and words[begin] in _PARTICLES:
            begin += 1
        return _object(part[begin:])
    return ()


def _attends(word: str) -> bool:
    return word in _ATTENDING or base_of_past(word) in _ATTENDING


def _by_hand(part: Sequence[Token]) -> Sequence[Token]:
    """Return what somebody puts together by hand: the object of the verb, or the subject of a passive."""
    words = [token.word for token in part]
    if not (_BY_HAND & set(pairwise(words)) or _MANUAL & set(words)):
        return ()
    doer = max((at for at, word in enumerate(words) if word in _DOERS), default=-1)
    if doer >= 0:
        begin = doer + 1
        while words[begin : begin + 1] != [] and words[begin] in _ADVERBS | _BEFORE_CHORE:
            begin += 1
        verb = words[begin] if begin < len(words) else ""
        is_past = bool(base_of_past(verb)) and base_of_past(verb) != verb
        begin += 1
        while words[begin : begin + 1] != [] and words[begin] in _PARTICLES:
            begin += 1
        return () if is_past else _object(part[begin:], _LONGEST)
    passive = next((at for at, word in enumerate(words) if word in _PASSIVE - _ONCE), 0)
    return part[:passive]


def _object(tokens: Sequence[Token], longest: int = _LONGEST_OBJECT) -> Sequence[Token]:
    ends = (at for at, token in enumerate(tokens) if at and token.word in _ENDS_OF_OBJECT)
    return tokens[: min(next(ends, len(tokens)), longest)]


def _labelled(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return what ``what slips through our fingers is …`` or ``my pain is …`` names."""
    words = [token.word for token in tokens]
    begin = _begin(words)
    near = words[begin : begin + _FARTHEST]
    is_label = near[:1] in (["my"], ["our"], ["the"]) and bool(_LABELS & set(near[:5]))
    if not (_is_cleft(near) or is_label):
        return ()
    near_end = range(begin + 2, min(len(words), begin + _FARTHEST + 1))
    being = next((at for at in near_end if words[at] in _BEING), None)
    if being is None:
        return ()
    behind = being + 1 + (words[being + 1 : being + 2] == ["that"])
    end = next((at for at in range(behind, len(words)) if words[at] in _MARKS), len(words))
    named = tokens[behind : min(end, behind + _LONGEST)]
    is_thing = bool(named) and named[0].word not in POINTERS | SUBJECTS | QUESTION_WORDS
    return named if is_thing and sum(one.word not in CLOSED_CLASS for one in named) > 1 else ()


def begins_with_cleft(tokens: Sequence[Token]) -> bool:
    """Return whether words begin as ``what slips through our fingers is …`` does, which looks like a question
    and asks nothing.
    """
    words = [token.word for token in tokens]
    return _is_cleft(words[_begin(words) :][:_FARTHEST])


def _begin(words: Sequence[str]) -> int:
    plain = (at for at, word in enumerate(words) if word[0].isalnum() and word not in LEADS)
    return next(plain, len(words))


def _is_cleft(words: Sequence[str]) -> bool:
    return words[:1] == ["what"] and (words[1:2] in (["i"], ["we"]) or _is_teller(words[1:2]))


def _is_teller(words: Sequence[str]) -> bool:
    """Return whether a word behind ``what`` is a verb: ``what slips``, ``what annoys``."""
    return any(word.endswith("s") and len(word) > 3 and word not in _NO_VERBS for word in words)


def _bare(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return a subject without what only leads in to it and the adverbs and auxiliaries behind it."""
    kept = [token for token in tokens if token.is_word]
    while kept and kept[0].word in LEADS | _ADVERBS:
        kept = kept[1:]
    if kept and kept[0].word in _TIMING:
        begins = (at for at, token in enumerate(kept) if at and token.word in _DETERMINERS - _POINTING)
        first = next(begins, len(kept))
        kept = kept[first:]
    while kept and kept[-1].word in _ADVERBS | AUXILIARIES | _NEVER | _PASSIVE | {"keep", "keeps", "kept"}:
        kept = kept[:-1]
    is_pointing = bool(kept) and kept[0].word in (POINTERS | SUBJECTS) - _DETERMINERS
    is_ours = any(token.word in _OURS for token in kept)
    return () if is_pointing or is_ours or len(kept) > _LONGEST else kept


_OURS = AGENT_NOUNS | TASK_NOUNS | frozenset({"report", "reports"})
"""Words for what we do or keep: that it goes wrong is a complaint, and no trouble of theirs."""
