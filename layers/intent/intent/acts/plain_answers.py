"""Answers in plain form to what the last reply asked: a bare yes or no, an option's name, another name.

Like commands in plain form they are certain, so they go before what the learned models find likely.
"""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts import lexicon
from intent.acts.act import ActKind
from intent.acts.answers import YES_SIGNS
from intent.acts.learned.marked_tokens import MarkedToken
from intent.acts.references import find_name_place
from intent.acts.scene import Asked, Question, Scene
from intent.acts.tokens import known_words, tokenise
from intent.times.reader import read_times

_YES = frozenset("yes ye yeah yep yup aye sure ok okay correct exactly absolutely definitely".split())
_NO = frozenset("no nope nah never nevermind forget cancel".split())
_WITH_REPLY = _YES | _NO | frozenset("mind it that thanks thank you please well oh hmm sorry right".split())
_JOINTS = frozenset({"but", "and"})
_MARKS = frozenset(",.;:!-\u2013\u2014")
_AROUND_OPTION = lexicon.LEADS | frozenset(
    "only just the one ones my our task agent rather instead i mean meant take pick choose is was it that's"
    " it's that to do of them an a".split()
)
_LEAVING = frozenset({"leave", "keep"})
TELLING_MASKS = frozenset({"AGENT", "TASK", "TIME", "NUM", "ADDR", "LINK"})
"""The marks of tokens that say something by themselves."""
_NOT_AS_IS = frozenset({"you", "up", "out", "off", "for", "until", "till", "later", "now"})
_MOST_LEFT = 6
_MEANS = frozenset({"mean", "meant"})


def read_answer(tokens: Sequence[MarkedToken], scene: Scene) -> ActKind | None:
    """Return the kind of an answer in plain form; None where nothing was asked, and for all other words."""
    question = scene.question
    if question is None:
        return None
    if (reply := read_bare_reply(tokens)) is not None:
        return reply
    if question.asked is Asked.CONFIRM and _agrees_to_all(tokens):
        return ActKind.YES
    if question.of == ActKind.ADD_TASK and _agrees_with_time(tokens, scene):
        return ActKind.YES
    if leaves_as_is(tokens):
        return ActKind.NO
    if _says_only_names(tokens, question):
        return ActKind.PICK
    if "link" in question.slots and {token.mask for token in tokens} <= {"LINK"}:
        return ActKind.ANSWER
    return ActKind.ANSWER if _says_only_new_name(tokens, question) else None


def read_bare_reply(tokens: Sequence[MarkedToken]) -> ActKind | None:
    """Return the yes or no that words say, if they say nothing else."""
    words = {token.token.word for token in tokens if token.token.is_word}
    if not words and any(token.token.text in YES_SIGNS for token in tokens):
        return ActKind.YES
    if not words <= _WITH_REPLY or any(token.mask in {"AGENT", "TASK"} for token in tokens):
        return None
    if words & _NO:
        return ActKind.NO
    return ActKind.YES if words & _YES else None


def _agrees_to_all(tokens: Sequence[MarkedToken]) -> bool:
    """Return whether words are a yes to all that is asked about: ``yes, both``, ``yes to all of them``."""
    words = {token.token.word for token in tokens if token.token.is_word}
    return bool(words & _YES) and not words & _NO and words <= _WITH_REPLY | _OF_ALL


_OF_ALL = frozenset("both all of them to those these two three everything".split())


def _agrees_with_time(tokens: Sequence[MarkedToken], scene: Scene) -> bool:
    """Return whether words are a yes to the offer of a task, and the time for it: ``yes, Mondays at 9``."""
    words = [one.token for one in tokens if one.token.is_word]
    if scene.question is None or scene.question.asked is not Asked.CONFIRM or not words:
        return False
    text = " ".join(one.token.text for one in tokens)
    first = next((one.word for one in words if one.word not in _BEFORE_YES), "")
    times = read_times(text, now=scene.now, zone=scene.zone)
    told = {
        token.word for reading in times for start, end in reading.spans for token in tokenise(text[start:end])
    }
    return (
        first in _YES
        and bool(times)
        and all(one.word in told | _WITH_REPLY | _AROUND_TIME | lexicon.LEADS for one in words)
    )


_BEFORE_YES = frozenset("oh well um hmm ah".split())
_AROUND_TIME = frozenset("on at by every each in the of for me about remind then around do".split())


def leaves_as_is(tokens: Sequence[MarkedToken]) -> bool:
    """Return whether words only say that something stays: ``leave the name``, ``keep them both open``."""
    words = [token for token in tokens if token.token.is_word and token.token.word not in lexicon.LEADS]
    if not words or words[0].token.word not in _LEAVING or len(words) > _MOST_LEFT:
        return False
    return not any(token.mask in TELLING_MASKS or token.token.word in _NOT_AS_IS for token in words)


def ends_reply(tokens: Sequence[MarkedToken], cut: int) -> bool:
    """Return whether only a yes or no stands before ``cut``, set off by a mark or by ``but``."""
    is_set_off = tokens[cut - 1].token.text in _MARKS or tokens[cut].token.word in _JOINTS
    if all(token.token.word in _OF_ALL for token in tokens[cut:] if token.token.is_word):
        return False  # ``yes, both`` is one answer
    return is_set_off and read_bare_reply(tokens[:cut]) is not None


def _says_only_names(tokens: Sequence[MarkedToken], question: Question) -> bool:
    """Return whether words only name the option that is meant, or ``I meant X`` another thing than asked."""
    words = [token for token in tokens if token.token.is_word]
    named = [token for token in words if token.mask in {"AGENT", "TASK"}]
    others = {token.token.word for token in words if token.mask not in {"AGENT", "TASK"}}
    if not named or not others <= _AROUND_OPTION:
        return False
    if question.asked is Asked.WHICH:
        said = [token.token.word for token in named]
        return any(find_name_place(said, option.name) is not None for option in question.options)
    return question.asked is Asked.CONFIRM and bool(others & _MEANS)


def _says_only_new_name(tokens: Sequence[MarkedToken], question: Question) -> bool:
    """Return whether words are one name in answer to the question for one, and no word of English."""
    around = lexicon.LEADS | _AROUND_NAME
    words = [token for token in tokens if token.token.is_word and token.token.word not in around]
    if question.asked is not Asked.SLOTS or question.slots != ("name",) or len(words) != 1:
        return False
    word = words[0].token.word
    return words[0].mask == word and "'" not in word and word not in known_words()


_AROUND_NAME = frozenset("yes no but make it call name use take let's be".split())
