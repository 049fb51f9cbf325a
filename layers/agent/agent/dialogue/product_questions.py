"""Questions about the product: which acts may be some, and the written answers to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from agent.dialogue import act_kinds
from agent.dialogue.administration import policy, settings_asked
from agent.dialogue.result import Result
from agent.dialogue.talk import texts
from agent.handler_interface import HandlerReply, TurnRequest
from agent.product_answers import ProductAnswers
from intent.acts.act import Act, ActKind, Span
from intent.acts.help_questions import asks_what_helps, without_help_question
from intent.acts.kept_requests import kept_fact
from intent.acts.lexicon import AGENT_NOUNS, LEADS, LIST_NOUNS, QUESTION_WORDS, TASK_NOUNS, verb_forms
from intent.acts.page_troubles import page_trouble_in
from intent.acts.requests import has_question, question_behind_colon, question_in
from intent.acts.tokens import tokenise
from intent.acts.told_systems import system_told_in
from intent.acts.told_troubles import trouble_in
from intent.analysis.question_form import only_asks
from intent.analysis.questions import ASKING, DEEDS, MAY_ONLY_ASK, MISTAKEN, speaks_of_us
from intent.answers.direct_questions import direct
from intent.decision import QuestionSubject
from intent.sums.reader import read_sum

K = ActKind
_SURE_OF_PRODUCT = 0.8
"""How sure the reading of a question about the product is, from which on a likely answer is offered."""
_SUPPOSING = frozenset({"if", "when", "once", "after"})
_SUPPOSED_BY = frozenset(
    {"i", "i've", "we", "we've", "you", "someone", "somebody", "anyone", "he", "she", "they"}
)
_ASKED_OF_SELF = frozenset((verb, "i") for verb in ("do", "can", "could", "should", "must", "shall"))
_ASKING = frozenset("what what's whats will would does do is are how which who where".split())
_AHEAD = 4
_ASKED = ASKING | MISTAKEN | MAY_ONLY_ASK
_PURPOSE = "What can you do?"
"""How the written answer to what all this is for is asked."""


def may_be_on_product(act: Act) -> bool:
    """Return whether an act may be a question about the product: no request to erase or delete is one, and no
    question about a setting that the workspace has. One for a list may be who else sees it.
    """
    if act.kind is K.SHOW_POLICY:
        return not policy.names_setting(act)
    if act.kind in {K.ERASE, K.DELETE_CONVERSATION}:
        first = next((token.word for token in tokenise(act.clause.text) if token.is_word), "")
        return first in QUESTION_WORDS
    if act.kind is K.LIST_TASKS and not _is_of_list(act.clause.text):
        return True
    if act.kind in {K.LIST_TASKS, K.LIST_AGENTS}:
        return asks_who_sees(question_behind_colon(act.clause.text) or act.clause.text)
    return act.kind in act_kinds.MAY_BE_ON_PRODUCT or _is_guess_of_question(act)


def _is_guess_of_question(act: Act) -> bool:
    """Return whether a question was hardly read as a remark: ``roughly what will this set us back?``"""
    is_guess = act.kind in {K.SMALL_TALK, K.REMEMBER, K.NONE} and act.confidence < _GUESSED_BELOW
    text = act.clause.text
    return is_guess and (has_question(tokenise(text)) or direct(text) != text)


_GUESSED_BELOW = 0.3


def asks_how_to(text: str) -> bool:
    """Return whether a question is how something is done here: ``how do I put something on my list?``"""
    words = [token.word for token in tokenise(text) if token.is_word and token.word not in LEADS]
    return tuple(words[:2]) in _HOW_TO and bool({"i", "one", "you", "we"} & set(words[2:3]))


_HOW_TO = frozenset(("how", word) for word in ("do", "can", "could", "would", "should"))


def _is_of_list(text: str) -> bool:
    """Return whether words that were taken for a question for the list name anything of one."""
    words = {token.word for token in tokenise(text)}
    return not text.rstrip().endswith("?") or bool((TASK_NOUNS | LIST_NOUNS | _OF_LIST) & words)


_OF_LIST = frozenset(
    "due overdue deadline deadlines plate agenda pending outstanding left open today tomorrow week next first"
    " do done it that them those one ones on what what's anything everything still".split()
)


def asks_who_sees(text: str) -> bool:
    """Return whether a question is who else may look at something: ``can my boss see my to-do list?``"""
    words = [token.word for token in tokenise(text) if token.is_word and token.word not in LEADS]
    before = next((words[:at] for at, word in enumerate(words) if word in _SEEING), [])
    asked_of = set(before)
    return bool(before) and before[0] in _ASKED_OF_OTHERS and not (_OURSELVES | AGENT_NOUNS) & asked_of


_SEEING = frozenset({"see", "sees", "read", "reads", "view", "views", "access", "open", "look"})
_ASKED_OF_OTHERS = frozenset("who can could do does will would may might is are".split())
_OURSELVES = frozenset({"i", "me", "we", "us", "you", "there"})


def as_asked_about(
    subject: QuestionSubject | None, acts: Sequence[Act], turn: TurnRequest, *, is_told: bool
) -> tuple[QuestionSubject | None, Sequence[Act]]:
    """Return the subject, None where a message does not ask one thing, and the acts as it has them asked.

    ``is_told``: a model named the subject.
    """
    message = turn.message
    if any(act.kind is K.CREATE_AGENT and _tells_of_agent(act.clause.text) for act in acts):
        return None, acts
    if any(act.kind is K.UNSURE and trouble_in(act.clause.text) for act in acts):
        return None, acts
    is_asked = acts and not any(act.meant.things or act.kind not in ASKING | MISTAKEN for act in acts)
    if is_asked and asks_purpose(message):
        return None, [Act(K.ASK_PRODUCT, Span(message, 0, len(message)))]
    if len(acts) == 1 and acts[0].kind is K.LIST_TASKS and asks_who_sees(message):
        return QuestionSubject.WORKSPACE, [Act(K.ASK_PRODUCT, Span(message, 0, len(message)))]
    if subject is None or any(act.meant.things for act in acts):
        return None, acts
    if not _may_be_asked(subject, acts, turn, is_told=is_told):
        return None, acts
    if not is_told and {act.kind for act in acts} == {K.SUM} and read_sum(message) is not None:
        return None, acts  # it is kept, so that ``split that three ways`` goes on from it
    kinds = {act.kind for act in acts}
    if subject is QuestionSubject.GENERAL:
        is_whole = bool(acts) and acts[0].clause.text == turn.situation.message
        quoting = turn.situation.message if is_whole else message
        return subject, [Act(K.ASK_WORLD, Span(quoting, 0, len(quoting)))]
    if kinds & DEEDS and only_asks(message, acts):
        return subject, [Act(K.ASK_PRODUCT, Span(message, 0, len(message)))]
    is_one = len(acts) == 1 or kinds == {K.ASK_PRODUCT}
    return (subject, acts) if is_one else (None, acts)


def _tells_of_agent(text: str) -> bool:
    """Return whether words tell where the data of an agent are, or which page it is to watch."""
    return bool(system_told_in(text)) or page_trouble_in(text) is not None


def _may_be_asked(subject: QuestionSubject, acts: Sequence[Act], turn: TurnRequest, *, is_told: bool) -> bool:
    """Return whether acts may be a question of a subject. A model's word that it is general wins over what
    they look like, except where they ask about earlier talk.
    """
    kinds = {act.kind for act in acts}
    if kinds == {K.REMEMBER} and (kept_fact(turn.message) or not (is_told or _asks(turn.message))):
        return False
    if K.RECALL in kinds and (subject is QuestionSubject.WORKSPACE or speaks_of_us(turn.message)):
        return False
    if is_told and subject is QuestionSubject.GENERAL:
        return kinds <= _ASKED or only_asks(turn.message, acts)
    is_certain = bool(turn.situation.history) or subject is QuestionSubject.WORKSPACE or len(acts) > 1
    return kinds <= _ASKED and not (is_certain and any(map(settings_asked.is_settled, acts)))


def _asks(message: str) -> bool:
    return "?" in message or has_question(tokenise(message))


def asks_purpose(text: str) -> bool:
    """Return whether the sentence that asks is what all this is for, and names nothing else: ``what is it you
    actually do?``
    """
    last = text.rstrip(" .!?").replace("?", ".").rpartition(". ")[2]
    if _asks_to_be_won([token.word for token in tokenise(last) if token.word not in LEADS]):
        return True
    asked = question_in(text) or text
    words = [token.word for token in tokenise(asked) if token.is_word and token.word not in LEADS]
    while words and words[0] in _BEFORE_WHAT:
        words = words[1:]
    is_what = bool(words) and words[0] in {"what", "what's", "whats"}
    said = set(words[1:])
    return is_what and bool(said & _PURPOSES) and bool(said & _ALL_THIS) and said <= _AROUND_PURPOSE


def _asks_to_be_won(words: Sequence[str]) -> bool:
    """Return whether words ask why to use this at all: ``convince me``, ``why should I bother with you?``"""
    said = set(words)
    is_command = (
        bool(words) and words[0] in _WINNING and bool({"me", "us"} & said) and said <= _AROUND_WINNING
    )
    is_why = tuple(words[:2]) in {("why", "should"), ("why", "would")} and words[2:3] in (["i"], ["we"])
    return is_command or (is_why and bool(_USING & said) and set(words[3:]) <= _AROUND_USING)


_WINNING = frozenset({"convince", "persuade", "impress", "sell"})
_AROUND_WINNING = _WINNING | frozenset("me us it this to then please over".split())
_USING = frozenset({"bother", "use", "need", "want", "try"})
_AROUND_USING = _USING | frozenset("with you this it any of even at all to".split())
_BEFORE_WHAT = frozenset({"so", "and", "but"})
_PURPOSES = frozenset({"do", "does", "for", "good"})
_ALL_THIS = frozenset({"it", "this", "you"})
_AROUND_PURPOSE = (
    _PURPOSES
    | _ALL_THIS
    | frozenset(
        "is are that actually exactly really even then can could do i we me us use thing here".split()
    )
)


def supposes_deed(text: str) -> bool:
    """Return whether a question is about what would follow from a deed: ``what happens if I delete rota?``"""
    words = [token.word for token in tokenise(text) if token.is_word]
    if not words or not (words[0] in _ASKING or has_question(tokenise(text))):
        return False
    for place, word in enumerate(words[:-1]):
        if word in _SUPPOSING and words[place + 1] in _SUPPOSED_BY:
            return any(one in verb_forms() for one in words[place + 2 : place + 2 + _AHEAD])
        if word in _SUPPOSING and words[place + 1] == "it's" and _ASKED_OF_SELF & set(pairwise(words)):
            return True  # ``what do I write once it's done?``
    return False


def with_other_subject(act: Act, told: Result | None, subject: QuestionSubject | None) -> Result | None:
    """Return what is told of the workspace; with where a general question goes, if the act may be one."""
    if subject is not QuestionSubject.EITHER or told is None or not told.text or told.did or told.sum:
        return told
    if told.about is not None and told.about.kind in {"task", "agent"} and not told.lacks_answer:
        return told  # it names something of the user's: nothing else was meant
    lacks_answer = told.lacks_answer or act.kind in act_kinds.MAY_BE_ON_PRODUCT
    return replace(told, text=texts.general_elsewhere(told.text), lacks_answer=lacks_answer)


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
        if act.kind is K.UNSURE and without_help_question(self.turn.message) != self.turn.message:
            return None  # what could be done about what is told is no question about all this
        is_asked = any(has_question(tokenise(words)) for words in self._wordings(act))
        is_vague = asks_what_helps([token.word for token in tokenise(act.clause.text) if token.is_word])
        if act.kind is K.UNSURE and (self.has_draft or is_vague or not is_asked):
            return None  # about what was asked for the new agent, or what somebody tells of themselves
        certain = act.kind is not K.ASK_PRODUCT and not _is_guess_of_question(act)
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

    def either(self, act: Act, told: Result | None) -> Result | None:
        """Return what can be said of the workspace to a question that may be about it or about the world.

        ``told`` is what else there is to say; None: nothing.
        """
        found = (self.product.likely(self._asking(words), is_known=True) for words in self._wordings(act))
        if (reply := next(filter(None, found), None)) is not None:
            return Result(texts.if_meant(reply.text), lacks_answer=True)
        return told if told and not told.lacks_answer else Result(texts.NO_ANSWER_HERE, lacks_answer=True)

    def _wordings(self, act: Act) -> Iterator[str]:
        if asks_purpose(act.clause.text):
            yield _PURPOSE
            return
        whole = (self.turn.message,) if self.is_alone else ()
        text = act.clause.text
        yield from filter(None, (*whole, text, question_in(text), question_behind_colon(text)))

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
