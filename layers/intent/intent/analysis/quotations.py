"""Finds the one text of somebody else that a message quotes, and the user's own sentences around it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from intent.acts.lexicon import LEADS
from intent.acts.requests import asks_for_something
from intent.acts.tokens import Token, tokenise
from intent.entities.own_words import own_words
from intent.regular_expressions import straighten_quotes

_MOST_CHARACTERS = 2_000
"""Who quotes a longer text wants it read, and not done."""
_FEWEST_WORDS = 4
_SENTENCE_ENDS = frozenset(".!?;")
_BEGINS_REQUEST = frozenset("can could would will please pls kindly".split())
_GREETINGS = frozenset({"hi", "hello", "hey", "dear", "morning", "hiya"})
_MOST_OF_GREETING = 5
_CLOSINGS = frozenset(
    "regards best kind kindest warm cheers thanks thank thx ta yours sincerely faithfully love many".split()
)
_MOST_OF_CLOSING = 7
_SAYING = frozenset(
    "said says say wrote writes write texted mailed emailed messaged asked asks told posted sent sends wants"
    " wanted got received from forwarded forward mail email message text note letter request this"
    " that".split()
)
_TITLING = frozenset("titled called named title name task todo reminder saying reads".split())


class Quotation(NamedTuple):
    """A text of somebody else in a message: its words, and the user's own sentences."""

    text: str
    """Without the greeting and the signature."""
    sentences: tuple[str, ...]
    """Without the one that introduces the text."""


def find_quotation(message: str) -> Quotation | None:
    """Return the only text that a message quotes as what somebody wrote; None for none or several."""
    if len(message) > _MOST_CHARACTERS:
        return None
    found = _quoted_lines(message) or _in_marks(message)
    if found is None:
        return None
    text, before, behind = found
    own = _sentences(before)
    place = _introduction(own)
    kept = (*own[:place], *own[place + 1 :]) if place is not None else own
    rest = f"{' '.join(kept)}\n{behind}".strip()
    request = _without_frame_of_letter(text)
    if len(request.split()) < _FEWEST_WORDS or own_words(rest) != rest:
        return None  # what stands around it may be somebody else's, too
    return Quotation(request, (*kept, *_sentences(behind)))


def _introduction(sentences: Sequence[str]) -> int | None:
    """Return the place of the sentence that introduces a quotation: the last one, or the one before it where
    the last is a request: ``she sent me this, can you do it?``
    """
    last = len(sentences) - 1
    if last < 0:
        return None
    is_request = sentences[last].endswith("?") and tokenise(sentences[last])[0].word in _BEGINS_REQUEST
    return last - 1 if is_request and last else last


def _quoted_lines(message: str) -> tuple[str, str, str] | None:
    """Return the lines behind ``>`` as one text, and what stands before and behind them."""
    lines = message.split("\n")
    places = [place for place, line in enumerate(lines) if line.lstrip().startswith(">")]
    if not places or places != list(range(places[0], places[-1] + 1)):
        return None
    quoted = "\n".join(lines[place].lstrip(" >") for place in places)
    if '"' in straighten_quotes("\n".join(lines[: places[0]] + lines[places[-1] + 1 :])):
        return None
    return quoted, "\n".join(lines[: places[0]]), "\n".join(lines[places[-1] + 1 :])


def _in_marks(message: str) -> tuple[str, str, str] | None:
    """Return the text in quotation marks that words before it introduce, and what stands around it."""
    plain = straighten_quotes(message)
    bounds = _double_marks(plain) or _single_marks(plain)
    if bounds is None:
        return None
    start, end = bounds
    before = message[:start]
    own = _sentences(before)
    place = _introduction(own)
    introduction = tokenise(own[place] if place is not None else "")
    words = [token.word for token in introduction if token.is_word]
    if not _SAYING & set(words) or _TITLING & set(words[-2:]) or asks_for_something(introduction):
        return None
    return message[start + 1 : end], before, message[end + 1 :]


def _double_marks(plain: str) -> tuple[int, int] | None:
    marks = [place for place, mark in enumerate(plain) if mark == '"']
    return (marks[0], marks[1]) if len(marks) == 2 else None


def _single_marks(plain: str) -> tuple[int, int] | None:
    """Return the first single mark before a word and the last one behind one: others are apostrophes."""
    if '"' in plain:
        return None
    places = range(1, len(plain) - 1)
    opening = [
        at for at in places if plain[at] == "'" and plain[at - 1].isspace() and plain[at + 1].isalnum()
    ]
    closing = [
        at
        for at in places
        if plain[at] == "'" and not plain[at - 1].isspace() and not plain[at + 1].isalnum()
    ]
    return (opening[0], closing[-1]) if len(opening) == 1 and closing and closing[-1] > opening[0] else None


def _sentences(text: str) -> tuple[str, ...]:
    """Return the sentences and lines of a text that have words."""
    return tuple(
        text[part[0].start : part[-1].end]
        for part in _parts(tokenise(text), text)
        if any(token.is_word for token in part)
    )


def _parts(tokens: Sequence[Token], text: str) -> Iterator[Sequence[Token]]:
    begin = 0
    for place in range(1, len(tokens)):
        is_new_line = "\n" in text[tokens[place - 1].end : tokens[place].start]
        is_request = tokens[place - 1].text == "," and tokens[place].word in _BEGINS_REQUEST
        if is_new_line or is_request or tokens[place - 1].text in _SENTENCE_ENDS:
            yield tokens[begin:place]
            begin = place
    if tokens[begin:]:
        yield tokens[begin:]


def _without_frame_of_letter(text: str) -> str:
    """Return a text without the greeting before it and the names and thanks behind it."""
    tokens = tokenise(text)
    parts = [list(part) for part in _parts(tokens, text)]
    while parts and _is_closing(parts[-1], is_last=len(parts) > 1):
        parts.pop()
    if not parts:
        return ""
    first = parts[0]
    if first[0].word in _GREETINGS:
        comma = next((at for at, one in enumerate(first[:_MOST_OF_GREETING]) if one.text in {",", "-"}), None)
        first = first[comma + 1 :] if comma is not None else first
        parts[0] = first
    kept = [part for part in parts if part]
    if kept and len(kept) > 1 and kept[0][0].word in _GREETINGS and len(kept[0]) <= _MOST_OF_GREETING:
        kept = kept[1:]
    return text[kept[0][0].start : kept[-1][-1].end].strip() if kept else ""


def _is_closing(part: Sequence[Token], *, is_last: bool) -> bool:
    """Return whether words end a letter: thanks, a name, or a letter that stands for one."""
    words = [token for token in part if token.is_word]
    if not words:
        return True
    if words[0].word in _CLOSINGS | (LEADS & _CLOSINGS):
        return len(words) <= _MOST_OF_CLOSING
    is_name = len(words) <= 3 and all(one.text[0].isupper() for one in words)
    return is_last and is_name
