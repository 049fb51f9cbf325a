"""The titles of the tasks that a part of a message adds, from the words that were tagged as such."""

from __future__ import annotations

from intent.acts.act import Span
from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS
from intent.acts.parts import Part
from intent.acts.slots import Found
from intent.acts.task_titles import find_titles


def tagged_titles(part: Part, found: Found) -> tuple[Span, ...]:
    """Return the titles of the tasks to add: the tagged ones, cut at separators."""
    if found.quoted:
        return found.quoted
    spans = part.tagged.get("title", ())
    if not spans:
        return find_titles(part.clause, (), found.times)
    first = min(span.start for span in spans)
    last = _phrase_end(part, max(span.end for span in spans), found)
    tokens = tuple(token for token in part.clause.tokens if first <= token.start and token.end <= last)
    starts = frozenset(span.start for span in spans)
    within = find_titles(
        Clause(part.clause.message, tokens), (), found.times, begins_at=part.clause.start, starts=starts
    )
    return within or find_titles(part.clause, (), found.times)


_TITLE_ENDS = frozenset("and or but because since so as if when while then also plus which".split())


def _phrase_end(part: Part, last: int, found: Found) -> int:
    """Return where the phrase ends that a tagged title begins: no further than a mark, a joint or a time."""
    for token in part.clause.tokens:
        if token.start < last:
            continue
        is_used = any(start <= token.start < end for start, end in found.used)
        if is_used or not token.is_word or token.word in _TITLE_ENDS or token.word in LEADS:
            break
        last = token.end
    return last
