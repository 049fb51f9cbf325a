"""Blanks out what people say around a request (greetings, thanks, politeness): places stay right."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from intent.acts.lexicon import CORRECTIONS, LEADS, POINTERS, VERBS
from intent.acts.request_frames import Frame, base_of, find_frames
from intent.acts.tokens import tokenise
from intent.regular_expressions import LazyPattern, pattern

_NAMES = r"(?: (?:there|all|team|everyone|again|folks|guys))?"
_BEFORE = pattern(
    r"^\W*+(?:hi|hello|hey|hiya|heya|howdy|good (?:morning|afternoon|evening|day)|morning|evening|afternoon)"
    rf"{_NAMES} ?[,!.:\u2013\u2014-]++(?=\s*+\w)",
    r"^\W*+(?:(?:well|oh|ah|ok(?:ay)?|right|now),? )?(?:hold on|hang on|(?:one|just a) (?:sec|second|moment))"
    r" ?[,!.:\u2013\u2014-]++(?=\s*+\w)",
    r"^\W*+(?:ok(?:ay)?|right|so|well|great|cool|perfect|lovely|(?:many )?thanks(?: (?:so|very) much| a lot)?"
    r"|thank you(?: (?:so|very) much| kindly)?|thx|ta|cheers|sorry|please"
    r"|pls|(?:go|come) on(?: then)?|(?:ok(?:ay)?|right|alright|fine) then|all ?right|grand|brilliant"
    r"|nice one) ?[,!.:\u2013\u2014-]++(?=\s*+\w)",
)
_WITHIN = pattern(
    r"\bwhen(?:ever)? you (?:get|have|find) (?:a|the|some)"
    r" (?:sec|second|minute|min|moment|chance|time|mo|go)\b,?",
    r"\b(?:there's )?no (?:rush|hurry)\b(?: (?:with|on|for|about) (?:that|it|this)\b(?: one\b)?)?,?"
    r"(?: but\b)?",
    r"\bby the way\b,?",
    r"\b(?:so |very |terribly )?sorry (?:to|for) (?:trouble|bother|disturb)(?:ing)?(?: you)?\b,?",
    r"\bif (?:you don't mind|it's no trouble|possible|you please)\b,?",
    r"\bif (?:that's|that is) (?:all right|alright|ok(?:ay)?|fine)\b,?",
    r"\b(?:or |o |but |and )?if (?:that|it|this)(?:'?s| is) (?:too |so |not )?(?:an? |any )?(?:bit of a )?"
    r"(?:faff|pain|hassle|bother|nuisance|much|hard|difficult|tricky|complicated|awkward|possible)\b"
    r"(?: (?:work|trouble))?,?",
    r"\bif it (?:isn't|is not|wouldn't be|'s not) too much (?:trouble|bother|work)\b,?",
    r"\bif you (?:could|can|would)(?=,|[\s.!]*+$),?",
    r"\b(?:quite |entirely |completely )?separately,",
    r"\bon (?:another|a different|a separate) (?:note|matter),",
    r"(?<=[.;:!?])\s++(?:firstly|secondly|thirdly|lastly|first|second|third)\b ?,",
)
_FOR_ME = pattern(r"\bfor (?:me|us)\b", r"\b(?:my|our) (?:to-?do )?list\b", r"\b(?:please|pls)\b")
_AFTER = pattern(
    r"(?<![\s,;:!.\u2013\u2014-])(?!-\w)[\s,;:!.\u2013\u2014-]++"
    r"(?:(?:many )?thanks(?: (?:so|very) much| a lot| again| in advance)?"
    r"|thank you(?: (?:so|very) much)?|thx|ta|cheers|please|pls|plz)"
    r"[\s!.\U0001F300-\U0001FAFF\u2600-\u27BF]*+$",
)
_SENTENCE_ENDS = frozenset(".!?;\n")
_MOST_ROUNDS = 4


def blank_politeness(message: str, names: Collection[str] = ()) -> str:
    """Return the message with its polite phrases as blanks; all of it if nothing else is said.

    ``names`` are the user's agents': "can you run parcels?" asks for a run, "can you run agents?" whether
    that is possible.
    """
    text = _respelled(message)
    for _ in range(_MOST_ROUNDS):
        shorter = _blanked(_AFTER, _blanked(_BEFORE, text))
        if shorter == text:
            break
        text = shorter
    text = _all_blanked(_without_interjections(text), _WITHIN)
    frames = _frames(text, names)
    for frame in frames:
        text = f"{text[: frame.start]}{' ' * (frame.end - frame.start)}{text[frame.end :]}"
    if not any(mark.isalnum() for mark in text):
        return message
    kept = "".join(" " if seen == " " else mark for seen, mark in zip(text, message, strict=True))
    return _with_imperatives(kept, frames)


def _frames(text: str, names: Collection[str]) -> list[Frame]:
    """Return the frames of requests, without those that may ask whether something is possible."""
    return [
        frame
        for frame in find_frames(tokenise(text))
        if not frame.is_open or _is_request(_sentence_from(text, frame.end), names)
    ]


def _sentence_from(text: str, start: int) -> str:
    end = next((at for at in range(start, len(text)) if text[at] in _SENTENCE_ENDS), len(text))
    return text[start:end]


def _with_imperatives(text: str, frames: Sequence[Frame]) -> str:
    """Return the text with the gerunds behind ``would you mind`` as imperatives, in their places."""
    for frame in frames:
        if (verb := frame.verb) is not None:
            base = base_of(verb).ljust(verb.end - verb.start)
            text = f"{text[: verb.start]}{base}{text[verb.end :]}"
    return text


def _respelled(message: str) -> str:
    """Return the message with words spelled as they were probably meant, where that leaves them as long."""
    text = message
    for token in tokenise(message):
        if token.text.isalpha() and len(token.word) == len(token.text) and token.word != token.text.lower():
            text = f"{text[: token.start]}{token.word}{text[token.end :]}"
    return text


def _is_request(text: str, names: Collection[str]) -> bool:
    """Return whether ``can you …`` asks for a deed and not whether it is possible."""
    small = text.lower()
    first, _, rest = small.strip().partition(" ")
    if first in VERBS["undo"].split() and rest.split(" ", 1)[0] in POINTERS:
        return True
    return any(name.lower() in small for name in names) or _FOR_ME.search(text) is not None


def _blanked(form: LazyPattern, text: str) -> str:
    match = form.search(text)
    if match is None:
        return text
    rest = f"{text[: match.start()]}{' ' * (match.end() - match.start())}{text[match.end() :]}"
    return rest if any(mark.isalnum() for mark in rest) else text


def _without_interjections(text: str) -> str:
    """Return the text without ``hold on`` and ``hang on`` where they begin a sentence or follow a ``no``."""
    tokens = tokenise(text)
    for place, (one, other) in enumerate(pairwise(tokens[:-1])):
        before, behind = tokens[place - 1] if place else None, tokens[place + 2]
        begins = before is None or not before.is_word or before.word in CORRECTIONS | LEADS
        if one.word in _HOLDING and other.word == "on" and begins and behind.word not in _GRASPED:
            text = f"{text[: one.start]}{' ' * (other.end - one.start)}{text[other.end :]}"
    return text


_HOLDING, _GRASPED = frozenset({"hold", "hang"}), frozenset({"to"})


def _all_blanked(text: str, form: LazyPattern) -> str:
    for match in list(form.finditer(text)):
        text = f"{text[: match.start()]}{' ' * (match.end() - match.start())}{text[match.end() :]}"
    return text
