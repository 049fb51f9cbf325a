"""Segments of a message that only go on with names: ``pause old-bids`` | ``and test2.``"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from intent.acts.act import Thing
from intent.acts.clauses import Clause
from intent.acts.kind_sets import ON_AGENTS
from intent.acts.learned.act_model import Segment
from intent.acts.learned.marked_tokens import MarkedMessage
from intent.acts.lexicon import LEADS, POINTERS
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
    words = [one for one in tokens if one.token.is_word or one.token.text in _JOINTS]
    if before.kind not in ON_AGENTS or not words or words[0].token.word not in _JOINTS:
        return False
    ends = marked.tokens[before.start : before.end]
    is_after_name = any(one.mask == "AGENT" for one in ends[-2:])
    names = [one for one in words if one.mask == "AGENT"]
    return is_after_name and bool(names) and all(
        one.mask == "AGENT" or one.token.word in _AROUND for one in words
    )  # fmt: skip


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
