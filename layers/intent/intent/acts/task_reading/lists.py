"""Tasks told as a list: ``three for my list: …; …; and …``, ``one, …, two, …``, each with its own day."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from intent.acts.lexicon import LEADS, LIST_NOUNS, NEGATIONS, SUBJECTS, TASK_NOUNS, classes_of
from intent.acts.message_items import Item, begins_line, find_items, find_lines
from intent.acts.tokens import Token

_HEAD_NOUNS = LIST_NOUNS | TASK_NOUNS
_NUMBERS = tuple(
    frozenset(names.split())
    for names in (
        "one first firstly 1 a", "two second secondly 2 b", "three third thirdly 3 c", "four fourth 4 d",
        "five fifth 5 e", "six sixth 6", "seven seventh 7", "eight eighth 8",
    )
)  # fmt: skip
_BEHIND_NUMBER = frozenset(":),.-\u2013\u2014")
_BEFORE_NUMBER = frozenset(".,;:!?-(\n")
_NO_DATE = frozenset({"date", "dates", "deadline", "rush", "hurry"})


class Listed(NamedTuple):
    """A list of tasks: the tokens before its first item, and the tokens of each item."""

    head: tuple[Token, ...]
    items: tuple[tuple[Token, ...], ...]
    end: int
    """The place behind its last item."""


def find_list(tokens: Sequence[Token], message: str = "") -> Listed | None:
    """Return the tasks that a message lists; None when it lists none, or something else than tasks."""
    if (marked := _by_layout(tokens, message)) is not None:
        return marked
    numbered = _numbered(tokens)
    starts = numbered or _behind_colon(tokens)
    if len(starts) < 2:
        return _counted(tokens, message) or _in_sentences(tokens, message)
    head = tuple(tokens[: max(0, starts[0] - 2) if numbered else starts[0]])
    if not asks_for_tasks(head):
        return None
    end = _end(tokens, starts[-1])
    bounds = zip(starts, [*starts[1:], end], strict=True)
    items = [_item(tokens[first:last]) for first, last in bounds]
    return Listed(head, tuple(items), end) if all(items) else None


def plain_items(tokens: Sequence[Token], message: str) -> tuple[tuple[Token, ...], ...]:
    """Return the items of a list without a heading, such as an answer to "What should the task say?"."""
    items = find_items(tokens, message)
    if not items:
        return _between_commas(tokens)
    if items[0].mark:
        return ()
    return tuple(one for item in items if (one := _bare(tokens[item.start : item.end])))


def _between_commas(tokens: Sequence[Token]) -> tuple[tuple[Token, ...], ...]:
    """Return the items of ``renew the passport, book the boiler, a card for mum``; empty for other words."""
    begin = next((at + 1 for at, token in enumerate(tokens[:_MOST_OF_OPENING]) if token.text == ":"), 0)
    marks = [at for at, token in enumerate(tokens) if token.text == "," and at >= begin]
    starts, ends = [begin, *(at + 1 for at in marks)], [*marks, len(tokens)]
    found = [_bare(tokens[first:last]) for first, last in zip(starts, ends, strict=True)]
    is_list = len(found) >= _FEWEST_BETWEEN and all(0 < len(one) <= _MOST_OF_ITEM for one in found)
    if not is_list or any(one[0].word in _TELLING | NEGATIONS for one in found):
        return ()
    return tuple(found)


_MOST_OF_OPENING, _MOST_OF_ITEM, _FEWEST_BETWEEN = 4, 6, 3
_TELLING = SUBJECTS | frozenset("because so which who but since as maybe the".split())


def _by_layout(tokens: Sequence[Token], message: str) -> Listed | None:
    """Return the list whose items stand behind bullets or numbers, or one a line below their heading."""
    items = find_items(tokens, message)
    is_marked = bool(items)
    if items and not all(begins_line(tokens, item.mark, message) for item in items):
        return None
    if not items and message:
        items = find_lines(tokens, message)
    head = tuple(tokens[: items[0].mark]) if items else ()
    if not head or not asks_for_tasks(head):
        return None
    if not is_marked:
        items = _without_thanks(tokens, items)
        if len(items) < 2 or not _introduces(head) or not all(_is_short(tokens, one) for one in items):
            return None
    found = tuple(_bare(tokens[item.start : item.end]) for item in items)
    return Listed(head, found, items[-1].end) if all(found) else None


def asks_for_tasks(head: Sequence[Token]) -> bool:
    """Return whether words before a list say that it is of tasks."""
    words = {token.word for token in head}
    asks = words & _HEAD_NOUNS or any(classes_of(word) & {"add", "remind"} for word in words)
    return bool(asks) and not words & NEGATIONS


def _introduces(head: Sequence[Token]) -> bool:
    """Return whether a line only says that tasks follow: it names the list, or ends with a colon."""
    names_list = bool({token.word for token in head} & LIST_NOUNS)
    return (names_list or head[-1].text == ":") and head[-1].text not in {".", "!", "?"}


def _without_thanks(tokens: Sequence[Token], items: Sequence[Item]) -> tuple[Item, ...]:
    kept = list(items)
    while kept and all(one.word in _CLOSING for one in tokens[kept[-1].start : kept[-1].end]):
        kept.pop()
    return tuple(kept)


_CLOSING = LEADS | frozenset("you very much a lot in advance many ! . , :".split())


def _is_short(tokens: Sequence[Token], item: Item) -> bool:
    own = tokens[item.start : item.end]
    return len(own) <= _MOST_IN_LINE and own[-1].text != "?"


_MOST_IN_LINE = 16


def _counted(tokens: Sequence[Token], message: str) -> Listed | None:
    """Return the items behind a colon that commas part, where the heading says how many there are."""
    colon = next((place for place, token in enumerate(tokens) if token.text == ":"), None)
    if colon is None or not asks_for_tasks(tokens[:colon]) or not _is_heading(tokens[:colon], message):
        return None
    count = next((_COUNTS[one.word] for one in tokens[:colon] if one.word in _COUNTS), 0)
    end = _end(tokens, colon + 1)
    begin, starts = True, list[int]()
    for place in range(colon + 1, end):
        is_joint = tokens[place].text == "," or tokens[place].word == "and"
        if begin and not is_joint:
            starts.append(place)
        begin = is_joint
    if len(starts) != count or count < 2:
        return None
    bounds = zip(starts, [*starts[1:], end], strict=True)
    items = tuple(_bare(tokens[first:last]) for first, last in bounds)
    return Listed(tuple(tokens[:colon]), items, end) if all(items) else None


def _in_sentences(tokens: Sequence[Token], message: str) -> Listed | None:
    """Return the items that are a sentence each, where the heading says how many there are: ``2 things for my
    list. Ring the plumber on friday. Order the part.``
    """
    marks = [place for place, token in enumerate(tokens) if token.text in {".", "!", ":"}]
    if not marks or not asks_for_tasks(tokens[: marks[0]]) or not _is_heading(tokens[: marks[0]], message):
        return None
    count = next((_COUNTS[one.word] for one in tokens[: marks[0]] if one.word in _COUNTS), 0)
    bounds = zip(marks, [*marks[1:], len(tokens)], strict=True)
    items = tuple(one for first, last in bounds if (one := _bare(tokens[first + 1 : last])))
    is_list = count == len(items) > 1 and not any(token.text == "?" for token in tokens)
    return Listed(tuple(tokens[: marks[0]]), items, len(tokens)) if is_list else None


def _is_heading(tokens: Sequence[Token], message: str) -> bool:
    """Return whether words are one short sentence on a line of their own."""
    is_one = not any(token.text in {".", "!", "?", ";", ")"} for token in tokens)
    return is_one and "\n" not in message[tokens[0].start : tokens[-1].end]


_COUNTS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "2": 2, "3": 3, "4": 4,
    "5": 5, "6": 6, "7": 7, "8": 8,
}  # fmt: skip


def _bare(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return the tokens of an item without the marks and joints around it."""
    first, last = 0, len(tokens)
    while first < last and (not tokens[first].is_word or tokens[first].word == "and"):
        first += 1
    while last > first and (tokens[last - 1].text in _AROUND or tokens[last - 1].word == "and"):
        last -= 1
    return tuple(tokens[first : _without_no_date(tokens, first, last)])


