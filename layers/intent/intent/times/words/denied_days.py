"""Brings what leaves out days into its plain form: ``not sundays`` for ``sundays not, we're closed`` and
``sunday is our day off``.

The length of the text is kept.
"""

from __future__ import annotations

from intent.regular_expressions import longest_first, pattern
from intent.times.words.lexicon import EXCLUDED, GROUPS, WEEKDAYS
from intent.times.words.tokens import Tokens, at, words_at

_DAY = longest_first({*WEEKDAYS, *GROUPS, "holidays"})
_ONE = longest_first(WEEKDAYS)
_SEVERAL = longest_first({*GROUPS, "holidays"})
_DAYS_LISTED = rf"(?:(?:{_SEVERAL})|(?:{_ONE})(?:(?:, | and | or | nor )(?:{_DAY})){{0,6}}+)"
_DENYING = (
    r"not|(?:we|they|i) (?:do not|don['\u2019]?t|never) (?:open|work|need (?:it|one|that|this))"
    r"|(?:we|they|i)(?: are|['\u2019]re| am|['\u2019]m) (?:closed|shut|off|away)(?:,? so then not)?"
    r"|(?:do not|don['\u2019]?t) bother|no need"
    r"|(?:(?:is|are|['\u2019]s) )?(?:(?:the|an|our|my) )?(?:only )?exceptions?"
    r"|(?:is|are|['\u2019]s) (?:(?:our|my|a|the) )?days? off"
    r"|(?:(?:is|are|['\u2019]s|being) )?(?:excluded|excepted|exempt|left out)"
    r"|(?:(?:is|are) not|(?:is|are)n['\u2019]?t) (?:needed|necessary|required)"
    r"|(?:can|could|should|may|must|to) be (?:skipped|omitted|excluded|left out|dropped)"
)
_DENIED = pattern(
    rf"\b(?P<days>{_DAYS_LISTED}) (?:{_DENYING})(?=\s*+(?:[,.;!?)]|$| please\b| though\b| then\b))"
)
_DENIED_BEFORE = pattern(
    r"\b(?:(?:(?:with )?(?:the |an |one |only ){0,3}+exceptions?(?: being| is| are|['\u2019]s|:)"
    r"|nothing (?:on|for)"
    r"|(?:the|only|one) (?:(?:only|one) )?days? (?:i|we) (?:do not|don['\u2019]?t)"
    r" (?:need|want|work|open)(?: it)?(?: is| are|:)))"
    rf"(?= (?:on )?(?:the )?(?:{_DAY})\b(?!['\u2019]))"
)
_SKIPPED = pattern(
    rf"\b(?:on )?(?P<days>{_DAYS_LISTED})(?: now| anyway)?,?(?: (?:so|and|then|please)){{0,3}}+"
    r" (?:(?:skip|omit|drop) (?:those|them|these|that|it)|leave (?:those|them|these|that|it) out"
    r"|so then not|then not|so not then)\b(?: ones?\b| days?\b)?"
)
_NEGATION = "not"
_CLOSED = pattern(
    r"(?:, )?\b(?:(?:because|since|as|cos|cause) )?(?:we|they|i)(?:['\u2019]re| are|['\u2019]m| am)"
    r" (?:closed|shut|off|away|not open|not in)\b(?! (?:on|at|over|every|all|the)\b)"
)
_TOLD_DAYS = pattern(
    rf", (?:(?:because|since|as|cos|cause) )?(?P<before>(?:on )?(?:the )?(?:{_DAY}) )?(?:we|they|i)\b"
    rf"(?P<told>(?:['\u2019](?:re|m)| are| am| do not| don['\u2019]t| never)\b[^,.;!?\n]*+)"
)
_NOTHING = pattern(
    rf", no (?:(?!(?:{_DAY})\b)[a-z'\u2019]++ ){{1,4}}(?:at|on|in) (?:the )?(?P<days>{_DAYS_LISTED})\b"
)
"""What there is none of on some days: ``no kids here at weekends``."""
_SHUT = pattern(
    r", (?:we|they|i)(?:['\u2019]re| are|['\u2019]m| am) (?:closed|shut|off|away)"
    rf" (?:on )?(?P<days>{_DAYS_LISTED})\b"
)
"""Behind what says when: days on which nobody is there."""
_ENDS = ".,;:!?\n("
_DAYS = pattern(rf"\b(?:{_DAY})\b")
_WANTED = pattern(r"\b(?:want|need|like|prefer|rather|please|it)\b|[0-9]")
_LEAVING_OUT = pattern(r"\b(?:not|except|without|never|skip|no)\b")


