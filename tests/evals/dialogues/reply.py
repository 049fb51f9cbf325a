"""Reads a reply as a user would: what it offers to choose from, and what it asks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_QUOTED = re.compile(r"“[^”]*”|\"[^\"\n]*\"|«[^»]*»|`[^`\n]*`")
_NUMBERED = re.compile(r"^\s*(\d{1,2})[.)]\s+(.+)$", re.MULTILINE)
_ASKS_SOMETHING = re.compile(r"\?(?:\W|$)")
_CHOOSE = re.compile(
    r"(?i)\bnumber\b|\bchoose\b|\bpick\b|which (?:one|of)|shall i\s*:|do you mean|did you mean|reply with"
    r"|would you like to\s*:"
)
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\s)]+|\n+|\s+—\s+|\s+\u2013\s+")
_REQUEST = re.compile(
    r"(?i)\bi still need\b|^\W*(?:and |so |just |then )*(?:please )?(?:tell me (?!about\b)|let me know\b"
    r"|(?:please )?(?:say|give me|name)\b(?= (?:me )?(?:when|where|which|what|how|who|a |an |the )))"
)
_COURTESY = re.compile(
    r"(?i)anything else|something else i|what else|is there more|any other|how are you|how's it going"
)
_OPEN = re.compile(
    r"(?i)what (?:would|do) you (?:like|want|need)(?: me)?(?: to (?:do|get done))?"
    r"(?: instead| next| done)?\s*\?"
    r"|how can i help|what can i (?:do|help)|not sure what you"
    r"|would you like to .+ or (?:see|run|list|change)"
    r"|could you say|say (?:it|that) (?:again|in other words|differently)|in other words|rephrase"
    r"|what (?:exactly )?do you mean|tell me (?:a bit )?more"
)
_WHAT_CHANGE = re.compile(
    r"(?i)\bwhat (?:should|shall|would you like to|do you want to|must) (?:i )?(?:be )?"
    r"(?:changed?|different)\b"
    r"|what (?:about it )?should (?:i )?change"
)
_TO = r"(?:where|which|what|who|how|to whom)"
_FROM = r"\b(?:where|from)\b"
_SOURCES = r"(?:sources?\b|\bservice|\bsystem|\btools?\b|\bapps?\b|program|spreadsheet|database)"
_WHAT = (
    r"what (?:exactly |specific |else |information |kind of |data )*"
    r"(?:should|shall|must|do you want|would you like|do you need|is|are)"
)
_JOBS = r"includ|watch|report|contain|check|collect|cover|\bjob\b|look for|track|show"
_QUESTIONS = {
    "which": (
        r"which (?:one|agent|task|of|conversation|chat|run|report|to-?do)s?\b|what agent",
        r"do you mean\b|did you mean\b|the first or the",
    ),
    "name": (
        r"what (?:name|(?:should|shall) .{1,40}\b(?:be called|call))|under what name|name for",
        r"(?:call|name) (?:it|him|this|the agent)",
    ),
    "where": (
        rf"{_TO}.{{0,90}}?(?:\bsend|\bsent|\bgo\b|\bgoes\b|deliver|\bpost|\bput\b|\breceiv)",
        rf"{_TO}.{{0,90}}?(?:inbox|e-?mail|address|alert|notif|channel|reach you|\btell you|let you know)",
        r"(?:where|which|what|who|how).{0,90}?results?\b.{0,30}\b(?:go|appear|land)",
        r"(?:slack|teams|sms|text)\b.{0,60}?\be-?mail|e-?mail.{0,60}\b(?:slack|teams|sms|here)",
        r"here (?:in (?:this|the) (?:chat|conversation))?,? ?(?:by|or)",
    ),
    "source": (
        rf"{_FROM}.{{0,90}}?(?:\blives?\b|\bkept\b|\bkeep\b|stored?\b|comes? from|\blook\b|\bfind\b)",
        rf"{_FROM}.{{0,90}}?(?:\bread\b|\bpull\b|\bget\b|\bdata\b)",
        r"where (?:is|are|do|does)\b|need a place to look",
        rf"\b(?:which|what|from)\b.{{0,60}}?{_SOURCES}",
    ),
    "when": (
        r"(?:^|[\s(,])(?:and )?when\b.{0,20}?\b(?:should|do|would|shall|must|is|will|exactly|and)\b",
        r"what time|at what|how often|how frequently|schedule|(?:tell me|say|let me know) when",
        r"(?:which|what|on which|on what) (?:day|weekday|hour|time)|every day or|daily or|weekly or",
    ),
    "job": (
        rf"{_WHAT}.{{0,60}}?(?:\bdo\b|{_JOBS}|about)",
        r"what (?:is|'s) (?:the|its) job|what to (?:do|watch|include|report|check)|what (?:specific )?data",
        r"tell me what|what should happen\b(?!.*(?:alert|e-?mail|slack))|describe",
    ),
}
_ASKING = {kind: re.compile("(?i)" + "|".join(patterns)) for kind, patterns in _QUESTIONS.items()}
_CONFIRM = re.compile(
    r"(?i)^\W*(?:ok(?:ay)?,? |so,? |and |then )*"
    r"(?:shall|should|may|can|could) (?:i|it|we|this|that)\b(?! say)"
    r"|\b(?:do you )?(?:really )?want (?:me )?to\b|would you like me to"
    r"|\bis that (?:right|ok|okay|correct|fine|what)"
    r"|\bare you sure|\bcorrect\s*\?|\bright\s*\?|\bok(?:ay)?\s*\?|ready to|go ahead"
    r"|does (?:that|this) (?:look|sound|work|fit)"
    r"|say yes\b|\byes or no\b|confirm|set (?:that|it|one) up\s*\?|\b(?:do|save) it\s*\?|with that\s*\?"
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the service said to one message; ``error``: why it said nothing."""

    text: str
    options: tuple[str, ...] = ()
    asks_yes_or_no: bool = False
    error: str = ""


