"""Requests in the passive voice, and those that say what a thing needs: ``the choir one can be removed``,
``parcels should be paused for now``, ``could rota be switched off?``, ``that report needs deleting``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from intent.acts.act import ActKind, Meant
from intent.acts.clauses import Clause
from intent.acts.commands import kind_of_verb
from intent.acts.denied_deeds import opposite_of_last
from intent.acts.lexicon import LEADS, NEGATIONS, POINTERS, QUESTION_WORDS, SUBJECTS, verb_forms
from intent.acts.references import find_meant
from intent.acts.removal_evidence import is_unneeded
from intent.acts.scene import Scene
from intent.acts.tokens import Token

_MODALS = frozenset({"can", "could", "may", "might", "should", "must", "shall"})
_MODALS_WITH_TO = frozenset({"need", "needs", "has", "have", "ought", "is", "are", "wants"})
_ASKING = frozenset({"can", "could", "may", "would"})
_ALLOWING = frozenset({"can", "could", "may", "might"})
"""Verbs that let something be: what ``should be done by Friday`` says of a task is no report of its end."""
_DENYING = frozenset("can't cannot couldn't shouldn't mustn't needn't".split())
_ADVERBS = LEADS | frozenset(
    "not also already both safely probably therefore again only maybe perhaps now".split()
)
_CONDITIONS = frozenset(
    "if when whenever unless once until before after while because since that so whether".split()
)
_LEAVING = frozenset({"go"})
_SAME_IN_PAST = frozenset({"put", "run", "set", "cut", "shut", "reset"})
_MOST_OF_SUBJECT = 12


class _Passive(NamedTuple):
    """What is said of a thing: the words for the thing, the verb's base form, and the words behind it."""

    subject: tuple[Token, ...]
    base: str
    rest: tuple[str, ...]
    allows: bool
    is_denied: bool


def passive_request(clause: Clause, scene: Scene) -> ActKind | None:
    """Return what a clause requests of a thing that is its subject; None for any other clause."""
    if scene.has_draft or scene.question is not None:
        return None
    found = _passive(clause) or _passive(_last_part(clause))
    if found is None:
        return _unneeded_task(clause, scene)
    is_task = _is_task(replace(clause, tokens=found.subject), scene)
    if found.base == _COMING_BACK:
        return _brought_back(is_task, scene)
    if is_task is None:
        return None
    kind = _kind(found, is_task=is_task)
    if kind is not None and found.is_denied:
        return opposite_of_last(kind, scene) or ActKind.NO
    return None if kind is ActKind.COMPLETE_TASK and not found.allows else kind


def _brought_back(is_task: bool | None, scene: Scene) -> ActKind | None:
    """Return the act of what must come back: what is known is resumed or reopened, else what was deleted
    before is restored.
    """
    if is_task is not None:
        return ActKind.REOPEN_TASK if is_task else ActKind.RESUME_AGENT
    deleted = {scene.did, scene.last_deed}
    if ActKind.DELETE_TASK.value in deleted:
        return ActKind.RESTORE_TASK
    return ActKind.RESTORE_AGENT if ActKind.DELETE_AGENT.value in deleted else None


def _last_part(clause: Clause) -> Clause:
    """Return a clause without what stands before its last comma: ``I was wrong, the last one can go``."""
    comma = max((at for at, token in enumerate(clause.tokens) if token.text == ","), default=-1)
    return replace(clause, tokens=clause.tokens[comma + 1 :])


def _kind(found: _Passive, *, is_task: bool) -> ActKind | None:
    if found.base in _LEAVING:
        return ActKind.DELETE_TASK if is_task else ActKind.DELETE_AGENT
    return kind_of_verb(found.base, found.rest, is_task=is_task)


def _passive(clause: Clause) -> _Passive | None:
    """Return the parts of a request in the passive voice; None for any other clause."""
    tokens = _without_reasons(clause.tokens)
    words = [token.word for token in tokens]
    first = _behind_meaning(words)
    if clause.is_question and words[first : first + 1] and words[first] in _ASKING:
        return _behind_be(tokens, words, first + 1, asks=True)
    if clause.is_question or not words[first:] or words[first] in QUESTION_WORDS:
        return None
    return _behind_be(tokens, words, first, asks=False)


