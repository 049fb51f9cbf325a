"""Whether an answer agrees to what was asked, however a learned model reads it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.plain_replies import parse_yes_no
from intent.acts import lexicon
from intent.acts.act import Act, ActKind
from intent.acts.answers import AGREEING, YES_SIGNS, Reply, agrees_in_words, read_reply
from intent.acts.clauses import Clause
from intent.acts.tokens import tokenise
from intent.analysis.act_support import UNLIKE

K = ActKind
_PRAISE = frozenset(
    {"perfect", "right", "great", "good", "fine", "correct", "lovely", "please", "go", "works"}
)
"""Words that are a yes alone, and more often something else before others: ``perfect weather``."""
_AGAINST = frozenset({"no", "not", "don't", "dont", "never", "or"})
_PHRASES = ("go ahead", "go for it", "please do", "right, ", "fine by me")
_SURE = 0.5
"""From which confidence on our own reading of a yes counts, though the words are no known yes."""
_SURE_OF_OTHERS = 0.9
"""The same for words without any that people agree with."""
_PLAIN = (
    lexicon.LEADS
    | lexicon.POINTERS
    | lexicon.AUXILIARIES
    | lexicon.SUBJECTS
    | AGREEING
    | frozenset(
        "let's lets that'd it'd that's thats it's i'll be been get to on off for me my us the a what".split()
    )
)
"""Words that speak of nothing else: a yes that consists of them, and agrees, is one however faintly read."""
_DOUBTS = frozenset(
    {
        K.SHOW_AGENT, K.SHOW_RESULT, K.LIST_AGENTS, K.LIST_TASKS, K.LIST_SKILLS, K.ASK_PRODUCT, K.ASK_WORLD,
        K.ASK_WORKSPACE, K.WHY, K.RECALL, K.UNSURE,
    }
)  # fmt: skip
"""What is asked beside a yes that may be none yet: ``sure, but what does it do?``"""
_RESERVING = frozenset({"but", "first", "before", "wait", "though"})


def agrees(answer: Act, beside: Sequence[Act], asked: AskedQuestion, *, is_by_model: bool) -> bool:
    """Return whether an answer is a yes to a question that waits for one.

    ``beside`` are all acts of the message. ``is_by_model``: a model had a say in them; then only words that
    the rules know for a yes count, with nothing asked beside them.
    """
    if answer.kind is K.PICK:
        return not is_by_model and _names(answer, asked.waiting)
    words = answer.clause.text
    is_read = answer.kind is K.YES and not is_by_model and _is_likely(answer)
    if not says_yes(words) and not (is_read and not _is_reserved(words)):
        return False
    return not any(_casts_doubt(other, asked.waiting, is_by_model) for other in beside if other != answer)


def replaces(act: Act, asked: AskedQuestion) -> bool:
    """Return whether an act is wanted instead of what waits for a yes: ``no, pause it instead``."""
    return any(
        {act.kind, held.kind} in UNLIKE and (not act.meant.things or _names(act, (held,)))
        for held in asked.waiting
    )


def says_yes(words: str) -> bool:
    """Return whether words say yes by the rules, and nothing against it beside."""
    if parse_yes_no(words) == "yes":
        return True
    said = _words(words)
    if not said or _is_reserved(words) or _reply(words) != "yes":
        return False
    return len(said) == 1 or said[0] not in _PRAISE or words.lower().startswith(_PHRASES)


def _is_likely(answer: Act) -> bool:
    """Return whether our own reading of a yes is sure, or nothing in its words speaks of something else."""
    words = answer.clause.text
    if any(sign in words for sign in YES_SIGNS):
        return True
    agrees = agrees_in_words(Clause(words, tokenise(words)))
    if answer.confidence >= (_SURE if agrees else _SURE_OF_OTHERS):
        return True
    said = set(_words(words))
    return bool(said & AGREEING) and said <= _PLAIN


def _casts_doubt(act: Act, waiting: Sequence[HeldAct], is_by_model: bool) -> bool:
    if act.kind in {K.NO, K.LATER}:
        words = act.clause.text
        is_put_off = act.kind is K.LATER and bool(_RESERVING & set(_words(words)))
        return is_by_model or is_put_off or _reply(words) in {"no", "later"}
    if act.kind not in _DOUBTS:
        return False
    return is_by_model or bool(_RESERVING & set(_words(act.clause.text))) or _names(act, waiting)


def _names(act: Act, waiting: Sequence[HeldAct]) -> bool:
    """Return whether an act is done to things that wait for a yes, and to no others."""
    held = {thing_id for one in waiting for thing_id, _ in one.things}
    return bool(act.meant.things) and {thing.id for thing in act.meant.things} <= held


def _is_reserved(words: str) -> bool:
    return "?" in words or bool(_AGAINST & set(_words(words)))


def _reply(words: str) -> Reply | None:
    return read_reply(Clause(words, tokenise(words)))


def _words(words: str) -> list[str]:
    return [token.word for token in tokenise(words) if token.is_word]
