"""The places of a list that words name: ``the second``, ``2nd one``, ``the last two``, ``1 and 3``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from intent.acts.act import Thing
from intent.acts.clauses import Clause
from intent.acts.tokens import Token
from intent.times.words.lexicon import DOUBTFUL_MONTHS, MONTHS

_ORDINALS = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5,
    "5th": 5, "sixth": 6, "6th": 6, "seventh": 7, "7th": 7, "eighth": 8, "8th": 8, "ninth": 9, "9th": 9,
    "tenth": 10, "10th": 10, "former": 1, "latter": -1, "last": -1,
}  # fmt: skip
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_SUFFIXES = frozenset({"st", "nd", "rd", "th"})
_NUMBERING = frozenset({"number", "no", "nr", "#", "agent", "task", "option", "num"})
_PERIODS = frozenset("week month year night time day friday monday run quarter".split())
_BEFORE_PLACE = frozenset({"the", "my", "that", "our", "this"})
_BEHIND_PLACE = frozenset({"one", "agent", "task", "item"})
_MOST_COUNTED = 5


class ListPlace(NamedTuple):
    """Things of a list, and from which token to which their places are named."""

    first: int
    last: int
    things: tuple[Thing, ...]


def with_ordinals(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return the tokens with ``2`` and ``nd`` as one word."""
    joined: list[Token] = []
    for token in tokens:
        before = joined[-1] if joined else None
        is_suffix = token.word in _SUFFIXES and before is not None and before.end == token.start
        if before is not None and is_suffix and before.word.isdigit():
            text = before.text + token.text
            joined[-1] = before._replace(text=text, word=text.lower(), end=token.end)
        else:
            joined.append(token)
    return tuple(joined)


def is_beyond_list(clause: Clause, listed: Sequence[Thing]) -> bool:
    """Return whether a clause names a place behind the end of a list: ``the seventh one`` of three."""
    words = [token.word for token in with_ordinals(clause.tokens)]
    return any(
        _ORDINALS.get(word, 0) > len(listed) and _follows_place(words, place)
        for place, word in enumerate(words)
    )


def by_place(tokens: Sequence[Token], listed: Sequence[Thing], *, is_list: bool) -> tuple[Thing, ...]:
    """Return the things whose places words name; ``is_list``: a list was just shown, so that a bare number
    is a place, too.
    """
    tokens = with_ordinals(tokens)
    if (found := next(_places(tokens, listed), None)) is not None:
        return found.things
    words = [token.word for token in tokens]
    if is_list and 0 < len(words) <= 2 and words[-1].isdigit():
        return _at(int(words[-1]), listed)
    return ()


def find_places(tokens: Sequence[Token], listed: Sequence[Thing]) -> tuple[ListPlace, ...]:
    """Return all places of a list that words name, with the bare numbers among them: ``1 and 3``."""
    joined = with_ordinals(tokens)
    places = [one for one in _places(joined, listed) if one.things]
    if numbered := _numbered(joined, listed):
        taken = [place for one in places for place in range(one.first, one.last + 1)]
        places += [one for one in numbered if one.first not in taken]
    starts = {token.start: at for at, token in enumerate(tokens)}
    ends = {token.end: at for at, token in enumerate(tokens)}
    return tuple(
        ListPlace(starts[joined[one.first].start], ends[joined[one.last].end], one.things)
        for one in sorted(places)
    )


def _places(tokens: Sequence[Token], listed: Sequence[Thing]) -> Iterator[ListPlace]:
    words = [token.word for token in tokens]
    for place, word in enumerate(words):
        behind = words[place + 1] if place + 1 < len(words) else ""
        if (count := _counted(word, behind)) and len(listed) > count:
            yield ListPlace(place, place + 1, tuple(listed[:count] if word == "first" else listed[-count:]))
            continue
        number = _ORDINALS.get(word)
        if number is not None and _follows_place(words, place):
            yield ListPlace(place, place + (behind in _BEHIND_PLACE), _at(number, listed))
        elif word in _POSITIONS and behind in _BEHIND_PLACE:
            yield ListPlace(place, place + 1, _at_position(word, listed))
        elif word in _NUMBERING and behind:
            at = place + 2 if behind == "." and word in {"no", "nr", "num"} else place + 1
            digit = words[at] if at < len(words) else ""
            if digit.isdigit():
                yield ListPlace(place, at, _at(int(digit), listed))
            elif digit in _NUMBERS and word != "no":
                yield ListPlace(place, at, _at(_NUMBERS[digit], listed))
        elif word.startswith("#") and word[1:].isdigit():
            yield ListPlace(place, place, _at(int(word[1:]), listed))


