"""Answers to a question that waits for a yes, read from the user's own words alone.

A bare yes or no is read by `intent.entities.answers`. This reads longer answers: "yes, delete it" confirms,
"ok, list my agents" and "sure, but what does it do?" do not.
"""

from __future__ import annotations

from typing import Literal

from conversation.messages.models import Pending
from intent.decision import ActionType
from intent.entities.answers import parse_leading_reply, parse_reply
from intent.regular_expressions import either, lower_pattern, normalise
from intent.rules.named_acts import TOOL_ACTS, Act, act_of, is_only_question, names_act
from intent.rules.scoring import score

_YES = either(
    "yes|yep|yeah|yup|yes please|go ahead|go for it|please do|confirm(?:ed)?|i confirm|absolutely|definitely"
)
_PLAIN_YES = lower_pattern(rf"\W*(?:(?:oh|ok|okay|well|hm+|ah|right|sure)\W+){{0,2}}{_YES}\b")
"""Words that mean a yes and nothing else; "ok" and "right" often only begin a sentence."""
_HESITATION = lower_pattern(
    r"\?|\b(?:but|first|wait|hold on|however|before|unless|if|or|not|\w+n't|never|instead|rather|actually"
    r"|later|tomorrow|what|when|which|who|why|how|where|no)\b"
)
_OTHER = frozenset({ActionType.QUERY_INFO, ActionType.MANAGE_PLATFORM})
_MOST_WORDS = 20


def read_answer(own_words: str, pending: Pending) -> Literal["yes", "no"] | None:
    """Return the yes or no that the words are to what is pending; None when they are neither.

    A proposal of an agent may be accepted with more said: ``yes, but on Fridays``.
    """
    text = normalise(own_words)
    bare = parse_reply(text)
    if bare == "yes" and text.endswith("?"):
        return None
    if bare is not None:
        return bare if bare in ("yes", "no") else None
    leading = parse_leading_reply(text)
    if leading == "no":
        return "no"
    if leading != "yes" or len(text.split()) > _MOST_WORDS or is_only_question(text):
        return None
    if pending.action == ActionType.CREATE_AGENT:
        return None if text.endswith("?") or score(text).action in _OTHER else "yes"
    is_plain = _PLAIN_YES.match(text) is not None and _HESITATION.search(text) is None
    act = _pending_act(pending)
    is_restated = act is not None and names_act(text, act) and _HESITATION.search(text) is None
    return "yes" if is_plain or is_restated else None


def _pending_act(pending: Pending) -> Act | None:
    if pending.action in ActionType.__members__.values():
        return act_of(ActionType(pending.action), pending.entities)
    return TOOL_ACTS.get(str(pending.entities.get("tool")))
