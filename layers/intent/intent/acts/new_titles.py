"""The title that a change gives a task: ``rename call Tom to call Anna``, ``call it ring the bank``."""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts import lexicon
from intent.acts.act import Meant, Span
from intent.acts.clauses import Clause
from intent.acts.references import find_name_place
from intent.acts.slots import find_name
from intent.acts.tokens import Token
from intent.times.reading import TimeReading

_RENAMES = frozenset("rename relabel retitle reword rephrase change update edit correct fix".split())
_NAMES = frozenset({"call", "name", "title"})
_NAMING = frozenset("rename renamed name named title titled say says read reads reword wording".split())
_MARKS = frozenset({"to", "as", "into", "->", "=>", "say", "says", "read", "reads"})
_SKIPPED = frozenset({"be", "just", "simply", "called", "named", "say", "read"})
_WITHIN = frozenset(",-'\u2019&/+#()%:\"\u201c\u201d")
_ENDS = frozenset("please pls instead thanks thank thx because since".split())
_QUOTES = "\"'\u201c\u201d\u2018\u2019"


def find_new_title(clause: Clause, meant: Meant, times: Sequence[TimeReading]) -> Span | None:
    """Return the new title; None when the clause gives none. Words that only say when are no title."""
    tokens = clause.tokens
    at = _behind_old_title(tokens, meant)
    before = {_base(token) for token in (tokens if at is None else tokens[:at])}
    if at is None and not before & _RENAMES:
        is_naming = _NAMING & set(clause.words) or _calls_it(clause.words)
        return find_name(clause, ()) if is_naming else None
    if not before & (_RENAMES | _NAMES):
        return None
    verb = next((place for place, token in enumerate(tokens) if _base(token) in _RENAMES), -1)
    start = _behind_mark(tokens, max(at or 0, verb + 1))
    if start is None and before & _NAMES:
        start = at
    if start is None:
        return None
    kept = _title(clause, start)
    return None if kept is None or _is_time(kept, times) else kept


def _base(token: Token) -> str:
    form = lexicon.verb_forms().get(token.word)
    return form.base if form is not None else token.word


def _calls_it(words: Sequence[str]) -> bool:
    """Return whether words say ``call it``: a title may itself begin with the verb."""
    return any(
        word in {"call", "called"} and words[at + 1 : at + 2] != () and words[at + 1] in lexicon.POINTERS
        for at, word in enumerate(words)
    )


def _behind_old_title(tokens: Sequence[Token], meant: Meant) -> int | None:
    """Return the token behind the title that the task has; None when the clause doesn't say it."""
    words = [token.word for token in tokens]
    mark = _behind_mark(tokens, 0)
    is_pointed = mark is not None and bool(lexicon.POINTERS & set(words[:mark]))
    places = [found for thing in meant.things if (found := find_name_place(words, thing.name)) is not None]
    if is_pointed and mark is not None:  # ``rename it to: call the bank about the loan`` begins with the old
        places = [(begin, end) for begin, end in places if begin < mark]
    return max((end for _, end in places), default=None)


def _behind_mark(tokens: Sequence[Token], start: int) -> int | None:
    found = next((at for at in range(start, len(tokens)) if tokens[at].word in _MARKS), None)
    return None if found is None else found + 1


def _title(clause: Clause, start: int) -> Span | None:
    tokens = clause.tokens
    while start < len(tokens) and (tokens[start].word in _SKIPPED or tokens[start].text in f"{_QUOTES}:"):
        start += 1
    end = start
    while end < len(tokens) and not _ends_title(tokens[end], is_first=end == start):
        if [token.word for token in tokens[end:] if token.is_word] in (["for", "me"], ["for", "us"]):
            break
        end += 1
    while end > start and not tokens[end - 1].is_word:
        end -= 1
    if start >= end:
        return None
    first, last = tokens[start].start, tokens[end - 1].end
    return Span(clause.message[first:last], first, last)


def _ends_title(token: Token, *, is_first: bool) -> bool:
    is_mark = not token.is_word and token.text not in _WITHIN
    return is_mark or (token.word in _ENDS and not is_first)


def _is_time(title: Span, times: Sequence[TimeReading]) -> bool:
    return any(start <= title.start and title.end <= end for one in times for start, end in one.spans)
