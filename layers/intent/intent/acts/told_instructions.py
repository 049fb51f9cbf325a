"""Words that tell an agent how to work from now on: ``restrict rota to late shifts``, ``rota could also show
the names``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS, LIST_NOUNS, NEGATIONS, POINTERS, TASK_NOUNS, verb_forms
from intent.acts.references import find_name_place
from intent.acts.scene import Scene
from intent.letter_slips import is_one_slip

_NAME = "_agent"
_MARKS = frozenset(".,;:!?\n")
_RESTRICTING = frozenset("restrict limit narrow confine focus filter".split())
_RESTRICTED = frozenset(
    "restricted limited narrowed confined focused filtered sorted grouped ordered split ranked".split()
)
_OMITTING = frozenset("skip ignore exclude omit hide leave filter".split())
_INCLUDING = frozenset("include list mention show add put".split())
_SHOWN_TO_US = frozenset({"show", "list"})
"""Verbs that ask us, and no agent, beside "of": ``show the details of rota``."""
_WORKING = _OMITTING | _INCLUDING | frozenset(
    "cover contain highlight mark sort group order round count sum translate shorten summarise summarize"
    " focus stick concentrate split rank flag".split()
)  # fmt: skip
_MODALS = frozenset("should shall must can could may might needs need ought has would".split())
_BETWEEN = frozenset("also only just please to not always never be then really".split())
_DETERMINERS = frozenset(
    "the a an all each every any their its everybody's everyone's his her our my".split()
)
_NEEDING = frozenset({"need", "want", "like"})
_WITHIN = frozenset({"in", "from", "of", "for", "to", "into"})
_LIMITING = frozenset({"only", "just"})
_CARING = frozenset("care want need look read interested".split())
_ENOUGH = (("will", "do"), ("is", "enough"), ("are", "enough"), ("would", "do"), ("is", "plenty"))
_GOOD = frozenset("help good great nice useful helpful better lovely handy cool fine".split())
_OWN = frozenset({"my", "our"})
_FARTHEST, _LONG = 4, 5


def instructs_agent(clause: Clause, scene: Scene, *, is_behind: bool = False) -> bool:
    """Return whether a clause tells an agent that it names, or points at, how to do its work.

    ``is_behind``: the message did something to an agent right before.
    """
    if scene.has_draft or scene.question is not None:
        return False
    if any(tells_instruction(clause.words, thing.name) for thing in scene.agents):
        return True
    return (is_behind or scene.focus_kind == "agent") and tells_instruction(clause.words, "")


def tells_instruction(words: Sequence[str], agent: str) -> bool:
    """Return whether words tell the agent of a name how to work; without a name, what they point at."""
    said = _with_mark(words, agent)
    if _NAME not in said or (TASK_NOUNS | {"remind"}) & set(said):
        return False
    if any(word in LIST_NOUNS and before in _OWN for before, word in pairwise(said)):
        return False
    if any("@" in word or (word[0] == "#" and len(word) > 1) for word in said):
        return False
    return (
        _restricts(said)
        or _names_work(said)
        or _works_within(said)
        or _limits(said)
        or _is_wished(said)
        or _names_enough(said)
    )


def _with_mark(words: Sequence[str], agent: str) -> list[str]:
    if not agent:
        return [_NAME if word in POINTERS - {"one", "ones"} else word for word in words]
    place = find_name_place(words, agent)
    return [] if place is None else [*words[: place[0]], _NAME, *words[place[1] :]]


def _commands(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the places of the words with which commands may begin, and these words."""
    for at, word in enumerate(words):
        before = next((one for one in reversed(words[:at]) if one not in LEADS), ",")
        if word not in LEADS and (before in _MARKS or before in {"you", "to", "and", "but"}):
            yield at, word


def _restricts(words: Sequence[str]) -> bool:
    """Return whether a verb narrows what the agent does: ``limit rota to the night shifts``."""
    return any(
        _is_restricting(word)
        and words[at + 1 : at + 2] == [_NAME]
        and bool({"to", "on", "by"} & set(words[at + 2 : at + 2 + _FARTHEST]))
        for at, word in _commands(words)
    )


def _is_restricting(word: str) -> bool:
    return word in _RESTRICTING or any(len(one) > _LONG and is_one_slip(word, one) for one in _RESTRICTING)


