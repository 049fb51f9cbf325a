"""Deeds that the words hardly ask for: the best guess and one alternative, as a question before the deed."""

from __future__ import annotations

from agent.dialogue import texts
from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result
from agent.dialogue.talk import texts as talk_texts
from intent.acts.act import Act, ActKind
from intent.acts.commanded_changes import says_instruction
from intent.acts.lexicon import POINTERS, classes_of, verb_forms
from intent.acts.references import is_content, name_parts
from intent.acts.scene import Asked
from intent.acts.slot_types import may_be_title
from intent.acts.tokens import Token, tokenise

K = ActKind
_ASK_BELOW = 0.3
_ASK_ALSO_BELOW = {K.RUN_AGENT: 0.5, K.SHARE_AGENT: 0.5}
"""The same for kinds that can't be taken back; words that ask for them count for 0.5."""
_DEEDS = frozenset(
    {
        K.PAUSE_AGENT, K.RESUME_AGENT, K.SHARE_AGENT, K.UNSHARE_AGENT, K.CHANGE_AGENT, K.COPY_AGENT,
        K.RUN_AGENT, K.CANCEL_RUN, K.COMPLETE_TASK, K.REOPEN_TASK, K.CHANGE_TASK, K.DELETE_TASK, K.ADD_TASK,
        K.UNDO,
    }
)  # fmt: skip
"""The kinds that change something at once. A deletion of agents and a new policy ask anyway."""


def _is_only_a_word(act: Act) -> bool:
    """Return whether a run is asked for by a name alone that means something else: ``cancel``, ``help``."""
    words = [token for token in tokenise(act.clause.text) if token.is_word]
    if act.kind is not K.RUN_AGENT or len(act.meant.things) != 1:
        return False
    is_name = {token.word for token in words} == set(name_parts(act.meant.things[0].name))
    return is_name and not any(is_content(token) and token.word not in _REPLIES for token in words)


def _says_no_deed(act: Act) -> bool:
    """Return whether words neither point at a thing nor command anything: ``the list of visitors``."""
    tokens = tokenise(act.clause.text)
    is_pointed = not act.meant.is_focus or bool(POINTERS & {token.word for token in tokens})
    is_on_things = act.kind not in {K.ADD_TASK, K.UNDO} and bool(act.meant.things)
    return is_on_things and not is_pointed and not any(map(_is_deed, tokens))


def _tells_no_change(act: Act) -> bool:
    """Return whether words for a change give no new value, and tell the agent nothing of its work."""
    words = [token.word for token in tokenise(act.clause.text)]
    return act.slots.keys() <= {"job", "agent", "task"} and not says_instruction(words)


def _is_deed(token: Token) -> bool:
    return bool((form := verb_forms().get(token.word)) and classes_of(form.base))


_REPLIES = frozenset({"help", "yes", "no", "ok", "okay", "done", "thanks", "hello", "hi", "next", "back"})


def asked_first(act: Act) -> Result | None:
    """Return the question that goes before a doubtful deed; None for one that the words ask for."""
    is_sure = act.confidence >= _ASK_ALSO_BELOW.get(act.kind, _ASK_BELOW) and not _is_only_a_word(act)
    if act.kind not in _DEEDS or is_sure:
        return None
    words = " ".join(act.clause.text.split())
    if _says_no_deed(act):
        return Result(talk_texts.unclear_whole(words), lacks_answer=True)
    if act.kind is K.ADD_TASK:
        titles = [span.text for span in act.several]
        if titles and not may_be_title(titles[0]):
            return Result(talk_texts.unclear_whole(words), lacks_answer=True)
        text = texts.doubtful_task(titles[0]) if titles else ""
    elif act.kind is K.UNDO:
        text = texts.doubtful_undo(words)
    elif act.kind is K.CHANGE_AGENT and _tells_no_change(act):
        return None  # what should change is asked
    else:
        names = [thing.name for thing in act.meant.things]
        text = texts.doubtful(words, texts.verb_of(act.kind), names) if names else ""
    if not text:
        return None  # which one is meant is asked anyway
    question = AskedQuestion(asked=Asked.CONFIRM, waiting=(HeldAct.of(act),), is_doubt=True)
    return Result(text, question=question, lacks_answer=True)
