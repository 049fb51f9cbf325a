"""Statements by which people introduce themselves: ``I am responsible for the invoices here``."""

from __future__ import annotations

from conversation.sentences import split_sentences
from intent.acts.evidence import says_often
from intent.acts.lexicon import LEADS, NEGATIONS
from intent.acts.tokens import tokenise
from intent.acts.told_changes import tells

_BEING = (
    ("i", "am"),
    ("i'm",),
    ("im",),
    ("we", "are"),
    ("we're",),
    ("my", "job", "is"),
    ("my", "name", "is"),
)
_AS = frozenset("a an the responsible in new head self-employed from with working running part".split())
_DOING = frozenset(
    "work run manage lead own teach handle sell head organise organize coordinate supervise oversee operate"
    " administer have direct drive cook repair build design bake grow look".split()
)
_WISHING = frozenset(
    "want need like would wish looking trying interested tired fed sick bored happy afraid wondering hoping"
    " thinking going about ready back done late sure sorry curious able late".split()
)
_OPENING = LEADS | frozenset(
    "good morning afternoon evening day dear everyone there all ! . , - so well".split()
)
_FEWEST, _MOST = 4, 40


def introduces(text: str) -> bool:
    """Return whether words only tell who somebody is and what their work is, and ask for nothing."""
    tokens = tokenise(text)
    words = [token.word for token in tokens]
    while words and words[0] in _OPENING:
        words = words[1:]
    if not _FEWEST <= len(words) <= _MOST or "?" in words or (_WISHING | NEGATIONS) & set(words):
        return False
    for phrase in _BEING:
        if tuple(words[: len(phrase)]) == phrase:
            return phrase[0] == "my" or words[len(phrase)] in _AS
    return words[0] in {"i", "we"} and words[1] in _DOING


def tells_of_oneself(text: str) -> bool:
    """Return whether a text begins with who somebody is, by their name or their work, and asks for nothing
    behind it: ``I'm Jens, controller at Nordlys. We have the tolls in a Google sheet``.
    """
    sentences = split_sentences(text)
    words = [token.word for token in tokenise(text)]
    if not sentences or not _FEWEST <= len(words) <= _MOST or (_WISHING | _NEEDING) & set(words):
        return False
    is_told = tells(text) and not says_often(words) and not any("@" in word for word in words)
    return is_told and (_gives_name(sentences[0]) or any(introduces(one) for one in sentences[:2]))


_NEEDING = frozenset("please should must could can tell show mail send let".split())


def _gives_name(sentence: str) -> bool:
    """Return whether a sentence begins with the speaker's name: ``hi, I'm Anna and I run the office``."""
    tokens = [token for token in tokenise(sentence) if token.is_word and token.word not in _OPENING]
    words = tuple(token.word for token in tokens)
    phrase = next((one for one in (*_BEING, ("this", "is")) if words[: len(one)] == one), None)
    if phrase is None or len(words) <= len(phrase):
        return False
    name = tokens[len(phrase)].text
    return name[:1].isupper() and name[1:].islower()
