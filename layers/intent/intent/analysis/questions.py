"""What a message's question is about: as a model says, else by the learned weights."""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.act import Act, ActKind
from intent.acts.lexicon import LEADS, QUESTION_WORDS
from intent.acts.requests import asks_for_something, has_question
from intent.acts.tokens import tokenise
from intent.classifier.question_subject import shared_subjects
from intent.decision import Decision, DecisionSource, QuestionSubject
from intent.situation import Situation

K = ActKind
ASKING = frozenset(
    {
        K.ASK_PRODUCT, K.ASK_WORLD, K.ASK_WORKSPACE, K.ASK_USAGE, K.SHOW_POLICY, K.SHOW_AGENT, K.LIST_AGENTS,
        K.LIST_TASKS, K.LIST_SKILLS, K.SHOW_RESULT, K.WHY, K.CLOCK, K.UNSURE, K.NONE, K.SMALL_TALK,
    }
)  # fmt: skip
"""The kinds that a question may be taken for."""
MISTAKEN = frozenset({K.UNSURE, K.DO_IN_WORLD, K.ADD_TASK})
"""The kinds that a question without a verb may look like: ``substitute for mirin, no alcohol?``"""
_SURELY_GENERAL, _HARDLY_A_DEED, _MOST_VERBLESS = 0.12, 0.75, 14
_OWN = frozenset("i i'd id i'm we we'd you my our me us".split())
_TELLING = frozenset({"tell", "explain", "describe", "define", "compare", "summarise", "summarize"})
_CLOCK = ("what time is", "the time", "time in", "what day", "date", "how many", "how long", "until", "week")
_LEAST_WORDS, _MOST_WORDS = 3, 30


def subject_of(decision: Decision, acts: Sequence[Act], situation: Situation) -> QuestionSubject | None:
    """Return what a message is about that asks one thing and names nothing of the user's; else None."""
    if len(acts) != 1 or acts[0].meant.things:
        return None
    if acts[0].kind in MISTAKEN and _is_surely_general(acts[0], situation):
        return QuestionSubject.GENERAL
    if acts[0].kind not in ASKING:
        return None
    if decision.source is DecisionSource.MODEL and decision.question_subject is not None:
        return decision.question_subject
    message = situation.message
    if not _asks(message, acts[0]) or _is_by_clock(acts[0], message):
        return None
    said = f" {message.lower()} "
    if any(agent.name.lower() in said for agent in situation.agents):
        return QuestionSubject.WORKSPACE
    subject = shared_subjects().subject(message)
    return None if situation.history and subject is QuestionSubject.EITHER else subject


def _is_surely_general(act: Act, situation: Situation) -> bool:
    """Return whether a message that opens a conversation only looks like a deed, and asks about the world."""
    message = situation.message
    words = [token.word for token in tokenise(message) if token.is_word]
    if situation.history or ". " in message or not _LEAST_WORDS <= len(words) <= _MOST_VERBLESS:
        return False
    is_plain = act.kind is not K.ADD_TASK and act.confidence <= _HARDLY_A_DEED and not _OWN & set(words)
    is_asked = is_plain and message.rstrip().endswith("?") and not asks_for_something(tokenise(message))
    if not is_asked and not _asks_to_tell(words):
        return False
    return shared_subjects().likelihood(message) < _SURELY_GENERAL


def _asks_to_tell(words: Sequence[str]) -> bool:
    """Return whether words command to say something: ``write down what a balance sheet is``, ``name the
    planets``.
    """
    said = [word for word in words if word not in LEADS]
    if said[:1] == ["name"]:
        return said[1:2] in (["the"], ["all"], ["some"])
    return (
        said[:1] == ["write"] and bool(QUESTION_WORDS & set(said[1:3])) and said[-1] in {"is", "are", "means"}
    )


def _asks(message: str, act: Act) -> bool:
    """Return whether a message is one plain question. Small talk that asks something is answered in kind."""
    tokens = tokenise(message)
    words = [token.word for token in tokens if token.is_word]
    first = next((word for word in words if word not in LEADS), "")
    asks = message.rstrip().endswith("?") or has_question(tokens) or first in _TELLING
    if act.kind in {K.SMALL_TALK, K.UNSURE} and first not in _TELLING:
        return False
    return asks and ". " not in message and _LEAST_WORDS <= len(words) <= _MOST_WORDS


def _is_by_clock(act: Act, message: str) -> bool:
    """Return whether a question is one of the time or the day, which needs no model."""
    return act.kind is K.CLOCK and any(words in message.lower() for words in _CLOCK)
