"""Requests for one more agent beside the one just talked of, such as ``another one for sentry``, ``also one
that lists late orders``, ``and the github prs, same time, same place``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.learned.marked_tokens import SERVICES
from intent.acts.lexicon import CORRECTIONS, NEGATIONS, POINTERS, classes_of, verb_forms
from intent.acts.references import find_meant, is_content
from intent.acts.scene import Scene
from intent.times.reader import read_times

K = ActKind
_ONE_MORE = (
    ("another", "one"), ("another", "agent"), ("another", "bot"), ("one", "more"), ("a", "second"),
    ("a", "third"), ("also", "one"), ("up", "one"), ("make", "one"), ("need", "one"), ("want", "one"),
    ("create", "one"), ("build", "one"), ("and", "one"), ("now", "one"), ("another",),
)  # fmt: skip
_TELLING = frozenset({"for", "that", "which", "called", "named", "with"})
_FIELDS = frozenset(
    "time hour day days schedule place channel address mail email recipient recipients".split()
)
_PLACES = frozenset("slack teams gmail outlook monday".split())
"""Services that are named as places for results, or mean something else."""


def further_agent(clause: Clause, scene: Scene) -> ActKind | None:
    """Return COPY_AGENT or CREATE_AGENT where a clause asks for one more agent; None for any other clause."""
    is_on_agent = scene.focus_kind == "agent" and scene.question is None
    if not (is_on_agent or scene.has_draft) or find_meant(clause, scene.agents).is_named:
        return None
    words = clause.words
    if is_on_agent and (_brings_own_job(clause, scene) or _is_whole_request(clause, scene)):
        return K.CREATE_AGENT
    told = _told_behind(words)
    if told is None:
        is_same = is_on_agent and _wants_same(words) and bool((SERVICES - _PLACES) & set(words))
        return K.CREATE_AGENT if is_same and not _commands(words) else None
    is_other_source = len(told) == 1 and told[0] in SERVICES and scene.focus is not None
    return K.COPY_AGENT if is_other_source and not scene.has_draft else K.CREATE_AGENT


def _brings_own_job(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause goes on with a job of its own: another system's data, sent at its own time."""
    words = clause.words
    is_other = any(word not in _known_of_focus(scene) for word in (SERVICES - _PLACES) & set(words))
    if words[0] not in _GOING_ON or clause.is_question or POINTERS & set(words) or not is_other:
        return False
    verbs = (form.base for word in words if (form := verb_forms().get(word)) is not None and form.is_base)
    sends = any(classes_of(verb) & _JOBS for verb in verbs)
    return sends and any(one.is_recurring for one in read_times(clause.text, now=scene.now, zone=scene.zone))


def _is_whole_request(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause, with or without a name at its end, says all that a new agent needs: another
    job on another system's data, when it runs and where its results go.
    """
    tokens = clause.tokens[: _naming_place(clause.words)]
    words = {token.word for token in tokens}
    if clause.is_question or words & (POINTERS | CORRECTIONS | NEGATIONS | _ALTERING) or not tokens:
        return False
    text = clause.message[tokens[0].start : tokens[-1].end]
    times = [one for one in read_times(text, now=scene.now, zone=scene.zone) if one.is_recurring]
    spans = [(tokens[0].start + start, tokens[0].start + end) for one in times for start, end in one.spans]
    is_sent = any("@" in token.text or token.text.startswith("#") for token in tokens)
    known = _known_of_focus(scene)
    is_other = any(word not in known for word in (SERVICES - _PLACES) & words)
    if not times or not is_sent or not is_other:
        return False
    rest = (one for one in tokens if is_content(one) and not any(a <= one.start < b for a, b in spans))
    return any(one.word.isalpha() and one.word not in SERVICES and one.word not in known for one in rest)


def _naming_place(words: Sequence[str]) -> int:
    """Return where words begin to give a name: ``…, call it bills``; how many words there are for none."""
    pairs = enumerate(pairwise(words))
    return next((at for at, (verb, it) in pairs if verb in _NAMING and it in POINTERS), len(words))


_NAMING = frozenset({"call", "name", "title"})
_ALTERING = frozenset("instead rather now should change move make switch too only just actually".split())


def _known_of_focus(scene: Scene) -> str:
    known = (f"{one.name} {one.words}" for one in scene.agents if one.id == _focus_id(scene))
    return " ".join(known).lower()


def _focus_id(scene: Scene) -> str:
    return "" if scene.focus is None else scene.focus.id


_GOING_ON = frozenset({"and", "also", "plus", "then"})
_JOBS = frozenset({"deliver", "produce", "watch", "list"})


def _told_behind(words: Sequence[str]) -> Sequence[str] | None:
    """Return the words up to the next mark that tell what one more agent is for; None without one."""
    for phrase in _ONE_MORE:
        for at in range(len(words) - len(phrase)):
            end = at + len(phrase)
            if words[at:end] == phrase and words[end] in _TELLING:
                rest = words[end + 1 :]
                stop = next((place for place, word in enumerate(rest) if not word[0].isalnum()), len(rest))
                return rest[:stop]
    return None


def _wants_same(words: Sequence[str]) -> bool:
    return any(word == "same" and behind in _FIELDS for word, behind in pairwise(words))


def _commands(words: Sequence[str]) -> bool:
    """Return whether words change what is there: by a verb, or by pointing at it."""
    return bool(POINTERS & set(words)) or any("change" in classes_of(word) for word in words)