_PASSING_OVER = (
    *(f"{who} {verb}" for who in ("we", "i", "they") for verb in ("skip", "pause", "leave out")),
    *(
        f"{verb} {how}"
        for verb in ("is", "are", "gets", "get", "to be", "will be", "can be", "should be")
        for how in ("skipped", "left out", "excluded", "off", "out", "dropped", "excepted")
    ),
    "doesnt count", "dont count", "does not count", "do not count", "left out", "skipped", "off", "out",
    *EXCLUDED,
)  # fmt: skip


def is_passed_over(tokens: Tokens, place: int) -> bool:
    """Return whether what ends at a place is left out by what follows: ``Fridays we skip``."""
    here = place + (at(tokens, place).text == "is" and at(tokens, place + 1).text in EXCLUDED)
    return bool(words_at(tokens, here, *_PASSING_OVER))


def with_plain_exceptions(text: str) -> str:
    """Return a text in which ``not`` stands before the days that it follows, up to a mark or the end, and no
    reason stands behind them.
    """
    text = _without_told_days(text)
    for found in _CLOSED.finditer(text):
        if _LEAVING_OUT.search(text[: found.start()]) is None:
            continue
        text = f"{text[: found.start()]}{' ' * (found.end() - found.start())}{text[found.end() :]}"
    for found in (*_NOTHING.finditer(text), *_SHUT.finditer(text)):
        plain = f", {_NEGATION} {found['days']}".ljust(found.end() - found.start())
        text = f"{text[: found.start()]}{plain}{text[found.end() :]}"
    for found in _SKIPPED.finditer(text):
        begin = max(text.rfind(mark, 0, found.start()) for mark in _ENDS) + 1
        if not any(map(str.isdigit, text[begin : found.start()])):
            plain = f" {_NEGATION} {found['days']}".ljust(found.end() - begin)
            text = f"{text[:begin]}{plain}{text[found.end() :]}"
    for found in _DENIED_BEFORE.finditer(text):
        plain = _NEGATION.ljust(found.end() - found.start())
        text = f"{text[: found.start()]}{plain}{text[found.end() :]}"
    for found in _DENIED.finditer(text):
        moved = f"{_NEGATION} {found['days']}".ljust(found.end() - found.start())
        text = f"{text[: found.start()]}{moved}{text[found.end() :]}"
    return text


def _without_told_days(text: str) -> str:
    """Return a text without a reason for days left out that names the same ones or those behind them: ``not
    on Saturdays, we don't open Sundays`` leaves out the day before alone.
    """
    for found in _TOLD_DAYS.finditer(text):
        before, reason = text[: found.start()], found[0]
        left = _days_in(before) if _LEAVING_OUT.search(before) else frozenset()
        told = _days_in(reason)
        is_reason = told and told <= left | {(day + 1) % 7 for day in left}
        if is_reason and _WANTED.search(reason) is None:
            text = f"{before}{' ' * len(reason)}{text[found.end() :]}"
    return text


def _days_in(text: str) -> frozenset[int]:
    """Return the days of the week that a text names behind the first word that leaves out."""
    starts = [found.end() for found in _LEAVING_OUT.finditer(text)]
    named = (found[0].lower() for found in _DAYS.finditer(text[starts[0] if starts else 0 :]))
    return frozenset(WEEKDAYS[name] for name in named if name in WEEKDAYS)
