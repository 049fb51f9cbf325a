"""Features of a message in the context of earlier messages: what it may answer, and in which manner.

Several texts are classified first, each on its own: the message, the user's last two requests, the last
reply, what that reply offers and its last sentence. Those results and the manner of the answer are the
features here. `intent.classifier.features` has the features of a message on its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import sqrt
from typing import NamedTuple

from conversation.messages.models import Role
from intent.classifier import features
from intent.classifier.features import Features, WrittenText, read_written, signal_features, weight_group
from intent.decision import ActionType
from intent.entities import answers
from intent.regular_expressions import normalise
from intent.rules.offered_options import find_offer, find_picked_option, last_sentence
from intent.rules.scoring import RuleScore, score
from intent.situation import Situation

Likelihoods = Mapping[ActionType, float]
MESSAGE = "message"
_JUDGEMENTS = 1.5
_SHORT_WORDS = 7
_MOST_CHARACTERS = 400
_HEAD = 150
_MANNERS = {"yes": "agrees", "no": "refuses", "cancel": "refuses", "later": "refuses"}
_DECISIVE = (MESSAGE, "wish", "reply", "offer")
_PARTS = (*_DECISIVE, "earlier", "asked")


class Answered(NamedTuple):
    """A message with the texts before it.

    ``texts`` are those to classify first, by part (`context_texts`); ``own`` is the rules' score of the
    message.
    """

    message: str
    written: WrittenText
    own: RuleScore
    texts: Mapping[str, str]


class _Context(NamedTuple):
    """The context before a message: question or statement, action offered, action requested before."""

    kind: str
    offered: str
    wished: str


def read_answered(situation: Situation, own: RuleScore, written: WrittenText | None = None) -> Answered:
    """Return a situation's message with the texts before it; ``written`` None: the message is read here."""
    message = situation.message
    return Answered(message, written or read_written(message), own, context_texts(situation))


def context_texts(situation: Situation) -> dict[str, str]:
    """Return the texts to classify first, by part; a part without text is left out.

    The message is among them only when it picks an option of the reply: the option's words then replace its
    own.
    """
    reply = _last(situation, Role.ASSISTANT)
    parts = {
        "wish": _last(situation, Role.USER),
        "earlier": _last(situation, Role.USER, 1),
        "reply": reply,
        "asked": last_sentence(reply),
        "offer": find_offer(reply),
        MESSAGE: find_picked_option(reply, normalise(situation.message)),
    }
    return {part: text for part, text in parts.items() if text}


def context_features(answered: Answered, judgements: Mapping[str, Likelihoods]) -> Features:
    """Return a message's context features; ``judgements``: the likelihoods of it and of each earlier text."""
    return {**plain_context_features(answered), **likelihood_features(answered.message, judgements)}


def plain_context_features(answered: Answered) -> Features:
    """Return the features that need no likelihoods."""
    written, context = answered.written, _context_of(answered.texts)
    signs = tuple(signal_features(answered.own))
    shown = (*written.words, *written.letters, *written.shape)
    sides = (f"wish {context.wished}", f"offer {context.offered}")
    return {
        **weight_group(0.7, [f"h {name}" for name in shown]),
        **weight_group(0.7, [f"h {name}" for name in written.frames]),
        **weight_group(0.7, [f"h {name}" for name in signs]),
        **weight_group(0.7, {f"h w {token} {side}" for token in written.tokens for side in sides}),
        **weight_group(0.7, {f"h {name} {context.kind}" for name in _heads(written, signs)}),
        **weight_group(1.2, frozenset(_before(answered.texts))),
        **weight_group(1.0, frozenset(_manner(answered.message, context))),
    }


def likelihood_features(message: str, judgements: Mapping[str, Likelihoods]) -> Features:
    """Return the features from likelihoods, each alone and combined with the kind of answer."""
    reply = _reply(message).partition(" ")[0]
    length = "short" if len(message.split()) <= _SHORT_WORDS else "long"
    kinds = (_MANNERS.get(reply, reply), length)
    return {**dict(_each(kinds, judgements)), **dict(_together(judgements))}


def _each(kinds: Iterable[str], judgements: Mapping[str, Likelihoods]) -> Iterator[tuple[str, float]]:
    for part in _PARTS:
        if part not in judgements:
            yield f"j no {part}", _JUDGEMENTS
            continue
        for action, likelihood in judgements[part].items():
            yield f"j {part} {action.value}", _JUDGEMENTS * likelihood
            if part in _DECISIVE:
                yield from ((f"j {part} {action.value} {kind}", _JUDGEMENTS * likelihood) for kind in kinds)


def _together(judgements: Mapping[str, Likelihoods]) -> Iterator[tuple[str, float]]:
    """Joint likelihoods of the message and an earlier text: high for actions likely in both."""
    for part in ("wish", "reply", "asked"):
        if part not in judgements:
            continue
        both = {
            action: sqrt(value * judgements[MESSAGE][action]) for action, value in judgements[part].items()
        }
        whole = sum(both.values())
        yield from (
            (f"j with {part} {act.value}", _JUDGEMENTS * value / whole) for act, value in both.items()
        )


def _before(texts: Mapping[str, str]) -> Iterator[str]:
    for role, part in ((Role.ASSISTANT, "reply"), (Role.USER, "wish")):
        tokens = features.tokenize(texts.get(part, ""))
        yield from [f"{role.value} {name}" for name in features.word_features(tokens)]


def _manner(message: str, context: _Context) -> Iterator[str]:
    """How the message relates to the last reply: kind of answer, what it answers, the request before."""
    reply, length = _reply(message), min(len(message.split()) // 3, 4)
    kind, offered, wished = context
    yield from (f"a reply {reply}", f"a kind {kind}", f"a offered {offered}", f"a wished {wished}")
    yield from (f"a length {length}", f"a {reply} {kind} {offered}", f"a {reply} {kind} after {wished}")
    yield from (f"a {reply} {offered} {wished}", f"a {kind} {length} {wished}")


def _heads(written: WrittenText, signs: Iterable[str]) -> Iterator[str]:
    """Words and signals, to combine with whether the reply was a question or a statement."""
    yield from [f"w {token}" for token in written.tokens]
    yield from [f"s {sign}" for sign in signs]


def _context_of(texts: Mapping[str, str]) -> _Context:
    kind = "question" if texts.get("reply", "").rstrip().endswith("?") else "statement"
    return _Context(kind, _action(texts.get("offer")), _action(texts.get("wish")))


def _reply(message: str) -> str:
    text = normalise(message)
    if whole := answers.parse_reply(text):
        return whole
    if answers.parse_pick(text) is not None:
        return "picks"
    return f"{answers.parse_leading_reply(text) or 'says'} more"


def _action(text: str | None) -> str:
    return score(text).action.value if text else "nothing"


def _last(situation: Situation, role: Role, before: int = 0) -> str:
    """The text a role said last, or ``before`` texts earlier; a long text loses its middle."""
    text = situation.last_text(role, before=before)
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_HEAD]}\n{text[_HEAD - _MOST_CHARACTERS :]}"
