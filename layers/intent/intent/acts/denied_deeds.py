"""Deeds on agents that a clause denies, wholly or of some of the agents that it names: ``pause parcels, not
rota``, ``I didn't ask you to pause parcels``, ``parcels shouldn't be paused but rota should``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from intent.acts.act import ActKind, Meant, Span, Thing
from intent.acts.clauses import Clause
from intent.acts.lexicon import (
    AUXILIARIES,
    LEADS,
    NEGATIONS,
    POINTERS,
    QUESTION_WORDS,
    SUBJECTS,
    classes_of,
    verb_forms,
)
from intent.acts.polarity import corrected
from intent.acts.references import find_meant, find_name_place, kept_first_place, says_all
from intent.acts.scene import Scene
from intent.acts.tokens import tokenise
from intent.times.reader import read_times

_DEEDS = {
    "delete": ActKind.DELETE_AGENT, "pause": ActKind.PAUSE_AGENT, "stop": ActKind.PAUSE_AGENT,
    "resume": ActKind.RESUME_AGENT,
    "share": ActKind.SHARE_AGENT, "unshare": ActKind.UNSHARE_AGENT, "run": ActKind.RUN_AGENT,
}  # fmt: skip
DENIABLE = frozenset({*_DEEDS.values(), ActKind.CHANGE_AGENT})
"""The deeds that may be denied of some agents and asked for of others."""
_REFUSING = (NEGATIONS | {"no", "neither", "nor"}) - {"nothing"}
_GOVERNING = (
    AUXILIARIES
    | SUBJECTS
    | POINTERS
    | frozenset(
        "to be been being think want wanted need like wish ask asked say said tell told mean meant reason"
        " point use sense cause ever under any circumstances circumstance dare go and them us me my the our"
        " both either let let's really actually still yet after all just please that".split()
    )
)
"""Words between a negation and the verb or name that it denies; any other word has the negation to itself."""
_AFFIRMED = frozenset("forget only just worry problem matter i you we".split())
"""Words behind a negation that deny nothing: ``don't forget to run it``, ``can't you run it?``"""
_PART_ENDS = frozenset(",.;:!?\n\u2013\u2014()") | {"but", "so", "because", "since", "as"}
_JOINTS = frozenset({"and", "or", "nor", ",", "&", "the"})
_DENIED_BEHIND = frozenset(word for word in NEGATIONS if word.endswith(("n't", "nt")))
_CONTRASTS = (("instead", "of"), ("rather", "than"), ("in", "place"))
_CONSIDERING = frozenset({"might", "may"})


class _Named(NamedTuple):
    thing: Thing
    start: int
    end: int


def denied_deed(clause: Clause, scene: Scene) -> ActKind | None:
    """Return NO where a clause denies or only considers the one deed that it mentions, the deed where it
    denies it of some agents only, SHOW_AGENT where it asks for advice; None for any other clause.
    """
    if scene.question is not None or scene.has_draft or not scene.agents:
        return None
    if clause.is_question and clause.words[0] in QUESTION_WORDS:
        return None  # ``why did rota not run?``
    kept = kept_first_place(clause.tokens)
    deeds = _deeds(clause.words[0 if kept is None else kept + 1 :])
    if kept is not None and deeds:
        return deeds[0][0]
    if len({kind for kind, _ in deeds}) != 1:
        return None
    kind, verb = deeds[0]
    if clause.is_question and _asks_advice(clause.words) and find_meant(clause, scene.agents).things:
        return ActKind.SHOW_AGENT
    names = _names(clause, scene.agents)
    denied = [one.thing for one in names if _is_denied_name(clause.words, one, names)]
    if denied and len(denied) < len(names):
        return kind
    if denied and says_all(clause.tokens):
        return None
    is_denied = _is_denied(clause.words, verb) or (
        bool(denied) and _is_passive_of(clause.words, verb, names)
    )  # ``I didn't want rota paused``
    is_denied = is_denied or (
        bool(denied) and _follow(clause.words, verb, names) and not POINTERS & set(clause.words[verb + 1 :])
    )
    is_meant = bool(names) or bool(POINTERS & set(clause.words[verb + 1 : verb + 3]))
    is_considered = not clause.is_question and _is_considered(clause.words, verb)
    if not is_meant or not (is_denied or is_considered):
        return None
    if kind is ActKind.RUN_AGENT:
        return _not_run(clause, scene)
    return (opposite_of_last(kind, scene) if is_denied else None) or ActKind.NO


def withdraws(clause: Clause) -> bool:
    """Return whether the message answers a clause of its own with a no, and ends there: ``pause it over
    easter? nah leave it``.
    """
    text = clause.message[clause.start :].rstrip()
    if "?" not in text[:-1] and "." not in text[:-1]:
        return False
    tokens = tokenise(text)
    mark = next((at for at, token in enumerate(tokens[:-1]) if token.text in "?."), None)
    said = [token.word for token in tokens[mark + 1 :] if token.is_word] if mark is not None else []
    is_answer = mark is not None and (tokens[mark].text == "?" or bool(_TAKING_BACK & set(said[:1])))
    return is_answer and bool(_REFUSAL & set(said)) and set(said) <= _REFUSAL | _AROUND_REFUSAL


_REFUSAL = frozenset("no nah nope leave keep not never don't forget rather".split())
_AROUND_REFUSAL = (
    LEADS
    | POINTERS
    | frozenset(
        "better mind as is was do hm hmm oh well actually on the way stay stays wait then alone be so".split()
    )
)
_TAKING_BACK = frozenset("no nah nope actually wait hm hmm oh".split())


def hides_shared(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause keeps what was just shared to its owner: ``keep it to me only``."""
    said = set(pairwise(word for word in clause.words if word[0].isalnum()))
    return scene.last_deed == ActKind.SHARE_AGENT.value and scene.question is None and bool(_OWN & said)


