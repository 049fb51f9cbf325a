"""Questions about the product: which acts may be some, and the written answers to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agent.dialogue import act_kinds
from agent.dialogue.administration import policy
from agent.dialogue.result import Result
from agent.dialogue.talk import texts
from agent.handler_interface import HandlerReply, TurnRequest
from agent.product_answers import ProductAnswers
from intent.acts.act import Act, ActKind
from intent.acts.lexicon import QUESTION_WORDS, verb_forms
from intent.acts.requests import has_question, question_in
from intent.acts.tokens import tokenise
from intent.analysis.questions import ASKING, MISTAKEN
from intent.decision import QuestionSubject

K = ActKind
_SURE_OF_PRODUCT = 0.8
"""How sure the reading of a question about the product is, from which on a likely answer is offered."""
_SUPPOSING = frozenset({"if", "when", "once", "after"})
_SUPPOSED_BY = frozenset({"i", "we", "you", "someone", "somebody", "anyone", "he", "she", "they"})
_ASKING = frozenset("what what's whats will would does do is are how which who where".split())
_AHEAD = 4


def may_be_on_product(act: Act) -> bool:
    """Return whether an act may be a question about the product: no request to erase or delete is one, and no
    question about a setting that the workspace has.
    """
    if act.kind is K.SHOW_POLICY:
        return not policy.names_setting(act)
    if act.kind in {K.ERASE, K.DELETE_CONVERSATION}:
        first = next((token.word for token in tokenise(act.clause.text) if token.is_word), "")
        return first in QUESTION_WORDS
    return act.kind in act_kinds.MAY_BE_ON_PRODUCT


def as_asked_about(
    subject: QuestionSubject | None, acts: Sequence[Act]
) -> tuple[QuestionSubject | None, Sequence[Act]]:
    """Return the subject, None where a message does not ask one thing, and the acts as it has them asked."""
    if subject is None or len(acts) != 1 or acts[0].kind not in ASKING | MISTAKEN or acts[0].meant.things:
        return None, acts
    act = acts[0]
    if subject is QuestionSubject.GENERAL:
        return subject, [replace(act, kind=K.ASK_WORLD)]
    return subject, acts


def supposes_deed(text: str) -> bool:
    """Return whether a question is about what would follow from a deed: ``what happens if I delete rota?``"""
    words = [token.word for token in tokenise(text) if token.is_word]
    if not words or not (words[0] in _ASKING or has_question(tokenise(text))):
        return False
    for place, word in enumerate(words[:-1]):
        if word in _SUPPOSING and words[place + 1] in _SUPPOSED_BY:
            return any(one in verb_forms() for one in words[place + 2 : place + 2 + _AHEAD])
    return False


@dataclass(frozen=True, slots=True)
class ProductQuestions:
    """Answers those of one message, from the written answers.

    ``is_alone``: whether the message has one act only. ``has_draft``: whether an agent is being set up.
    """

    turn: TurnRequest
    product: ProductAnswers
    is_alone: bool
    has_draft: bool

    def answer(self, act: Act) -> Result | None:
        """Return the written answer to an act; None when there is none."""
        if act.kind is K.UNSURE and (self.has_draft or not has_question(tokenise(act.clause.text))):
            return None  # about what was asked for the new agent, or what somebody tells of themselves
        certain = act.kind is not K.ASK_PRODUCT
        found = (self._written(words, certain=certain) for words in self._wordings(act))
        return _result(next(filter(None, found), None))

    def answer_supposed(self, act: Act) -> Result | None:
        """Return what would follow from a deed that a question supposes, told of any agent; None for other
        acts.
        """
        if not supposes_deed(act.clause.text):
            return None
        return _result(self._written(self._of_any_agent(act.clause.text), certain=False))

    def answer_own(self, act: Act) -> Result | None:
        """Return the tenant's own answer to a question; None when it has none."""
        found = (self.product.own(self._asking(words)) for words in self._wordings(act))
        return _result(next(filter(None, found), None))

    def offer(self, act: Act, subject: QuestionSubject | None = None) -> Result | None:
        """Return the answer that a question about the product may mean; None when none is likely.

        A question that is known to be about the workspace gets the nearest answer, or a hint how to ask.
        """
        is_known = subject is QuestionSubject.WORKSPACE
        if act.confidence < _SURE_OF_PRODUCT and not is_known:
            return None
        found = (self.product.likely(self._asking(words), is_known=is_known) for words in self._wordings(act))
        reply = next(filter(None, found), None)
        if reply is not None:
            return Result(texts.if_meant(reply.text), lacks_answer=True)
        return Result(texts.NO_ANSWER_HERE, lacks_answer=True) if is_known else None

    @staticmethod
    def with_other_subject(told: Result, subject: QuestionSubject | None) -> Result:
        """Return what is told of the workspace; with where a general question goes, if it may be one."""
        if subject is not QuestionSubject.EITHER:
            return told
        return replace(told, text=texts.general_elsewhere(told.text), lacks_answer=True)

    def either(self, act: Act, told: Result | None) -> Result:
        """Return the answer to a question that may be about this workspace or about the world: what can be
        said of the workspace, and where general questions go.

        ``told`` is what else there is to say; None: nothing.
        """
        found = (self.product.likely(self._asking(words), is_known=True) for words in self._wordings(act))
        reply = next(filter(None, found), None)
        if reply is None:
            return told or self.with_other_subject(Result(texts.NO_ANSWER_HERE), QuestionSubject.EITHER)
        return self.with_other_subject(Result(texts.if_meant(reply.text)), QuestionSubject.EITHER)

    def _wordings(self, act: Act) -> Iterator[str]:
        whole = (self.turn.message,) if self.is_alone else ()
        yield from filter(None, (*whole, act.clause.text, question_in(act.clause.text)))

    def _of_any_agent(self, text: str) -> str:
        names = {card.name.lower() for card in self.turn.visible_agents()}
        words = ("an agent" if word.lower().strip(",.?!") in names else word for word in text.split())
        return f"{' '.join(words).rstrip('?')}?"

    def _written(self, words: str, *, certain: bool) -> HandlerReply | None:
        return self.product.answer(self._asking(words), certain=certain)

    def _asking(self, words: str) -> TurnRequest:
        return replace(self.turn, situation=replace(self.turn.situation, message=" ".join(words.split())))


def _result(reply: HandlerReply | None) -> Result | None:
    if reply is None:
        return None
    return Result(reply.text, about=reply.note.about, lacks_answer=reply.lacks_answer)
