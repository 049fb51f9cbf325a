"""Facts told before that come near to a question that nothing else answers: about somebody whom the user
named, or about something of the user's own. They are quoted as the nearest, and not as the answer.
"""

from __future__ import annotations

from agent.dialogue.result import Result
from agent.dialogue.talk import texts
from agent.dialogue.talk.earlier_messages import day_of, earlier_messages
from agent.dialogue.talk.occasion import Occasion
from agent.dialogue.talk.phrases import trimmed
from agent.dialogue.talk.quotations import quote
from agent.dialogue.talk.statements import (
    Statement,
    asked_part,
    is_of_dates,
    ranked,
    strong_terms_of,
    terms_of,
)
from agent.dialogue.talk.word_kinship import is_alike, root
from conversation.search.words import words
from intent.acts.act import ActKind
from intent.acts.lexicon import AGENT_NOUNS, LIST_NOUNS, QUESTION_WORDS, TASK_NOUNS
from intent.acts.tokens import tokenise

_TOOL = "search_conversations"
_OURS = frozenset("i me my mine we us our ours i'm am".split())
_OTHERS = AGENT_NOUNS | TASK_NOUNS | LIST_NOUNS | frozenset("you your yours this here omniforge".split())
_ASKING = QUESTION_WORDS | frozenset("is are was does do did can could should may remind tell".split())
_PERSONS = frozenset(
    map(root, "mum mom dad mother father granny grandma grandpa grandad gran nan aunt uncle wife husband son"
        " daughter brother sister baby boss landlord neighbour neighbor".split())
)  # fmt: skip
_LEAST, _SURE = 0.2, 0.5
_LONGEST_TOPIC = 60


def near(occasion: Occasion) -> Result | None:
    """Return the nearest fact that the user told to be kept; None where the question names nobody of whom one
    was told, and nothing of the user's own.
    """
    question = asked_part(occasion.words)
    said = {token.word for token in tokenise(question)}
    terms = [term for term in strong_terms_of(question) if not is_of_dates(term)]
    if occasion.act.meant.things or not terms or said & _OTHERS or not _asks(question, said):
        return None
    kept = (one for one in ranked(earlier_messages(occasion, terms, None), question) if one.is_kept)
    found = next((one for one in kept if one.score >= _LEAST and not one.is_request), None)
    if found is None or not (_is_own(said, found) or _names_shared(question, found)):
        return None
    when = day_of(found.said_at, occasion)
    if found.score >= _SURE or found.amended:
        return quote(occasion, [found])
    topic = trimmed(question).rstrip("?!. ")
    text = texts.nearest_told(topic if len(topic) <= _LONGEST_TOPIC else "", when, found.sentence)
    return Result(text, tool=_TOOL, kind=ActKind.RECALL, quote=found.sentence)


def _asks(question: str, said: set[str]) -> bool:
    return bool(_ASKING & said) or question.rstrip().endswith("?")


def _is_own(said: set[str], found: Statement) -> bool:
    """Return whether question and fact are about something of the user's own."""
    own = {token.word for token in tokenise(found.sentence)}
    return bool(said & _OURS) and bool(own & _OURS)


def _names_shared(question: str, found: Statement) -> bool:
    """Return whether a question names somebody whom the fact names, too."""
    asked, told = ({root(word.term) for word in words(text)} for text in (question, found.sentence))
    names = _names(question) | _names(found.sentence) | _PERSONS
    shared = asked & told & names
    return any(not is_of_dates(term) and term in terms_of(question) for term in shared)


def _names(text: str) -> set[str]:
    """Return the stems of the words behind the first that are written as names are."""
    tokens = [token for token in tokenise(text) if token.is_word][1:]
    return {root(one.text.lower().removesuffix("'s")) for one in tokens if one.text[:1].isupper()}


def bare(occasion: Occasion) -> Result | None:
    """Return the fact that a message asks for with nothing but its name: ``wifi password?``; else None."""
    tokens = [token for token in tokenise(occasion.words) if token.is_word]
    terms = terms_of(occasion.words)
    is_short = 0 < len(tokens) <= _MOST_BARE and len(strong_terms_of(occasion.words)) > 0
    if not is_short or {token.word for token in tokens} & _NO_BARE or not occasion.is_alone:
        return None
    best = ranked(earlier_messages(occasion, terms, None), occasion.words)
    found = next((one for one in best if one.is_kept), None)
    return quote(occasion, [found]) if found is not None and _has_all(found, occasion.words) else None


_MOST_BARE = 6
_COURTESIES = frozenset("thanks thank thx ta cheers hello hi hey morning bye goodbye welcome great".split())
_NO_BARE = _OTHERS | _ASKING | _COURTESIES
"""Words with which a short message is no name of a fact; to search for one costs requests."""


def _has_all(found: Statement, question: str) -> bool:
    has = {root(word.term) for word in words(found.sentence)}
    return all(any(is_alike(term, one) for one in has) for term in terms_of(question))
