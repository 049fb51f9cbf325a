"""The titles of the tasks that a part of a message adds, from the words that were tagged as such."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest

from intent.acts.act import Span
from intent.acts.clauses import Clause
from intent.acts.evidence import says_owed
from intent.acts.lexicon import LEADS, classes_of
from intent.acts.parts import Part
from intent.acts.slots import Found
from intent.acts.task_reading.commands import announces_task
from intent.acts.task_titles import find_titles
from intent.acts.tokens import Token


def asked_titles(part: Part, found: Found) -> tuple[Clause, tuple[Span, ...]]:
    """Return the titles of the tasks to add, and the words that ask for them: one sentence of several, where
    that alone does.
    """
    sentence = _requesting_sentence(part.clause)
    titles = _tagged_titles(replace(part, clause=sentence), found)
    if titles or sentence is part.clause:
        return sentence, titles
    return part.clause, _tagged_titles(part, found)


def _tagged_titles(part: Part, found: Found) -> tuple[Span, ...]:
    """Return the titles of the tasks to add: the tagged ones, cut at separators."""
    if found.quoted:
        return found.quoted
    clause = part.clause
    if announces_task(clause.words):
        return find_titles(clause, (), found.times)
    spans = [
        one for one in part.tagged.get("title", ()) if clause.start <= one.start and one.end <= clause.end
    ]
    if not spans:
        return find_titles(part.clause, (), found.times)
    first = _subject_start(clause, min(span.start for span in spans))
    last = _phrase_end(part, max(span.end for span in spans), found)
    tokens = tuple(token for token in part.clause.tokens if first <= token.start and token.end <= last)
    starts = frozenset(span.start for span in spans)
    within = find_titles(
        Clause(part.clause.message, tokens), (), found.times, begins_at=part.clause.start, starts=starts
    )
    return within or find_titles(part.clause, (), found.times)


def _subject_start(clause: Clause, deed: int) -> int:
    """Return where a title begins whose deed is that of something else than the user: at ``the return`` of
    ``that the return has to reach the council``; ``deed`` for any other.
    """
    before = [token for token in clause.tokens if token.end <= deed]
    words = [token.word for token in before]
    owed = next((len(words) - len(one) for one in _OWED if tuple(words[-len(one) :]) == one), 0)
    that = next((at for at in range(owed - 1, -1, -1) if words[at] == "that"), owed)
    subject = words[that + 1 : owed]
    is_other = 0 < len(subject) <= _MOST_OF_SUBJECT and subject[0] not in _OURSELVES
    return before[that + 1].start if is_other and all(one.is_word for one in before[that:owed]) else deed


_OWED = (("has", "to"), ("have", "to"), ("needs", "to"), ("need", "to"), ("must",), ("should",))
_OURSELVES = frozenset({"i", "we", "you", "it", "they", "one"})
_MOST_OF_SUBJECT = 6


def _requesting_sentence(clause: Clause) -> Clause:
    """Return the only sentence of several that asks for a task by its words; the clause where none is."""
    sentences: list[list[Token]] = [[]]
    for token in clause.tokens:
        sentences[-1].append(token)
        if token.text in _SENTENCE_ENDS:
            sentences.append([])
    parts = [replace(clause, tokens=tuple(one)) for one in sentences if any(token.is_word for token in one)]
    asking = [one for one in parts if says_owed(one) or _commands(one)]
    if len(asking) > 1:
        asking = [one for one in asking if not tells_of_others(one)]
    return asking[0] if len(parts) > 1 and len(asking) == 1 else clause


def _commands(sentence: Clause) -> bool:
    """Return whether a sentence begins with the command to remember something."""
    first = next((token.word for token in sentence.tokens if token.is_word and token.word not in LEADS), "")
    return bool(classes_of(first) & {"add", "remind"})


def tells_of_others(sentence: Clause) -> bool:
    """Return whether a sentence says what somebody or something else needs: ``Ann's mum needs the code``."""
    words = sentence.words
    owed = next((at for at, word in enumerate(words) if word in _OTHERS_NEED), None)
    is_command = any(classes_of(word) & {"add", "remind"} for word in words)
    return owed is not None and not is_command and words[owed + 1 : owed + 2] != ("doing",)


_OTHERS_NEED = frozenset({"needs", "wants", "has"})
_SENTENCE_ENDS = frozenset(".!?")
_TITLE_ENDS = frozenset("and or but because since so as if when while then also plus which".split())


def _phrase_end(part: Part, last: int, found: Found) -> int:
    """Return where the phrase ends that a tagged title begins: no further than a mark, a joint or a time. A
    joint before a number ends none: ``buy 3 apples and 2 pears``.
    """
    tokens = [token for token in part.clause.tokens if token.start >= last]
    for token, behind in zip_longest(tokens, tokens[1:]):
        counts_on = behind is not None and behind.text[0].isdigit() and not _is_used(behind, found)
        if counts_on and (token.text == "," or token.word in _JOINTS):
            continue
        if _is_used(token, found) or not token.is_word or token.word in _TITLE_ENDS or token.word in LEADS:
            break
        last = token.end
    return last


def _is_used(token: Token, found: Found) -> bool:
    return any(start <= token.start < end for start, end in found.used)


_JOINTS = frozenset({"and", "plus"})