_OWN = frozenset({("me", "only"), ("only", "me"), ("just", "me"), ("to", "myself"), ("for", "myself")})


def opposite_of_last(kind: ActKind, scene: Scene) -> ActKind | None:
    """Return what undoes the last deed, where that deed was of the kind that is denied now: ``rota should not
    be paused`` behind a pause; None where nothing of that kind was done.
    """
    return _OPPOSITES.get(kind) if scene.last_deed == kind.value else None


_OPPOSITES = {
    ActKind.PAUSE_AGENT: ActKind.RESUME_AGENT, ActKind.RESUME_AGENT: ActKind.PAUSE_AGENT,
    ActKind.SHARE_AGENT: ActKind.UNSHARE_AGENT, ActKind.UNSHARE_AGENT: ActKind.SHARE_AGENT,
}  # fmt: skip


def _follow(words: Sequence[str], verb: int, names: Sequence[_Named]) -> bool:
    """Return whether all names stand behind a verb, in its part of the sentence."""
    end = next((at for at in range(verb, len(words)) if words[at] in _PART_ENDS), len(words))
    return all(verb < one.start < end for one in names)


def _is_passive_of(words: Sequence[str], verb: int, names: Sequence[_Named]) -> bool:
    """Return whether a participle stands right behind the last name."""
    form = verb_forms().get(words[verb])
    is_participle = form is not None and (not form.is_base or form.base == "run")
    return is_participle and names[-1].end == verb


def _not_run(clause: Clause, scene: Scene) -> ActKind | None:
    """Return what it means that an agent is not to run: not again, not now; None where days are named."""
    if any(one.is_recurring for one in read_times(clause.text, now=scene.now, zone=scene.zone)):
        return None
    is_for_good = bool({"again", "anymore"} & set(clause.words)) or ("any", "more") in pairwise(clause.words)
    return ActKind.PAUSE_AGENT if is_for_good else ActKind.NO


def same_deed(clause: Clause, scene: Scene) -> ActKind | None:
    """Return the last deed, where a clause only asks for the same with another agent: ``same with rota``."""
    if scene.question is not None or scene.has_draft or scene.last_deed not in _DEEDS.values():
        return None
    said = [word for word in clause.words if word[0].isalnum() and word not in LEADS | {"the"}]
    if said[:1] != ["same"] or said[1:2] not in (["with"], ["for"], ["to"], ["goes"]):
        return None
    is_short = (
        len(said) <= _MOST_LIKEWISE
        and "but" not in clause.words
        and not any("@" in word or word[0].isdigit() for word in said)
    )
    is_one = len(find_meant(clause, scene.agents).things) == 1
    return ActKind(scene.last_deed) if is_short and is_one else None


_MOST_LIKEWISE = 7


def meant_of_contrast(clause: Clause, things: Sequence[Thing]) -> Meant | None:
    """Return the agents that a clause means beside others of which it denies its deed; None where it denies
    it of none.
    """
    names = _names(clause, things)
    denied = tuple(one.thing for one in names if _is_denied_name(clause.words, one, names))
    chosen = tuple(one.thing for one in names if one.thing not in denied)
    if denied and chosen:
        return Meant(things=chosen, is_named=True, excepted=denied)
    spans = [
        Span(one.thing.name, clause.tokens[one.start].start, clause.tokens[one.end - 1].end) for one in names
    ]
    last = corrected(clause, spans, spans)
    if len(last) < len(names):
        return Meant(
            things=tuple(one.thing for one, span in zip(names, spans, strict=True) if span in last),
            is_named=True,
        )
    return _of_choice(clause, things)


