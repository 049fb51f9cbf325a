"""Amounts told as what somebody bought, sold or spent: ``a lad bought a kite, 24.50 that was``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from intent.amounts.series import Row, whole_number
from intent.regular_expressions import lower

_DEALT = frozenset(
    "bought sold took taken paid spent earned ordered chose grabbed fetched donated lent borrowed".split()
)
"""Verbs of giving and taking, done."""
_CAME = frozenset({"came", "was", "were"})
"""Such a verb behind "there": ``there came 8.40 for a lunch``."""
_PRICED = frozenset({"for", "at"})
_OF_WHAT = frozenset({"for", "on"})
_ARTICLES = frozenset("a an the my our his her their another some one of me us him them".split())
_ENDS = frozenset("to with at from by in on for today yesterday tonight who which that as too also".split())
"""Words at which what was bought ends."""
_POINTING = frozenset("it that this them those these i we you he she they".split())
_MOST_WORDS, _MOST_LABEL_WORDS = 40, 5


def read_dealing(sentence: str) -> Row | None:
    """Return what a sentence tells that somebody bought, sold or spent, with its one amount; else None."""
    words = sentence.split()
    numbers = [at for at, word in enumerate(words) if any(map(str.isdigit, word))]
    if len(numbers) != 1 or len(words) > _MOST_WORDS or sentence.rstrip().endswith("?"):
        return None
    at = numbers[0]
    number = whole_number(words[at].strip(",.;!"))
    verb = max((place for place in range(at) if _is_dealt(words, place)), default=None)
    if number is None or number.unit or number.is_percent or verb is None or _is_measure(words, at):
        return None
    label = _label_behind(words, at) if verb == at - 1 else _label_before(words[verb + 1 : at], number.places)
    if not label or len(label) > _MOST_LABEL_WORDS or _POINTING & set(map(lower, label)):
        return None
    return Row(" ".join(label), (number,))


def _is_dealt(words: Sequence[str], place: int) -> bool:
    word = lower(words[place])
    return word in _DEALT or (word in _CAME and lower(words[place - 1]) == "there" and place > 0)


def _is_measure(words: Sequence[str], at: int) -> bool:
    """Return whether the number has a unit or is a time of day: ``for 30 minutes``, ``at 5 pm``."""
    if words[at][-1] in ",.;!" or at + 1 == len(words):
        return False
    both = whole_number(f"{words[at]} {words[at + 1].strip(',.;!')}")
    is_time = lower(words[at + 1]).strip(",.;!") in {"am", "pm", "o'clock", "st", "nd", "rd", "th"}
    return is_time or (both is not None and bool(both.unit))


def _label_before(between: Sequence[str], places: int) -> list[str]:
    """Return what stands between the verb and its price; "at" tells a price only where it has cents."""
    if not between:
        return []
    last = lower(between[-1])
    if last in _PRICED and (last == "for" or places):
        between = between[:-1]
    elif not between[-1].endswith(","):
        return []
    label = takewhile(lambda word: lower(word) not in _ENDS, _bare(between))
    return [word.rstrip(",") for word in label]


def _label_behind(words: Sequence[str], at: int) -> list[str]:
    """Return what stands behind ``spent 34.90 for``, without what is told of it."""
    behind = list(words[at + 1 :])
    while behind and lower(behind[0]) in {"euro", "euros", "dollars", "pounds", "quid", "bucks", "more"}:
        behind = behind[1:]
    if not behind or lower(behind[0]) not in _OF_WHAT:
        return []
    label: list[str] = []
    for word in _bare(behind[1:]):
        if lower(word.strip(",.;!")) in _ENDS:
            break
        label.append(word.strip(",.;!"))
        if word[-1] in ",.;!":
            break
    return label


def _bare(words: Sequence[str]) -> list[str]:
    kept = list(words)
    while kept and lower(kept[0]) in _ARTICLES:
        kept = kept[1:]
    return kept
