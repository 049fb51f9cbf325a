"""Names that stand at the head of what new agents are to do: ``'mrr': revenue from Stripe daily``, ``The
first, morning-tickets, sends …``, ``agent Till Watch: sales at 9 pm``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from intent.acts import lexicon
from intent.acts.act import Span
from intent.acts.naming.extent import TIME_WORDS, is_name, quotation_at
from intent.acts.naming.told_name import Form, ToldName
from intent.acts.tokens import Token
from intent.regular_expressions import lower_pattern
from intent.times.words.lexicon import WEEKDAYS

_MAKING = lower_pattern(
    r"\b(?:two|three|four|five|[2-5]|new|several|both|following|these|create|make|set up|build|add|need"
    r"|want)\b"
    r"[^.!?\n]{0,40}\b(?:agents?|bots?|automations?)\b"
)
_MAKES = frozenset("create make build set add".split())
_BEFORE_HEADING = _MAKES | lexicon.LEADS | frozenset("up me us can could you i want need to".split())
_KINDS = frozenset("report automation monitor watcher helper assistant job digest".split())
_FEWEST_CAPITALS = 2
_NOUNS = frozenset({"agent", "bot", "automation"})
_ORDINALS = frozenset("first second third fourth other last".split())
_JOINTS = frozenset({"and", "plus"})
_OPENING = frozenset(":.,;\n-\u2013\u2014\u2022*)(")
_CLOSING = frozenset(":=-\u2013\u2014")
_MOST_WORDS = 4
_NO_LABELS = frozenset(
    "agent agents bot bots automations automation every each daily weekly monthly at on in from to by time"
    " when where what source sources name names schedule delivery job first second third two one thanks"
    " please hi hello hey note also then called named titled dubbed"
    " call it its is be with title dub that this i we you reminder reminders task tasks todo question update"
    " request idea list".split()
)


def find_labels(message: str, tokens: Sequence[Token]) -> list[ToldName]:
    """Return the names that head the descriptions of new agents in a message that asks for some."""
    if (heading := _heading(message, tokens)) is not None:
        return [heading]
    if _MAKING.search(message) is None:
        return []
    return list(_labels(message, tokens))


def _heading(message: str, tokens: Sequence[Token]) -> ToldName | None:
    """Return a name in capitals that a request for one agent begins with: ``Rota Gaps: …``, ``build me Rota
    Gaps: …``, ``set up Rota Gaps, a bot that …``.
    """
    at = next((at for at, one in enumerate(tokens) if one.word not in _BEFORE_HEADING), len(tokens))
    last = at
    while last < len(tokens) and tokens[last].is_word and tokens[last].text[0].isupper():
        last += 1
    own = tokens[at:last]
    is_commanded = any(one.word in _MAKES for one in tokens[:at])
    fewest = 1 if is_commanded else _FEWEST_CAPITALS
    if (
        not fewest <= len(own) <= _MOST_WORDS
        or {one.word for one in own} & _NO_LABELS
        or last + 1 >= len(tokens)
    ):
        return None
    is_apposed = (
        is_commanded and tokens[last].text == "," and tokens[last + 1].word in {"a", "an", "the", "our"}
    )
    is_apposed = is_apposed and any(one.word in _NOUNS | _KINDS for one in tokens[last + 2 : last + 5])
    if not (is_apposed or (tokens[last].text == ":" and _tells_job(tokens, last + 1))):
        return None
    name = Span(message[own[0].start : own[-1].end], own[0].start, own[-1].end)
    return ToldName(Form.NEW, name, own[0].start, tokens[last].end, None, None)


def _labels(message: str, tokens: Sequence[Token]) -> Iterator[ToldName]:
    end = 0
    for at, token in enumerate(tokens):
        if token.start < end or not at:
            continue
        found = _quoted_label(message, tokens, at) or _plain_label(message, tokens, at)
        if found is not None:
            yield found
            end = found.end


def _quoted_label(message: str, tokens: Sequence[Token], at: int) -> ToldName | None:
    """Return a name in quotation marks that begins an item, or follows the word for an agent."""
    if tokens[at].is_word or (quoted := quotation_at(message, tokens[at].start)) is None:
        return None
    if not (_opens_item(message, tokens, at) or tokens[at - 1].word in _NOUNS | _ORDINALS | {"is"}):
        return None
    if not is_name(quoted.text.split()):
        return None
    end = quoted.end + 1
    behind = next((place for place, one in enumerate(tokens) if one.start >= end), len(tokens))
    if behind < len(tokens) and tokens[behind].text in _CLOSING | {",", ")"}:
        end = tokens[behind].end
    return ToldName(Form.NEW, quoted, tokens[at].start, end, None, None, is_label=True)


def _plain_label(message: str, tokens: Sequence[Token], at: int) -> ToldName | None:
    """Return a name without quotation marks that begins an item and is set off by a mark from its job."""
    if not tokens[at].is_word or not (_opens_item(message, tokens, at) or tokens[at - 1].word in _NOUNS):
        return None
    last = at
    while last < len(tokens) and tokens[last].is_word and not (last > at and _is_line(message, tokens, last)):
        last += 1
    own = tokens[at:last]
    if not own or len(own) > _MOST_WORDS or last >= len(tokens) - 1:
        return None
    if _is_line(message, tokens, last) or _is_line(message, tokens, last + 1):
        return None
    mark, words = tokens[last].text, [one.word for one in own]
    is_ordered = any(one.word in _ORDINALS for one in tokens[max(0, at - 3) : at])
    if (
        not (mark in _CLOSING or (mark == "," and is_ordered))
        or set(words) & _NO_LABELS
        or not is_name([one.text for one in own])
        or _says_when(words)
    ):
        return None
    if own[0].text[0] in "#@" or "@" in own[0].text or not _tells_job(tokens, last + 1):
        return None
    name = Span(message[own[0].start : own[-1].end], own[0].start, own[-1].end)
    return ToldName(Form.NEW, name, own[0].start, tokens[last].end, None, None, is_label=True)


def _says_when(words: Sequence[str]) -> bool:
    """Return whether words before a mark are a time to run at: ``Thursday 3pm: lost deals``."""
    is_clock = any(word[0].isdigit() for word in words)
    days = WEEKDAYS.keys() | TIME_WORDS | {"am", "pm", "noon", "midnight", "workdays"}
    return is_clock and all(word[0].isdigit() or word in days for word in words)


def _tells_job(tokens: Sequence[Token], at: int) -> bool:
    """Return whether what follows a label begins to tell a job by itself, in small letters."""
    return tokens[at].text[0].islower() or tokens[at].text[0].isdigit()


def _opens_item(message: str, tokens: Sequence[Token], at: int) -> bool:
    before = tokens[at - 1]
    return before.text in _OPENING or before.word in _JOINTS or _is_line(message, tokens, at)


def _is_line(message: str, tokens: Sequence[Token], at: int) -> bool:
    """Return whether a token begins a line."""
    return "\n" in message[tokens[at - 1].end : tokens[at].start]
