"""Facts that answer a question in other words than they were told with, whatever the question was read as:
``which parking space is ours?`` after ``our space is number 48``.

`told_here` looks only at what was said in this conversation, so that no search is paid for; whoever has
searched gives `told_in` what was found.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.dialogue.result import Result
from agent.dialogue.talk.occasion import Occasion
from agent.dialogue.talk.quotations import quote
from agent.dialogue.talk.statements import (
    Statement,
    asked_part,
    has_wanted,
    is_of_dates,
    noun_asked,
    ranked,
    strong_terms_of,
    wanted_by,
)
from agent.dialogue.talk.word_kinship import is_alike, is_synonym, root
from conversation.messages.models import Message
from conversation.search.words import words
from intent.acts.act import ActKind
from intent.acts.lexicon import AGENT_NOUNS, LEADS, LIST_NOUNS, QUESTION_WORDS, TASK_NOUNS
from intent.acts.tokens import tokenise
from intent.regular_expressions import pattern

K = ActKind
_MAY_ASK = frozenset(
    {
        K.ASK_PRODUCT, K.ASK_WORLD, K.ASK_USAGE, K.ASK_WORKSPACE, K.SHOW_POLICY, K.LIST_AGENTS, K.LIST_TASKS,
        K.UNSURE, K.NONE, K.CLOCK, K.RESUME_DRAFT,
    }
)  # fmt: skip
_OWN = frozenset("i i'm my mine me we we're our ours us".split())
_ELSEWHERE = AGENT_NOUNS | TASK_NOUNS | LIST_NOUNS | frozenset(
    "you your yours chat chats conversation conversations data model models administrator workspace omniforge"
    " assistant due overdue".split()
)  # fmt: skip
_ABOUT_MEMORY = pattern(
    r"^(?:and |so |ok |hey |hi |please )?(?:do|can|could|did|would|will) (?:you|u) "
    r"(?:still |even |by chance )?(?:remember|recall|know|tell me)(?: again)?,? "
    r"|(?<=\S),? (?:do|can) (?:you|u) (?:still )?(?:remember|recall|know)$"
)
_REMEMBERED = pattern(r"\b(?:you|u) (?:remember|recall|still (?:remember|recall|know))\b")
_MOST_PARTLY, _SEVERAL = 0.6, 2


def told_here(occasion: Occasion) -> Result | None:
    """Return what answers a question among the user's words in this conversation, as `told_in` does; None for
    an act that asks nothing.
    """
    act = occasion.act
    if act.kind not in _MAY_ASK or act.meant.things or occasion.turn.note.draft is not None:
        return None
    return told_in(occasion, occasion.turn.situation.history)


def told_in(occasion: Occasion, messages: Sequence[Message]) -> Result | None:
    """Return the statement among messages that has nearly all that a question asks about, the newest first;
    None where none has, or where the question is about the product or a thing of the workspace.
    """
    question = _without_memory(asked_part(occasion.words))
    said = [token.word for token in tokenise(question) if token.is_word]
    asks = bool(QUESTION_WORDS & set(said[:_NEAR])) or occasion.words.rstrip().endswith("?")
    terms = [term for term in strong_terms_of(question) if not is_of_dates(term)]
    required = [term for term in terms if term != noun_asked(question)]
    if not asks or not required or asks_in_general(question):
        return None
    found = [
        one for one in ranked(messages, question)
        if not one.is_request and _answers(one, question, said, required)
    ]  # fmt: skip
    return quote(occasion, found) if found else None


_NEAR = 4


def asks_in_general(question: str) -> bool:
    """Return whether a question is what a thing is at all, and not which one: ``what is a boiler?``"""
    said = [token.word for token in tokenise(question) if token.is_word and token.word not in LEADS]
    behind = said[1:] if said[:1] in (["what's"], ["whats"]) else said[2:] if said[:1] == ["what"] else []
    return behind[:1] in (["a"], ["an"]) and said[1] in {"is", "are", "a", "an"}


def asks_from_memory(text: str) -> bool:
    """Return whether a question is what the user told, in asking whether it is remembered: ``do you remember
    which shift I run?``
    """
    question = _without_memory(text)
    said = [token.word for token in tokenise(question) if token.is_word]
    is_of_memory = _REMEMBERED.search(text.lower()) is not None and len(question) < len(text.strip(" ?!."))
    asks = is_of_memory and bool(QUESTION_WORDS & set(said[:1]))
    return asks and bool(_OWN & set(said)) and not _ELSEWHERE & set(said) and bool(strong_terms_of(question))


def _without_memory(question: str) -> str:
    """Return a question without the words that only ask whether it is remembered: ``do you still know …``."""
    plain = question.strip().rstrip("?!. ")
    found = _ABOUT_MEMORY.search(plain.lower())
    while found is not None:
        plain = f"{plain[: found.start()]}{plain[found.end() :]}"
        found = _ABOUT_MEMORY.search(plain.lower())
    return plain


def _answers(found: Statement, question: str, said: Sequence[str], required: Sequence[str]) -> bool:
    """Return whether a statement has what a question asks about, all of it or nearly."""
    has = {root(word.term) for word in words(found.sentence)}
    if any(word in _ELSEWHERE and root(word) not in has for word in said):
        return False
    wanted = wanted_by(question)
    if wanted in {"#", "@", "day", "number"} and not has_wanted(found.sentence, wanted):
        return False
    shared = sum(any(is_alike(term, one) or is_synonym(term, one) for one in has) for term in required)
    is_own = bool(_OWN & set(said)) and bool(_OWN & {token.word for token in tokenise(found.sentence)})
    if shared == len(required):
        return is_own or found.is_kept or shared >= _SEVERAL
    return shared >= _SEVERAL and shared / len(required) >= _MOST_PARTLY
