"""The days of the week on which words don't want an agent: ``no rota on Sundays``, ``we're shut on Sundays,
so it needn't run then``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from intent.acts.clauses import Clause
from intent.acts.dropped_days import dropped_days
from intent.acts.lexicon import AUXILIARIES, LEADS, POINTERS, QUESTION_WORDS
from intent.acts.tokens import tokenise

_ENDS = frozenset(".;!?:\n")
_JOINTS = frozenset("but so because since as just only except until till from with and , -".split())
_TURNED = frozenset("only just except exept until till than unless but".split())
"""Words by which a refusal holds for other days than those behind it: ``not only on Sundays``."""
_REFUSING = frozenset("neednt shouldnt mustnt shant oughtnt spare skip skips skipping".split())
_DENYING = frozenset({"dont", "doesnt"})
_MODALS = frozenset("should must need shall ought may can could would do please to better".split())
_REPORTING = frozenset("does did is are was were has have had am".split())
_NEEDS = frozenset({"need", "have"})
_WANTED = _NEEDS | frozenset(
    "want like run rerun send mail email post deliver show give bother disturb ping message come report start"
    " let make".split()
)
_COMING = frozenset("run send mail email post deliver come arrive bother start go be show to".split())
_BEFORE_DAYS = frozenset("on at in over during for".split())
_WEEKENDS = frozenset({"weekend", "weekends", "weekdays"})
_AWAY = frozenset(
    "closed shut off away free empty out home holiday nobody nobodys noone nothing dont doesnt arent isnt"
    " wont never no".split()
)
"""Words that say of a day that there is no work on it."""
_POINTING = frozenset({"then", "those", "these", "that"})
_RESULTS = POINTERS | frozenset(
    "mail mails email emails message messages report reports post posts list digest summary anything"
    " run runs".split()
)
_FARTHEST_WANTED = 3
_NEEDED = frozenset({"needed", "required", "wanted", "necessary"})
_DAY_JOINTS = frozenset({"and", ",", "or", "the"})


def refused_days(clause: Clause) -> str:
    """Return the days that a clause refuses, as ``not on sundays``; empty where it refuses none, names other
    days or hours as well, or only asks.
    """
    first = next((word for word in clause.words if word not in LEADS), "")
    if dropped := dropped_days(clause):
        return f"not on {' and '.join(dropped)}"
    asks = first in QUESTION_WORDS | AUXILIARIES - {"can", "could", "will", "would", "do", "need"}
    if asks or any(word[0].isdigit() for word in clause.words):
        return ""
    before = _plain([token.word for token in tokenise(clause.message[: clause.start])])
    words = [*before, *_plain(clause.words)]
    days = [at for at, word in enumerate(words) if _is_day(word)]
    for refusal in _refusals(words) if days else ():
        refused = _refused(words, refusal, days) if refusal > len(before) else []
        named = {words[at] for at in refused}
        if refused and all(words[at] in named for at in days if at >= len(before)):
            return f"not on {' and '.join(dict.fromkeys(words[at] for at in refused))}"
    return ""


def _plain(words: Sequence[str]) -> list[str]:
    return [word.replace("'", "") if word[0].isalpha() else word for word in words]


def _refused(words: Sequence[str], refusal: int, days: Sequence[int]) -> list[int]:
    """Return the places of the days that a refusal is about, whose words end at ``refusal``."""
    end = next((at for at in range(refusal, len(words)) if words[at] in _ENDS), len(words))
    scope = _scope(words, refusal, end)
    if _TURNED & set(words[refusal - 1 : scope.stop]):
        return []
    if refused := [at for at in days if at in scope]:
        return refused
    told = [at for at in days if at < refusal]
    if _POINTING & set(words[scope.start : scope.stop]) and _AWAY & set(words[: refusal - 1]):
        return told
    return told if told and _opens(words, told[-1], refusal) else []


def _opens(words: Sequence[str], day: int, refusal: int) -> bool:
    """Return whether a sentence begins with the days that it refuses: ``on Sundays we don't need rota``."""
    begins = [at for at in range(day) if words[at] in _ENDS]
    opening = words[begins[-1] + 1 if begins else 0 : day]
    subject = [word for word in words[day + 1 : refusal] if word != ","]
    is_opening = all(word in _BEFORE_DAYS | _DAY_JOINTS or _is_day(word) for word in opening)
    return is_opening and len(subject) <= _LONGEST_SUBJECT and not (_JOINTS | _ASIDE) & set(subject)


_LONGEST_SUBJECT = 4
_ASIDE = frozenset({"rather", "instead", "than", "please", "to"})


def names_result(clause: Clause) -> bool:
    """Return whether a clause points at an agent or at what it sends: ``don't mail it on Sundays``."""
    return bool(_RESULTS & set(clause.words))


def _is_day(word: str) -> bool:
    return word in _WEEKENDS or (word.endswith("days") and word not in {"days", "holidays", "birthdays"})


def _refusals(words: Sequence[str]) -> Iterator[int]:
    """Yield the places behind words that refuse something."""
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        behind = [one for one in words[at + 1 : at + 1 + _FARTHEST_WANTED] if one not in LEADS]
        is_denied = word in _DENYING and bool((_WANTED if word == "dont" else _NEEDS) & set(behind[:2]))
        is_denied = is_denied or (word in {"isnt", "arent", "not"} and bool(_NEEDED & set(behind[:1])))
        is_not = (
            word == "not" and before not in _REPORTING and bool((_COMING | _BEFORE_DAYS) & set(behind[:1]))
        )
        is_none = word in {"no", "never", "not"} and (behind[:1] != [] and _is_none(words, at))
        if word in {"leave", "leaves"} and "out" in words[at + 1 : at + 4]:
            yield at + 1
        if word in _REFUSING or is_denied or is_not or is_none or (before in _MODALS and word == "not"):
            yield at + 1


def _is_none(words: Sequence[str], at: int) -> bool:
    """Return whether ``no`` stands before a thing and its days, or right before the days: ``no rota on …``,
    ``no need for it at weekends``, ``never on Sundays``.
    """
    near = words[at + 1 : at + 8]
    day = next((place for place, word in enumerate(near) if _is_day(word) or word in _POINTING), 0)
    if words[at] != "no":
        return day in {0, 1, 2} and bool(near) and (_is_day(near[0]) or near[0] in _BEFORE_DAYS)
    return day > 0 and not _ENDS & set(near[:day]) and "," not in near[:1]


def _scope(words: Sequence[str], begin: int, end: int) -> range:
    """Return the places of what is refused: up to a mark or a joint behind which no further day stands."""
    for at in range(begin, end):
        if (
            words[at] in _JOINTS
            and not any(map(_is_day, words[at + 1 : at + 3]))
            and _has_day(words[begin:at])
        ):
            return range(begin, at)
    return range(begin, end)


def _has_day(words: Sequence[str]) -> bool:
    return any(_is_day(word) or word in _POINTING for word in words)
