"""Finds secrets that are labelled: "my password is …", ``API_KEY=…``, "mit dem Passwort …", "PIN: …".

The text after a label is a secret only if it looks like one, or can hardly be anything else: most sentences
about passwords contain none. Each search is limited to a window after or before a label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from re import Match, Pattern

from conversation.redaction.kinds import SearchText, SecretKind, SecretSpan
from conversation.redaction.vocabulary import (
    ADVERBS,
    AMBIGUOUS_KEY_LABELS,
    AMBIGUOUS_PASSWORD_LABELS,
    ATTRIBUTE_WORDS,
    CLOSING_CHARACTERS,
    COPULAS,
    KEY_LABELS,
    KEY_MARKS,
    MIN_AMBIGUOUS_KEY_LENGTH,
    MIN_KEY_LENGTH,
    PASSWORD_LABELS,
    PASSWORD_MARKS,
    PIN_LABELS,
    PIN_MARKS,
    PLAIN_WORD_VERBS,
    PREPOSITIONS,
    SIGN_IN_LABELS,
    SIGN_IN_MARKS,
    STOP_WORDS,
    is_literal,
    is_mixed,
    is_placeholder,
    longest_run,
    looks_like_key,
    looks_like_password,
)

BEHIND, BEFORE = 320, 120
_LONGEST_NAME = 48
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
    "password": rf"(?<![^\W_])(?:{PASSWORD_LABELS}(?![^\W_])"
    r"|[a-z0-9]{1,20}(?:password|passwd|pwd)(?=[\"']?\s?[:=]))",
    "key": rf"(?<![^\W_]){KEY_LABELS}(?![^\W_])",
    "pin": rf"(?<![^\W_]){PIN_LABELS}(?![^\W_])",
    "sign_in": rf"(?<![^\W_]){SIGN_IN_LABELS}(?![^\W_])",
    "assigned": r"(?:['\u2019]?s)?[\"'`\])]{0,2}(?P<gap>[^\n:=?!;.,<>|@/]{0,44}?)"
    rf"(?P<op>{_SIGN}|\s{{1,4}}(?:{COPULAS}){ADVERBS}\s{{0,2}}[:=]?\s{{1,4}}){_VALUE}",
    "next": rf"(?:['\u2019]s)?[\"'`]?\s{{1,3}}[(]?{_VALUE}",
    "before": rf"(?<!\S){_OPEN}?(?P<value>[^\s\"'`”]{{4,100}}){_CLOSE}?"
    r"\s{1,3}(?:as|als|comme|como|come)(?:\s{1,3}[^\W\d_]{1,12}){0,2}\s{1,3}$",
    "code": r"(?:['\u2019]s)?[^\n:=?!;.,\d]{0,44}?"
    rf"(?:\s{{0,3}}[:=]\s{{0,3}}|\s{{1,3}}(?:(?:{COPULAS}){ADVERBS}\s{{1,3}})?)"
    r"[\"']?(?P<value>\d{3,8})(?![\w.,:/-]\w)(?!\w)"
    r"(?!\s{0,3}(?:attempts?|digits?|times|characters|stellen|chars|tries|users|people))",
    "pair": rf"(?:\s?(?:data|daten|details))?[^\n:=?!;.,(/]{{0,30}}?"
    rf"(?:(?:{_ARE}){_USER}(?:\s{{1,2}}[/|]\s{{1,2}}|[/:|]|:\s{{1,2}})|\s{_USER}\s/\s)"
    r"[\"']?(?P<value>[^\s\"'/<>()]{4,100})",
    "header": r"(?<![^\W_])(?:bearer\s{1,3}"
    r"|authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:[a-z]{1,12}\s{1,3})?)(?P<value>[^\s\"',]{4,2000})",
}


def find_labelled(text: SearchText) -> Iterator[SecretSpan]:
    """All labelled secrets in the text."""
    yield from _called(text, SecretKind.PASSWORD, "password", PASSWORD_MARKS)
    yield from _called(text, SecretKind.API_KEY, "key", KEY_MARKS)
    yield from _codes(text)
    yield from _pairs(text)
    if "bearer" in text.lower or "authorization" in text.lower:
        yield from _headers(text)


def _called(text: SearchText, kind: SecretKind, names: str, marks: Sequence[str]) -> Iterator[SecretSpan]:
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
    there = [mark for mark in marks if mark in lower]
    places = sorted(at for mark in there for at in _places(lower, mark)) if there else ()
    start = end = -1
    for at in places:
        if end >= 0 and at - _LONGEST_NAME > end:
            yield start, end
            end = -1
        start, end = (start if end >= 0 else max(0, at - _LONGEST_NAME)), at + _LONGEST_NAME
    if end >= 0:
        yield start, end


def _places(lower: str, mark: str) -> Iterator[int]:
    at = lower.find(mark)
    while at >= 0:
        yield at
        at = lower.find(mark, at + len(mark))


def _value_behind(text: SearchText, name: Match[str], kind: SecretKind) -> SecretSpan | None:
    shortest = MIN_AMBIGUOUS_KEY_LENGTH if name[0].strip("_- ") in AMBIGUOUS_KEY_LABELS else MIN_KEY_LENGTH
    match = _compiled("assigned").match(text.lower, name.end(), name.end() + BEHIND)
    if match is not None and ATTRIBUTE_WORDS.isdisjoint(match["gap"].split()[-1:]):
        start, end = _trimmed(text.original, match)
        value = text.original[start:end]
        if kind is SecretKind.API_KEY:
            is_secret = looks_like_key(value, shortest=shortest)
        else:
            is_plain = name[0] not in AMBIGUOUS_PASSWORD_LABELS and _is_said_plainly(
                text.original, match, end
            )
            is_sure = _is_telling(match["op"]) or not value.isalpha()
            is_secret = is_sure and looks_like_password(value, allow_plain_word=is_plain)
        if is_secret:
            return SecretSpan(start, end, kind)
    return _next_word(text, name.end(), kind, shortest)


def _is_telling(op: str) -> bool:
    """Whether the operator is almost always followed by the value."""
    return op.strip()[-1:] != "," and not PREPOSITIONS.issuperset(op.split()[:1])


def _is_said_plainly(text: str, match: Match[str], end: int) -> bool:
    """Whether nothing follows that would make the value a word of a sentence."""
    if _COMPOUND.match(match["gap"]):
        return False
    op = match["op"].strip()
    is_assigned = op[-1:] in tuple(":=>→\uff1a")
    if not is_assigned and op.split()[:1] not in PLAIN_WORD_VERBS:
        return False
    if match["quote"] is not None and is_assigned:
        return True
    rest = text[end : end + BEHIND].lstrip("\"'`”»\u2019.!")
    return rest[:1] in ("\n", ",", "/", "") or not rest.strip(" .!")


def _next_word(text: SearchText, behind: int, kind: SecretKind, shortest: int) -> SecretSpan | None:
    """The next word, if it can't be an ordinary word, or the quotation that follows."""
    match = _compiled("next").match(text.lower, behind, behind + BEHIND)
    if match is None:
        return None
    start, end = _trimmed(text.original, match)
    value = text.original[start:end]
    if kind is SecretKind.API_KEY:
        is_named = shortest == MIN_KEY_LENGTH or longest_run(value) >= shortest
        return SecretSpan(start, end, kind) if is_named and looks_like_key(value, shortest=shortest) else None
    if match["quote"] is not None and " " in value.strip():
        words = value.casefold().split()
        return (
            None
            if words[0] in STOP_WORDS or len(words) > _MOST_QUOTED_WORDS
            else SecretSpan(start, end, kind)
        )
    is_long = len(value) >= MIN_KEY_LENGTH - 2 or match["quote"] is not None
    return (
        SecretSpan(start, end, kind)
        if is_long and looks_like_password(value, allow_plain_word=False)
        else None
    )


