"""Plain replies to questions: a yes, a no, or a wish to leave it. Pure text functions."""

from __future__ import annotations

from typing import Literal

from intent.regular_expressions import LazyPattern

_CANCEL = LazyPattern(
    r"^\W*((please|ok|okay|actually|no|sorry|hmm+|let'?s|just)\W+)*((cancel|abort|stop|drop|scrap"
    r"|forget( about)?|leave)"
    r"( (it|this|that|everything|here|(the|this|that) (new |unfinished )?(agent|set-?up|wizard|draft"
    r"|whole thing)))?|never ?mind"
    r"|(i )?(don'?t|do not) (want|need) (it|this|that|an agent)( any ?more)?)( please| then| for now)?\W*$",
)
_AGREEING = (
    r"yes|yep|yeah|yup|ya|sure|absolutely|definitely|of course|please( do( it| that| so)?)?|do (it|that|so)"
    r"|go (ahead|for it)|sounds (good|great)|that would be (great|nice|good|lovely)|ok(ay)?|fine|perfect"
    r"|great|right|correct|confirm(ed)?|delete it|change it|set (it|that) up|i'?m sure|i am sure"
    r"|that'?s (right|fine|correct|ok)"
)
_REFUSING = (
    r"no|nope|nah|don'?t( do (it|that))?|do not|not now|rather not|better not|keep it|leave it( as it is)?"
)
_POLITE = r"thanks?( you)?|please|then|now|oh|well|hm+"
# Each phrase is taken as it begins and never taken back: every division of "please, please …" would be tried.
_ONLY_YES = LazyPattern(
    rf"^\W*+((?!(?>({_AGREEING})(?!\w)))(?>({_POLITE})(?!\w))\W++)*+(?>({_AGREEING})(?!\w))"
    rf"(\W++(?>({_AGREEING}|{_POLITE})(?!\w)))*+\W*+$"
)
_ONLY_NO = LazyPattern(
    rf"^\W*(({_POLITE}|ok|okay|wait|actually|sorry|um|uh)\W+)*({_REFUSING})(\W+({_REFUSING}|{_POLITE}))*\W*$"
)
MAX_ANSWER_WORDS = 20
_MAX_CANCEL_WORDS = 12


def parse_yes_no(message: str) -> Literal["yes", "no", "cancel"] | None:
    """Return what a message that is only a reply says; None for anything else."""
    count = len(message.split())
    if count > MAX_ANSWER_WORDS or message.rstrip().endswith("?"):
        return None
    if count <= _MAX_CANCEL_WORDS and _CANCEL.search(message):
        return "cancel"
    if _ONLY_NO.search(message):
        return "no"
    return "yes" if _ONLY_YES.search(message) else None
