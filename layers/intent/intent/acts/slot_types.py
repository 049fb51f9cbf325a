"""What may fill a slot at all: a source, a name, a job or a title needs a word of open class.

Words such as ``for``, ``that`` and ``something`` name nothing, however they are written or misspelt.
"""

from __future__ import annotations

from collections.abc import Iterator

from conversation.sentences import split_sentences
from intent.acts.lexicon import (
    AUXILIARIES,
    CORRECTIONS,
    LEADS,
    NEGATIONS,
    POINTERS,
    QUESTION_WORDS,
    SUBJECTS,
    verb_forms,
)
from intent.acts.tokens import known_words, tokenise
from intent.letter_slips import is_one_slip

CLOSED_CLASS = (
    SUBJECTS | AUXILIARIES | QUESTION_WORDS | POINTERS | NEGATIONS | LEADS | CORRECTIONS
    | frozenset(
        "a an the my our your his their its whose each every all any some no both either neither"
        " another other"
        " such same own much many more most less least few several enough"
        " me us him them mine ours yours theirs myself ourselves yourself itself themselves"
        " something anything nothing everything someone somebody anyone anybody everyone nobody thing things"
        " stuff somewhere anywhere nowhere everywhere somehow"
        " of for from in on at to with by into onto out off over under about above below after before behind"
        " between during through throughout until till since without within against along among"
        " around per via"
        " as like than than towards toward upon up down near next"
        " and or but if because so when while although though unless whether once whenever wherever then"
        " not there here now today just only even still yet ever always never sometimes usually"
        " often soon later"
        " too very quite rather really maybe perhaps else ago away back again"
        " be been being am isn't aren't doing done having got get gets getting".split()
    )
)  # fmt: skip
_SUBJECT_FORMS = frozenset(
    "i i'm i've i'd i'll we we're we've we'd we'll it it's its he he's she she's they they're you you're that"
    " that's this these those there there's".split()
)
_PLACES = frozenset("one ones former latter other".split())


_OF_TIME = frozenset(
    "morning mornings afternoon evening evenings night tonight midnight today tomorrow"
    " yesterday weekday weekdays"
    " weekend weekends monday tuesday wednesday thursday friday saturday sunday daily weekly monthly hourly"
    " everything thanks please instead o'clock".split()
)
_FEWEST_OF_SLIP = 5


def _open_words(text: str) -> Iterator[str]:
    for token in tokenise(text):
        words = {token.word, token.text.lower()}
        is_closed = bool(words & (CLOSED_CLASS | _SUBJECT_FORMS | _OF_TIME))
        if token.is_word and not is_closed and not _is_slip(token.word):
            yield token.word


def _is_slip(word: str) -> bool:
    """Return whether a word that is none is a word of time with one slip: ``mornig``."""
    if len(word) < _FEWEST_OF_SLIP or word in known_words():
        return False
    return any(one[0] == word[0] and is_one_slip(word, one) for one in _OF_TIME)


def names_something(text: str) -> bool:
    """Return whether a text has a word of open class: it may be a source, a name or a job."""
    return any(True for _ in _open_words(text))


def may_be_title(text: str) -> bool:
    """Return whether a text may be the title of a task: what is to be done or seen to, in one phrase of
    English. No sentence about something that was spoken of, no remark to somebody, no correction and no place
    of a list.
    """
    words = [token.word for token in tokenise(text) if token.is_word]
    if not words or text.rstrip().endswith("?") or words[0] in _SUBJECT_FORMS | _OPENING_REMARKS:
        return False
    if len(split_sentences(text)) > 1 or _REMARKED & set(words) or not _is_english(text):
        return False
    is_place = len(words) > 1 and bool(_PLACES & set(words[1:3])) and words[0] in {"the", "that", "this"}
    return names_something(text) and not is_place


_OPENING_REMARKS = CORRECTIONS | NEGATIONS | frozenset("only just but so because is are was were am".split())
_REMARKED = frozenset(
    "you you're you've one's that's it's there's they're we're i'm thank thanks bless".split()
)
"""Words of somebody who speaks to another, or who says how something is."""


def _is_english(text: str) -> bool:
    """Return whether some word, as typed, is one that people use in English here."""
    words = [token.text.lower() for token in tokenise(text) if token.is_word]
    return any(word in CLOSED_CLASS or word in known_words() or word in verb_forms() for word in words)
