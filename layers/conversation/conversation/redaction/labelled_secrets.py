"""Finds secrets that are labelled: "my password is …", ``API_KEY=…``, "mit dem Passwort …", "PIN: …".

The text after a label is a secret only if it looks like one, or can hardly be anything else: most sentences
about passwords contain none. Each search is limited to a window after or before a label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from re import Match, Pattern

from conversation.redaction.kinds import SecretKind, Span, Text
from conversation.redaction.vocabulary import (
    ASPECTS,
    BARE_KEYS,
    BARE_PASSWORDS,
    CLOSING,
    IS,
    KEY_MARKS,
    KEYS,
    NOW,
    PASSWORD_MARKS,
    PASSWORDS,
    PIN_MARKS,
    PINS,
    PLAINLY,
    SHORTEST_BARE_KEY,
    SHORTEST_KEY,
    SIGN_IN_MARKS,
    SIGN_INS,
    STOPS,
    TOWARDS,
    is_key,
    is_literal,
    is_mixed,
    is_password,
    is_placeholder,
    longest_run,
)

BEHIND, BEFORE = 320, 120
LONGEST_NAME = 48
_MOST_QUOTED_WORDS = 6

_OPEN, _CLOSE = "[\"'`“„«\u2018]", "[\"'`”“»\u2019]"
_VALUE = rf"(?:(?P<quote>{_OPEN})(?P<quoted>[^\n\"'`”“»\u2019]{{1,200}}){_CLOSE}?|(?P<bare>\S{{1,200}}))"
_SIGN = (
    r"[\"']\s?,\s?(?=[\"'])|\s{0,3}(?:[:=]{1,2}>?|=>|→|\uff1a)[ \t]{0,5}\n?"
    r"|>(?=[^<\n]{1,200}</)"
)
_ARE = r"\s{0,3}[:=]\s{0,3}|\s{1,3}(?:is|are|sind|lauten|son|sono|sont)\s{1,3}"
_USER = r"[\"']?[\w.@+-]{1,80}[\"']?"
_COMPOUND = re.compile(
    r"[ _-]+(?!(?:for|of|to|on|at|in|here|is|f[uü]rs?|zum|zur|vom|du|de|del|da|do)\b)[^\W\d_]{3,}"
)
"""A word right after a label that makes the two a compound: "password strength"."""
_NEXT_PARAMETER = re.compile(r"&(?=\w{1,40}=)|&$")
_PATTERNS = {
    "password": rf"(?<![^\W_])(?:{PASSWORDS}(?![^\W_])"
    r"|[a-z0-9]{1,20}(?:password|passwd|pwd)(?=[\"']?\s?[:=]))",
    "key": rf"(?<![^\W_]){KEYS}(?![^\W_])",
    "pin": rf"(?<![^\W_]){PINS}(?![^\W_])",
    "sign_in": rf"(?<![^\W_]){SIGN_INS}(?![^\W_])",
    "assigned": r"(?:['\u2019]?s)?[\"'`\])]{0,2}(?P<gap>[^\n:=?!;.,<>|@/]{0,44}?)"
    rf"(?P<op>{_SIGN}|\s{{1,4}}(?:{IS}){NOW}\s{{0,2}}[:=]?\s{{1,4}}){_VALUE}",
    "next": rf"(?:['\u2019]s)?[\"'`]?\s{{1,3}}[(]?{_VALUE}",
    "before": rf"(?<!\S){_OPEN}?(?P<value>[^\s\"'`”]{{4,100}}){_CLOSE}?"
    r"\s{1,3}(?:as|als|comme|como|come)(?:\s{1,3}[^\W\d_]{1,12}){0,2}\s{1,3}$",
    "code": r"(?:['\u2019]s)?[^\n:=?!;.,\d]{0,44}?"
    rf"(?:\s{{0,3}}[:=]\s{{0,3}}|\s{{1,3}}(?:(?:{IS}){NOW}\s{{1,3}})?)"
    r"[\"']?(?P<value>\d{3,8})(?![\w.,:/-]\w)(?!\w)"
    r"(?!\s{0,3}(?:attempts?|digits?|times|characters|stellen|chars|tries|users|people))",
    "pair": rf"(?:\s?(?:data|daten|details))?[^\n:=?!;.,(/]{{0,30}}?"
    rf"(?:(?:{_ARE}){_USER}(?:\s{{1,2}}[/|]\s{{1,2}}|[/:|]|:\s{{1,2}})|\s{_USER}\s/\s)"
    r"[\"']?(?P<value>[^\s\"'/<>()]{4,100})",
    "header": r"(?<![^\W_])(?:bearer\s{1,3}"
    r"|authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:[a-z]{1,12}\s{1,3})?)(?P<value>[^\s\"',]{4,2000})",
}


def found(text: Text) -> Iterator[Span]:
    """All labelled secrets in the text."""
    yield from _called(text, SecretKind.PASSWORD, "password", PASSWORD_MARKS)
    yield from _called(text, SecretKind.API_KEY, "key", KEY_MARKS)
    yield from _codes(text)
    yield from _pairs(text)
    if "bearer" in text.lower or "authorization" in text.lower:
        yield from _headers(text)


def _called(text: Text, kind: SecretKind, names: str, marks: Sequence[str]) -> Iterator[Span]:
    done = 0
    for name in _names(text.lower, names, marks):
        if name.start() >= done:
            span = _value_behind(text, name, kind) or _value_before(text, name, kind)
            if span is not None:
                done = span.end
                yield span


def _names(lower: str, names: str, marks: Sequence[str]) -> Iterator[Match[str]]:
    """The labels, searched for only around the positions of their marks."""
    for start, end in _regions(lower, marks):
        yield from _compiled(names).finditer(lower, start, end)


def _regions(lower: str, marks: Sequence[str]) -> Iterator[tuple[int, int]]:
    places = sorted(at for mark in marks if mark in lower for at in _places(lower, mark))
    start = end = -1
    for at in places:
        if end >= 0 and at - LONGEST_NAME > end:
            yield start, end
            end = -1
        start, end = (start if end >= 0 else max(0, at - LONGEST_NAME)), at + LONGEST_NAME
    if end >= 0:
        yield start, end


def _places(lower: str, mark: str) -> Iterator[int]:
    at = lower.find(mark)
    while at >= 0:
        yield at
        at = lower.find(mark, at + len(mark))


def _value_behind(text: Text, name: Match[str], kind: SecretKind) -> Span | None:
    shortest = SHORTEST_BARE_KEY if name[0].strip("_- ") in BARE_KEYS else SHORTEST_KEY
    match = _compiled("assigned").match(text.lower, name.end(), name.end() + BEHIND)
    if match is not None and ASPECTS.isdisjoint(match["gap"].split()[-1:]):
        start, end = _trimmed(text.given, match)
        value = text.given[start:end]
        if kind is SecretKind.API_KEY:
            is_secret = is_key(value, shortest=shortest)
        else:
            is_plain = name[0] not in BARE_PASSWORDS and _is_said_plainly(text.given, match, end)
            is_sure = _is_telling(match["op"]) or not value.isalpha()
            is_secret = is_sure and is_password(value, is_said_plainly=is_plain)
        if is_secret:
            return Span(start, end, kind)
    return _next_word(text, name.end(), kind, shortest)


def _is_telling(op: str) -> bool:
    """Whether the operator is almost always followed by the value."""
    return op.strip()[-1:] != "," and not TOWARDS.issuperset(op.split()[:1])


def _is_said_plainly(text: str, match: Match[str], end: int) -> bool:
    """Whether nothing follows that would make the value a word of a sentence."""
    if _COMPOUND.match(match["gap"]):
        return False
    op = match["op"].strip()
    is_assigned = op[-1:] in tuple(":=>→\uff1a")
    if not is_assigned and op.split()[:1] not in PLAINLY:
        return False
    if match["quote"] is not None and is_assigned:
        return True
    rest = text[end : end + BEHIND].lstrip("\"'`”»\u2019.!")
    return rest[:1] in ("\n", ",", "/", "") or not rest.strip(" .!")


def _next_word(text: Text, behind: int, kind: SecretKind, shortest: int) -> Span | None:
    """The next word, if it can't be an ordinary word, or the quotation that follows."""
    match = _compiled("next").match(text.lower, behind, behind + BEHIND)
    if match is None:
        return None
    start, end = _trimmed(text.given, match)
    value = text.given[start:end]
    if kind is SecretKind.API_KEY:
        is_named = shortest == SHORTEST_KEY or longest_run(value) >= shortest
        return Span(start, end, kind) if is_named and is_key(value, shortest=shortest) else None
    if match["quote"] is not None and " " in value.strip():
        words = value.casefold().split()
        return None if words[0] in STOPS or len(words) > _MOST_QUOTED_WORDS else Span(start, end, kind)
    is_long = len(value) >= SHORTEST_KEY - 2 or match["quote"] is not None
    return Span(start, end, kind) if is_long and is_password(value, is_said_plainly=False) else None