_AROUND = frozenset(",.;:!-\u2013\u2014")


def _numbered(tokens: Sequence[Token]) -> list[int]:
    """Return where the items behind ``one, … two, …`` begin; empty for fewer than two."""
    found: list[int] = []
    for place in range(len(tokens) - 2):
        if len(found) == len(_NUMBERS):
            break
        behind = tokens[place + 1].text
        is_next = bool(found) and tokens[place].text.isdigit() and behind in {".", ")"}
        begins = not place or is_next or tokens[place - 1].text in _BEFORE_NUMBER | {"and"} or behind == ")"
        if begins and behind in _BEHIND_NUMBER and tokens[place].word in _NUMBERS[len(found)]:
            found.append(place + 2)
    return found if len(found) > 1 else []


def _behind_colon(tokens: Sequence[Token]) -> list[int]:
    """Return where the items behind a colon begin that semicolons part; empty for fewer than two."""
    colon = next((place for place, token in enumerate(tokens) if token.text == ":"), None)
    if colon is None:
        return []
    marks = [place for place, token in enumerate(tokens) if token.text == ";" and place > colon]
    return [colon + 1, *(place + 1 for place in marks)] if marks else []


def _end(tokens: Sequence[Token], start: int) -> int:
    ends = (place for place in range(start, len(tokens)) if tokens[place].text in {".", "!", "?"})
    return next(ends, len(tokens))


def _item(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return the tokens of one item without its number, its joint and what says that it has no date."""
    first, last = 0, len(tokens)
    while first < last and (tokens[first].word in LEADS or not tokens[first].is_word):
        first += 1
    while last > first and _ends_item(tokens[last - 1]):
        last -= 1
    return tuple(tokens[first : _without_no_date(tokens, first, last)])


def _ends_item(token: Token) -> bool:
    """Return whether a token behind an item leads in to the next one: ``, two``."""
    is_number = any(token.word in names for names in _NUMBERS[1:])
    return is_number or token.text in _BEFORE_NUMBER | {")", "("} or token.word in {"and", "then"}


def _without_no_date(tokens: Sequence[Token], first: int, last: int) -> int:
    """Return where an item ends before words that say that it has no date."""
    comma = max((place for place in range(first, last) if tokens[place].text == ","), default=last)
    return comma if _says_no_date(tokens[comma + 1 : last]) else last


def _says_no_date(tokens: Sequence[Token]) -> bool:
    words = {token.word for token in tokens}
    return bool(words & _NO_DATE) and bool(words & {"no", "without", "any", "isn't", "hasn't"})