def _names_work(words: Sequence[str]) -> bool:
    """Return whether it is said of the agent what it should do: ``rota should ignore the trainees``."""
    at = words.index(_NAME)
    behind = words[at + 1 :]
    is_question = at > 0 and words[at - 1] in _MODALS
    modal = is_question or (behind[:1] != [] and behind[0] in _MODALS)
    rest = list(behind if is_question else behind[1:])
    between = []
    while rest and rest[0] in _BETWEEN | _MODALS:
        between.append(rest.pop(0))
    is_work = len(rest) > 1 and (
        rest[0] in _WORKING or ("be" in between and rest[0] in _RESTRICTED) or _tells_case(rest)
    )
    is_asked = not is_question or bool({"also", "only", "just", "please", "too"} & set(words))
    return modal and is_work and is_asked and rest[1] not in {"up", _NAME}


def _tells_case(words: Sequence[str]) -> bool:
    """Return whether words begin with what is to be told in which case: ``say me when it is sold out``."""
    at = next((at for at, word in enumerate(words[:_FARTHEST]) if word in _CASES), 0)
    return words[0] in _TELLING and at > 0 and len(words) > at + 2


_TELLING = frozenset("say tell warn alert notify report inform ping message".split())
_CASES = frozenset("when whenever if once whether which who what".split())


def _works_within(words: Sequence[str]) -> bool:
    """Return whether something is to be left out of what the agent does, or added to it: ``leave out the
    trainees in rota``.
    """
    at = words.index(_NAME)
    if words[at - 1 : at] == [] or words[at - 1] not in _WITHIN:
        return False
    for place, word in _commands(words[: at - 1]):
        told = words[place + 1 : at - 1]
        if word in _OMITTING and (word not in {"leave", "filter"} or "out" in told):
            return len(told) > 0 + (word in {"leave", "filter"})
        includes = word in _INCLUDING and (word not in _SHOWN_TO_US or words[at - 1] in {"in", "into"})
        if includes and len(told) > 1 and _DETERMINERS & set(told[:2]):
            return True
    denied = (place for place, word in enumerate(words[: at - 1]) if word in NEGATIONS)
    return any(_NEEDING & set(words[place + 1 : place + 3]) and place + 3 < at - 1 for place in denied)


def _limits(words: Sequence[str]) -> bool:
    """Return whether only some of what the agent tells is wanted: ``in rota I only care about nights``."""
    at = words.index(_NAME)
    is_within = words[at - 1 : at] != [] and words[at - 1] in {"in", "for", "of", "from"}
    if not is_within and words[at + 1 : at + 2] not in ([":"], [","]):
        return False
    for place, word in enumerate(words):
        behind = words[place + 1 : place + 3]
        cares = bool({"i", "we"} & set(words[max(0, place - 2) : place])) and bool(_CARING & set(behind))
        begins = not [
            one for one in words[:place] if one not in LEADS | _MARKS | {_NAME, "in", "for", "from"}
        ]
        if word in _LIMITING and behind and (cares or begins) and not _names_run(behind):
            return True
    return False


def _names_run(words: Sequence[str]) -> bool:
    return bool({"one", "once", "on", "at", "when", "if", "me", "us"} & set(words[:1]))


def _is_wished(words: Sequence[str]) -> bool:
    """Return whether somebody would like the agent to do something: ``it'd help if rota also listed …``."""
    at = words.index(_NAME)
    before, behind = set(words[:at]), [word for word in words[at + 1 :] if word not in _BETWEEN]
    is_conditional = words[at - 1 : at] == ["if"] and bool(_GOOD & before)
    wishes = bool({"like", "love", "prefer", "want"} & before) and bool({"i'd", "i", "we", "we'd"} & before)
    if not behind or not (is_conditional or wishes):
        return False
    form = verb_forms().get(behind[0])
    base = form.base if form is not None else behind[0].removesuffix("ed")
    works = base in _WORKING or behind[0] in _WORKING
    return len(behind) > 1 and (works or (wishes and behind[0] in _RESTRICTED))


def _names_enough(words: Sequence[str]) -> bool:
    """Return whether words say how much of it is enough: ``rota is too long, the top 5 will do``."""
    return "top" in words and any(pair in _ENOUGH for pair in pairwise(words))
