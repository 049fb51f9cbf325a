"""Whether a clause asks for a sum in so many words, whatever stands around it: ``while I think of it, what's
24 times 3.60``, ``things have changed, so please work out 17 * 23``.
"""

from __future__ import annotations

from intent.acts.clauses import Clause
from intent.acts.evidence import says_often
from intent.acts.lexicon import AGENT_NOUNS, LEADS, LIST_NOUNS, TASK_NOUNS
from intent.acts.scene import Scene
from intent.sums.asked_parts import asked_parts, has_plain_sum
from intent.sums.problems import conversion
from intent.sums.quantities import Quantities, read_quantities
from intent.sums.reader import read_sum

_OPERATIONS = frozenset(
    "times x * × · + ÷ multiplied multiply divided divide plus minus % percent pct squared cubed half third"
    " thirds quarter quarters double twice triple subtract dozen".split()
)
_ASKING = frozenset(
    "what what's whats wats wots how much calculate compute work reckon tell know give = equals sum total"
    " add is does multiply divide subtract".split()
)
_AROUND = LEADS | frozenset(
    "a an the of off by from and for me us it is that please pls quick quickly again right ? , . : ! = equals"
    " makes make come comes to then so now thanks as in all out with on per at over year month week day hour"
    " discount altogether total together combined percentage vat tax".split()
)
_ELSEWHERE = (
    AGENT_NOUNS | LIST_NOUNS | TASK_NOUNS | frozenset("mail email send post whenever remember".split())
)
_MOST_WORDS = 60
_REMINDING = frozenset({"remind", "reminder", "remember", "forget"})


def asks_sum(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause asks for a sum in words that can mean nothing else."""
    words = clause.words
    has_digits = any(mark.isdigit() for mark in clause.text)
    if has_digits and _asks_conversion(clause):
        return True
    if (
        len(words) > _MOST_WORDS
        or not (has_digits or not _OPERATIONS.isdisjoint(words))
        or _is_of_deed(words)
    ):
        return False
    text = clause.text
    read = read_quantities(text)
    if not read.numbers:
        return False
    if has_plain_sum(read) or _leads_sum(read):
        asks = bool(_ASKING & set(words)) or clause.is_question or _is_bare(read)
    else:
        asks = _is_bare(read) and (_is_total(read) or (_has_rate(read) and not _is_open(scene)))
    return asks and (read_sum(text) is not None or bool(asked_parts(text)))


def _asks_conversion(clause: Clause) -> bool:
    """Return whether a clause asks for a measure in another unit: ``what is 5 km in miles?``"""
    asks = clause.is_question or clause.words[0] in {"convert", "what", "what's", "whats", "how"}
    is_short = len(clause.words) <= _MOST_OF_CONVERSION and not _is_of_deed(clause.words)
    return asks and is_short and conversion(read_quantities(clause.text)) is not None


_MOST_OF_CONVERSION = 14


def _is_open(scene: Scene) -> bool:
    return scene.has_draft or scene.question is not None


def _is_total(read: Quantities) -> bool:
    """Return whether a total or a percentage is asked for: ``45 as a percentage of 180``, ``3% off 850``."""
    is_percent = any(one.is_percent for one in read.numbers) and len(read.numbers) > 1
    return is_percent or (bool(_TOTALS & {*read.lead, *read.tail, *read.words}) and len(read.numbers) > 1)


_TOTALS = frozenset("altogether total together combined percentage percent".split())


def _has_rate(read: Quantities) -> bool:
    """Return whether a number is said for one of something: ``23 an hour``, ``600 a month``."""
    return any(
        read.after(place)[:1] and read.after(place)[0] in {"a", "an", "per"} and not one.unit
        for place, one in enumerate(read.numbers)
    )


def _is_of_deed(words: tuple[str, ...]) -> bool:
    """Return whether words are about an agent, a list or something to remember, whatever they count."""
    said = set(words)
    if said & _ELSEWHERE or any("@" in word or word[0] == "#" for word in words) or says_often(words):
        return True
    return bool(said & _REMINDING) and not {"what", "how"} & said


def _leads_sum(read: Quantities) -> bool:
    """Return whether a verb before two numbers says what to do with them: ``subtract 37.50 from 250``."""
    if len(read.numbers) < 2:
        return False
    takes = bool(_TAKING & set(read.lead[-1:])) and read.gap(0)[-1:] == ("from",)
    return takes or bool(_VERBS & set(read.lead[-2:]))


_VERBS = frozenset({"multiply", "divide", "subtract", "double", "halve"})
_TAKING = frozenset({"take", "deduct"})


def _is_bare(read: Quantities) -> bool:
    """Return whether a text has nothing but numbers and operations."""
    covered = {place for one in read.numbers for place in range(one.start, one.end)}
    rest = (word for place, word in enumerate(read.words) if place not in covered)
    return all(word in _AROUND or word in _OPERATIONS for word in rest)
