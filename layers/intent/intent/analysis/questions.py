"""What a message's question is about: as a model says, else by the learned weights.

A message that only asks meets the weights before what it looks like counts; see `question_form`.
"""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.act import Act, ActKind
from intent.acts.lexicon import LEADS, QUESTION_WORDS
from intent.acts.requests import asks_for_something, has_question, question_in
from intent.acts.tokens import mended, tokenise
from intent.analysis.question_form import only_asks
from intent.classifier.question_subject import shared_subjects
from intent.decision import ActionType, Decision, DecisionSource, QuestionSubject
from intent.situation import Situation
from intent.sums.reader import read_sum

K = ActKind
ASKING = frozenset(
    {
        K.ASK_PRODUCT, K.ASK_WORLD, K.ASK_WORKSPACE, K.ASK_USAGE, K.SHOW_POLICY, K.SHOW_AGENT, K.LIST_AGENTS,
        K.LIST_TASKS, K.LIST_SKILLS, K.SHOW_RESULT, K.WHY, K.CLOCK, K.UNSURE, K.NONE, K.SMALL_TALK,
    }
)  # fmt: skip
"""The kinds that a question may be taken for."""
_UNREAD = frozenset({K.UNSURE, K.NONE, K.DO_IN_WORLD, K.WHY})
_REMARKS = frozenset({K.SMALL_TALK, K.REMEMBER, K.YES, K.NO, K.LATER})
DEEDS = frozenset(
    {K.ADD_TASK, K.CREATE_AGENT, K.CONNECT, K.EXPORT, K.SET_POLICY, K.RESTORE_TASK, K.RESTORE_AGENT}
)
MISTAKEN = _UNREAD | _REMARKS | DEEDS | {K.SUM}
"""The kinds that a question may look like where it has no verb: ``substitute for mirin, no alcohol?``"""
MAY_ONLY_ASK = ASKING | _UNREAD | DEEDS - {K.SET_POLICY} | {K.SUM, K.RECALL, K.REMEMBER}
"""The kinds that a message which only asks may be taken for."""
_LEAST_OF_UNREAD, _LEAST_OF_REMARKS, _LEAST_OF_DEEDS = 0.6, 0.8, 0.93
_LEAST_WHERE_ASKED, _LEAST_IN_DOUBT = 0.75, 0.4
"""How likely a message must be to ask about the world, by what else it looks like."""
_SURELY_READ, _SURELY_UNSURE, _SURELY_A_SUM = 0.75, 0.5, 0.5
"""An act that is as sure as this is what it looks like; what asks for advice on agents is so earlier."""
_TELLING = frozenset({"tell", "explain", "describe", "define", "compare", "summarise", "summarize"})
_OWN = frozenset("i i'd id i'm we we'd you my our me us".split())
_ADDRESSED = frozenset({"you", "u", "your", "you're", "yourself"})
_CLOCK = ("what time is", "the time", "time in", "what day", "date", "how many", "how long", "until", "week")
_LEAST_WORDS, _MOST_WORDS, _MOST_TOLD = 3, 30, 60


def subject_of(
    decision: Decision, acts: Sequence[Act], situation: Situation, *, is_models: bool = False
) -> QuestionSubject | None:
    """Return what a message is about that asks one thing and names nothing of the user's; else None.

    ``is_models``: a model proposed the acts. What it read in the message is not doubted by the weights.
    """
    kinds = {act.kind for act in acts}
    if not acts or any(act.meant.things for act in acts):
        return None
    if decision.source is DecisionSource.MODEL and decision.question_subject is not None:
        return _as_decided(decision, decision.question_subject, acts, situation)
    if is_models and not kinds & _UNREAD:
        return None
    message = situation.message
    if _is_misread(acts, situation) and (asked := _of_question(acts, situation)) is not None:
        return asked
    if len(acts) != 1 or not kinds <= ASKING or not _asks(message, acts[0]):
        return _on_world(acts, situation)
    if _is_by_clock(acts[0], message):
        return None
    if _names_agent(situation):
        return QuestionSubject.WORKSPACE
    subject = shared_subjects().subject(mended(message))
    return None if situation.history and subject is QuestionSubject.EITHER else subject


def _as_decided(
    decision: Decision, subject: QuestionSubject, acts: Sequence[Act], situation: Situation
) -> QuestionSubject | None:
    """Return the subject that a model named. A question about the world is one whatever it looks like."""
    kinds = {act.kind for act in acts}
    if subject is QuestionSubject.GENERAL and decision.action_type is ActionType.QUERY_INFO:
        may_ask = kinds <= ASKING | MISTAKEN | MAY_ONLY_ASK or only_asks(situation.message, acts)
        return subject if may_ask else None
    is_one = len(acts) == 1 or kinds == {K.ASK_PRODUCT}
    return subject if is_one and kinds <= ASKING else None


