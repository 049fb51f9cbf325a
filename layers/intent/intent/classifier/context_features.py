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
from intent.classifier.features import Features, signal_features, weight_group
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


class _Context(NamedTuple):
    """The context before a message: question or statement, action offered, action requested before."""

    kind: str
    offered: str
    wished: str


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


def context_features(situation: Situation, own: RuleScore, judgements: Mapping[str, Likelihoods]) -> Features:
    """Return a message's context features; ``judgements``: the likelihoods of it and of each earlier text."""
    return {**plain_context_features(situation, own), **likelihood_features(situation.message, judgements)}


def plain_context_features(situation: Situation, own: RuleScore) -> Features:
    """Return the features that need no likelihoods."""
    tokens, context = features.tokenize(situation.message), _context_of(situation)
    shown = [
        *features.word_features(tokens),
        *features.letter_features(tokens),
        *features.shape_features(situation.message, tokens),
    ]
    sides = (f"wish {context.wished}", f"offer {context.offered}")
    return {
        **weight_group(0.7, frozenset(f"h {name}" for name in shown)),
        **weight_group(0.7, frozenset(f"h {name}" for name in features.frame_features(tokens))),
        **weight_group(0.7, tuple(f"h {name}" for name in signal_features(own))),
        **weight_group(0.7, frozenset(f"h w {token} {side}" for token in tokens for side in sides)),
        **weight_group(0.7, frozenset(_to(context.kind, tokens, own))),
        **weight_group(1.2, frozenset(_before(situation))),
        **weight_group(1.0, frozenset(_manner(situation.message, context))),
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


def _before(situation: Situation) -> Iterator[str]:
    for role in (Role.ASSISTANT, Role.USER):
        tokens = features.tokenize(_last(situation, role))
        yield from (f"{role.value} {name}" for name in features.word_features(tokens))


def _manner(message: str, context: _Context) -> Iterator[str]:
    """How the message relates to the last reply: kind of answer, what it answers, the request before."""
    reply, length = _reply(message), min(len(message.split()) // 3, 4)
    kind, offered, wished = context
    yield from (f"a reply {reply}", f"a kind {kind}", f"a offered {offered}", f"a wished {wished}")
    yield from (f"a length {length}", f"a {reply} {kind} {offered}", f"a {reply} {kind} after {wished}")
    yield from (f"a {reply} {offered} {wished}", f"a {kind} {length} {wished}")


def _to(kind: str, tokens: Iterable[str], own: RuleScore) -> Iterator[str]:
    """Words and signals, each combined with whether the reply was a question or a statement."""
    yield from (f"h w {token} {kind}" for token in tokens)
    yield from (f"h s {sign} {kind}" for sign in signal_features(own))


def _context_of(situation: Situation) -> _Context:
    parts = context_texts(situation)
    kind = "question" if parts.get("reply", "").rstrip().endswith("?") else "statement"
    return _Context(kind, _action(parts.get("offer")), _action(parts.get("wish")))


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
