"""Splits a question into the terms that answers are found by: stems of words, and pairs of neighbours.

Pure. Chat spellings ("u", "whats") count as the words they stand for, and words that mean the same here
("chat", "conversation") as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from conversation.search.words import fold_word, stem, words
from intent.answers.phrases import without_phrases
from intent.regular_expressions import straighten_quotes

MAX_CHARACTERS = 600
"""A longer message is no question about the product; only its beginning is looked at."""

_SPELLINGS = {
    "u": "you", "ur": "your", "r": "are", "ya": "you", "y": "why", "pls": "please", "plz": "please",
    "w": "with",
    "whats": "what is", "hows": "how is", "wheres": "where is", "whos": "who is", "cant": "can not",
    "cannot": "can not", "dont": "do not", "doesnt": "does not", "isnt": "is not", "wont": "will not",
    "im": "i am", "id": "i would", "gimme": "give me", "wanna": "want to", "gonna": "going to",
    "convo": "conversation", "convos": "conversations", "info": "information", "pics": "pictures",
    "wat": "what", "wht": "what", "kan": "can",
    "wtf": "what", "lol": "", "ok": "", "hey": "", "please": "", "kindly": "",
}  # fmt: skip
_CONTRACTED = {"s": "is", "re": "are", "m": "am", "ve": "have", "ll": "will", "d": "would", "t": "not"}
_SAME_WORDS = """
    chat conversation thread dialogue dialog
    delete remove erase wipe nuke discard purge vanish scrap chuck ditch bin
    bot automation agent job
    colleague coworker teammate staff employee personnel
    boss manager employer superior supervisor
    admin administrator
    company firm organisation organization business
    customer client
    create make build
    change modify edit alter adjust tweak
    pause suspend
    view see
    cost price pricing expense
    spend expenditure cost
    limit quota maximum max cap ceiling
    pc computer laptop desktop workstation machine
    phone smartphone telephone mobile iphone android
    mail email inbox
    ai llm
    app application software program tool product
    schedule timetable recurrence recurring
    execute run execution launch trigger
    reminder remind
    todo task
    document pdf file attachment upload
    picture photo image screenshot
    integration connection connect connector link hook integrate
    service system
    secret credential password token
    language speak
    store save keep retain retention
    recover restore undelete retrieve recoverable
    informed inform notify notified alert alerted
    result outcome output finding
    vacation holiday
    export download
    website homepage site webpage
    vendor provider supplier manufacturer
    answer reply response
    work function operate
    start begin
    error fail failure wrong mistake break broke broken crash malfunction
    sum math maths arithmetic calculate calculation compute add
    allow permit may
    law legal litigation lawsuit court
    secure security safe safety
    outage downtime
    monitor watch
    settings setting configure configuration
    news weather stock
    book reserve order buy
    read look
"""


def terms_of(text: str, correct: Callable[[str], str] | None = None) -> tuple[str, ...]:
    """Returns the terms of a text in order: each word's, and each pair of neighbours'.

    ``correct`` returns the stem that a misspelled one stands for; None: the text is spelled as it should be.
    """
    found = tuple(_stems(text) if correct is None else map(correct, _stems(text)))
    return (*found, *(f"{one} {two}" for one, two in pairwise(("^", *found))))


def _stems(text: str) -> Iterator[str]:
    said: list[str] = []
    for word in words(straighten_quotes(text[:MAX_CHARACTERS])):
        said += _SPELLINGS.get(word.term, _CONTRACTED.get(word.term, word.term)).split()
    return map(_term, without_phrases(said))


@lru_cache(maxsize=16_384)
def _term(word: str) -> str:
    own = stem(fold_word(word))
    return _HEADS.get(own, own)


def _heads(groups: str) -> dict[str, str]:
    """Each word's stem with the first stem of its group."""
    heads: dict[str, str] = {}
    for line in groups.split("\n"):
        stems: Sequence[str] = [stem(word) for word in line.split()]
        for each in stems:
            heads.setdefault(each, stems[0])
    return heads


_HEADS = _heads(_SAME_WORDS)
HEADS: Mapping[str, str] = _HEADS
"""Each stem that counts as another one, with that."""


_FRAMING_TEXT = """
    is there a an the way possible to i do does did can could would will it how what which who when where
    why you me my we our us am are be been was were have has had if of for in on at with and or that this
    these those so any some happen want need like able exactly should must may might get tell please know
    whether about then one ones them they by from as not no just also really possibility option allowed permit
"""
FRAMING = frozenset({"^", *map(_term, _FRAMING_TEXT.split())})
"""The terms that frame a question and say little of what it is about; ``^`` stands before the first word."""
