"""Short answers such as yes, no, never mind, later and the second one.

`intent.offline.follow_ups` determines what they answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from intent.dates.times import parse_number
from intent.regular_expressions import LowerPattern, either, lower_pattern

Reply = Literal["yes", "no", "cancel", "later"]

_YES = either(
    "yes|yeah|yep|yup|ya|y|sure(?: thing)?|ok(?:ay)?|k|go (?:ahead|on|for it)|do (?:it|that|so)"
    "|please do|sounds (?:good|great|perfect|right|fine)"
    "|(?:that's |it's )?(?:perfect|great|correct|right|fine(?: by me)?|good|exactly|exact|ideal)"
    "|absolutely|definitely|certainly|of course|by all means"
    "|make it so|let's (?:do it|go|do that)|confirm(?:ed)?|i confirm|why not|works for me|i(?:'d| "
    "would) (?:like|love) (?:that|it|to)|agreed|proceed|create it|affirmative"
)
_NO = either(
    "no(?: way)?|(?:certainly|of course|definitely|please) not|nope|nah|n"
    "|(?:please )?don't(?: do (?:it|that))?|do not|rather not|better not|not"
    " really|no need|negative|leave it(?: as it is)?|keep it(?: as it is)?|absolutely not"
)
_CANCEL = either(
    "cancel(?: (?:it|that|this))?|abort|stop(?: (?:it|that|this|here))?|forget (?:it|that|about it"
    "|about that)|never ?mind|drop (?:it|that)|scrap (?:it|that)|discard(?: it)?"
    "|i (?:changed|have changed|'ve changed) my mind|i (?:don't|do not) (?:want|need) (?:it|that"
    "|this|one)(?: any ?more)?|let's not|leave that"
)
_LATER = either(
    "later|not (?:now|yet|today|right now)|maybe later|another time|some other time|(?:let's )?"
    "(?:do|finish|continue) (?:it|this|that)? ?(?:later|tomorrow|another time)"
    "|i'?ll (?:be|come|get) back(?: to (?:it|this|you))?(?: later| tomorrow)?|(?:ask|remind) me "
    "(?:later|tomorrow|again)|i (?:have|need|'ve got) to (?:go|leave|run)|gotta go|brb|in a (?:bit"
    "|while)"
)
_FILLER = either(
    "please|pls|thanks|thank you|thx|then|now|just|actually|oh|ah|well|so|it|that|this|for me|and"
    "|but|hm+|um+|all|very|much|good|looks|let's|i think|i guess|sorry|for now|hey|ok|okay|again"
)
_REPLIES: tuple[tuple[Reply, str], ...] = (("cancel", _CANCEL), ("later", _LATER), ("no", _NO), ("yes", _YES))


def _whole(words: str) -> LowerPattern:
    """The pattern of a message that has only these words and fillers, and at least one of the words.

    Each phrase is taken as it begins and never taken back: to try every division of the message into phrases
    would take exponential time.
    """
    phrase, filler = rf"(?>{words}(?!\w))", rf"(?>{_FILLER}(?!\w))"
    return lower_pattern(rf"\W*+(?:(?!{phrase}){filler}\W++)*+{phrase}(?:\W++(?:{phrase}|{filler}))*+\W*+")


_WHOLE = tuple((reply, _whole(words)) for reply, words in _REPLIES)
_REFUSED_CANCEL = lower_pattern(rf"\W*{_NO}\W+{_CANCEL}(?:\W+{_FILLER})*\W*")
_BEGINNING = tuple(
    (reply, lower_pattern(rf"\W*(?:(?:oh|ok|well|hm+|actually)\W+)*(?:{words})\b"))
    for reply, words in _REPLIES
)

_PLACES = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
    "5th": 5,
    "last": -1,
}
_AROUND = either(
    "please|pls|thanks|then|ok|okay|yes|yeah|yep|sure|well|hm+|i|i'll|i'd|we'll|let's|would|will"
    "|want|like|to|go|with|for|take|choose|pick|prefer|do|try|say|is|it's|that's|sounds"
    "|good|great|right|best|fine|perfect|better|one|ones|option|choice|number|no|nr|the|instead"
    "|think|guess|my|answer|of them|a|an"
)
_PICK = lower_pattern(
    rf"\W*(?:{_AROUND}\W+)*#?(?:(\d{{1,2}})|({'|'.join(_PLACES)})|(one|two|three|four|five|six))(?:st"
    rf"|nd|rd|th)?[.):]?(?:\W+{_AROUND})*\W*"
)
_RESUME = lower_pattern(
    r"\bwhere (?:were|was|are|did) (?:we|i)\b(?! (?:store|stored|keep|put))",
    r"\bwhere (?:did|had) (?:we|i) (?:leave|left|stop|stopped|get to|got to)\b",
    r"\b(?:what|which) (?:was|were) (?:we|you|i|the (?:last )?question)\b(?: (?:doing|talking|asking"
    r"|saying|discussing|setting|working|up to|again))?",
    r"\bpick(?:ing)? (?:it |this |that )?up (?:again|where|from)\b",
    r"\bcontinue (?:where|from where|with (?:that|it|this|the agent|the setup|our))\b|^\W*(?:let's "
    r")?(?:continue|carry on|resume)\W*(?:please)?\W*$",
    r"\b(?:i'm|i am) back\b",
    r"\bwhat (?:else )?(?:did|do) you (?:still )?(?:need|ask)(?: (?:from|of) me)?\b(?! to)",
    r"\bremind me (?:of )?(?:where|what) (?:we|you)\b",
    r"\bwhat have we (?:got|so far)\b|\bwhat do (?:we|you) have so far\b|\bhow far (?:did|had|have) we\b",
)


_MOST_CHARACTERS = 200
"""A longer message is not a bare answer."""


def parse_reply(text: str) -> Reply | None:
    """Return the reply of a message that is only a yes, a no, a cancel or a later; else None."""
    if len(text) > _MOST_CHARACTERS:
        return None
    if _REFUSED_CANCEL.fullmatch(text):
        return "cancel"
    return next((reply for reply, form in _WHOLE if form.fullmatch(text)), None)


def parse_leading_reply(text: str) -> Reply | None:
    """Return the yes, no, cancel or later that a longer message begins with; else None."""
    return next((reply for reply, form in _BEGINNING if form.match(text[:_MOST_CHARACTERS])), None)


def parse_pick(text: str) -> int | None:
    """Return the position when a message only picks one: ``2``, ``the second one please``; -1 is the last."""
    match = _PICK.fullmatch(text) if len(text) <= _MOST_CHARACTERS else None
    if match is None:
        return None
    if match[1]:
        return int(match[1])
    return _PLACES[match[2].lower()] if match[2] else parse_number(match[3])


def index_of(position: int, listed: Sequence[object]) -> int | None:
    """Return the index in a list of a position counted from 1, or from its end with -1; None beyond it."""
    index = len(listed) + position if position < 0 else position - 1
    return index if 0 <= index < len(listed) else None


def asks_to_resume(text: str) -> bool:
    """Return whether the text asks where the conversation left off."""
    return _RESUME.search(text[:_MOST_CHARACTERS]) is not None
