"""What a sentence keeps as it is before it commands something else: ``leave rota as it is and run bills``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from intent.acts.act import ActKind
from intent.acts.learned.act_model import RankedKind, Segment
from intent.acts.learned.marked_tokens import MarkedMessage, MarkedToken
from intent.acts.lexicon import LEADS, classes_of, verb_forms

_KEEPING = frozenset({"leave", "keep"})
_STATES = frozenset("alone as it is they are on running going be there untouched active that".split())
_JOINTS = frozenset({"and", "but", ",", ";", "."})
_ENDS = frozenset({"rest", "others", "else"})


def with_kept_apart(segments: Sequence[Segment], marked: MarkedMessage) -> tuple[Segment, ...]:
    """Return the segments, with what one leaves as it is apart from the command behind it."""
    return tuple(part for segment in segments for part in _apart(segment, marked))


def _apart(segment: Segment, marked: MarkedMessage) -> Iterator[Segment]:
    cut = _cut(marked.tokens[segment.start : segment.end])
    if cut is None:
        yield segment
        return
    place = segment.start + cut
    yield replace(segment, end=place, ranked=(RankedKind(ActKind.NO, 1.0),))
    yield replace(segment, start=place)


def _cut(tokens: Sequence[MarkedToken]) -> int | None:
    """Return where the command begins behind the name of what is kept; None where there is none such.

    A command on ``the rest`` needs what is kept: it stays with it.
    """
    words = [one.token.word for one in tokens]
    begin = next((at for at, word in enumerate(words) if word not in LEADS), len(words))
    if words[begin : begin + 1] == [] or words[begin] not in _KEEPING or _ENDS & set(words):
        return None
    name = next((at for at in range(begin + 1, len(tokens)) if tokens[at].mask == "AGENT"), len(tokens))
    if set(words[begin + 1 : name]) - {"the", "my", "our"}:
        return None
    end = next((at for at in range(name, len(tokens)) if words[at] in _JOINTS), len(tokens))
    if any(one.mask != "AGENT" and one.token.word not in _STATES for one in tokens[name:end]):
        return None
    verb = next((at for at in range(end, len(tokens)) if words[at] not in LEADS | _JOINTS), len(tokens))
    form = verb_forms().get(words[verb]) if verb < len(tokens) else None
    return end if form is not None and form.is_base and classes_of(form.base) else None