def _value_before(text: SearchText, name: Match[str], kind: SecretKind) -> SecretSpan | None:
    """``hunter2`` in "use hunter2 as the password"."""
    match = _compiled("before").search(text.lower, max(0, name.start() - BEFORE), name.start())
    if match is None:
        return None
    start, end = match.span("value")
    value = text.original[start:end]
    is_secret = is_mixed(value) and is_literal(value, kind) and not is_placeholder(value)
    return SecretSpan(start, end, kind) if is_secret else None


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
    return start, start + len(value.rstrip(CLOSING_CHARACTERS))


def _codes(text: SearchText) -> Iterator[SecretSpan]:
    """Numeric codes after labels such as "PIN"."""
    for name in _names(text.lower, "pin", PIN_MARKS):
        match = _compiled("code").match(text.lower, name.end(), name.end() + BEHIND)
        if match is not None:
            yield SecretSpan(
                *match.span("value"), SecretKind.CARD if name[0].startswith("cv") else SecretKind.PASSWORD
            )


def _pairs(text: SearchText) -> Iterator[SecretSpan]:
    """The passwords in pairs of user and password."""
    for name in _names(text.lower, "sign_in", SIGN_IN_MARKS):
        match = _compiled("pair").match(text.lower, name.end(), name.end() + BEHIND)
        if match is None:
            continue
        start, end = match.span("value")
        value = text.original[start:end].rstrip(CLOSING_CHARACTERS)
        if looks_like_password(value, allow_plain_word=False):
            yield SecretSpan(start, start + len(value), SecretKind.PASSWORD)


def _headers(text: SearchText) -> Iterator[SecretSpan]:
    for match in _compiled("header").finditer(text.lower):
        start, end = match.span("value")
        value = text.original[start:end].rstrip(CLOSING_CHARACTERS)
        is_long = len(value) >= MIN_KEY_LENGTH and any(character.isdigit() for character in value)
        if is_long and not is_placeholder(value):
            yield SecretSpan(start, start + len(value), SecretKind.API_KEY)


@cache
def _compiled(name: str) -> Pattern[str]:
    # Compiled on first use: most texts contain no labels.
    return re.compile(_PATTERNS[name])
