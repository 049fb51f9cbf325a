"""Finds in a message that it corrects how the one before was understood, and what that should have been.

``No, I wanted to run an agent`` names a kind of act: the message before is then read again as one.
``No, I wanted to run ward-census`` says all by itself, and is read like any other message.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from conversation.messages.models import Message, Role
from intent.acts.act import ActKind
from intent.acts.lexicon import AGENT_NOUNS, TASK_NOUNS
from intent.acts.tokens import tokenise
from intent.entities.own_words import own_words
from intent.regular_expressions import pattern, straighten_quotes
from intent.situation import Situation

K = ActKind
MAX_CORRECTION = 300
_LEAD = r"\W*(?:(?:oh|ok|okay|um|hm+|but|and|wait|well|actually|sorry)\W+){0,4}"
_NO = r"(?:(?:no|nope|nah|wrong|sorry)\W+){1,3}"
_WANTED = r"i (?:(?:just|only|really|actually) )?(?:wanted|was asking|asked|was trying)"
_MEANT = r"i (?:(?:just|only|really|actually|rather) )?meant"
_MISTAKEN = (
    r"(?:(?:that's|that is|that was|this is|it's) )?not what i (?:meant|wanted|said|asked for|asked)"
    r"|(?:that's )?not what i was asking(?: for)?|(?:that's )?a misunderstanding"
    r"|you(?:'ve| have)? (?:misunderstood(?: me)?|got (?:me|it|that) wrong)"
    r"|i (?:didn't|did not) (?:want|mean|ask for) [^,.;:!?\n]{1,60}(?=[,.;:!?\n\u2013\u2014]|\bbut )"
    r"|not (?:a|another) new (?:one|agent|bot|automation)"
)
_CORRECTION = pattern(
    rf"{_LEAD}(?:(?:{_NO})?(?:{_MISTAKEN})\W+(?:(?:but )?(?:{_WANTED}|{_MEANT}) )?"
    rf"|{_NO}{_WANTED} |(?:{_NO})?{_MEANT} |{_NO}i mean )(?:you )?(?:to )?(?P<wish>\w[\s\S]*)"
)
_THAT = r"(?:that|this|it)"
_NAMING = pattern(
    rf"{_LEAD}(?:{_NO})?(?:"
    rf"{_THAT}(?:'s| is| was) (?:meant |supposed )?(?:as |to be )?"
    rf"|{_THAT} should (?:be |have been )"
    rf"|i (?:meant|wanted) {_THAT} (?:as|to be) "
    rf"|(?:take|treat|read) {_THAT} as |as )(?P<wish>\w[\s\S]*)"
    rf"|{_LEAD}{_NO}(?:i(?:'d like| want)(?: you)? (?:to )?)?(?P<other>(?:an?|the|my) \w[\s\S]*)"
    rf"|{_LEAD}{_NO}i(?:'d like| want)(?: you)? to (?P<deed>\w[\s\S]*)"
)
"""Words that are a correction only where they name a kind of act and nothing else: ``that's a task``."""


class SaidCorrection(NamedTuple):
    """The earlier message that a message corrects, and what it should have been read as."""

    message: str
    kind: ActKind


def correction_in(situation: Situation) -> SaidCorrection | None:
    """Return what the message corrects; None where it doesn't just name another kind of act."""
    kind = corrected_kind(situation.message)
    if kind is None:
        return None
    meant = corrected_message(situation.history)
    return None if meant is None else SaidCorrection(meant, kind)


def corrected_message(history: Sequence[Message]) -> str | None:
    """Return the own words of the newest message that wasn't itself a correction; None where it was short for
    something else: it answered a question of ours, or nothing was said before.
    """
    for place in range(len(history) - 2, -1, -2):
        message, reply = history[place], history[place + 1]
        if (message.role, reply.role) != (Role.USER, Role.ASSISTANT):
            return None
        words = own_words(message.content)
        if corrected_kind(words) is None:
            is_answer = place > 0 and _asks(history[place - 1])
            return words if words.strip() and not is_answer else None
    return None


def _asks(reply: Message) -> bool:
    note = reply.note
    return bool(note.choices or note.pending or note.question is not None or note.draft is not None)


def wish_in(message: str) -> str | None:
    """Return what a correction says that was wanted; None for a message that is no correction."""
    if len(message) > MAX_CORRECTION:
        return None
    found = _CORRECTION.fullmatch(straighten_quotes(message))
    return found["wish"] if found else None


