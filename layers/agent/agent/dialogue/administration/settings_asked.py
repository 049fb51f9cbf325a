"""Which acts are about a setting of the workspace or a role, whatever kind they were taken for.

A short answer to what was just said of a setting is about that setting: ``make it 40``, ``what is it now?``
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.dialogue.administration.policy_fields import NUMBERED, topic_of, topics_in, values_in
from agent.dialogue.administration.policy_limits import LIMITS, limit_in
from agent.dialogue.administration.roles import Role, role_question
from agent.dialogue.administration.topics import Topic
from agent.dialogue.workspace_questions.wording import Wording, word_set
from agent.handler_interface import TurnRequest
from intent.acts.act import Act, ActKind, Meant, Span
from intent.acts.kind_words import POLICY_WORDS
from intent.acts.lexicon import AGENT_NOUNS, LEADS, TASK_NOUNS
from intent.acts.requests import question_in

K = ActKind
ROLE, FIELD = "role", "field"
"""The slots of an act on the policy: what it asks about roles, and the setting that was talked about."""
SETTING = "setting"
"""The kind of the reference that a reply about a setting leaves."""
_MAY_ASK_ROLES = frozenset(
    {
        K.ASK_PRODUCT, K.ASK_WORLD, K.ASK_WORKSPACE, K.ASK_USAGE, K.SHOW_POLICY, K.SET_POLICY, K.SHOW_AGENT,
        K.SHOW_RESULT, K.LIST_AGENTS, K.LIST_TASKS, K.SMALL_TALK, K.UNSURE, K.WHY, K.RECALL, K.REMEMBER,
        K.CLOCK, K.NONE, K.ANSWER,
    }
)  # fmt: skip
"""The kinds that a question about roles may be taken for."""
_ON_NOTHING_NAMED = _MAY_ASK_ROLES | {
    K.CHANGE_TASK, K.CHANGE_AGENT, K.SUM, K.CREATE_AGENT, K.UNDO, K.PICK, K.RUN_AGENT, K.DO_IN_WORLD,
    K.RESUME_DRAFT,
}  # fmt: skip
"""The kinds that a new value for the setting just talked about may be taken for."""
_TALK = frozenset(
    {
        K.ASK_PRODUCT, K.ASK_WORLD, K.UNSURE, K.SMALL_TALK, K.REMEMBER, K.NONE, K.DO_IN_WORLD, K.SHOW_POLICY,
        K.ASK_USAGE,
    }
)  # fmt: skip
_MOST_WORDS = 10
_GIVING = word_set(
    "make set change put raise lower increase reduce bump get go keep let to want rather up"
    " shorten extend cut drop"
)
_COMMANDING = word_set("set make change raise lower increase reduce bump put limit cap turn bring move")
_ASKING_VALUE = (
    "what is it", "what's it", "how much is it", "how many is it", "how long is it", "how high is it",
    "what is that", "is it set", "is it changed", "it's set to", "it is set to", "its set to",
    "it set to", "what is the value", "what does it say", "whats it",
    "does it stand", "does that stand", "it stands at", "what's that at", "is that at",
)  # fmt: skip
_NOW = word_set("now currently today present")
_OTHER_NUMBERS = word_set("am pm o'clock oclock % euro euros")
_UNITS_OF_DAYS = word_set("day days week weeks month months year years")


def as_meant(acts: Sequence[Act], turn: TurnRequest) -> list[Act]:
    """Return the acts; as questions about roles or acts on a setting where their words are."""
    note = turn.note
    is_open = note.question is not None or note.draft is not None
    topic = Topic(note.about.id) if note.about is not None and note.about.kind == SETTING else None
    whole = Act(K.NONE, Span(turn.message, 0, len(turn.message)))
    if acts and not is_open and all(map(_may_be_on_limit, acts)) and (named := _on_named_limit(whole)):
        return [named]
    has_failed = note.about is not None and note.about.kind in {"run", "agent"}
    return [_as_meant(act, topic, is_open=is_open, has_failed=has_failed) for act in acts]


def _as_meant(act: Act, topic: Topic | None, *, is_open: bool, has_failed: bool) -> Act:
    wording = Wording.of(act)
    if act.kind in _MAY_ASK_ROLES and not act.meant.is_named:
        question = Wording.of_text(question_in(act.clause.text))
        asked = question if any(topics_in(question)) else wording
        role = role_question(asked, is_refused=topic is not None, has_failed=has_failed)
        if role is Role.NAMES:
            return replace(act, kind=K.ASK_PRODUCT)
        if role is not None:
            return _on_policy(act, K.SHOW_POLICY, **{ROLE: role.value})
    if topic is None or is_open or act.kind not in _ON_NOTHING_NAMED or act.meant.is_named:
        return act
    named = topic_of(wording)
    asks = _asks_value(wording)
    is_other = named is not topic and not (asks and (named is Topic.LIMITS or _asks_if_done(wording)))
    if named is not None and is_other and act.kind in {K.SHOW_POLICY, K.SET_POLICY}:
        return act
    if asks:
        return _on_policy(act, K.SHOW_POLICY, **{FIELD: topic.value})
    if topic in NUMBERED and _gives_value(wording):
        return _on_policy(act, K.SET_POLICY, **{FIELD: topic.value})
    return act


def _on_policy(act: Act, kind: ActKind, **slots: str) -> Act:
    said = {name: Span(text, act.clause.start, act.clause.start) for name, text in slots.items()}
    return replace(act, kind=kind, slots=said, meant=Meant(), several=(), confidence=1.0, is_doubted=False)


def _may_be_on_limit(act: Act) -> bool:
    """Return whether an act may be about a limit that its message names: talk, or an agent without parts."""
    is_bare = act.kind is K.CREATE_AGENT and not act.slots.keys() & {"when", "source", "where"}
    return act.kind in _TALK or is_bare


def _on_named_limit(whole: Act) -> Act | None:
    """Return the act of a message that names a limit by its own name, to change it or to ask for it."""
    wording = Wording.of(whole)
    topic = limit_in(wording)
    if topic is None or topic not in LIMITS or not wording.has(_LIMIT_NOUNS):
        return None
    if values_in(wording) and wording.has(_COMMANDING):
        return replace(whole, kind=K.SET_POLICY)
    return replace(whole, kind=K.SHOW_POLICY) if "?" in whole.clause.text else None


_LIMIT_NOUNS = word_set("limit limits cap quota maximum burst number many")


def _plain(wording: Wording) -> list[str]:
    return [word for word in wording.words if word[0].isalnum() and word not in LEADS]


def _asks_value(wording: Wording) -> bool:
    """Return whether words ask for nothing but the value of "it": ``and what is it now?``"""
    words = [word for word in wording.words if word[0].isalnum()]
    if len(words) > _MOST_WORDS or values_in(wording) or wording.has(AGENT_NOUNS | TASK_NOUNS):
        return False
    asks_now = wording.has(_NOW) and set(words) <= _NOW | _ASIDE
    return wording.says(*_ASKING_VALUE) or asks_now or _asks_if_done(wording) or _asks_for_limit(words)


_ASIDE = word_set("and is it what so ok okay then how about much many stand stands at")


def _asks_if_done(wording: Wording) -> bool:
    """Return whether words ask if a change holds: ``did that stick?``, ``is it in force now?``"""
    said = [word for word in wording.words if word[0].isalnum() and word not in _NOW | _BESIDE]
    if len(said) < _FEWEST_TO_ASK or said[0] not in _DOING or said[1] not in _POINTING:
        return False
    return set(said[2:]) <= _HOLDING | _BETWEEN and bool(_HOLDING & set(said[2:]))


def _asks_for_limit(words: Sequence[str]) -> bool:
    """Return whether words ask for the limit just talked about, by that word alone: ``what's the cap?``"""
    rest = set(words) - _NOW - _BESIDE
    return bool(rest & _LIMIT_NOUNS) and bool(rest & {"what", "what's"}) and rest <= _LIMIT_NOUNS | _THE_LIMIT


