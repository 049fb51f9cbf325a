"""The clauses of a message that nothing came of: the reply names them, so that nothing is lost unnoticed."""

from __future__ import annotations

from collections.abc import Sequence

from agent.dialogue import texts
from agent.dialogue.taken_back import named_event
from intent.acts.act import Act, ActKind
from intent.acts.clauses import Clause
from intent.acts.former_values import asks_for_former, wants_former
from intent.acts.kept_places import kept_places
from intent.acts.lexicon import AGENT_NOUNS, LEADS, LIST_NOUNS, NUDGES, TASK_NOUNS
from intent.acts.references import says_all
from intent.acts.requests import asks_for_something, is_question, joined_requests
from intent.acts.task_reading.commands import asks_to_put_down
from intent.acts.task_reading.task_like_last import says_shift
from intent.acts.tokens import Token, tokenise

K = ActKind
_NO_CONTENT = frozenset({K.YES, K.NO, K.LATER, K.SMALL_TALK, K.REMEMBER})
_PLAIN_DEEDS = frozenset(
    {
        K.ADD_TASK, K.COMPLETE_TASK, K.REOPEN_TASK, K.CHANGE_TASK, K.DELETE_TASK, K.RESTORE_TASK,
        K.LIST_TASKS,
        K.PAUSE_AGENT, K.RESUME_AGENT, K.DELETE_AGENT, K.RESTORE_AGENT, K.SHARE_AGENT, K.UNSHARE_AGENT,
        K.RUN_AGENT, K.CANCEL_RUN, K.CHANGE_AGENT, K.LIST_AGENTS, K.SHOW_AGENT, K.SHOW_RESULT, K.UNDO,
    }
)  # fmt: skip
"""The kinds whose words tell of no job that a request may be a part of."""
_CHANGED = frozenset({"name", "title", "where", "source", "job", "due", "when", "amount"})
"""The slots whose words are part of a change."""
_LONGEST = 120


def is_asked(text: str) -> bool:
    """Return whether a clause asks a question."""
    return text.rstrip().endswith("?") or is_question(tokenise(text))


def named(acts: Sequence[Act], idle: Sequence[Act]) -> str:
    """Return the sentence that names what was asked for and came to nothing; empty where nothing did."""
    left = unread(acts, idle)
    asked = [text for text in left if is_asked(text)]
    return texts.not_done([text for text in left if text not in asked], asked)


def unread(acts: Sequence[Act], idle: Sequence[Act]) -> list[str]:
    """Return the requests of a message that nothing came of; ``idle`` are the acts that did nothing.

    Empty when no act did anything: the reply says so as a whole.
    """
    if len(acts) == len(idle):
        return []
    left = [act.clause.text for act in idle if _asks(act)]
    left += [text for act in acts if act not in idle and act.kind in _PLAIN_DEEDS for text in _besides(act)]
    return [_quoted(text) for text in dict.fromkeys(left)]


def _asks(act: Act) -> bool:
    return act.kind not in _NO_CONTENT and asks_for_something(tokenise(act.clause.text))


def _besides(act: Act) -> list[str]:
    """Return the requests within an act's clause that name nothing of the act."""
    if act.kind is K.ADD_TASK and not act.several:
        return []  # what it should say is asked
    text = act.clause.text
    tokens = tokenise(text)
    lead = next((token.start for token in tokens if token.is_word and token.word not in LEADS), 0)
    parts = [part for part in joined_requests(tokens) if part[0].start > lead and not _is_used(act, part)]
    return [text[part[0].start : part[-1].end] for part in parts]


def _is_used(act: Act, part: Sequence[Token]) -> bool:
    """Return whether words hold a title, a slot or a name of the act."""
    start, end = part[0].start + act.clause.start, part[-1].end + act.clause.start
    own = act.clause.text[part[0].start : part[-1].end]
    if asks_for_former(own) or kept_places(part) or (act.meant.is_all and says_all(part)):
        return True
    if act.kind is K.UNDO and wants_former(
        Clause(act.clause.text, tuple(part)), {token.word for token in part}, may_be_short=True
    ):
        return True
    if act.kind is K.UNDO and (named_event(own) is not None or part[0].word in {"keep", "leave"}):
        return True
    if any(own in span.text for span in act.several):
        return True  # a title tells the date that it goes by
    if act.kind is K.ADD_TASK and asks_to_put_down(Clause(act.clause.text, tuple(part))):
        return True
    if act.kind is K.ADD_TASK and "when" in act.slots and (_is_reminder_before(part) or says_shift(part)):
        return True  # the due time is counted from it
    changed = _CHANGED if act.kind in {K.CHANGE_AGENT, K.CHANGE_TASK} else frozenset({"where"})
    spans = [*act.several, *(span for name, span in act.slots.items() if name in changed)]
    if any(span.start < end and start < span.end for span in spans):
        return True
    said = (word for token in part for word in (token.word, token.text.lower()))
    words = {piece for word in said for piece in (word, *word.split("-"))}
    if len(act.meant.things) > 1 and words & _SEVERAL:
        return True
    if (act.meant.is_all and words & _ALL) or words & _LISTED.get(act.kind, frozenset()):
        return True
    things = (*act.meant.things, *act.meant.excepted)
    named = {word for thing in things for word in tokenise_name(thing.name)}
    return bool(words & named)


_LISTED = {
    K.LIST_AGENTS: AGENT_NOUNS | {"running", "any"},
    K.LIST_TASKS: TASK_NOUNS | LIST_NOUNS | {"due", "open", "left"},
}
_SEVERAL = frozenset({"both", "them", "those", "these"})
_ALL = frozenset("all everything every rest other others nothing anything".split())


def tokenise_name(name: str) -> frozenset[str]:
    """Return the words of a name."""
    return frozenset(part for part in name.lower().replace("-", " ").split() if len(part) > 2)


def _is_reminder_before(part: Sequence[Token]) -> bool:
    words = {token.word for token in part}
    return bool(words & {"before", "beforehand"}) and bool(words & (NUDGES | {"remind", "warn", "alert"}))


def _quoted(text: str) -> str:
    line = " ".join(text.split()).strip(" ,.;!-\u2013\u2014")
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST].rpartition(' ')[0]}\u2026"
