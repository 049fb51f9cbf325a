"""The sentences of the user that may answer a question, and how well each does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import pairwise

from agent.dialogue.talk.told_context import amendments, noted_as_facts, questions_answered, told_to_keep
from agent.dialogue.talk.word_kinship import has_synonyms, is_alike, is_synonym, root
from conversation.messages.models import Message, Role
from conversation.search.words import COMMON, Word, words
from conversation.sentences import sentence_spans, split_sentences
from intent.acts.kept_requests import kept_fact
from intent.acts.lexicon import AUXILIARIES, LEADS, QUESTION_WORDS, verb_forms
from intent.acts.requests import asks_for_something, is_question
from intent.acts.tokens import known_words, tokenise
from intent.letter_slips import is_one_slip

_LONGEST_QUOTE, _WHOLE = 200, 120
_WEAK_WEIGHT = 0.3
_FEWEST_OF_THING = 4
_GENERIC = frozenset(
    root(word)
    for word in "code price rate charge cost password pin colour color size limit rule plan address"
    " email new old come came go went leave left happen ref"
    " nice good man woman lady guy person place channel table contact".split()
)
"""Words that say what kind of thing is asked for: many sentences have them."""
_BY_KIND = 0.55
"""The score of a sentence that has the kind of thing wanted, when the question says nothing more."""
SAYING = frozenset(
    root(word)
    for word in "ask asked asking say said tell told mention mentioned remember remind recall give gave state"
    " agree agreed discuss discussed decide decided note write wrote talk talked speak spoke"
    " saying telling share call called".split()
)
_FILLERS = frozenset(
    root(word)
    for word in "ever again please hello hi hey thing stuff anything something exactly already name"
    " get gets got names number day days date time hour many much long kind sort which who earlier before"
    " back yet"
    " just last week month year yesterday today ago know need want wait also monday"
    " tuesday wednesday thursday friday saturday sunday spring summer autumn winter bit ok"
    " put puts going right once didn agen agn agin sorry other one ones else another latest current currently"
    " allow allowed count figure dates moment mine pls plz".split()
)
_ASKING = frozenset(
    "what what's whats which who whose when where how why did do remind was can could is are have".split()
)
_WEEKDAYS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays"
    " saturdays sundays today tomorrow easter christmas january february march april may june july august"
    " september october november december".split()
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that may answer, how well it fits (0 to 1), and when it was said."""

    sentence: str
    score: float
    said_at: datetime
    is_request: bool = False
    """Whether it asks for something to be done, and tells no fact."""
    is_kept: bool = False
    """Whether it was read as a fact to be kept in mind."""
    amended: tuple[str, ...] = ()
    """What the user said behind it that changes it, in the order said."""


def ranked(messages: Iterable[Message], question: str, *, by: Role = Role.USER) -> list[Statement]:
    """Return somebody's sentences, those that fit a question best first; of equal ones what tells a fact and
    is no request, then the newest.
    """
    said = [one for one in messages if not one.deleted]
    found = _candidates(said, by, question)
    return sorted(found, key=lambda one: (one.score, not one.is_request, one.said_at), reverse=True)


_TIME_IDIOMS = re.compile(
    r"\b(?:in the end|in the beginning|in the meantime|at first|at last|at the (?:start|beginning|outset|end)"
    r"|at the moment|at present|to begin with|to start with|for now|as of now|right now|by now|up to now"
    r"|so far|these days|nowadays|originally|initially|eventually|finally|currently)\b(?! of\b)"
    r"|(?<=\bi )first\b|(?<=\bwe )first\b",
    re.IGNORECASE,
)
"""When something was so: no part of what a question is about."""


def without_time_idioms(text: str) -> str:
    """Return a text without the idioms that only say when: ``in the end``, ``at first``."""
    return _TIME_IDIOMS.sub(" ", text)


def terms_of(text: str) -> tuple[str, ...]:
    """Return the stems of the words that say what is asked about; a noun with its number is one term:
    ``table 6``. Where there are none, the state that is asked for says it: ``who is out?``
    """
    numbered = _numbered(said := list(words(_spelt(without_time_idioms(text)))))
    apart = (word for place, word in enumerate(said) if place not in numbered)
    found = (root(word.term) for word in apart if word.term not in _SAYS_LITTLE)
    plain = (term for term in found if term not in _NO_SUBJECTS and len(term) > 1)
    return tuple(dict.fromkeys([*numbered.values(), *plain])) or _states_in(said)


