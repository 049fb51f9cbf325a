"""Segments of a message that only go on with names: ``pause old-bids`` | ``and test2.``"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from intent.acts.act import Meant, Thing
from intent.acts.clauses import Clause
from intent.acts.kind_sets import ON_AGENTS
from intent.acts.learned.act_model import Segment
from intent.acts.learned.marked_tokens import MarkedMessage, MarkedToken
from intent.acts.lexicon import ASKING_YOU, LEADS, POINTERS, SUBJECTS, verb_forms
from intent.acts.parts import Part
from intent.acts.references import find_meant, find_name_place

_AROUND = frozenset({"and", ",", "&", "plus", "also", "the", "as", "well", "too", "please"})
_JOINTS = frozenset({"and", ",", "&", "plus"})


def with_names_joined(segments: Sequence[Segment], marked: MarkedMessage) -> tuple[Segment, ...]:
    """Return the segments; one of nothing but agents' names belongs to the deed on agents before it."""
    joined: list[Segment] = []
    for segment in segments:
        before = joined[-1] if joined else None
        if before is not None and _goes_on(before, segment, marked):
            joined[-1] = replace(before, end=segment.end)
        else:
            joined.append(segment)
    return tuple(joined)


def _goes_on(before: Segment, segment: Segment, marked: MarkedMessage) -> bool:
    tokens = marked.tokens[segment.start : segment.end]
    words = [one for one in _named_part(tokens) if one.token.is_word or one.token.text in _JOINTS]
    if before.kind not in ON_AGENTS or not words or words[0].token.word not in _JOINTS:
        return False
    ends = marked.tokens[before.start : before.end]
    is_after_name = any(one.mask == "AGENT" for one in ends[-2:])
    names = [one for one in words if one.mask == "AGENT"]
    return is_after_name and bool(names) and all(
        one.mask == "AGENT" or one.token.word in _AROUND for one in words
    )  # fmt: skip


def _named_part(tokens: Sequence[MarkedToken]) -> Sequence[MarkedToken]:
    """Return the tokens before a reason that stands behind a comma: ``and disk-report, I don't want …``."""
    for place, one in enumerate(tokens[1:-1], 1):
        behind = tokens[place + 1].token.word
        if one.token.text == "," and (behind in SUBJECTS or behind in _REASONS):
            return tokens[:place]
    return tokens


_REASONS = frozenset({"because", "since", "as", "nobody", "everybody", "everyone"})


def named_subject(clause: Clause, things: Sequence[Thing]) -> Thing | None:
    """Return the one thing that a clause begins with and names, where a pronoun behind it means that:
    ``report1 is a daft name, call it pool-chlorine``; None for any other clause.
    """
    meant = find_meant(clause, things)
    if not meant.is_named or len(meant.things) != 1 or meant.excepted:
        return None
    place = find_name_place(clause.words, meant.things[0].name)
    if place is None or not POINTERS & set(clause.words[place[1] :]):
        return None
    before = (word for word in clause.words[: place[0]] if word[0].isalnum())
    return meant.things[0] if all(word in LEADS | {"the", "my", "our"} for word in before) else None


class PointingCommand(NamedTuple):
    """A command on a pronoun, with the few words right before it that say what the pronoun means."""

    head: Clause
    words: tuple[str, ...]


def pointing_command(clause: Clause) -> PointingCommand | None:
    """Return the command on a pronoun behind a few words that may name what it means: ``ugh, expenses. put
    them off till friday``, ``the sla thing, make it 8:15``; None for any other clause.
    """
    for head, command in pairwise([*_stretches(clause)]):
        said = [word for word in command.words if word[0].isalnum() and word not in LEADS]
        said = said[2:] if tuple(said[:2]) in ASKING_YOU else said
        is_pointing = said[:1] != [] and said[0] in verb_forms() and bool(POINTERS & set(said[1:2]))
        is_head = not POINTERS & set(head.words) and len(head.tokens) <= _MOST_OF_SUBJECT
        if is_pointing and is_head:
            return PointingCommand(head, tuple(said))
    return None


def subject_before_pronoun(clause: Clause, things: Sequence[Thing]) -> Thing | None:
    """Return the one thing that the words right before a command on a pronoun name; None without any."""
    found = pointing_command(clause)
    meant = Meant() if found is None else find_meant(found.head, things)
    return meant.things[0] if len(meant.things) == 1 and not meant.is_all else None


def _stretches(clause: Clause) -> Iterator[Clause]:
    """Yield the stretches of a clause between marks."""
    begin = 0
    for place in range(len(clause.tokens) + 1):
        if place < len(clause.tokens) and clause.tokens[place].text[0] not in _MARKS:
            continue
        if place > begin:
            yield replace(clause, tokens=clause.tokens[begin:place])
        begin = place + 1


_MARKS = frozenset(".,;:!?\u2026\u2013\u2014-")
_MOST_OF_SUBJECT = 5


def pointing_part(part: Part, things: Sequence[Thing]) -> Part:
    """Return a part as its only sentence that changes something by a pronoun, where none names a thing: ``the
    5th is too early. Make it the 10th.``; else the part.
    """
    sentences = [*part.clause.sentences()]
    pointing = [one for one in sentences if _changes_pointed(one.words)]
    if len(sentences) == 1 or len(pointing) != 1 or find_meant(part.clause, things).is_named:
        return part
    [clause] = pointing
    tagged = {
        slot: kept
        for slot, spans in part.tagged.items()
        if (kept := tuple(one for one in spans if clause.start <= one.start and one.end <= clause.end))
    }
    return replace(part, clause=clause, tagged=tagged)


def _changes_pointed(words: Sequence[str]) -> bool:
    said = [word for word in words if word not in LEADS]
    return bool(said) and said[0] in _CHANGING and bool(POINTERS & set(said[1:2]))


_CHANGING = frozenset("make change move set put switch push shift have run send".split())
