"""Wishes about the time that stand in a sentence of their own: ``Remind me on Thursday about the letters.
Before lunch would be good``. They belong to the request before them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from intent.acts.lexicon import classes_of, verb_forms
from intent.acts.tokens import Token, tokenise

_GOOD = frozenset(
    "good best great nice fine perfect ideal better lovely brilliant enough preferable handy".split()
)
_BEING = frozenset("would be is 'd will might that's it's suits works".split())
_WISHING = frozenset({"ideally", "preferably", "rather", "maybe", "best"})
_OPENING = frozenset({"sometime", "somewhere", "any", "time", "just", "and", "but"})
_TIMES = frozenset(
    "morning mornings afternoon evening night noon midday lunch lunchtime breakfast dinner early late first"
    " thing before after around about by at in on the between end start of day o'clock am pm a.m p.m"
    " half past"
    " quarter to until till sharp monday tuesday wednesday thursday friday saturday sunday noonish ish then"
    " one two three four five six seven eight nine ten eleven twelve".split()
)
_TELLING = frozenset(
    "morning mornings afternoon evening night noon midday lunch lunchtime breakfast dinner noonish"
    " monday tuesday wednesday thursday friday saturday sunday".split()
)
_REQUESTS = frozenset({"add", "remind", "create", "watch", "produce", "deliver", "change"})
_MARKS = frozenset(".;!-\u2013\u2014,")
_FEWEST, _MOST = 1, 9


def with_time_wishes(message: str) -> str:
    """Return a message of the same length in which wishes about the time are part of the request before."""
    small = message.lower()
    if not any(word in small for word in _GOOD | _WISHING):
        return message
    tokens = tokenise(message)
    kept = list(message)
    for mark, start, end in _sentences(tokens):
        frame = _frame(tokens[start:end])
        if frame is None or not _asks(tokens[:mark]):
            continue
        for token in (tokens[mark], *frame):
            kept[token.start : token.end] = " " * (token.end - token.start)
        if end < len(tokens) and tokens[end].text == ",":
            kept[tokens[end].start] = "."  # what follows is a reason
    return "".join(kept)


def _sentences(tokens: Sequence[Token]) -> Iterator[tuple[int, int, int]]:
    """Yield the mark before each sentence or part behind the first, where it begins and where it ends."""
    marks = [place for place, token in enumerate(tokens) if token.text in _MARKS]
    for mark, end in zip(marks, [*marks[1:], len(tokens)], strict=False):
        if _FEWEST < end - mark - 1 <= _MOST and mark:
            yield mark, mark + 1, end


def _frame(tokens: Sequence[Token]) -> list[Token] | None:
    """Return the words around a time by which it is wished; None where anything else is said."""
    words = [token.word for token in tokens]
    times = [at for at, word in enumerate(words) if word in _TIMES or tokens[at].text[0].isdigit()]
    rest = [at for at in range(len(words)) if at not in times]
    says = {words[at] for at in rest}
    is_wish = bool(says & _WISHING) or bool(says & _GOOD and says & _BEING)
    is_time = any(words[at] in _TELLING or _is_clock(words, at) for at in times)
    if not is_wish or not is_time or not says <= _GOOD | _BEING | _WISHING | _OPENING:
        return None
    return [tokens[at] for at in rest]


def _is_clock(words: Sequence[str], at: int) -> bool:
    """Return whether a word is a time of day: a bare hour is one behind ``around``."""
    is_hour = words[at][0].isdigit()
    return is_hour and (
        ":" in words[at]
        or words[at].endswith("m")
        or bool(_HALVES & set(words[at + 1 : at + 2]))
        or words[max(0, at - 1)] in _LEADING
    )


_LEADING = frozenset({"around", "about", "at", "by"})


_HALVES = frozenset({"am", "pm", "a.m", "p.m", "o'clock"})


def _asks(tokens: Sequence[Token]) -> bool:
    """Return whether the words before ask for something that has a time."""
    forms = (verb_forms().get(token.word) for token in tokens)
    return any(form is not None and form.is_base and classes_of(form.base) & _REQUESTS for form in forms)