def _value_before(text: Text, name: Match[str], kind: SecretKind) -> Span | None:
    """``hunter2`` in "use hunter2 as the password"."""
    match = _compiled("before").search(text.lower, max(0, name.start() - BEFORE), name.start())
    if match is None:
        return None
    start, end = match.span("value")
    value = text.given[start:end]
    is_secret = is_mixed(value) and is_literal(value, kind) and not is_placeholder(value)
    return Span(start, end, kind) if is_secret else None


def _trimmed(text: str, match: Match[str]) -> tuple[int, int]:
    """The position of the value, without what ends a sentence, a tag or a pair."""
    if match["quote"] is not None:
        return match.span("quoted")
    start, end = match.span("bare")
    value = text[start:end]
    for stop in (";", "<", '",', "',", '"}', "'}", '")', "')", "&amp;"):
        value = value.partition(stop)[0]
    if text[start - 1] == "=":
        value = _NEXT_PARAMETER.split(value, maxsplit=1)[0]
    return start, start + len(value.rstrip(CLOSING))


def _codes(text: Text) -> Iterator[Span]:
    """Numeric codes after labels such as "PIN"."""
    for name in _names(text.lower, "pin", PIN_MARKS):
        match = _compiled("code").match(text.lower, name.end(), name.end() + BEHIND)
        if match is not None:
            yield Span(
                *match.span("value"), SecretKind.CARD if name[0].startswith("cv") else SecretKind.PASSWORD
            )


def _pairs(text: Text) -> Iterator[Span]:
    """The passwords in pairs of user and password."""
    for name in _names(text.lower, "sign_in", SIGN_IN_MARKS):
        match = _compiled("pair").match(text.lower, name.end(), name.end() + BEHIND)
        if match is None:
            continue
        start, end = match.span("value")
        value = text.given[start:end].rstrip(CLOSING)
        if is_password(value, is_said_plainly=False):
            yield Span(start, start + len(value), SecretKind.PASSWORD)


def _headers(text: Text) -> Iterator[Span]:
    for match in _compiled("header").finditer(text.lower):
        start, end = match.span("value")
        value = text.given[start:end].rstrip(CLOSING)
        is_long = len(value) >= SHORTEST_KEY and any(character.isdigit() for character in value)
        if is_long and not is_placeholder(value):
            yield Span(start, start + len(value), SecretKind.API_KEY)


@cache
def _compiled(name: str) -> Pattern[str]:
    # Compiled on first use: most texts contain no labels.
    return re.compile(_PATTERNS[name])
