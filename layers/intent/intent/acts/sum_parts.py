"""Parts of a message that are one sum: its numbers told in one sentence, what is asked in another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.lexicon import AGENT_NOUNS, LIST_NOUNS, TASK_NOUNS
from intent.acts.parts import Part
from intent.acts.scene import Scene
from intent.sums.clock_spans import read_span
from intent.sums.quantities import read_quantities
from intent.sums.reader import read_sum

K = ActKind
_TALK = frozenset(
    {
        K.SUM, K.REMEMBER, K.UNSURE, K.NONE, K.SMALL_TALK, K.ASK_WORLD, K.ASK_PRODUCT, K.ASK_USAGE,
        K.LIST_TASKS, K.LIST_AGENTS, K.RECALL, K.WHY, K.ANSWER, K.CLOCK, K.YES, K.SHOW_POLICY, K.DO_IN_WORLD,
    }
)  # fmt: skip
"""The kinds that nothing is done for: only these parts may turn out to be a sum."""
_OPEN = _TALK | {K.CREATE_AGENT, K.CHANGE_AGENT, K.CHANGE_TASK}
"""What words without a command are taken for where nothing is likelier."""
_BESIDE_DRAFT = frozenset({K.SUM, K.ASK_WORLD, K.ASK_USAGE, K.NONE, K.RECALL, K.ASK_PRODUCT, K.REMEMBER})
"""What a sum may be taken for where an answer is waited for: what is no answer."""
_AMOUNTS = frozenset(
    "much many total altogether percent percentage % each arithmetic maths math sum calculate reckon left"
    " cost costs bill come comes per gross net pay charge long hours minutes change".split()
)
_ASKS = frozenset("what what's whats how total altogether ?".split())
_UNSURE_BELOW = 0.25


def with_sums(parts: Sequence[Part], scene: Scene) -> list[Part]:
    """Return the parts, with neighbours joined that only together say what is to be worked out."""
    joined: list[Part] = []
    place = 0
    while place < len(parts):
        end = _end_of_sum(parts, place, scene)
        if end > place:
            joined.append(_as_sum(parts[place:end]))
        else:
            joined.append(parts[place])
        place = max(end, place + 1)
    return joined


def _end_of_sum(parts: Sequence[Part], start: int, scene: Scene) -> int:
    """Return the place behind the longest run of parts from here that is one sum; the start for none."""
    end = start
    while end < len(parts) and _may_belong(parts[end], scene, is_next=end > start):
        end += 1
    return next((last for last in range(end, start, -1) if _is_sum(parts[start:last], scene)), start)


def _may_belong(part: Part, scene: Scene, *, is_next: bool) -> bool:
    is_open = scene.has_draft or scene.question is not None
    kinds = _BESIDE_DRAFT if is_open else _OPEN if part.sure < _UNSURE_BELOW else _TALK
    words = set(part.clause.words)
    if part.kind not in kinds or words & (AGENT_NOUNS | LIST_NOUNS | TASK_NOUNS):
        return False
    asks = bool(words & _AMOUNTS) or (is_next and part.clause.words[0] == "so")
    return asks or has_numbers(part.clause) or _follows(scene)


def _follows(scene: Scene) -> bool:
    return scene.earlier_sum is not None and scene.did == K.SUM


def _is_sum(run: Sequence[Part], scene: Scene) -> bool:
    """Return whether parts ask for a sum that can be worked out."""
    clause = _whole(run)
    words = {*clause.words, *("?" for part in run if part.clause.is_question)}
    text = clause.text
    if any("@" in token.text for token in clause.tokens):
        return False  # what has somewhere to go is no sum, whatever numbers it tells
    if read_span(text) is not None:
        return True
    if any(part.kind in {K.CLOCK, K.RECALL} for part in run) and not _follows(scene):
        return False
    count = len(read_quantities(text).numbers)
    if count < 2:
        if not _follows(scene) or (count and not words & _ASKS):
            return False
        return read_sum(text, earlier=scene.earlier_sum) is not None
    return bool(words & _ASKS) and bool(words & _AMOUNTS) and read_sum(text) is not None


def _whole(run: Sequence[Part]) -> Clause:
    first = run[0].clause
    tokens = tuple(token for part in run for token in part.clause.tokens)
    return Clause(first.message, tokens, "", run[-1].clause.is_question)


def _as_sum(run: Sequence[Part]) -> Part:
    return replace(run[0], clause=_whole(run), kind=K.SUM, tagged={}, is_filler=False)


def has_numbers(clause: Clause) -> bool:
    """Return whether a clause tells numbers that a sum beside it may take."""
    return bool(read_quantities(clause.text).numbers)