def corrected_kind(message: str) -> ActKind | None:
    """Return the kind of act that a correction names; None where it says more, or nothing of the sort."""
    if len(message) > MAX_CORRECTION:
        return None
    text = straighten_quotes(message)
    for correction in (_CORRECTION, _NAMING):
        if found := correction.fullmatch(text):
            named = next((wish for wish in found.groupdict().values() if wish), "")
            if correction is _NAMING and _says_state(named):
                continue
            if (kind := named_kind(named)) is not None:
                return kind
    return None


def _says_state(words: str) -> bool:
    """Return whether words say how something is by now, and name no kind of act: ``it's done``."""
    return {token.text.lower() for token in tokenise(words) if token.is_word} - _FILLERS <= _STATES


_STATES = frozenset("done finished complete completed paused all already too both yet".split())


def named_kind(words: str) -> ActKind | None:
    """Return the kind of act that words name in general: ``to run an agent``, ``a task``, ``agent.run``.

    None where they name none, or say anything of a certain one.
    """
    plain = words.strip().lower()
    if plain in K.__members__.values():
        return ActKind(plain)
    said = [token.text.lower() for token in tokenise(words) if token.is_word]
    said = [word for word in said if word not in _FILLERS]
    return next((deed.kind for deed in _DEEDS if deed.is_named_by(said)), None)


class _Deed(NamedTuple):
    """A kind of act by the verbs and nouns that name it; ``needs_noun``: the verb alone says too little."""

    kind: ActKind
    verbs: frozenset[str]
    nouns: frozenset[str]
    needs_noun: bool = True
    needs_verb: bool = True

    def is_named_by(self, said: Sequence[str]) -> bool:
        verbs, nouns = set(said) & self.verbs, set(said) & self.nouns
        is_all = bool(said) and set(said) <= self.verbs | self.nouns
        return is_all and (bool(nouns) or not self.needs_noun) and (bool(verbs) or not self.needs_verb)


_FILLERS = frozenset(
    "to you a an the my our your this that it one of as for me i just only please in instead now be is was"
    " some existing again here with on into up off from want wanted like would thing".split()
)
_AGENT = frozenset(noun for noun in AGENT_NOUNS if not noun.endswith("s"))
_AGENTS = AGENT_NOUNS - _AGENT
_TASK = frozenset(noun for noun in TASK_NOUNS if not noun.endswith("s"))
_TASKS = (TASK_NOUNS - _TASK) | {"list"}
_SHOWING = frozenset("list show see view read look get hear know check display".split())
_NEW = frozenset("create make build set new add have automate need put write note save record".split())
_DEEDS: tuple[_Deed, ...] = (
    _Deed(K.CANCEL_RUN, frozenset("cancel abort stop".split()), frozenset({"run"})),
    _Deed(
        K.RUN_AGENT, frozenset("run rerun re-run start execute trigger launch fire kick".split()), _AGENT,
        needs_noun=False,
    ),
    _Deed(K.CREATE_AGENT, _NEW, _AGENT, needs_verb=False),
    _Deed(K.PAUSE_AGENT, frozenset("pause paused suspend hold stop".split()), _AGENT, needs_noun=False),
    _Deed(K.RESUME_AGENT, frozenset("resume unpause restart continue".split()), _AGENT, needs_noun=False),
    _Deed(K.DELETE_AGENT, frozenset("delete remove bin scrap".split()), _AGENT),
    _Deed(K.CHANGE_AGENT, frozenset("change edit update modify alter adjust".split()), _AGENT),
    _Deed(K.LIST_AGENTS, _SHOWING, _AGENTS, needs_verb=False),
    _Deed(K.SHOW_AGENT, _SHOWING, _AGENT),
    _Deed(K.ADD_TASK, _NEW, _TASK, needs_verb=False),
    _Deed(K.ADD_TASK, frozenset("remind reminded".split()), frozenset(), needs_noun=False),
    _Deed(
        K.COMPLETE_TASK, frozenset("complete completed finish finished tick mark close done".split()), _TASK,
        needs_noun=False,
    ),
    _Deed(K.REOPEN_TASK, frozenset("reopen untick uncheck".split()), _TASK, needs_noun=False),
    _Deed(K.DELETE_TASK, frozenset("delete remove bin scrap".split()), _TASK),
    _Deed(K.CHANGE_TASK, frozenset("change edit update modify rename move postpone".split()), _TASK),
    _Deed(K.LIST_TASKS, _SHOWING, _TASKS | {"task"}, needs_verb=False),
    _Deed(
        K.SHOW_RESULT, _SHOWING | {"last"}, frozenset("result results output outcome findings".split()),
        needs_verb=False,
    ),
    _Deed(K.CONNECT, frozenset("connect link".split()), frozenset("skill service tool".split())),
    _Deed(K.LIST_SKILLS, _SHOWING, frozenset("skills connections services".split())),
)  # fmt: skip
"""The first one that fits counts."""