def _of_choice(clause: Clause, things: Sequence[Thing]) -> Meant | None:
    """Return what is meant beside what ``instead of`` turns down, by name or by description."""
    at = next((at for at, pair in enumerate(pairwise(clause.words)) if pair in _CONTRASTS), None)
    if at is None:
        return None
    left, right = clause.tokens[:at], clause.tokens[at + 2 :]
    if not any(token.word not in LEADS for token in left):
        comma = next((place for place, token in enumerate(right) if token.text == ","), None)
        if comma is None:
            return None
        left, right = right[comma + 1 :], right[:comma]
    if not left or not right:
        return None
    wanted = find_meant(Clause(clause.message, left), things)
    turned_down = find_meant(Clause(clause.message, right), things)
    kept = tuple(thing for thing in wanted.things if thing not in turned_down.things)
    if not kept or not turned_down.things:
        return None
    return Meant(things=kept, is_named=wanted.is_named, excepted=turned_down.things)


def _deeds(words: Sequence[str]) -> list[tuple[ActKind, int]]:
    """Return the deeds on agents that words mention, with the places of their verbs."""
    found = []
    for place, word in enumerate(words):
        form = verb_forms().get(word)
        classes = classes_of(form.base) if form is not None and word not in LEADS else frozenset()
        kind = next((kind for name, kind in _DEEDS.items() if name in classes), None)
        behind = "".join(words[place + 1 : place + 2])
        if kind is not None and not (kind is ActKind.PAUSE_AGENT and behind.endswith("ing")):
            found.append((kind, place))  # ``stop mailing me`` ends the mails, and no agent
    return found


def _names(clause: Clause, things: Sequence[Thing]) -> list[_Named]:
    """Return the agents that a clause names in full, in the order of its words."""
    places = ((thing, find_name_place(clause.words, thing.name)) for thing in things)
    found = [_Named(thing, *place) for thing, place in places if place is not None]
    own = [one for one in found if not any(_is_within(one, other) for other in found)]
    # Of several with one name the first counts: one's own stand before those of others.
    first = {(one.start, one.end): one for one in reversed(own)}
    return sorted(first.values(), key=lambda one: one.start)


def _is_within(one: _Named, other: _Named) -> bool:
    return other.start <= one.start and one.end <= other.end and one.end - one.start < other.end - other.start


def _is_denied_name(words: Sequence[str], name: _Named, names: Sequence[_Named]) -> bool:
    if any(_is_joined(words, other, name) and _is_denied_name(words, other, names) for other in names):
        return True
    return _is_denied(words, name.start) or bool(_DENIED_BEHIND & set(words[name.end : name.end + 1]))


def _is_joined(words: Sequence[str], one: _Named, other: _Named) -> bool:
    """Return whether a name stands right behind another one, joined to it only."""
    between = words[one.end : other.start]
    return one.end < other.start and set(between) <= _JOINTS


def _is_denied(words: Sequence[str], place: int) -> bool:
    """Return whether a negation or ``instead of`` before a word denies it."""
    for at in range(place - 1, -1, -1):
        word = words[at]
        if word in _REFUSING:
            return words[at + 1] not in _AFFIRMED and words[at - 1 : at] != ("why",)
        if tuple(words[at : at + 2]) in _CONTRASTS:
            return True
        form = verb_forms().get(word)
        is_deed = form is not None and any(name in _DEEDS for name in classes_of(form.base))
        if word in _PART_ENDS or not (word in _GOVERNING or is_deed or word in {"of", "than"}):
            return False
    return False


def _asks_advice(words: Sequence[str]) -> bool:
    """Return whether a question is whether to do something: ``should I pause it?``"""
    said = tuple(word for word in words if word not in LEADS)[:2]
    return said in {("should", "i"), ("should", "we"), ("shall", "we"), ("shall", "i")}


def _is_considered(words: Sequence[str], verb: int) -> bool:
    """Return whether words only think of a deed: ``I might pause it later``, ``I was going to run it``."""
    before = [word for word in words[:verb] if word not in LEADS]
    if before[:1] not in (["i"], ["we"]):
        return False
    return bool(_CONSIDERING & set(before[1:2])) or tuple(before[1:4]) in _ONCE_MEANT


_ONCE_MEANT = frozenset({("was", "going", "to"), ("were", "going", "to"), ("had", "wanted", "to")})
