"""Where a name begins and ends that words give: ``Churn Radar`` of ``called Churn Radar that looks in …``.

A name is what stands in quotation marks, else the words up to a mark, a relative clause, a preposition, a
time or a verb. Capitals in a row hold together. Which words give a name at all is no concern of this module.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from intent.acts import lexicon
from intent.acts.act import Span
from intent.acts.tokens import Token
from intent.regular_expressions import LazyPattern

_QUOTED = re.compile(
    r"\s?(?:[\"\u201c\u201d\u00ab]([^\"\u201c\u201d\u00ab\u00bb\n]{1,60})[\"\u201d\u201c\u00bb]"
    r"|['\u2018`]([^\n'\u2018\u2019`]{1,60}(?:'s [^\n'\u2018\u2019`]{1,40})?)['\u2019`](?!\w))"
)
_INTRODUCING = frozenset(",:=-\u2013\u2014(")
_WITHIN = frozenset("&+/")
_MOST_WORDS = 6

_CLAUSES = frozenset(
    "that which who whose what where when whenever if once unless because since so but then as while".split()
)
_PREPOSITIONS = frozenset(
    "to by in at on from for with without about off via into onto over until till through out under per using"
    " after before between".split()
)
_SUBJECTS = frozenset("i i'd i'm i'll we we'd it it's its he she they you".split())
_DETERMINERS = frozenset("the our my your their a an all any this these those".split())
_CLOSINGS = frozenset(
    "please pls plz now instead thanks thank thx cheers today tonight tomorrow again btw ok okay lol haha"
    " henceforth onwards alright".split()
)
_TIMES = frozenset(
    "every each daily hourly nightly weekdays weekends mondays tuesdays wednesdays thursdays fridays"
    " saturdays sundays mornings evenings noon midnight".split()
)
_WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday weekday weekend".split())
_CLOCK = LazyPattern(r"\d{1,2}(?:[:.]\d\d)?(?:[ap]m|h)|\d{1,2}:\d\d|\d+(?:st|nd|rd|th)")
_HALF_DAYS = frozenset({"am", "pm", "a.m", "p.m", "o'clock", "oclock", "h"})
TIME_WORDS = (
    _TIMES
    | _WEEKDAYS
    | frozenset("weekly monthly morning evening afternoon night tonight today tomorrow week".split())
)
_AUXILIARIES = frozenset(
    "is are was were will would should shall must can could may might has have had does do did needs gets"
    " isn't aren't won't shouldn't doesn't".split()
)
_REPORT_NOUNS = frozenset(
    "list report reports digest check checks watch alert alerts log notes summary mail letter count".split()
)
_NO_NAMES = frozenset(
    "something anything whatever somehow that this it them him her better shorter nicer differently else"
    " another one more so off out quits called named myself yourself bad wrong fine good ok okay great"
    " terrible awful confusing misleading unclear ugly silly daft stupid weird odd long short boring taken"
    " yours not back horrible rubbish dumb ridiculous meaningless outdated old vague generic cryptic"
    " misspelled misspelt ambiguous unreadable useless nonsense lame private public shared".split()
)
_NEVER_FIRST = frozenset(
    "a an too very really rather quite kind like of and or how why something anything whatever".split()
)
_PARTICLES = frozenset({"over", "out", "off", "under"})


def find_extent(message: str, tokens: Sequence[Token], place: int, *, is_last: bool = False) -> Span | None:
    """Return the name that begins at the token at ``place``, or behind the marks there; None: there is none.

    ``is_last``: whether nothing is told behind the name but what a mark sets off, so that it may have words
    such as ``the`` within.
    """
    if place < len(tokens) and (quoted := quotation_at(message, tokens[place].start)) is not None:
        return quoted
    while place < len(tokens) and tokens[place].text in _INTRODUCING:
        place += 1
        if place < len(tokens) and (quoted := quotation_at(message, tokens[place].start)) is not None:
            return quoted
    while place + 1 < len(tokens) and tokens[place].text in {"just", "simply", "the", "maybe", "say"}:
        place += 1
    end = _end(message, tokens, place, is_last=is_last)
    own = tokens[place:end]
    if not own or _begins_time(tokens, place) or not is_name([one.text for one in own]):
        return None
    return Span(message[own[0].start : own[-1].end], own[0].start, own[-1].end)


def is_name(words: Sequence[str]) -> bool:
    """Return whether words, as written, may be a name: not so ``something shorter``, ``too long``, ``by
    Friday``; ``Till Watch`` is one.
    """
    small = [word.lower() for word in words]
    if not small or set(small) <= _NO_NAMES or small[0] in _NEVER_FIRST or words[0] in _AUXILIARIES:
        return False
    if any(map(_is_address, small)):
        return False
    return small[0] not in _PREPOSITIONS - _PARTICLES or (words[0][0].isupper() and len(words) > 1)


def _is_address(word: str) -> bool:
    return "@" in word or word.startswith(("#", "http"))


def quotation_at(message: str, start: int) -> Span | None:
    """Return what the quotation marks at a place enclose; None where there are none."""
    found = _QUOTED.match(message, start)
    if found is None:
        return None
    group = 1 if found[1] is not None else 2
    text = found[group].strip()
    begin = found.start(group) + found[group].index(text) if text else found.start(group)
    return Span(text.rstrip(".,"), begin, begin + len(text)) if text else None


def _end(message: str, tokens: Sequence[Token], place: int, *, is_last: bool) -> int:
    """Return the place behind the last word of the name."""
    at = place
    while at < len(tokens):
        if at > place and "\n" in message[tokens[at - 1].end : tokens[at].start]:
            break
        if not tokens[at].is_word and not _is_inner_mark(tokens, place, at):
            break
        if at > place and _is_boundary(tokens, place, at, is_last=is_last):
            break
        at += 1
    while at > place and not tokens[at - 1].is_word:
        at -= 1
    if sum(one.is_word for one in tokens[place:at]) <= _MOST_WORDS:
        return at
    capitals = place
    while capitals < at and tokens[capitals].text[0].isupper():
        capitals += 1
    return max(capitals, place + 1)


def _is_inner_mark(tokens: Sequence[Token], place: int, at: int) -> bool:
    is_within = tokens[at].text in _WITHIN and place < at < len(tokens) - 1
    return is_within and tokens[at + 1].is_word


def _is_boundary(tokens: Sequence[Token], place: int, at: int, *, is_last: bool) -> bool:
    """Return whether a word can't belong to the name before it."""
    token, small = tokens[at], _spelled(tokens[at])
    before = tokens[place:at]
    is_title = all(one.text[0].isupper() or not one.text[0].isalpha() for one in (before[0], before[-1]))
    if _begins_time(tokens, at):
        return True
    if is_title and token.text[0].isupper():
        return small in _CLOSINGS
    if small == "of":
        return not (is_last or _is_capital(tokens, at + 1))
    if small in {"and", "or", "plus"}:
        return not is_title or not _is_capital(tokens, at + 1)
    if small in _CLAUSES | _PREPOSITIONS | _SUBJECTS | _CLOSINGS | _AUXILIARIES:
        return True
    if small in _DETERMINERS:
        return not is_last
    if _begins_predicate(tokens, at):
        return True
    is_run = len(before) > 1 and is_title
    return is_run and not is_last and not (small in _REPORT_NOUNS and _is_end(tokens, at + 1))