def _is_misread(acts: Sequence[Act], situation: Situation) -> bool:
    """Return whether a message only asks, and was not read as one plain question."""
    message, kinds = situation.message, {act.kind for act in acts}
    if not kinds <= MAY_ONLY_ASK or _names_agent(situation) or not only_asks(message, acts):
        return False
    if len(acts) > 1:
        return kinds == {K.ASK_PRODUCT}
    return not (kinds <= ASKING and _asks(message, acts[0])) and not _is_certain(acts[0], situation)


def _is_certain(act: Act, situation: Situation) -> bool:
    """Return whether an act is what it looks like, though its words ask: a sum that can be worked out, the
    time, earlier talk, or small talk.
    """
    message = situation.message
    if act.kind is K.SUM:
        is_sure = act.confidence >= _SURELY_A_SUM or bool(situation.history)
        return is_sure or read_sum(message) is not None or read_sum(question_in(message)) is not None
    if act.kind is K.RECALL:
        return bool(situation.history) or speaks_of_us(message)
    if act.kind in {K.UNSURE, K.SMALL_TALK, K.NONE, K.REMEMBER}:
        words = {token.word for token in tokenise(message)}
        return bool(situation.history) or not _ADDRESSED.isdisjoint(words)
    return _is_by_clock(act, message)


def speaks_of_us(message: str) -> bool:
    """Return whether a message names its speaker or us, as questions about earlier talk do."""
    return not _OWN.isdisjoint(token.word for token in tokenise(message))


def _of_question(acts: Sequence[Act], situation: Situation) -> QuestionSubject | None:
    """Return the subject of a message that only asks; within a conversation only where it is sure."""
    subject = shared_subjects().subject(mended(situation.message))
    if subject is QuestionSubject.EITHER:
        return None if situation.history else subject
    is_of_several = len(acts) > 1 and subject is not QuestionSubject.WORKSPACE
    return None if is_of_several else subject


def _on_world(acts: Sequence[Act], situation: Situation) -> QuestionSubject | None:
    """Return whether a message that opens a conversation asks about the world, whatever it looks like."""
    message = situation.message
    words = [token.word for token in tokenise(message) if token.is_word]
    if situation.history or not _LEAST_WORDS <= len(words) <= _MOST_TOLD or _names_agent(situation):
        return None
    kinds = {act.kind for act in acts}
    if any(map(_is_surely_read, acts)) or not kinds <= ASKING | MISTAKEN or (len(acts) > 1 and kinds & DEEDS):
        return None
    message = mended(message)
    likelihood = shared_subjects().on_world(message)
    if K.SUM not in kinds and likelihood > _least(kinds, message):
        subject = shared_subjects().subject(message)
        return QuestionSubject.EITHER if subject is QuestionSubject.WORKSPACE else subject
    return QuestionSubject.EITHER if kinds <= {K.UNSURE, K.SUM} and likelihood > _LEAST_IN_DOUBT else None


def _is_surely_read(act: Act) -> bool:
    if act.kind is K.UNSURE:
        return act.confidence >= _SURELY_UNSURE
    return act.confidence >= _SURELY_READ and act.kind in _REMARKS | DEEDS | {K.SUM, K.DO_IN_WORLD}


def _least(kinds: set[ActKind], message: str) -> float:
    if kinds & DEEDS:
        return _LEAST_WHERE_ASKED if _is_asked(message) else _LEAST_OF_DEEDS
    return _LEAST_OF_REMARKS if kinds & _REMARKS else _LEAST_OF_UNREAD


def _is_asked(message: str) -> bool:
    """Return whether words that look like a deed end as a question that speaks of nobody here, or command to
    say something: ``write down what a balance sheet is``, ``name the planets``.
    """
    tokens = tokenise(message)
    words = [token.word for token in tokens if token.is_word]
    if message.rstrip().endswith("?") and not _OWN & set(words):
        return not asks_for_something(tokens)
    said = [word for word in words if word not in LEADS]
    if said[:1] == ["name"]:
        return said[1:2] in (["the"], ["all"], ["some"])
    return said[:1] == ["write"] and bool(QUESTION_WORDS & set(said[1:3]))


def _names_agent(situation: Situation) -> bool:
    said = f" {situation.message.lower()} "
    return any(agent.name.lower() in said for agent in situation.agents)


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
    says_clock = "zone" in act.slots or any(words in message.lower() for words in _CLOCK)
    return act.kind is K.CLOCK and says_clock