def _states_in(said: Sequence[Word]) -> tuple[str, ...]:
    plain = [word.term for word in said if word.term not in _WHO]
    return tuple(root(two) for one, two in pairwise(plain) if one in _BEING and two in _STATES)


_BEING = frozenset("is are was were be been am s".split())
_WHO = frozenset("i we he she they you".split())
_STATES = frozenset("out off away back down".split())
"""Words that say how somebody or something is, and are else too frequent to say what is asked about."""
_SAYS_LITTLE = COMMON | QUESTION_WORDS | {"till", "since", "during"}
_NO_SUBJECTS = SAYING | _FILLERS


def _numbered(said: Sequence[Word]) -> dict[int, str]:
    """Return the terms of nouns with a number behind, by the places of both: ``table 6``, ``year 4``."""
    found: dict[int, str] = {}
    for place, (noun, number) in enumerate(pairwise(said)):
        is_noun = noun.term.isalpha() and noun.term not in _SAYS_LITTLE | _WEEKDAYS
        if is_noun and number.term.isdigit() and len(number.term) <= _LONGEST_OF_NUMBER:
            found[place] = found[place + 1] = f"{root(noun.term)} {number.term}"
    return found


_LONGEST_OF_NUMBER = 3


def is_of_dates(term: str) -> bool:
    """Return whether a stem is a number or the name of a day or month: many sentences have it."""
    return term.isdigit() or term in _ROOTS_OF_DATES


_ROOTS_OF_DATES = frozenset(map(root, _WEEKDAYS))


def strong_terms_of(text: str) -> tuple[str, ...]:
    """Return the stems of the words that few sentences have."""
    return tuple(term for term in terms_of(text) if _weight(term) == 1)


def asked_part(text: str) -> str:
    """Return the text from its last question on, when that says what it is about; else the question with what
    was said before it. What stands behind a question is no part of it. Without a question: the whole text.
    """
    spans = list(sentence_spans(text))
    for begin, end in reversed(spans):
        tokens = tokenise(text[begin:end])
        first = next((token for token in tokens if token.text.lower() in QUESTION_WORDS | _MISSPELT), None)
        if first is not None and terms_of(part := text[begin + first.start : end]):
            return part
    asking = [(begin, end) for begin, end in spans if _begins_asking(text[begin:end])]
    if not asking:
        return text
    told = (begin for begin, end in spans if end <= asking[-1][0] and _tells_subject(text[begin:end]))
    return text[next(told, asking[-1][0]) : asking[-1][1]].strip()


def _tells_subject(sentence: str) -> bool:
    return any(token.word not in LEADS for token in tokenise(sentence) if token.is_word) and bool(
        terms_of(sentence)
    )


def _begins_asking(sentence: str) -> bool:
    return sentence.rstrip().endswith("?") or is_question(tokenise(sentence))


_MISSPELT = frozenset({"wich", "wat", "wats", "wot", "wots", "wen", "whens"})


def _spelt(text: str) -> str:
    """Return a question with its words for kinds of things as they were probably meant."""
    return " ".join(_nearest(token.text.lower()) for token in tokenise(text))


def _nearest(word: str) -> str:
    """Return the word for a kind of thing that a misspelt one stands for, else the word itself."""
    if len(word) < _FEWEST_OF_THING or word in known_words():
        return word
    return next((one for one in _THINGS if one[0] == word[0] and is_one_slip(word, one)), word)


_THINGS = ("address", "number", "channel", "price", "password", "table", "colour", "again", "email", "which")


def _weight(term: str) -> float:
    return _WEAK_WEIGHT if term in _GENERIC else 1.0


def _candidates(messages: Sequence[Message], by: Role, question: str) -> Iterator[Statement]:
    terms, wanted = terms_of(question), wanted_by(question)
    answered, noted, kept = questions_answered(messages), noted_as_facts(messages), told_to_keep(messages)
    said = [one for one in messages if one.role is by]
    subject_terms = cache(_subject_terms)  # each message is compared with several before it
    for place, message in enumerate(said):
        before = said[place - 1] if place else None
        for sentence in _statements(message.content):
            told = f"{sentence} {answered.get(message.id, '')}"
            score = score_of(told, terms, wanted, takes_synonyms=True)
            if score and (context := _pointed_at(sentence, message, before)):
                score += _OF_CONTEXT * max(0.0, score_of(f"{told} {context}", terms, wanted) - score)
            is_open = bool(score) or not terms
            changes = amendments(said[place:], subject_terms, before=said[:place]) if is_open else ()
            amended = tuple(map(_shortened, changes))
            is_whole = len(message.content) <= _WHOLE and not _asks(message.content)
            quote = message.content if is_whole else sentence
            is_fact = message.id in noted or _is_kept(sentence)
            is_told = is_fact or (message.id in kept and bool(_noted_in(sentence)))
            is_request = not is_told and asks_for_something(tokenise(sentence))
            is_kept = is_fact or (message.id in kept and not is_request)
            yield Statement(_shortened(quote), score, message.created_at, is_request, is_kept, amended)