def _spelled(token: Token) -> str:
    """Return a word in small letters: one with a capital as it is, any other as it was probably meant."""
    return token.text.lower() if token.text[0].isupper() else token.word


def _begins_time(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a time begins: ``every``, ``9am``, ``Mondays at``, ``1st``."""
    token, small = tokens[at], tokens[at].text.lower()
    behind = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
    if small in _WEEKDAYS | {"mondays", "weekly", "monthly"} or (small in _TIMES and token.text[0].isupper()):
        return behind in {"at", "morning", "mornings", "evening", "evenings"} or behind[:1].isdigit()
    if small in _TIMES:
        return True
    return _CLOCK.fullmatch(small) is not None or (small[0].isdigit() and behind in _HALF_DAYS)


def _begins_predicate(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a verb begins what is told of the named thing: ``reads the tickets``, ``listing …``."""
    form = lexicon.verb_forms().get(tokens[at].text.lower())
    if form is None or form.is_base or _is_end(tokens, at + 1):
        return False
    return tokens[at].text.endswith(("s", "ing")) and tokens[at + 1].text.lower() not in _PREPOSITIONS


def _is_capital(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at].text[0].isupper()


def _is_end(tokens: Sequence[Token], at: int) -> bool:
    """Return whether nothing follows, or a mark, or words that can't go on with a name."""
    if at >= len(tokens) or not tokens[at].is_word:
        return True
    small = tokens[at].text.lower()
    return small in _CLAUSES | _PREPOSITIONS | _CLOSINGS | {"and"} or _begins_time(tokens, at)
