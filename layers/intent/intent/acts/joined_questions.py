"""Questions that a sentence joins: ``is parcels paused, and when does rota run?``, ``how many are left and
which is first?``
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from intent.acts.act import ActKind
from intent.acts.learned.act_model import ActModel, Segment
from intent.acts.learned.marked_tokens import MarkedMessage, MarkedToken
from intent.acts.lexicon import AUXILIARIES, LEADS, POINTERS, QUESTION_WORDS, SUBJECTS
from intent.acts.scene import Scene

_ASKING = frozenset(
    {
        ActKind.SHOW_AGENT, ActKind.LIST_AGENTS, ActKind.LIST_TASKS, ActKind.SHOW_RESULT, ActKind.RECALL,
        ActKind.ASK_WORKSPACE,
    }
)  # fmt: skip
"""Kinds of questions that are answered from what there is."""
_MAY_FOLLOW = _ASKING | {ActKind.ASK_WORLD, ActKind.ASK_PRODUCT}
"""What the second of two questions may look like by itself: ``when was I calling the plumber``."""
_FEWEST_WORDS, _MOST_TOKENS = 3, 24
_OF_CIRCUMSTANCE = frozenset("when when's where where's how how's why why's".split())
"""Question words behind which a question has its verb first; ``when it runs`` is no question by itself."""


def questions_apart(
    marked: MarkedMessage, segments: Sequence[Segment], scene: Scene, model: ActModel
) -> tuple[str, str] | None:
    """Return a message as two, the first of which ends with a question that the second goes on from; None for
    any other message. What stands in the other one is blank in each, so that places stay right.
    """
    asking = (segment for segment in segments if segment.kind in _ASKING)
    found = ((segment, place) for segment in asking if (place := _cut(segment, marked)) is not None)
    segment, cut = next(found, (None, 0))
    if segment is None or not _is_question(cut + 1, segment.end, marked, scene, model):
        return None
    before, joint = marked.tokens[cut - 1].token, marked.tokens[cut].token
    start = before.start if before.text == "," else joint.start
    return f"{marked.text[:start]}?", f"{' ' * joint.end}{marked.text[joint.end :]}"


def _cut(segment: Segment, marked: MarkedMessage) -> int | None:
    """Return where the second of two joined questions begins; None where there is none."""
    tokens = marked.tokens[segment.start : segment.end]
    begin = next((at for at, one in enumerate(tokens) if one.token.word not in LEADS), len(tokens))
    if tokens[begin:] == () or tokens[begin].token.word not in QUESTION_WORDS | AUXILIARIES:
        return None
    for place in range(begin + _FEWEST_WORDS, len(tokens) - _FEWEST_WORDS + 1):
        if tokens[place].token.word in {"and", "&"} and _begins_question(tokens[place + 1 :]):
            return segment.start + place
    return None


def _begins_question(tokens: Sequence[MarkedToken]) -> bool:
    words = [one.token.word for one in tokens[:3]]
    if len(words) < _FEWEST_WORDS:
        return False
    if words[0] in AUXILIARIES:
        return tokens[1].mask in {"AGENT", "TASK"} or words[1] in POINTERS | {"the", "my", "there"}
    if words[0] not in QUESTION_WORDS:
        return False
    is_inverted = words[1] in AUXILIARIES or words[0].endswith("'s")
    return is_inverted if words[0] in _OF_CIRCUMSTANCE else words[1] not in SUBJECTS


def _is_question(start: int, end: int, marked: MarkedMessage, scene: Scene, model: ActModel) -> bool:
    """Return whether words are one question by themselves, and no text that was pasted behind one."""
    if end - start > _MOST_TOKENS:
        return False
    alone = model.split(replace(marked, tokens=marked.tokens[start:end]), scene)
    return len(alone) == 1 and alone[0].kind in _MAY_FOLLOW
