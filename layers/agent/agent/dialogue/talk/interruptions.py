"""Whether a message only says that somebody leaves, or is called away, while something is open. Pure."""

from __future__ import annotations

from conversation.search.words import stem
from conversation.sentences import split_sentences
from intent.acts.lexicon import CORRECTIONS, LEADS
from intent.acts.past_forms import base_of_past
from intent.acts.tokens import tokenise

_FAREWELLS = (
    "bye", "goodbye", "bye bye", "good night", "goodnight", "cya", "cheerio", "that's all", "thats all",
    "that is all", "that's it", "thats it", "that is it", "that will be all", "that'll be all",
    "that was all", "that would be all", "that's everything", "that is everything", "nothing else",
    "i'm off", "im off", "i am off", "signing off", "see you", "see ya", "talk later", "talk soon",
    "until tomorrow", "off home",
)  # fmt: skip
_AROUND_FAREWELL = frozenset(
    "bye goodbye night good cya cheerio that's thats that is it all will be that'll would was everything"
    " nothing else i'm im i am off signing see you ya talk later soon until tomorrow home ok okay right"
    " well great perfect lovely super fine so no yes and then for now today thanks thank thx ta cheers"
    " very much again wanted needed need from me us the moment have a nice day evening weekend oh just"
    " goodnight really".split()
)
_HOLDING = (
    "hang on", "hold on", "one moment", "one sec", "one second", "one minute", "a moment", "a sec",
    "a second", "a minute", "a mo", "two secs", "two minutes", "wait", "bear with me", "be right back",
    "back in a",
)  # fmt: skip
_MOST_HOLDING = 8


def takes_leave(message: str) -> bool:
    """Return whether a message is nothing but a farewell: ``that will be all, thank you``."""
    words = _words(message)
    return set(words) <= _AROUND_FAREWELL and _says(words, _FAREWELLS)


def wants_nothing(message: str) -> bool:
    """Return whether a message says that nothing is to be made after all: ``never mind, don't make it``."""
    return _says(_words(message), _UNWANTED)


_UNWANTED = tuple(
    f"{negation} {deed}"
    for negation in ("don't", "dont", "do not")
    for deed in ("make anything", "make it", "make one", "set anything up", "set up anything", "set it up",
                 "create anything", "create it")
)  # fmt: skip
"""Words by which nothing is to be made after all, whatever else is said."""


def holds_on(message: str) -> bool:
    """Return whether a message asks to wait, in a few words: ``hang on, customer``."""
    words = _words(message)
    return len(words) <= _MOST_HOLDING and "?" not in message and _says(words, _HOLDING)


def tells_aside(message: str, about: str) -> bool:
    """Return whether a message only tells what just happened beside the work that is ``about`` something:
    ``omg sorry the dog just ate a crayon``.
    """
    first = next((one for one in split_sentences(message) if any(map(str.isalpha, one))), "")
    said = _words(first)
    begin = next((at for at, word in enumerate(said) if word not in _AROUND_ASIDE), len(said))
    said = said[begin:]
    if "?" in message or not said or said[0] not in _SUBJECTS:
        return False
    at = next((at for at, word in enumerate(said[:_MOST_BEFORE_VERB]) if at and base_of_past(word)), 0)
    subject = [word for word in said[1:at] if word not in _ADVERBS and not word.endswith("ly")]
    is_whole = bool(subject) or said[0] in _PEOPLE
    known = {stem(word) for word in _words(about)}
    is_apart = not {stem(word) for word in subject} & known and not _JOINING & set(said[:at])
    return at > 0 and is_whole and is_apart and not _WISHING & set(said)


_AROUND_ASIDE = (LEADS | CORRECTIONS) | frozenset(
    "omg ugh wow gosh jeez god haha hahaha lol ouch yikes argh what honestly".split()
)
_PEOPLE = frozenset("someone somebody everyone he she they".split())
_SUBJECTS = _PEOPLE | frozenset("the a an my our his her their one".split())
_ADVERBS = frozenset("just suddenly already only now has have had".split())
_JOINING = frozenset("that which who whose whom where when".split())
_WISHING = frozenset("want wants need needs should must please only include leave skip without".split())
_MOST_BEFORE_VERB = 6


def _words(message: str) -> list[str]:
    return [token.text.lower().replace("\u2019", "'") for token in tokenise(message) if token.is_word]


def _says(words: list[str], phrases: tuple[str, ...]) -> bool:
    line = f" {' '.join(words)} "
    return any(f" {phrase} " in line for phrase in phrases)
