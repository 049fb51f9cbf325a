"""Reports of deeds that are on the list: ``I've rung the plumber``, ``that's the lease filed``, ``got the
stamps``, ``form 11B is out of the way``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from intent.acts.act import ActKind, Thing
from intent.acts.clauses import Clause
from intent.acts.lexicon import AUXILIARIES, LEADS, NEGATIONS, QUESTION_WORDS, SUBJECTS, classes_of
from intent.acts.past_forms import base_of_past
from intent.acts.references import find_meant, is_content, stem
from intent.acts.scene import Scene
from intent.acts.tokens import Token, tokenise
from intent.times.words.lexicon import WEEKDAYS

_DONE = frozenset("done sorted finished completed complete ticked \u2713 \u2714 \u2705 \u2611".split())
_DONE_PHRASES = tuple(
    tuple(one.split())
    for one in (
        "out of the way", "off my plate", "off my desk", "off my back",
        "taken care of", "took care of", "dealt with",
        "in the post", "in the bag", "gone off", "gone out", "went off", "went out", "all set",
        "did", "i've done",
    )
)  # fmt: skip
_OPEN = (NEGATIONS - {"no"}) | frozenset(
    "will going gonna need needs must should if when once until till before tomorrow almost nearly half"
    " partly still yet want wants would could can may might wish unless soon later except but hasn't"
    " haven't aren't wasn't weren't isn't hadn't remind undone unfinished outstanding forgot tried trying"
    " i'll we'll you'll he'll she'll they'll wanted planned promised said says".split()
)
_ACQUIRED = frozenset({"got", "bought", "picked", "collected", "fetched", "arrived", "came", "delivered"})
_SAME_DEED = (
    frozenset("ring call phone speak talk tell contact ask chase text".split()),
    frozenset("send post mail email submit file return give".split()),
    frozenset("buy get order pick collect fetch purchase".split()),
    frozenset("book reserve arrange".split()),
    frozenset("write draft prepare finish".split()),
    frozenset("fix mend repair".split()),
)
_SENDING, _ACQUIRING = _SAME_DEED[1], _SAME_DEED[2]
_GONE = frozenset({"gone", "went", "left"})
_JOINTS = frozenset({"and", ",", "&", "plus"})
_ALSO = frozenset({"too", "both", "also", "well", "as", "all", "are"})
_BEING = frozenset("is are was were been be got has have had being 's".split())
_MOST_WORDS = 16


def find_own_report(clause: Clause, scene: Scene) -> tuple[tuple[Token, ...], ...]:
    """Return the words for each open task that a clause reports as done; empty where it reports none."""
    words = clause.words
    is_other = clause.is_question or bool(QUESTION_WORDS & set(words[:1])) or _is_open(words)
    if is_other or len(words) > _MOST_WORDS or scene.question is not None or scene.has_draft:
        return ()
    if not _may_report(clause) or _commands(words) or find_meant(clause, scene.agents).is_named:
        return ()
    pieces = list(_pieces(clause))
    found = [_reported(one, clause, scene) for one in pieces]
    named = [(one, task) for one, task in zip(pieces, found, strict=True) if task is not None]
    if not named or any(task is None and _tells(one) for one, task in zip(pieces, found, strict=True)):
        return ()
    is_said = all(_is_done(task, clause) for _, task in named)
    return tuple(_naming(one) for one, _ in named) if is_said else ()


def kind_of_report(clause: Clause, scene: Scene) -> ActKind | None:
    """Return COMPLETE_TASK for a clause that reports a task as done; None for any other."""
    return ActKind.COMPLETE_TASK if tasks_reported(clause, scene) else None


def tasks_reported(clause: Clause, scene: Scene) -> tuple[Thing, ...]:
    """Return the tasks that a clause reports as done."""
    meant = (_meant(one, clause, scene) for one in find_own_report(clause, scene))
    return tuple(dict.fromkeys(task for task in meant if task is not None))


def _is_open(words: Sequence[str]) -> bool:
    """Return whether words speak of what is still to be done, or not for certain done."""
    return bool(_OPEN & set(words)) or any(one in _TENDING and two == "to" for one, two in pairwise(words))


_TENDING = frozenset("got have has had supposed meant about used told asked like it".split())


def _may_report(clause: Clause) -> bool:
    """Return whether some word tells of a deed in the past, so that the user's tasks are worth reading."""
    return _says_done(clause.words) or any(base_of_past(word) or word in _ACQUIRED for word in clause.words)