def options_of(reply: Reply) -> tuple[str, ...]:
    """What a reply offers to choose from by number."""
    if reply.options:
        return reply.options
    numbered = [pair for pair in _NUMBERED.findall(reply.text) if not _ASKS_SOMETHING.search(pair[1])]
    if len(numbered) < 2 or not _CHOOSE.search(_NUMBERED.sub("", reply.text)):
        return ()
    return tuple(text for _, text in numbered)


def is_menu(reply: Reply, names: Iterable[str]) -> bool:
    """Whether it is answered by a number; a choice among the user's own agents and tasks is a question."""
    options = options_of(reply)
    if not options:
        return False
    own = tuple(name.lower() for name in names if name) or ("\0",)
    others = [option for option in options if not option.lower().lstrip("\"'“\u2018*_` ").startswith(own)]
    return len(others) > 1 or len(others) == len(options)


def sentences(text: str) -> list[str]:
    """The sentences of a reply, without what it quotes, and without items of a list that ask nothing."""
    plain = _NUMBERED.sub(
        lambda found: found[2] if _ASKS_SOMETHING.search(found[2]) else "", _QUOTED.sub("…", text)
    )
    return [part.strip() for part in _SENTENCE_END.split(plain) if part.strip(" …-*•.()")]


def asked(reply: Reply, names: Iterable[str] = ()) -> list[str]:
    """What a reply asks for, in the order in which a user would answer.

    Some of `ASKED`, or one of ``menu``, ``open`` (what to do at all), ``change`` (what to change), ``other``.
    """
    if is_menu(reply, names):
        return ["menu"]
    found = [kind for sentence in sentences(reply.text) if _asks(sentence) for kind in _asked_by(sentence)]
    confirm = reply.asks_yes_or_no or "confirm" in found
    found = ["which"] if options_of(reply) else [kind for kind in found if kind != "confirm"]
    slots = [kind for kind in dict.fromkeys(found) if kind != "open"]
    if "other" in slots and len(slots) > 1:
        slots.remove("other")
    if slots and not (slots == ["other"] and confirm):
        return slots
    return ["confirm"] if confirm else ["open"] if found else []


def _asks(sentence: str) -> bool:
    return bool(sentence.endswith("?") or _REQUEST.search(sentence)) and not _COURTESY.search(sentence)


def _asked_by(sentence: str) -> list[str]:
    if _OPEN.search(sentence):
        return ["open"]
    if sentence.endswith("?") and _CONFIRM.search(sentence):
        return ["confirm"]
    if _WHAT_CHANGE.search(sentence):
        return ["change"]
    kinds = [kind for kind, pattern in _ASKING.items() if pattern.search(sentence)]
    if "where" in kinds and "source" in kinds:
        kinds.remove("source")
    return kinds[:2] or ["other"]
