"""A request that a message quotes from somebody else, where the user's own words ask for just that.

Nothing that a quotation says is done without such words. With them only what adds something is read out of
it: a task, or a new agent. What a quotation says of the user's own agents and tasks is never done.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum, auto

from intent.acts.act import Act, ActKind, Span
from intent.acts.lexicon import LEADS, LIST_NOUNS, NEGATIONS, POINTERS, TASK_NOUNS, classes_of
from intent.acts.reader import ActReader
from intent.acts.requests import asks_for_something
from intent.acts.scene import Scene
from intent.acts.slots import Found, find_slots
from intent.acts.tokens import Token, tokenise
from intent.analysis.quotations import Quotation, find_quotation
from intent.times.reader import read_times
from intent.times.reading import Kind

K = ActKind


class _Wish(Enum):
    """What own words want of a quoted request."""

    TASK = auto()
    DONE = auto()


_AROUND = (
    LEADS
    | POINTERS
    | frozenset(
        "can could would will you u i i'd we on in to my our the a an of for about as with date day same due"
        " by need want like it's me us her him she he they what that's says said wants wanted asks asked"
        " into down onto up so exactly going running agent automation new be is do does whatever mind"
        " possible all go ahead care let's thing at".split()
    )
)
_PUTTING = frozenset("stick put add pop write note jot record make set get have create include".split())
_DOING = frozenset("set do arrange create make handle organise organize sort build start get take".split())
_POINTING = POINTERS | {"so", "what", "whatever", "same"}


def read_quoted_request(message: str, scene: Scene, reader: ActReader) -> tuple[Act, ...]:
    """Return the act that own words ask for out of a quotation; empty where they ask for nothing of it."""
    if scene.question is not None or scene.has_draft:
        return ()
    found = find_quotation(message)
    if found is None:
        return ()
    wishes = [(sentence, _wish(sentence, scene)) for sentence in found.sentences]
    wish = next((one for _, one in wishes if one is not None), None)
    others = [sentence for sentence, one in wishes if one is None]
    if wish is None or any(_asks_otherwise(one) for one in others):
        return ()
    own = [sentence for sentence in found.sentences if _times(sentence, scene).times]
    act = _as_task(found, own, scene, reader) if wish is _Wish.TASK else _as_done(found, own, scene, reader)
    return () if act is None else (act,)


def _wish(sentence: str, scene: Scene) -> _Wish | None:
    """Return what a sentence wants, if it says nothing but that and when: ``put that on my list``."""
    tokens = tokenise(sentence)
    times = [part for one in _times(sentence, scene).times for part in one.spans]
    words = [
        token.word
        for token in tokens
        if token.is_word and not any(start <= token.start < end for start, end in times)
    ]
    said = set(words)
    if said & NEGATIONS or not said - LEADS:
        return None
    names_list = bool(said & (LIST_NOUNS | TASK_NOUNS))
    reminds = any("remind" in classes_of(word) for word in said)
    if (names_list or reminds) and said <= _AROUND | _PUTTING | LIST_NOUNS | TASK_NOUNS | {"remind"}:
        return _Wish.TASK
    is_done = bool(said & _DOING) and bool(said & _POINTING)
    return _Wish.DONE if is_done and said <= _AROUND | _DOING else None


def _asks_otherwise(sentence: str) -> bool:
    """Return whether a sentence asks for something else than what is quoted, or asks about it."""
    return sentence.rstrip().endswith("?") or asks_for_something(tokenise(sentence))


def _times(text: str, scene: Scene) -> Found:
    return find_slots(text, tokenise(text), now=scene.now, zone=scene.zone)


def _as_task(found: Quotation, own: Sequence[str], scene: Scene, reader: ActReader) -> Act | None:
    """Return the task that a quoted request is; a day that own words say goes before its own."""
    text = _request(found.text)
    act = reader.read_as(text, (0, len(text)), K.ADD_TASK, scene)
    if act is None or len(act.several) != 1:
        return None
    said = own[-1] if own else ""
    due = Span(said, 0, len(said)) if said else act.slots.get("when")
    return replace(act, slots={"when": due} if due else {}, confidence=_ASKED)


def _as_done(found: Quotation, own: Sequence[str], scene: Scene, reader: ActReader) -> Act | None:
    """Return the new agent or the task that a quoted request asks for; None for anything else."""
    text = _request(found.text)
    acts = reader.read(text, scene)
    if any(act.kind in {K.ADD_TASK, K.CREATE_AGENT} for act in acts) and all(map(_may_be, acts)):
        if not _recurs(text, scene) and acts[0].kind is K.ADD_TASK:
            return _as_task(found, own, scene, reader)
        whole = ", ".join([text.rstrip(" .!"), *(_time_words(one, scene) for one in own)])
        act = reader.read_as(whole, (0, len(whole)), K.CREATE_AGENT, scene)
        return None if act is None or act.kind is not K.CREATE_AGENT else replace(act, confidence=_ASKED)
    return None


_ASKED = 0.9


def _may_be(act: Act) -> bool:
    return act.kind in {K.ADD_TASK, K.CREATE_AGENT, K.NONE, K.REMEMBER, K.SMALL_TALK, K.UNSURE}


def _recurs(text: str, scene: Scene) -> bool:
    return any(one.kind is Kind.SCHEDULE for one in read_times(text, now=scene.now, zone=scene.zone))


def _time_words(sentence: str, scene: Scene) -> str:
    """Return the words of a sentence that say when: ``at 7:30`` of ``7:30 is good``."""
    start, end = _times(sentence, scene).times[0].span
    words = sentence[start:end]
    return f"at {words}" if words[:1].isdigit() else words


_FRAMES = tuple(
    tuple(frame.split())
    for frame in (
        "make sure that we get", "make sure we get", "make sure that", "make sure to", "make sure",
        "see to it that", "ensure that", "ensure", "be able to", "be so kind as to", "remember to",
        "don't forget to", "have the tool", "get the tool to", "have your tool", "have the assistant",
        "get the assistant to", "have the bot", "get the bot to", "have it", "can", "could", "would",
        "will", "please", "kindly", "pls", "someone", "somebody", "anyone", "anybody", "you", "u", "also",
        "just", "then", "ok", "oh",
    )
)  # fmt: skip


def _request(text: str) -> str:
    """Return a quoted request without the words that address somebody: ``could someone make sure``."""
    tokens: Sequence[Token] = tokenise(text)
    while tokens:
        words = tuple(token.word for token in tokens[:5])
        length = next((len(frame) for frame in _FRAMES if words[: len(frame)] == frame), 0)
        if not length and not tokens[0].is_word:
            length = 1
        if not length or length == len(tokens):
            break
        tokens = tokens[length:]
    request = text[tokens[0].start :] if tokens else text
    return request.rstrip(" ?!.")
