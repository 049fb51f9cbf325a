"""Remarks: sentences that tell something beside the work, and ask for nothing: ``haha, the singer is my
brother in law``, ``the boss is generous this year``.

What tells of a trouble, of something regular or of something to do is no remark: an agent or a task may be
wanted for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intent.acts.lexicon import (
    AGENT_NOUNS,
    AUXILIARIES,
    LEADS,
    LIST_NOUNS,
    QUESTION_WORDS,
    TASK_NOUNS,
    verb_forms,
)
from intent.acts.requests import asks_for_something
from intent.acts.tokens import Token, tokenise
from intent.acts.told_facts import OWED

_LAUGHING = frozenset(
    "haha hahaha hahahaha ha hah hehe hehehe hihi lol lmao rofl 😂 🤣 😄 😅 phew wow gosh blimey".split()
)
_OPENING = (
    (LEADS - {"thanks", "thank"}) | _LAUGHING | frozenset("by the way because since cos , ! . -".split())
)
_SUBJECTS = frozenset(
    "i we he she they it this that these those there everyone everybody someone somebody people nobody's"
    " i'm i've we're we've he's she's they're they've it's that's there's that'd it'd".split()
)
_DETERMINERS = frozenset("the a an my our his her their this that these those all both some".split())
_WISHES = frozenset(
    "i'd we'd want wants need needs needed must should ought shall wish would could"
    " can might please prefer rather instead hope hoping let let's lets remind gonna wanna going".split()
)
_REGULAR = frozenset(
    "every each daily weekly monthly yearly always never nobody whenever everytime keeps keep regularly often"
    " constantly usually tomorrow next soon again still".split()
)
_TROUBLES = frozenset(
    "problem problems trouble troubles issue issues wrong late missing lost losing forget forgets forgot"
    " forgotten chaos mess hard difficult struggle struggling overdue complain complains complaint complaints"
    " cancel cancels cancelled waste wasted wasting error errors mistake mistakes don't doesn't can't cannot"
    " won't stuck annoyed annoying broken broke crashed failed hate hates track check checks checking".split()
)
_OTHERS = (AGENT_NOUNS | TASK_NOUNS | LIST_NOUNS | OWED) - {"job", "jobs"} | frozenset(
    {"you", "your", "you're"}
)
_FEWEST, _MOST, _NEAR = 3, 30, 6


def laughs(text: str) -> bool:
    """Return whether a text that asks for nothing begins or ends with a laugh or a sigh."""
    tokens = [one for one in tokenise(text) if one.is_word or one.word in _LAUGHING]
    words = [one.word for one in tokens]
    if not _FEWEST <= len(words) <= _MOST or not _LAUGHING & {words[0], words[-1]}:
        return False
    return "?" not in text and not (_WISHES | _OTHERS) & set(words) and not _commands(tokens)


def is_remark(text: str) -> bool:
    """Return whether a text does nothing but tell how something is or was, beside the work."""
    tokens = tokenise(text)
    words = [one.text.lower() for one in tokens if one.is_word]
    if not _FEWEST <= len(words) <= _MOST or "?" in text or any("@" in one.text for one in tokens):
        return False
    plain = [one for one, behind in pairwise((*words, "")) if (one, behind) != ("would", "have")]
    if (_WISHES | _REGULAR | _TROUBLES | _OTHERS) & set(plain) or _commands(tokens):
        return False
    begin = _begin(words)
    said = [one for one in tokens if one.is_word][begin:]
    return len(said) >= _FEWEST and said[0].word not in QUESTION_WORDS | AUXILIARIES and _has_verb(said)


def _begin(words: Sequence[str]) -> int:
    """Return the place behind the words that only open a sentence; a determiner opens its subject."""
    opening = _OPENING - _DETERMINERS - _SUBJECTS
    return next((at for at, word in enumerate(words) if word not in opening), len(words))


def _commands(tokens: Sequence[Token]) -> bool:
    said = [one for one in tokens if one.word not in _LAUGHING]
    return asks_for_something(said)


def _has_verb(said: Sequence[Token]) -> bool:
    """Return whether words begin with a subject, and a verb follows."""
    words = [one.word for one in said[: _NEAR + 1]]
    first = said[0]
    if first.word in _SUBJECTS:
        return "'" in first.word or len(words) > 1
    is_name = first.text[:1].isupper() or words[0].endswith("'s")
    if not (is_name or first.word in _DETERMINERS):
        return False
    return any(is_finite_verb(word) for word in words[1:])


def is_finite_verb(word: str) -> bool:
    """Return whether a word is a verb that tells what is or was, and commands nothing."""
    form = verb_forms().get(word)
    is_past = word in _PASTS or word.endswith("ed")
    return is_past or word in AUXILIARIES or (form is not None and not form.is_base)


_PASTS = frozenset(
    "chose thought made went came took got saw said told ran ate drank bought sold knew felt fell found gave"
    " grew had heard kept left met paid sat sent sang slept spent stood taught won wore wrote broke brought"
    " built caught drew drove flew did been hung".split()
)
