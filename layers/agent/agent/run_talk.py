"""What messages say of runs: again, how far, what came out, stop. Pure; answering them is `agent.running`'s
business.
"""

from __future__ import annotations

from collections.abc import Mapping

from agent.wishes import Wish
from intent.patterns import Form

MAX_WORDS = 30
MAX_TAIL = 200
CHANGE = "change"

_IT = "(it|that|this|the (run|job|report|last run))"
_AGAIN = Form(
    r"\b(same (thing|one|job|report|run|analysis)( again)?|(again|once more|one more time|another time)"
    r"|(as|like) (last|before|the last)( time)?|(re-?run|repeat|redo))\b"
)
_WORK = Form(r"\b(run|re-?run|do|redo|repeat|execute|make|generate|start|launch|same|kick off|give me)\b")
_OTHER = Form(
    r"\b(creat(e|ing)|build|set ?up|schedule|every|daily|weekly|monthly|hourly)\b"
    r"|^\W*(what|who|why|how|when|where|which|tell|explain|show)\b"
)
_PROGRESS = Form(
    rf"\b((is|has|was) {_IT}( run)? (still |already |been )*"
    r"(done|ready|finish(ed)?|completed?|over|running|through)"
    rf"|(did|has) {_IT} (work|finish|run|succeed|fail)(ed)?"
    rf"|how('s| is| was| did) {_IT} (go(ing|ne)?|doing|coming along|went)"
    r"|how far is (it|the run)|(status|progress|state) of (it|that|(the|my) (last |latest )?run)"
    rf"|why (did|has|is|was) {_IT} (fail(ed)?|stop(ped)?|crash(ed)?|broken?)|what went wrong"
    r"|still running)\b|^\W*(done|finished|ready|status|progress|any news)( yet)?\W*$"
)
_WORKER = "(it|that|the (run|agent|job|last run))"
_OUTCOME = "(results?|output|outcome|findings)"
_RESULT = Form(
    rf"\bwhat (did|has) {_WORKER} (find|found|say|said|come up with|produced?|return(ed)?|do|done|get|got"
    r"|deliver(ed)?|result in)\b"
    rf"|\bwhat does {_WORKER} (find|say|come up with|produce|return|deliver)\b"
    rf"|\bwhat {_WORKER} (has )?(found|said|came up with|produced|returned|did|got)\b"
    rf"|\b(show|give|tell|send|read)( me| us)?( again)? (the|its|that) {_OUTCOME}\b"
    rf"|\bwhat( was| is| were| are|'s) (the|its) {_OUTCOME}\b|\bwhat came out\b"
)
_STOP = Form(
    r"^\W*((please|ok|okay|no|wait|actually|oh)\W+)*((can|could) you (please )?)?"
    r"(cancel|stop|abort|kill|halt) (it|that|this"
    r"|(the|that|my|this)( (last|latest|current))? (run|execution|job)"
    r"|the (first|second|third|last) (one|run))( please| now)*\W*$"
)
_START = Form(
    r"^\W*((please|ok|okay|now|and|can you|could you)\W+)*(re-?)?(start|turn|switch|activate)"
    r" (it|that|this|him|her)( back)?( on)?( again)?( please| now)*\W*$"
)
_NAMES_A_RUN = Form(r"\b(the|that|my|this|last|latest|current) (run|execution)\b")
_TAIL = Form(
    r"\b(?:but|except|only)\s+(?:(?:this time|now)\s+)?"
    r"(?:(?:for|with|using|about|on|in|from|of)\s)?([\s\S]+)",
)


def asks_again(message: str) -> bool:
    """Whether something that was run before is to be run once more."""
    is_short = len(message.split()) <= MAX_WORDS
    return is_short and bool(_AGAIN.search(message) and _WORK.search(message)) and not _OTHER.search(message)


def asks_how_far(message: str) -> bool:
    """Whether it asks how far a run is."""
    return _is_short(message) and _PROGRESS.search(message) is not None


def asks_for_result(message: str) -> bool:
    """Whether it asks what came out of a run."""
    return _is_short(message) and _RESULT.search(message) is not None


def asks_to_stop(message: str) -> bool:
    """Whether a run is to be stopped."""
    return _STOP.search(message) is not None


def asks_to_start(message: str) -> bool:
    """Whether something that was paused may be meant to go on."""
    return _START.search(message) is not None


def names_a_run(message: str) -> bool:
    """Whether the words speak of a run, not just of "it"."""
    return _NAMES_A_RUN.search(message) is not None


def parameters(message: str, wish: Wish) -> Mapping[str, str]:
    """What is to hold for this run only; where no rule knows what it is, the words behind "but"."""
    known = {
        "period": wish.period,
        "scope": wish.scope,
        "condition": wish.condition,
        "format": wish.format,
        "deadline": wish.deadline,
    }
    said = {name: value for name, value in known.items() if value}
    tail = _TAIL.search(message)
    if said or tail is None:
        return said
    words = " ".join(tail.group(1).split())[:MAX_TAIL].strip(" .,;:!?")
    return {CHANGE: words} if words else {}


def _is_short(message: str) -> bool:
    return len(message.split()) <= MAX_WORDS // 2
