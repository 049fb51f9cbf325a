"""What the learned model sees of a message that follows others: what it may answer, and how it answers it.

Four texts are judged first, each on its own: the message, the wish before it, the last reply and what that
reply offers. Those judgements and the manner of the answer are the features here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from conversation.models import Role
from intent import answers, features
from intent.decision import ActionType
from intent.features_alone import Features, signs, valued
from intent.keywords import Reading, read
from intent.patterns import gist, notice
from intent.situation import Situation

Likely = Mapping[ActionType, float]
MESSAGE = "message"
_JUDGEMENTS = 1.5
_SHORT_WORDS = 7
_MOST_CHARACTERS = 400
_HEAD = 150
_OFFER = notice(
    r"\b(?:i (?:can|could|would|will)|i'll|shall i|should i|may i|want me to|(?:would|do) you "
    r"(?:like|want) me to|let me|have me) ([^?!\n]+)"
)
_MANNERS = {"yes": "agrees", "no": "refuses", "cancel": "refuses", "later": "refuses"}


def texts_before(situation: Situation) -> dict[str, str]:
    """The texts besides the message to judge first, by their part; a part that nobody played is left out."""
    reply = _last(situation, Role.ASSISTANT)
    offer = _OFFER.search(gist(reply))
    parts = {"wish": _last(situation, Role.USER), "reply": reply, "offer": offer[1] if offer else ""}
    return {part: text for part, text in parts.items() if text}


def answering(situation: Situation, own: Reading, judged: Mapping[str, Likely]) -> Features:
    """The features of a message after others; ``judged`` has a judgement of it and of each text before."""
    return {**unjudged(situation, own), **judgements(situation.message, judged)}


def unjudged(situation: Situation, own: Reading) -> Features:
    """Those of the features that need no judgement."""
    said = features.tokens(situation.message)
    shown = [*features.words(said), *features.letters(said), *features.shape(situation.message, said)]
    return {
        **valued(0.7, frozenset(f"h {name}" for name in shown)),
        **valued(0.7, tuple(f"h {name}" for name in signs(own))),
        **valued(1.2, frozenset(_before(situation))),
        **valued(1.0, frozenset(_manner(situation))),
    }


def judgements(message: str, judged: Mapping[str, Likely]) -> Features:
    """The rest of them: what the texts look like, and what that means for an answer of this kind."""
    reply = _reply(message).partition(" ")[0]
    length = "short" if len(message.split()) <= _SHORT_WORDS else "long"
    return dict(_judgements((_MANNERS.get(reply, reply), length), judged))


def _judgements(kinds: Iterable[str], judged: Mapping[str, Likely]) -> Iterator[tuple[str, float]]:
    for part in (MESSAGE, "wish", "reply", "offer"):
        if part not in judged:
            yield f"j no {part}", _JUDGEMENTS
            continue
        for action, likelihood in judged[part].items():
            yield f"j {part} {action.value}", _JUDGEMENTS * likelihood
            yield from ((f"j {part} {action.value} {kind}", _JUDGEMENTS * likelihood) for kind in kinds)


def _before(situation: Situation) -> Iterator[str]:
    for role in (Role.ASSISTANT, Role.USER):
        said = features.tokens(_last(situation, role))
        yield from (f"{role.value} {name}" for name in features.words(said))


def _manner(situation: Situation) -> Iterator[str]:
    """How the text stands to the last reply: what kind of answer, to what, after which wish."""
    parts = texts_before(situation)
    reply, kind = _reply(situation.message), _kind(parts.get("reply", ""))
    offered, wished = _action(parts.get("offer")), _action(parts.get("wish"))
    length = min(len(situation.message.split()) // 3, 4)
    yield from (f"a reply {reply}", f"a kind {kind}", f"a offered {offered}", f"a wished {wished}")
    yield from (f"a length {length}", f"a {reply} {kind} {offered}", f"a {reply} {kind} after {wished}")
    yield from (f"a {reply} {offered} {wished}", f"a {kind} {length} {wished}")


def _reply(message: str) -> str:
    text = gist(message)
    if whole := answers.reply_in(text):
        return whole
    if answers.pick_in(text) is not None:
        return "picks"
    return f"{answers.reply_before_more(text) or 'says'} more"


def _kind(said: str) -> str:
    return "question" if said.rstrip().endswith("?") else "statement"


def _action(said: str | None) -> str:
    return read(said).action.value if said else "nothing"


def _last(situation: Situation, role: Role) -> str:
    said = next((message.content for message in reversed(situation.history) if message.role is role), "")
    return said if len(said) <= _MOST_CHARACTERS else f"{said[:_HEAD]}\n{said[_HEAD - _MOST_CHARACTERS :]}"