def _behind_meaning(words: Sequence[str]) -> int:
    """Return the place behind words that only lead in, ``oh and I meant that`` among them."""
    first = next((at for at, word in enumerate(words) if word not in LEADS | {"and", "oh"}), len(words))
    if tuple(words[first : first + 2]) not in _MEANING:
        return next((at for at, word in enumerate(words) if word not in LEADS), len(words))
    return first + 2 + (words[first + 2 : first + 3] == ["that"])


_MEANING = frozenset(
    {("i", "meant"), ("i", "mean"), ("which", "means"), ("that", "means"), ("this", "means")}
)


def _without_reasons(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return the words that say what may be, without a reason before or behind: ``the trip is off so both
    can go``, ``both can go, the trip is off``.
    """
    words = [token.word for token in tokens]
    modal = next((at for at, word in enumerate(words) if word in _MODALS or _says_needless(words, at)), None)
    if modal is None:
        return tuple(token for token in tokens if token.is_word)
    marks = (at for at in range(modal, len(tokens)) if tokens[at].text in _REASON_MARKS)
    end = next(marks, len(tokens))
    begin = max((at + 1 for at in range(modal) if words[at] == "so"), default=0)
    return tuple(token for token in tokens[begin:end] if token.is_word)


_REASON_MARKS = frozenset(",;(-\u2013\u2014:")


def _behind_be(tokens: Sequence[Token], words: Sequence[str], first: int, *, asks: bool) -> _Passive | None:
    """Return the parts of a sentence whose subject begins at ``first``."""
    for at in range(first + 1, min(first + _MOST_OF_SUBJECT, len(words))):
        if asks:
            verb = _past(words, at, ("be",))
        elif (run := _needless(words, at)) is not None:
            verb = ("pause", run)
        elif words[at] in _MODALS | _DENYING:
            verb = _past(words, at + 1, ("be",)) or _leaving(words, at + 1) or _returning(words, at + 1)
        elif words[at] in _MODALS_WITH_TO:
            verb = _past(words, at + 1, ("to", "be")) or _gerund(words, at) or _having_to_go(words, at)
        else:
            continue
        subject = _without_cleft(tokens[first:at])
        if verb is None or not _is_thing(subject):
            continue
        base, rest = verb
        allows = asks or words[at] in _ALLOWING
        denied = base != "pause" or _needless(words, at) is None
        denied = denied and bool((NEGATIONS | _DENYING) & set(words[at:rest]))
        return _Passive(subject, base, tuple(words[rest:]), allows, denied)
    return None


def _past(words: Sequence[str], at: int, joined: tuple[str, ...]) -> tuple[str, int] | None:
    """Return the base form of the participle behind ``be``, and the place behind it."""
    at = _skip(words, at)
    if tuple(words[at : at + len(joined)]) != joined:
        return None
    at = _skip(words, at + len(joined))
    form = verb_forms().get(words[at]) if at < len(words) else None
    is_past = (
        form is not None
        and not words[at].endswith("ing")
        and (not form.is_base or form.base in _SAME_IN_PAST)
    )
    return (form.base, at + 1) if form is not None and is_past else None


def _gerund(words: Sequence[str], at: int) -> tuple[str, int] | None:
    """Return the base form of what something ``needs doing``, and the place behind it."""
    form = verb_forms().get(words[at + 1]) if at + 1 < len(words) else None
    is_needed = words[at] in {"need", "needs", "wants"} and form is not None and words[at + 1].endswith("ing")
    return (form.base, at + 2) if form is not None and is_needed else None


def _leaving(words: Sequence[str], at: int) -> tuple[str, int] | None:
    """Return ``go`` where it ends a sentence: ``the second one can go now``."""
    at = _skip(words, at)
    is_end = words[at : at + 1] == ["go"] and set(words[at + 1 :]) <= (_ADVERBS | {"away", "too"}) - {"again"}
    return ("go", at + 1) if is_end else None


def _returning(words: Sequence[str], at: int) -> tuple[str, int] | None:
    """Return ``come back`` of ``must come back please``."""
    at = _skip(words, at)
    is_end = tuple(words[at : at + 2]) == ("come", "back") and set(words[at + 2 :]) <= _ADVERBS
    return (_COMING_BACK, at + 2) if is_end else None


_COMING_BACK = "come back"


def _having_to_go(words: Sequence[str], at: int) -> tuple[str, int] | None:
    """Return ``go`` of ``has to go``, or ``come back`` of ``has to come back``."""
    is_joined = words[at + 1 : at + 2] == ["to"]
    return _leaving(words, at + 2) or _returning(words, at + 2) if is_joined else None


def _without_cleft(subject: Sequence[Token]) -> tuple[Token, ...]:
    """Return the thing that a cleft sentence is about: ``rota`` of ``it is rota which``."""
    words = [token.word for token in subject]
    begin = next((len(one) for one in _CLEFTS if tuple(words[: len(one)]) == one), 0)
    end = len(words) - 1 if words[-1:] and words[-1] in {"which", "that", "who"} else len(words)
    return tuple(subject[begin:end] if end > begin else subject)


_CLEFTS = (("it", "is"), ("it's",), ("its",), ("that", "is"), ("that's",))


def _needless(words: Sequence[str], at: int) -> int | None:
    """Return the place behind the verb where words say that something need not run any more at all."""
    phrase = _says_needless(words, at)
    if phrase is None or not _RUNNING & set(words[at + len(phrase) : at + len(phrase) + 1]):
        return None
    end = at + len(phrase) + 1
    return end if set(words[end:]) <= _ANY_MORE else None


def _says_needless(words: Sequence[str], at: int) -> tuple[str, ...] | None:
    """Return the words at a place by which something need not be done; None where there are none."""
    return next((one for one in _NEEDLESS if tuple(words[at : at + len(one)]) == one), None)


_NEEDLESS = (
    ("needn't",), ("need", "not"), ("can", "stop"), ("may", "stop"), ("should", "stop"),
    ("doesn't", "need", "to"), ("doesn't", "have", "to"), ("don't", "need", "to"),
    ("no", "longer", "needs", "to"), ("no", "longer", "has", "to"),
)  # fmt: skip
_RUNNING = frozenset("run running come coming go going post posting check fire report".split())
_ANY_MORE = frozenset("any more anymore longer for now at all this week month while please then".split())


def _skip(words: Sequence[str], at: int) -> int:
    while at < len(words) and words[at] in _ADVERBS:
        at += 1
    return at


def _is_thing(subject: Sequence[Token]) -> bool:
    words = {token.word for token in subject}
    people = (SUBJECTS - POINTERS) - {"there"}
    return bool(subject) and not words & (_CONDITIONS - {"that"} | QUESTION_WORDS | NEGATIONS | people)


def _is_task(subject: Clause, scene: Scene) -> bool | None:
    """Return whether words mean a task (else an agent); None where they mean neither or might mean both."""
    of_agents = find_meant(subject, scene.agents, listed=scene.listed_agents)
    if of_agents.is_named:
        return False
    of_tasks = find_meant(subject, scene.tasks)
    if of_tasks.is_named:
        return True
    if all(token.word in POINTERS | _ADVERBS | {"all", "both"} for token in subject.tokens):
        return {"task": True, "agent": False, "run": False}.get(scene.focus_kind)
    if bool(_some(of_agents)) is not bool(_some(of_tasks)):
        return bool(_some(of_tasks))
    return None


def _some(meant: Meant) -> bool:
    return bool(meant.things or meant.candidates)


def _unneeded_task(clause: Clause, scene: Scene) -> ActKind | None:
    """Return DELETE_TASK where a clause says that tasks which it names aren't needed any more."""
    if clause.is_question or not is_unneeded(clause.words) or find_meant(clause, scene.agents).things:
        return None
    meant = find_meant(with_denied_joined(clause), scene.tasks)
    return ActKind.DELETE_TASK if meant.things and not meant.is_all else None


def with_denied_joined(clause: Clause) -> Clause:
    """Return a clause with what it denies joined: who needs ``neither a nor b`` does without a and b."""
    if not is_unneeded(clause.words):
        return clause
    joined = tuple(
        one._replace(
            word="and" if one.word in {"or", "nor"} else "a" if one.word in _DENYING_EACH else one.word
        )
        for one in clause.tokens
    )
    return replace(clause, tokens=joined)


_DENYING_EACH = frozenset({"neither", "either"}) | NEGATIONS
