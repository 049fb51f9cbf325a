"""Messages that tell a fact, with a sentence beside it that only asks to keep it, or says that nothing is to
be done: ``…, keep that for later``, ``no action needed, just remember: …``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from intent.acts.lexicon import AGENT_NOUNS, LEADS, LIST_NOUNS, TASK_NOUNS, classes_of, verb_forms
from intent.acts.requests import asks_for_something, is_question
from intent.acts.tokens import Token, tokenise
from intent.acts.told_facts import OWED, is_statement

_MARKS = re.compile(r"(?<![.;:!?,\u2013\u2014-])[.;:!?,\u2013\u2014](?=\s|$)|\s-\s|\n")
_POINTING = frozenset({"that", "this", "it", "these", "those", "them", "something", "one", "two", "both"})
_KEEPING = frozenset(
    "keep hold hang remember note mind store save memorise memorize retain bear register".split()
)
_WRITING = frozenset({"write", "jot", "put", "take", "note"})
_LOSING = frozenset({"forget", "lose"})
_ASKING_YOU = frozenset("can could would will you do i'd like want need".split())
_FOR_LATER = LEADS | frozenset(
    "for me us later in mind your head please safe somewhere handy down record the of to on onto a an thing"
    " things about only would i need case my sake file memory".split()
)
_NOTE_SIZES = frozenset("a mental quick little small short brief".split())
_INFORMING = tuple(
    tuple(phrase.split())
    for phrase in (
        "you know", "that you know", "for your information", "for your info", "for info", "for the record",
        "for information", "no action needed", "no action required", "no need to do anything",
        "nothing to do", "nothing to set up", "nothing for you to do", "nothing needed",
        "you don't have to do anything", "you don't need to do anything", "you needn't do anything",
        "you do not have to do anything", "you do not need to do anything", "don't do anything",
        "no reminder needed", "no reminder", "no task needed", "no need for a reminder",
        "so you know", "just so you know", "for awareness",
        "don't set anything up", "i don't need anything done",
    )
)  # fmt: skip
_AROUND_INFORMING = _FOR_LATER | _POINTING | frozenset("with here now yet right just".split())
_FEWEST = 2


def asks_to_keep(text: str) -> bool:
    """Return whether a text tells something and asks, before or behind it, only to keep it."""
    parts = [tokenise(part) for part in _MARKS.split(text)]
    parts = [part for part in parts if any(token.is_word for token in part)]
    if len(parts) < _FEWEST:
        return False
    keeps = [_only_keeps(_words_of(part)) for part in parts]
    informs = [_only_informs(_words_of(part)) for part in parts]
    asides = [one or two for one, two in zip(keeps, informs, strict=True)]
    if not (asides[0] or asides[-1]) or all(asides):
        return False
    told = [part for part, is_aside in zip(parts, asides, strict=True) if not is_aside]
    if "?" in text and not _only_keeps_in_questions(text):
        return False
    if any(_asks(part) for part in told) or any(_is_of_things(_words_of(part)) for part in told):
        return False
    if any(informs):
        return True
    is_owed = any(OWED & set(_words_of(part)) for part in told)
    is_firm = any(keeps[at] and not _is_warning(_words_of(parts[at])) for at in range(len(parts)))
    return not is_owed and (is_firm or any(is_statement(_words_of(part)) for part in told))


def _words_of(part: Sequence[Token]) -> list[str]:
    words = [token.word for token in part if token.is_word]
    begin = next((at for at, word in enumerate(words) if word not in LEADS), len(words))
    return words[begin:]


def _only_keeps(words: Sequence[str]) -> bool:
    """Return whether words only ask to keep what stands beside them: ``can you hold on to this for me``."""
    rest = list(words)
    while rest and rest[0] in _ASKING_YOU | {"only"}:
        rest = rest[1:]
    if rest[:1] in (["don't"], ["never"], ["not"]) and rest[1:2] and rest[1] in _LOSING:
        return set(rest[2:]) <= _FOR_LATER | _POINTING
    if rest[:1] in (["make"], ["take"], ["keep"], ["write"], ["leave"]) and "note" in rest[1:4]:
        place = rest.index("note")
        return set(rest[1:place]) <= _NOTE_SIZES and set(rest[place + 1 :]) <= _FOR_LATER | _POINTING
    if rest[:1] != [] and rest[0] in _WRITING and "down" in rest[1:4]:
        return bool(_POINTING & set(rest[1:4])) and set(rest[1:]) <= _FOR_LATER | _POINTING
    if not rest or rest[0] not in _KEEPING:
        return rest[:1] == ["to"] and rest[1:2] in (["remember"], ["note"]) and len(rest) <= _FEWEST
    is_pointing = bool(_POINTING & set(rest[1:4])) or rest[0] in {"remember", "note"}
    return is_pointing and set(rest[1:]) <= _FOR_LATER | _POINTING


def _only_informs(words: Sequence[str]) -> bool:
    """Return whether words only say that nothing is to be done: ``nothing to set up``, ``so you know``."""
    rest = [*words]
    while rest and rest[0] in {"it's", "this", "is", "that's", "only", "purely"}:
        rest = rest[1:]
    for phrase in _INFORMING:
        if tuple(rest[: len(phrase)]) == phrase:
            return set(rest[len(phrase) :]) <= _AROUND_INFORMING
    return False


def _is_warning(words: Sequence[str]) -> bool:
    """Return whether words only warn not to forget, as they may of something to do, too."""
    return bool(_LOSING & set(words)) and not _POINTING & set(words)


def _only_keeps_in_questions(text: str) -> bool:
    """Return whether every question of a text only asks to keep something: ``can you remember this?``"""
    asked = (re.split(r"[.!\n]", part)[-1] for part in text.split("?")[:-1])
    return all(_only_keeps(_words_of(tokenise(part))) for part in asked)


def _asks(part: Sequence[Token]) -> bool:
    """Return whether a part asks or commands something."""
    words = _words_of(part)
    form = verb_forms().get(words[0]) if words else None
    is_command = form is not None and form.is_base and bool(classes_of(words[0]))
    is_named = is_statement(words) and words[0] not in {"remind", "let"}
    is_request = is_command or asks_for_something(part)
    return is_question(part) or (is_request and not is_named) or "remind" in words


def _is_of_things(words: Sequence[str]) -> bool:
    return bool(set(words) & (TASK_NOUNS | LIST_NOUNS | AGENT_NOUNS - {"job", "jobs"}))