def _counted(word: str, behind: str) -> int:
    """Return how many things ``the last two`` and ``the first three`` are; 0 for other words."""
    count = _NUMBERS.get(behind, int(behind) if behind.isdigit() else 0)
    return count if word in {"first", "last"} and 1 < count <= _MOST_COUNTED else 0


def find_numbered(tokens: Sequence[Token], listed: Sequence[Thing]) -> tuple[Thing, ...]:
    """Return the things that several numbers of a list mean: ``1 and 3``, ``2, 4``, ``1 to 3``; else none."""
    found = _numbered(with_ordinals(tokens), listed) if listed else ()
    return tuple(dict.fromkeys(thing for one in found for thing in one.things))


def _numbered(tokens: Sequence[Token], listed: Sequence[Thing]) -> list[ListPlace]:
    words = [token.word for token in tokens]
    found: list[ListPlace] = []
    numbers: list[int] = []
    end = 0
    for place, word in enumerate(words):
        number = _number(word, len(listed))
        if number is None or (not found and words[place - 1 : place] == ["at"]):
            continue
        between = set(words[end:place])
        first = number
        if found and between and between <= _UP_TO:
            first = numbers[-1] + 1
        elif found and not (between and between <= _BETWEEN_NUMBERS):
            break
        numbers.append(number)
        found.append(ListPlace(place, place, tuple(listed[first - 1 : number]) or _at(number, listed)))
        end = place + 1
    return found if len(set(numbers)) > 1 and not is_in_period(words, end - 1) else []


def is_in_period(words: Sequence[str], place: int) -> bool:
    """Return whether a number is a day of a month, and no place: ``the first of every month``, ``2 May``."""
    near = words[place + 1 : place + 4]
    behind = next((word for word in near if word not in _BEFORE_PERIOD), "")
    months = MONTHS.keys() if near[:1] == ["of"] else MONTHS.keys() - DOUBTFUL_MONTHS
    return behind in _MONTHLY or behind in months


_BEFORE_PERIOD = frozenset("of in the a each every this next our".split())
_MONTHLY = frozenset("month months quarter quarters year".split())


def _number(word: str, count: int) -> int | None:
    """Return the place in a list of ``count`` that a word names; None when it names none there."""
    digits = word.removeprefix("#")
    number = int(digits) if digits.isdigit() else _NUMBERS.get(word, _ORDINALS.get(word, 0))
    number = count if number == -1 else number
    return number if 0 < number <= count else None


_UP_TO = frozenset({"to", "-", "through", "till", "until", "\u2013"})
_BETWEEN_NUMBERS = frozenset({",", "and", "&", "plus", "+", "/", "the", "number", "no", "nr", "#", "."})


def _follows_place(words: Sequence[str], place: int) -> bool:
    before = words[place - 1] if place else "the"
    following = words[place + 1] if place + 1 < len(words) else ""
    if is_in_period(words, place):
        return False
    return following not in _PERIODS and (before in _BEFORE_PLACE or following in _BEHIND_PLACE)


_POSITIONS = frozenset({"top", "middle", "bottom"})


def _at_position(word: str, listed: Sequence[Thing]) -> tuple[Thing, ...]:
    """Return the thing at the top, in the middle or at the bottom; an even list has no middle."""
    if word == "middle":
        return _at(len(listed) // 2 + 1, listed) if len(listed) % 2 else ()
    return _at(1 if word == "top" else -1, listed)


def _at(number: int, listed: Sequence[Thing]) -> tuple[Thing, ...]:
    number = len(listed) if number == -1 else number
    return (listed[number - 1],) if 0 < number <= len(listed) else ()
