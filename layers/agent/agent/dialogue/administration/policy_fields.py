"""The settings of a workspace that people speak of: which one words mean, and which value they give it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agent.dialogue.administration.policy_limits import LIMITS, MESSAGES, is_per_person, limit_in
from agent.dialogue.administration.topics import BUDGETS, IN_DAYS, Topic
from agent.dialogue.workspace_questions.wording import Wording, word_set
from intent.dates.times import days_in, parse_number

_MONTHS_OF_YEAR, _DAYS_OF_YEAR, _DAYS_OF_MONTH, _DAYS_OF_WEEK = 12, 365, 30, 7


NUMBERED = IN_DAYS | BUDGETS | {*LIMITS}
"""The topics whose value is a number."""

_HOLD = ("legal hold", "on hold", "litigation", "litigation hold", "being sued", "hold on everything")
_MAY_NOT_GO = (
    "nothing may be deleted",
    "nothing deleted",
    "nothing may go",
    "delete nothing",
    "not delete anything",
)
_MONEY = word_set(
    "spend spending spent budget cost costs money usd dollars dollar euro euros pounds quid $ € £"
)
_KEPT = word_set(
    "keep keeps kept retention retain retained store stored stay stays wiped wipe saved save expire "
    "expires hold held delete deleted older"
)
_MAKE = frozenset({"create", "creates", "make", "add"})
_WHO = frozenset({"who", "who's", "everyone", "leads", "allowed", "nobody", "only"})
_COMES_BACK = (
    "deleted ones", "deleted chats", "deleted conversations", "deleted chat", "brought back", "bring back",
    "restored",    "get back", "grace", "grace period",
)  # fmt: skip


def topic_of(wording: Wording) -> Topic | None:
    """Return the setting that words mean; None when they name none."""
    return next(topics_in(wording), None)


def topics_in(wording: Wording) -> Iterator[Topic]:
    """Yield the settings that words mean, the likeliest first."""
    if wording.says("quiet hours", "quiet time"):
        yield Topic.QUIET_HOURS
    is_hold = wording.says(*_HOLD, *_MAY_NOT_GO) or (wording.has({"hold"}) and wording.has(_PLACES))
    if is_hold:
        yield Topic.LEGAL_HOLD
    for found in (limit_in(wording), _about_agents(wording), _about_use(wording)):
        if found is not None:
            yield found
    for topic, words in _PLAIN:
        if wording.says(*words):
            yield topic
    kept = _about_keeping(wording)
    if kept is not None and not (is_hold and kept is Topic.RETENTION):
        yield kept
    if wording.has(_LIMITS) or (wording.has(MESSAGES) and wording.has(_PERIODS)):
        yield Topic.LIMITS


def _about_agents(wording: Wording) -> Topic | None:
    if wording.has(_MAKE) and wording.has(_WHO):
        return Topic.CREATORS
    if wording.has({"share", "sharing", "shared", "shareable"}):
        return Topic.SHARING
    is_number = wording.has({"agents", "agent", "bots"}) and not wording.has(_KEPT)
    return Topic.AGENTS_OF_A_USER if is_number else None


def _about_use(wording: Wording) -> Topic | None:
    if wording.has(_MONEY):
        return budget_in(wording, Topic.BUDGET)
    if not wording.has({"runs", "run"}) or wording.has(_KEPT) or wording.has({"logs", "results", "history"}):
        return None
    return Topic.RUNS_OF_A_USER if is_per_person(wording) else Topic.RUNS_A_DAY


def budget_in(wording: Wording, held: Topic) -> Topic:
    """Return the budget that words about money mean; ``held``: the one talked about before."""
    of_user, monthly = held in _OF_A_USER, held in _MONTHLY
    if wording.says(*_IN_A_DAY, *_IN_A_WEEK) or wording.has({"daily", "weekly"}):
        monthly = False
    elif wording.says(*_IN_A_MONTH, *_IN_A_YEAR) or wording.has({"monthly", "yearly", "month"}):
        monthly = True
    if is_per_person(wording):
        of_user = True
    return {
        (False, False): Topic.BUDGET, (False, True): Topic.BUDGET_OF_MONTH,
        (True, False): Topic.BUDGET_OF_A_USER, (True, True): Topic.MONTH_OF_A_USER,
    }[of_user, monthly]  # fmt: skip


def amount_in(wording: Wording, number: float) -> float:
    """Return an amount as the budget of its words counts it: those of weeks by the day, of years by the
    month.
    """
    if wording.says(*_IN_A_WEEK) or wording.has({"weekly"}):
        return number / _DAYS_OF_WEEK
    return number / _MONTHS_OF_YEAR if wording.says(*_IN_A_YEAR) or wording.has({"yearly"}) else number


def money_in(wording: Wording) -> Value | None:
    """Return the amount of money that words give, the last one said; None where they give no number.

    What is said to be money counts before numbers in figures, and those before numbers in words.
    """
    words = wording.words
    said = [(place, value) for place, value in numbers_in(wording) if words[place] not in _ARTICLES]
    of_money = [value for place, value in said if _is_money(words, place)]
    in_figures = [value for place, value in said if any(map(str.isdigit, words[place]))]
    found = of_money or in_figures or [value for _, value in said]
    return found[-1] if found else None


def _is_money(words: Sequence[str], place: int) -> bool:
    around = (*words[max(place - 1, 0) : place], *words[place + 1 : place + 2])
    return words[place][0] in _SIGNS or not _CURRENCIES.isdisjoint(around)


def is_in_other_money(wording: Wording) -> bool:
    """Return whether an amount is said in another currency than US dollars."""
    return wording.has(_OTHER_MONEY) or any(sign in wording.text for sign in "\u20ac\u00a3")


_ARTICLES = frozenset({"a", "an"})
_SIGNS = frozenset("$\u20ac\u00a3")
_OTHER_MONEY = word_set("\u20ac \u00a3 euro euros pounds pound quid rupees inr eur gbp francs chf yen")
_CURRENCIES = _SIGNS | _OTHER_MONEY | word_set("dollars dollar usd bucks buck")


def _each(noun: str) -> tuple[str, ...]:
    return f"a {noun}", f"per {noun}", f"each {noun}", f"every {noun}", f"this {noun}"


_IN_A_DAY, _IN_A_WEEK, _IN_A_MONTH, _IN_A_YEAR = map(_each, ("day", "week", "month", "year"))
_OF_A_USER = frozenset({Topic.BUDGET_OF_A_USER, Topic.MONTH_OF_A_USER})
_MONTHLY = frozenset({Topic.BUDGET_OF_MONTH, Topic.MONTH_OF_A_USER})


def _about_keeping(wording: Wording) -> Topic | None:
    if wording.has({"archived", "archive"}):
        return Topic.ARCHIVED
    if wording.says(*_COMES_BACK):
        return Topic.GRACE
    return Topic.RETENTION if wording.has(_KEPT) and not wording.has(_WHERE) else None


_WHERE = word_set("where wher country region datacenter server servers")
"""Words of questions where something is stored, and not for how long."""


_PLACES = frozenset({"lift", "lifted", "legal", "place", "put"})
_PERIODS = frozenset({"second", "hour", "day", "week", "month"})
_LIMITS = frozenset({"limit", "limits", "cap", "caps", "allowance", "quota", "quotas"})
_PLAIN = (
    (Topic.MODELS, ("models", "model", "gpt", "claude")),
    (Topic.TIME_ZONE, ("time zone", "timezone")),
    (Topic.MAIL_DOMAINS, (
        "sent outside", "send outside", "outside addresses", "external addresses", "addresses outside",
        "mail outside", "mails outside", "emails outside", "mail domains", "mail domain", "domains",
    )),
    (Topic.HOOK_HOSTS, ("webhook", "webhooks", "web hooks", "hook hosts", "web addresses")),
    (Topic.STORED_BYTES, ("bytes", "megabytes", "gigabytes", "mb", "gb", "storage")),
    (Topic.ADMIN_READING, ("admins read", "administrators read", "admin access", "read our chats")),
    (Topic.HISTORY, ("history off", "history on", "off history", "on history", "store nothing")),
    (Topic.REDACTION, ("redaction", "redact", "redacted", "redacting")),
    (Topic.LANGUAGE, ("default language", "workspace language", "language of the workspace")),
    (Topic.ASSISTANT_NAME, ("assistant's name", "assistant name", "your name", "name of the assistant")),
    (Topic.TONE, ("tone", "tone of voice")),
    (Topic.INSTRUCTIONS, ("standing instructions", "instructions for everybody")),
)  # fmt: skip


class Value(NamedTuple):
    """A number with what it counts: ``day``, ``week``, ``month``, ``year``, or nothing."""

    number: float
    unit: str

    @property
    def days(self) -> int:
        """Return it as days; a bare number counts days."""
        whole = int(self.number)
        match self.unit:
            case "year":
                return round(self.number * _DAYS_OF_YEAR)
            case "month" if whole == self.number and whole % _MONTHS_OF_YEAR == 0:
                return whole // _MONTHS_OF_YEAR * _DAYS_OF_YEAR
            case "month":
                return round(self.number * _DAYS_OF_MONTH)
            case _:
                return days_in(whole, self.unit or "day")


_UNITS = {
    form: unit
    for unit in ("day", "week", "month", "year")
    for form in (unit, f"{unit}s", f"{unit}'s", {"day": "d", "week": "wk", "month": "mo", "year": "yr"}[unit])
} | {"fortnight": "week", "fortnights": "week", "yrs": "year", "months'": "month", "years'": "year"}
_TENS = {
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "ninety": 90,
    "hundred": 100,
}
_BEFORE_OLD = frozenset({"not", "from", "was", "isn't"})
_STATING = frozenset({"is", "it's", "its", "says", "currently", "stands", "at"})
_PRESENT = frozenset({"now", "present", "currently", "moment", "today"})
_LIMITING = frozenset({"more", "older", "less", "fewer", "longer", "over"})
"""Words before ``than`` that make a limit: ``no more than 20``; after others the old value follows."""


def values_in(wording: Wording) -> tuple[Value, ...]:
    """Return the numbers that words give, in order, without those they take back: ``not a year``."""
    return tuple(value for _, value in numbers_in(wording))


def numbers_in(wording: Wording) -> tuple[tuple[int, Value], ...]:
    """Return the numbers that words give (`values_in`), each with the place of its word."""
    words = wording.words
    found: list[tuple[int, Value]] = []
    now: list[tuple[int, Value]] = []
    for place, word in enumerate(words):
        value = None if _is_pronoun(words, place) else _value(words, place, word)
        if value is not None and not _is_old(before := words[max(place - 2, 0) : place]):
            (now if _is_present(before, words[place + 1 : place + 5]) else found).append((place, value))
    return tuple(found or now)


def _is_pronoun(words: Sequence[str], place: int) -> bool:
    """Return whether "one" is no number: ``the one who pays``, ``one of us``, ``one more thing``."""
    if words[place] != "one":
        return False
    around = (*words[max(place - 1, 0) : place], *words[place + 1 : place + 2])
    return not _AROUND_PRONOUN.isdisjoint(around)


_AROUND_PRONOUN = word_set(
    "the this that these those which any each every no another other some who that's of more thing last next"
)


def _is_present(before: Sequence[str], behind: Sequence[str]) -> bool:
    """Return whether a number is said to be what holds now: ``it is 90 at present``."""
    states = bool(before) and before[-1] in _STATING
    return states and not _PRESENT.isdisjoint((*before, *behind))


def _is_old(before: Sequence[str]) -> bool:
    """Return whether the words before a number take it back."""
    if before[:2] == ("instead", "of"):
        return True
    if "than" in before:
        return before[0] not in _LIMITING
    return not _BEFORE_OLD.isdisjoint(before)


def _value(words: tuple[str, ...], place: int, word: str) -> Value | None:
    following = words[place + 1] if place + 1 < len(words) else ""
    if (
        word == "half"
        and words[place + 1 : place + 2] == ("a",)
        and words[place + 2 : place + 3] == ("year",)
    ):
        return Value(6, "month")
    if word in {"a", "an", "one"} and following in _UNITS:
        is_half = place and words[place - 1] == "half"
        is_rate = (place > 1 and _number(words[place - 1]) is not None) or words[place - 1 : place] == (
            "runs",
        )
        return None if is_half or is_rate else Value(2 if following == "fortnight" else 1, _UNITS[following])
    number = _number(word)
    if number is None:
        return None
    if following == "-":
        following = words[place + 2] if place + 2 < len(words) else ""
    return Value(number * 2 if following.startswith("fortnight") else number, _UNITS.get(following, ""))


def _number(word: str) -> float | None:
    plain = word.replace(",", "").lstrip("$€£")
    if plain.replace(".", "", 1).isdigit() and plain.isascii():
        return float(plain)
    found = parse_number(plain)
    return float(found) if found is not None else _TENS.get(plain)