def _pointed_at(sentence: str, message: Message, before: Message | None) -> str:
    """Return the message before, where a sentence speaks of somebody by a pronoun alone: ``she hates
    lilies``.
    """
    if before is None or before.conversation_id != message.conversation_id or "?" in before.content:
        return ""
    points = _PERSONS & {word.term for word in words(sentence)}
    return before.content if points else ""


_OF_CONTEXT = 0.9
"""What a word counts that stands in the message before instead of in the sentence itself."""
_PERSONS = frozenset("he she they her him his hers their them".split())


def _subject_terms(text: str, *, strong: bool) -> Sequence[str]:
    found = strong_terms_of(text) if strong else terms_of(text)
    return [term for term in found if not is_of_dates(term)]


def _is_kept(sentence: str) -> bool:
    """Return whether a sentence only asks for a fact to be kept in mind."""
    return next((word.term for word in words(sentence)), "") in {"remember", "note", "know", "keep"}


def _asks(text: str) -> bool:
    """Return whether a sentence of a text is a question, with or without its mark."""
    firsts = (next((word.term for word in words(one)), "") for one in split_sentences(text))
    return "?" in text or any(first in QUESTION_WORDS | _MISSPELT for first in firsts)


def _statements(text: str) -> Iterator[str]:
    for sentence in split_sentences(text):
        if told := kept_fact(sentence):
            yield told
            continue
        first, second, *third = [*(word.term for word in words(sentence)), "", ""][:3]
        asks = first in _ASKING and second != "you"  # ``could you …`` tells what is wanted
        asks = asks and not (first == "remind" and not _REMINDED & set(third))
        is_asked = sentence.rstrip().endswith("?") or asks
        if first and not is_asked:
            yield sentence.strip()
        elif (told := _noted_in(sentence)) and not sentence.rstrip().endswith("?"):
            yield told


def _noted_in(sentence: str) -> str:
    """Return what a sentence tells to be kept behind other requests: ``…, and note the van is red``."""
    found = _NOTING.search(sentence)
    told = sentence[found.end() :].strip() if found is not None else ""
    return told if len(told.split()) >= _FEWEST_NOTED else ""


_NOTING = re.compile(r"\b(?:note|remember)\b(?: that\b)?", re.IGNORECASE)
_FEWEST_NOTED = 3
_REMINDED = QUESTION_WORDS | {"of", "whats", "wats"}
"""What stands behind ``remind me`` where that asks for what was told."""


def score_of(sentence: str, terms: Sequence[str], wanted: str, *, takes_synonyms: bool = False) -> float:
    """Return how well a sentence answers: the share of the words asked about, and whether it has the kind of
    thing that is wanted. ``takes_synonyms``: a word of the same meaning counts, too, though less.
    """
    has = _stems(sentence)
    if any(" " in term and term not in has for term in terms):
        return 0.0  # another table than the one that is asked about
    weights = {term: _weight(term) for term in terms}
    shared = sum(weight * _share_in(has, term, takes_synonyms) for term, weight in weights.items())
    fits = has_wanted(sentence, wanted)
    if not terms:
        return _BY_KIND if wanted and fits else 0.0
    share = shared / sum(weights.values())
    if not share:
        is_open = all(weight < 1 for weight in weights.values())
        return _BY_KIND if is_open and wanted in {"#", "@", "day"} and fits else 0.0
    return min(1.0, share + (0.15 if fits else -0.1) if wanted else share)


def _share_in(has: frozenset[str], term: str, takes_synonyms: bool) -> float:
    """Return how much of a term a text with some stems has: all of it, the part of a synonym, or nothing."""
    if term in has or any(is_alike(term, one) for one in has):
        return 1.0
    is_other = takes_synonyms and has_synonyms(term) and any(is_synonym(term, one) for one in has)
    return _OF_SYNONYM if is_other else 0.0


_OF_SYNONYM = 0.7


def is_of_known(found: Statement, question: str) -> bool:
    """Return whether a statement has a name that a question asks about, and something else that it asks."""
    said = tokenise(found.sentence)
    starts = {next((one.start for one in said if one.is_word), -1)}
    names = {root(one.text.lower()) for one in said if one.text[:1].isupper() and one.start not in starts}
    asked = terms_of(question)
    shared = [term for term in asked if term in _stems(found.sentence)]
    return len(shared) > 1 and bool(names.intersection(shared))