_FEWEST_TO_ASK = 3
_BESIDE = word_set("and so ok okay then but well right actually already really still")
_DOING = word_set("did does has is was have")
_POINTING = word_set("it that this they the")
_HOLDING = word_set(
    "stick stuck save saved set changed change take taken applied apply through effect force live active"
    " stored valid hold held done"
)
_BETWEEN = word_set("in go gone went been all to the change setting new")
_THE_LIMIT = word_set("what what's is the our my that it set to at")


def _gives_value(wording: Wording) -> bool:
    """Return whether words give another number, and speak of nothing else: ``can you make it 40?``"""
    telling = [part for part in _parts(wording) if values_in(part)]
    if len(telling) != 1:
        return False
    wording = telling[
        0
    ]  # what else is said beside it gives the reason: ``legal got back to me, it has to be 180``
    words = _plain(wording)
    values = values_in(wording)
    if len(words) > _MOST_WORDS or len(values) != 1 or wording.has(AGENT_NOUNS | TASK_NOUNS | _OTHER_NUMBERS):
        return False
    allowed = _GIVING | _UNITS_OF_DAYS | _FILLING | POLICY_WORDS
    return all(word in allowed or word[0].isdigit() or _is_number(word) for word in words)


def _parts(wording: Wording) -> list[Wording]:
    """Return the parts of words that marks set off from each other."""
    parts: list[list[str]] = [[]]
    for word in wording.words:
        if word in _MARKS:
            parts.append([])
        else:
            parts[-1].append(word)
    return [Wording(tuple(part), " ".join(part)) for part in parts if part]


_MARKS = frozenset(",.;:!?\u2013\u2014-")


def _is_number(word: str) -> bool:
    return bool(values_in(Wording((word,), word)))


_FILLING = word_set(
    "it that this can could would you please pls i we us be by then actually hmm ok better for a at only just"
    " more than of all is my our the not no yes do need should must has instead 's let's d'd like have per"
    " each"
)


def role_of(act: Act) -> Role | None:
    """Return what an act asks about roles; None: it asks nothing of the kind."""
    return Role(act.slot(ROLE)) if act.slot(ROLE) else None


def is_settled(act: Act) -> bool:
    """Return whether an act is known to be about a role or the setting just talked about."""
    return bool(act.slot(ROLE) or act.slot(FIELD))