def _commands(words: Sequence[str]) -> bool:
    first = next((word for word in words if word not in LEADS), "")
    return bool(classes_of(first) & {"add", "complete", "delete", "change"}) and not base_of_past(first)


def _says_done(words: Sequence[str]) -> bool:
    bare = [word.removesuffix("'s") for word in words]
    if _DONE & set(bare) or words[-1:] == ("check",):
        return True
    return any(
        tuple(bare[at : at + len(phrase)]) == phrase for phrase in _DONE_PHRASES for at in range(len(bare))
    )


def _pieces(clause: Clause) -> Iterator[tuple[Token, ...]]:
    begin = 0
    for place in range(len(clause.tokens) + 1):
        if place < len(clause.tokens) and clause.tokens[place].word not in _JOINTS:
            continue
        own = tuple(_bare(one) for one in clause.tokens[begin:place])
        if any(one.is_word and one.word not in _ALSO | LEADS for one in own):
            yield own
        begin = place + 1


def _bare(token: Token) -> Token:
    """Return a token without the ``'s`` that stands for ``is`` or ``has``: ``the plumber's been rung``."""
    word = token.word.removesuffix("'s")
    return token._replace(word=word) if word not in {"that", "it", "there"} else token


def _reported(tokens: tuple[Token, ...], clause: Clause, scene: Scene) -> Thing | None:
    task = _meant(tokens, clause, scene)
    return None if task is None or task.is_done else task


def _meant(tokens: tuple[Token, ...], clause: Clause, scene: Scene) -> Thing | None:
    """Return the only task that words name by more than its verb, and of which they say little else."""
    naming = _naming(tokens)
    found = find_meant(Clause(clause.message, naming), scene.tasks) if naming else None
    if found is None or len(found.things) != 1 or found.is_all:
        return None
    task = found.things[0]
    return task if found.is_named or _is_mostly_of(task, naming) else None


def _is_mostly_of(task: Thing, naming: Sequence[Token]) -> bool:
    """Return whether more of the words are of a task's title than of something else: who ``called Ana about
    the party`` didn't ``call Ana about the lease``.
    """
    title = {stem(one.word) for one in tokenise(task.name)}
    before = ("", *(one.word for one in naming))
    said = [
        stem(one.word)
        for one, prior in zip(naming, before, strict=False)
        if is_content(one) and one.word not in _PASSED and prior not in _CIRCUMSTANCES
    ]
    return sum(word in title for word in said) * 2 > len(said)


_PASSED = frozenset(WEEKDAYS) | frozenset(
    "morning afternoon evening yesterday night week earlier last ago finally already straight"
    " way plate desk care post bag that's it's there's".split()
)
_CIRCUMSTANCES = frozenset({"from", "at", "by", "via", "in", "on"})


def _naming(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return the words that name a task: those that don't only say that it is done."""
    return tuple(one for one in tokens if not _is_deed(one.word) and one.word not in _ALSO)


def _is_deed(word: str) -> bool:
    return bool(base_of_past(word)) or word in _DONE | _ACQUIRED | SUBJECTS | AUXILIARIES


def _tells(tokens: Sequence[Token]) -> bool:
    """Return whether words tell of something else: more than when, and of whom."""
    return any(one.is_word and one.word not in SUBJECTS | LEADS | _ALSO | _DONE for one in tokens)


def _is_done(task: Thing, clause: Clause) -> bool:
    """Return whether words say of a task that it is done, or say its own verb in the past."""
    words = [word.removesuffix("'s") for word in clause.words if word[0].isalnum()]
    if _says_done(clause.words):
        return True
    verb = task.name.lower().split()[0]
    if verb in words and _MANAGED & set(words):
        return True
    if verb in _ACQUIRING and _ACQUIRED & set(words):
        return True
    if verb in _SENDING and _GONE & set(words):
        return True
    kin = next((one for one in _SAME_DEED if verb in one), frozenset({verb}))
    place = next((at for at, word in enumerate(words) if base_of_past(word) in kin | {verb}), None)
    if place is None:
        return False
    before = set(words[:place])
    is_headline = place == len(words) - 1 and not before & _DETERMINERS and words[place].endswith("ed")
    return bool((_BEING | SUBJECTS) & before) or place == _first(words) or is_headline


_DETERMINERS = frozenset("the a an my our his her their this that".split())
_MANAGED = frozenset({"managed", "remembered"})


def _first(words: Sequence[str]) -> int:
    """Return the place of the first word that isn't only an opening: ``finally ordered the stamps``."""
    openings = LEADS | {"finally", "already", "only", "have", "managed", "to"}
    return next((at for at, word in enumerate(words) if word not in openings), -1)
