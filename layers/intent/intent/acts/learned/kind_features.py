"""The features of acts and of the cuts between them. Pure, and identical in training and in use."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import sqrt

from intent.acts.learned.marked_tokens import MarkedToken
from intent.acts.learned.word_clusters import clusters_of
from intent.acts.scene import Scene

Groups = list[tuple[float, tuple[str, ...]]]
"""Features by value: a value, and the names of the features that have it."""

_MOST_TOKENS = 60
_TELLING_CLASSES = (
    "agent name", "task title", "agent word", "task word", "pointer", "negation", "every", "weekday",
    "day part", "address", "channel", "clock", "number", "agent noun", "task noun", "question word",
    "relative", "quoted", "unit", "rate", "service",
)  # fmt: skip
_MOST_LETTERS = 160
_FRAME = frozenset(
    """a an the this that these those my our your his her their its some any every any each all both no
    none another i me
    we us you he him she it they them one ones myself who whom whose which what when where why how
    whether if as is
    are was were be been being am isn't aren't wasn't don't doesn't didn't do does did done has have
    had having will
    would won't wouldn't can could can't couldn't cannot shall should shouldn't may might must need i'd
    i'm i've i'll
    we'd we're we've it's that's there's what's let's let there here not never ever and or but so
    because since until
    unless while than then of to in on at by for from with without into onto over under about after
    before between
    out up off down away again once twice now still just only also too already yet anymore more less
    most instead
    rather other same new old next last first second third like please thanks ok yes no agent agents
    list task tasks
    AGENT TASK TIME NUM ADDR LINK ? ! , . : -""".split()
)


def _group(weight: float, names: Collection[str]) -> tuple[float, tuple[str, ...]]:
    """Return a group of equal features whose total weight is the same in every text."""
    return (weight / sqrt(len(names)) if names else 0.0, tuple(names))


def scene_features(scene: Scene) -> tuple[str, ...]:
    """Return the names of what the conversation is at: the question asked, the focus, what was just done."""
    found = [f"focus {scene.focus_kind}", f"list {scene.listed_kind}"]
    if scene.did:
        found.append(f"did {scene.did.rpartition('.')[2]}")
    if scene.has_draft:
        found.append("draft")
    found += [f"last {kind}" for kind in dict.fromkeys(scene.last)]
    question = scene.question
    if question is None:
        return (*found, "asked nothing")
    deed = question.of.rpartition(".")[2]
    found.append(f"asked {question.asked}")
    found += [f"asked slot {slot}" for slot in question.slots]
    if deed:
        found.append(f"asked {question.asked} {deed}")
    return tuple(found)


def act_features(
    tokens: Sequence[MarkedToken], start: int, end: int, scene: Scene, around: Sequence[str]
) -> Groups:
    """Return the features of the tokens from ``start`` to ``end`` as one act; ``around`` names its scene."""
    own = tokens[start:end][:_MOST_TOKENS]
    masks = _collapsed([token.mask for token in own])
    signs = frozenset(_signs(own, scene))
    heads = [sign for sign in signs if sign[:2] in ("h ", "m ", "r ")]
    return [
        _group(1.0, frozenset(_words(masks))),
        _group(1.0, frozenset(_frames([_framed(token) for token in own], "f"))),
        _group(1.0, frozenset(_frames([_classed(token) for token in own], "v"))),
        _group(1.0, frozenset(_letters(own))),
        _group(1.0, frozenset(_clusters(own))),
        _group(1.2, signs),
        _group(0.7, around),
        _group(1.0, [f"{one}|{sign}" for one in around for sign in heads]),
        _group(0.8, [f"{a}&{b}" for a in heads for b in heads if a < b]),
        _group(0.5, frozenset(f"{one}|{word}" for one in around for word in masks[:4])),
        _group(0.5, frozenset(_neighbours(tokens, start, end))),
    ]


def boundary_features(
    tokens: Sequence[MarkedToken], begin: int, cut: int, end: int, around: Sequence[str]
) -> Groups:
    """Return the features of a cut: does another act begin at ``cut``?"""
    left, right = tokens[begin:cut], tokens[cut:end]
    joint = _joint(tokens, cut)
    lefts = [token.mask for token in left if token.token.is_word]
    rights = [token.mask for token in right if token.token.is_word]
    near = {
        f"joint {joint}",
        *(f"r{place} {word}" for place, word in enumerate(rights[:4])),
        *(f"r {one} {two}" for one, two in pairwise(rights[:5])),
        *(f"l{place} {word}" for place, word in enumerate(reversed(lefts[-3:]))),
        *(f"s{place} {word}" for place, word in enumerate(lefts[:3])),
    }
    sides = {
        *(f"right {name}" for token in right[:8] for name in token.classes),
        *(f"left {name}" for token in left for name in token.classes),
        *(
            f"first {name}"
            for token in [one for one in right if one.token.is_word][:2]
            for name in token.classes
        ),
        f"right length {min(len(rights), 8)}",
        f"left length {min(len(lefts), 8)}",
        *around,
    }
    lead = _head(left), _head(right)
    crossed = {
        f"heads {lead[0]} {lead[1]}",
        f"head right {lead[1]} {joint}",
        f"head left {lead[0]} {joint}",
        *(f"joint {joint}|{name}" for name in sides),
        *(f"joint {joint}|r0 {word}" for word in rights[:1]),
    }
    return [_group(1.0, near), _group(0.8, sides), _group(1.2, crossed)]


def _joint(tokens: Sequence[MarkedToken], cut: int) -> str:
    marks = []
    place = cut
    while place and not tokens[place - 1].token.is_word:
        place -= 1
        marks.append(tokens[place].token.text)
    after = tokens[cut].token.word if cut < len(tokens) else ""
    word = after if after in {"and", "then", "but", "also", "plus", "or", "so", "because", "&"} else ""
    return f"{''.join(reversed(marks))[:2]}{word}"


def _head(tokens: Sequence[MarkedToken]) -> str:
    """Return the class of the first telling word of a text."""
    for place, token in enumerate(tokens):
        if "lead" in token.classes or not token.token.is_word:
            continue
        if "question word" in token.classes or "auxiliary" in token.classes:
            return "question"
        if token.verb and place < 4:
            return token.verb
        if "subject" in token.classes:
            return "subject"
        return token.mask if token.mask.isupper() else "noun"
    return "nothing"


def _collapsed(masks: Sequence[str]) -> list[str]:
    """Return the masks with each run of an equal mask once."""
    return [
        mask
        for place, mask in enumerate(masks)
        if not (mask.isupper() and place and masks[place - 1] == mask)
    ]


def _words(masks: Sequence[str]) -> Iterator[str]:
    bounded = ["^", *masks, "$"]
    yield from (f"w {mask}" for mask in masks)
    yield from (f"p {one} {two}" for one, two in pairwise(bounded))
    yield from (f"{place} {mask}" for place, mask in enumerate(masks[:3]))
    yield from (
        f"t {one} {two} {three}" for one, two, three in zip(bounded, bounded[1:], bounded[2:], strict=False)
    )


def _framed(token: MarkedToken) -> str:
    return token.mask if token.mask in _FRAME else "_" if token.token.is_word else token.mask


def _classed(token: MarkedToken) -> str:
    if token.mask.isupper() and len(token.mask) > 1:
        return token.mask
    if token.verb:
        return token.verb
    if token.mask in _FRAME:
        return token.mask
    if "task word" in token.classes:
        return "Tw"
    if "agent word" in token.classes:
        return "Aw"
    return "_"


def _frames(masked: Sequence[str], kind: str) -> Iterator[str]:
    kept = ["^"]
    for mask in masked:
        if not (mask == "_" and kept[-1] == "_"):
            kept.append(mask)
    kept.append("$")
    for length in (2, 3, 4):
        for at in range(len(kept) - length + 1):
            yield f"{kind} {' '.join(kept[at : at + length])}"


def _letters(own: Sequence[MarkedToken]) -> Iterator[str]:
    budget = _MOST_LETTERS
    for word in dict.fromkeys(
        token.mask for token in own if token.token.is_word and not token.mask.isupper()
    ):
        budget -= len(word)
        if budget < 0:
            return
        yield from _letters_of(word)


@lru_cache(maxsize=1024)
def _letters_of(word: str) -> tuple[str, ...]:
    bounded = f"<{word}>"
    return tuple(
        f"c {bounded[at : at + length]}" for length in (3, 4, 5) for at in range(len(bounded) - length + 1)
    )


def _clusters(own: Sequence[MarkedToken]) -> Iterator[str]:
    for token in own:
        mask = token.mask
        is_masked = mask.isupper() and len(mask) > 1
        if token.token.is_word and not is_masked and mask.lower() not in _FRAME:
            yield from (f"q {cluster}" for cluster in clusters_of(mask))


def _signs(own: Sequence[MarkedToken], scene: Scene) -> Iterator[str]:
    """Yield what the act shows at a glance; names that begin with h, m or r are crossed with the scene."""
    words = [token for token in own if token.token.is_word]
    telling = [token for token in words if "lead" not in token.classes] or words
    for token in words:
        yield from (f"s {name}" for name in token.classes)
    yield f"h {_head(own)}"
    if telling:
        yield f"m first {telling[0].mask}"
        yield from (
            f"h first {name}" for name in telling[0].classes if name.startswith(("verb", "question", "aux"))
        )
    classes = {name for token in words for name in token.classes}
    yield from (f"r {name}" for name in _TELLING_CLASSES if name in classes)
    yield f"r length {min(len(words).bit_length(), 6)}"
    if own and own[-1].token.text == "?":
        yield "r ?"
    yield f"r agents {min(len(scene.agents), 1)}"
    if sum("number" in token.classes for token in words) > 1:
        yield "r numbers"


def _neighbours(tokens: Sequence[MarkedToken], start: int, end: int) -> Iterator[str]:
    before = [token for token in tokens[max(0, start - 8) : start] if token.token.is_word]
    after = [token for token in tokens[end : end + 8] if token.token.is_word]
    yield f"n at {min(start, 1)} {min(len(tokens) - end, 2)}"
    for name, side in (("nb", before), ("na", after)):
        yield f"{name} head {_head(side)}"
        yield from (f"{name} {token.mask}" for token in side)
        yield from (f"{name} verb {token.verb}" for token in side if token.verb)