def lacks_modifier(found: Statement, question: str) -> bool:
    """Return whether a question asks about another of the things that a statement tells of: about the
    ``peterson gate`` where it tells of the ``harmon gate``.
    """
    has = _stems(" ".join([found.sentence, *found.amended]))
    if sum(any(is_alike(term, one) for one in has) for term in strong_terms_of(question)) > 1:
        return False
    said = [word.term for word in words(question)]
    for before, noun in pairwise(said):
        is_open = {before, noun} & (COMMON | QUESTION_WORDS) or root(before) in SAYING | _FILLERS | _GENERIC
        is_known = any(is_alike(root(before), one) for one in has)
        if (
            not is_open
            and not is_known
            and before.isalpha()
            and before not in verb_forms()
            and root(noun) in has
        ):
            return True
    return False


def covers(text: str, terms: Sequence[str]) -> bool:
    """Return whether a text has all of several stems."""
    has = _stems(text)
    return bool(terms) and all(any(is_alike(term, one) for one in has) for term in terms)


def _stems(text: str) -> frozenset[str]:
    """Return the stems of a text's words, and its nouns with a number."""
    said = list(words(text))
    return frozenset([*(root(word.term) for word in said), *_numbered(said).values()])


def wanted_by(question: str) -> str:
    """Return the kind of thing that a question wants: ``#``, ``@``, ``day``, ``number``, ``name`` or ""."""
    asked = [word.term for word in words(_spelt(question))]
    said = set(asked)
    is_day = bool(said & {"when", "date", "dates", "days"}) or bool(
        {("which", "day"), ("what", "day")} & set(pairwise(asked))
    )
    if "channel" in said:
        return "#"
    if said & {"address", "email", "mail"}:
        return "@"
    if is_day:
        return "day"
    if said & {
        "number",
        "ref",
        "pitch",
        "room",
        "code",
        "price",
        "rate",
        "excess",
        "discount",
        "many",
        "much",
        "big",
        "charge",
        "pin",
    }:
        return "number"
    return "name" if said & {"who", "name", "called"} else ""


def noun_asked(question: str) -> str:
    """Return the stem of the noun behind ``which`` or ``what``, unless it is one of the kinds of `wanted_by`;
    empty without one.
    """
    said = [token.word for token in tokenise(question) if token.is_word]
    if (owned := _noun_of_owner(said)) is not None:
        return owned
    for word, noun in pairwise(said):
        if (
            word in _WHICH
            and noun.isalpha()
            and noun not in COMMON | QUESTION_WORDS
            and noun not in AUXILIARIES
        ):
            stemmed = root(noun)
            return "" if wanted_by(noun) or stemmed in SAYING | _FILLERS else stemmed
    return ""


_WHICH = frozenset({"which", "what", "wich", "wat"})


def _noun_of_owner(said: Sequence[str]) -> str | None:
    """Return the stem of what is asked for of somebody or something: ``when is the birthday of Mrs Li?``"""
    plain = [word for word in said if word not in {"the", "my", "our", "a"}]
    for word, verb, noun, owner in zip(plain, plain[1:], plain[2:], plain[3:], strict=False):
        if word in QUESTION_WORDS and verb in {"is", "was", "are"} and owner == "of" and noun.isalpha():
            return root(noun)
    return None


def has_wanted(sentence: str, wanted: str) -> bool:
    """Return whether a sentence has a thing of the kind that `wanted_by` returns."""
    match wanted:
        case "#" | "@":
            return wanted in sentence
        case "number":
            return any(letter.isdigit() for letter in sentence)
        case "day":
            return _MOMENT.search(sentence) is not None or any(
                word.term in _WEEKDAYS for word in words(sentence)
            )
        case "name":
            is_capital = any(word[:1].isupper() and word.lower() not in COMMON for word in sentence.split())
            return is_capital or bool({"called", "name", "named"} & {word.term for word in words(sentence)})
        case _:
            return False


_MOMENT = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th|\s?[ap]\.?m)\b|\b\d{1,4}[./:-]\d"
    r"|\b(?:at|on|the|by|from|until|till|in) \d{1,4}\b",
    re.IGNORECASE,
)
"""A number that is a date or a time of day."""


def _shortened(text: str) -> str:
    short = " ".join(text.split())
    return short if len(short) <= _LONGEST_QUOTE else f"{short[: _LONGEST_QUOTE - 1].rstrip()}…"
