"""Parses answers to the wizard's questions, in any order and form. Pure text functions.

`agent.wizard.interpretation` decides which parts of a draft an answer sets.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from agent.wizard.drafts import Part
from agent.workspace.delivery_targets import Channel
from intent.entities.answers import parse_reply
from intent.regular_expressions import LazyPattern

_SKIP = LazyPattern(
    r"^\W*(skip|pass|next|dunno|(i )?(really )?(don'?t|do not) (know|care|mind)|no (idea|preference"
    r"|clue)|not sure|whatever|you (decide|choose|pick)"
    r"|(it'?s )?up to you|(it )?does(n'?t| not) matter|(the )?defaults?|anything( is fine)?|surprise me)\b",
)
_BEHIND_SKIP = LazyPattern(
    r"(\W+(yet|sorry|really|that|it|about|which|where|what|one|please|for me|to be honest|tbh|thanks|this"
    r"|exactly))*"
    r"\W*"
)
_CANCEL = LazyPattern(
    r"^\W*((please|ok|okay|actually|no|sorry|hmm+|let'?s|just)\W+)*((cancel|abort|stop|drop|scrap"
    r"|forget( about)?|leave)"
    r"( (it|this|that|everything|here|(the|this|that) (new |unfinished )?(agent|set-?up|wizard|draft"
    r"|whole thing)))?|never ?mind"
    r"|(i )?(don'?t|do not) (want|need) (it|this|that|an agent)( any ?more)?)( please| then| for now)?\W*$",
)
_CORRECTION = LazyPattern(
    r"\b(actually|instead|rather|change|no|nope|not|make it|switch|i meant|correction|wait"
    r"|on second thoughts?|scratch that|better)\b",
)
_TAKES_BACK = LazyPattern(
    r"^\W*((oh|ok|okay|hm+|and|but|sorry|um)\W+)*(actually|no|nope|wait|make (it|that)|change (it|that)"
    r"|rather|instead|on second"
    r"|better( make)?|let'?s make it|can you make it)\b"
    r"|^\W*((oh|ok|okay|hm+|um)\W+)*[\w:.]+( [ap]\.?m\.?)? (instead|rather|would be better|is better)\W*$",
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
_YES = LazyPattern(rf"^\W*((oh|ok|okay|well|hm+)\W+)*({_AGREEING})\b")
# Each phrase is taken as it begins and never taken back: every division of "please, please …" would be tried.
_ONLY_YES = LazyPattern(
    rf"^\W*+((?!(?>({_AGREEING})(?!\w)))(?>({_POLITE})(?!\w))\W++)*+(?>({_AGREEING})(?!\w))"
    rf"(\W++(?>({_AGREEING}|{_POLITE})(?!\w)))*+\W*+$"
)
_NO = LazyPattern(rf"^\W*((oh|ok|okay|well|hm+)\W+)*({_REFUSING})\b")
_ONLY_NO = LazyPattern(
    rf"^\W*(({_POLITE}|ok|okay|wait|actually|sorry|um|uh)\W+)*({_REFUSING})(\W+({_REFUSING}|{_POLITE}))*\W*$"
)
MAX_ANSWER_WORDS = 20
MAX_PIECES = 40
_FILLER = frozenset({
    "hm", "hmm", "mhm", "um", "uh", "ok", "okay", "k", "kk", "yes", "yeah", "yep", "yup", "sure", "no",
    "nope", "fine", "great", "cool", "thanks", "thank", "you", "ty", "please", "hello", "hi", "hey",
    "what", "huh", "good", "well", "right", "so", "alright", "go", "ahead", "continue", "done",
})  # fmt: skip
_SAME = LazyPattern(r"^\W*(?:(?:and|the) )*same\b")
_NO_SOURCE = LazyPattern(r"^\W*(none|nowhere|no (source|app|service|data)|it (needs|has) no|nothing)\b")
_NEVER = LazyPattern(
    r"\b(only when i ask|when i ask|on (request|demand)|manually|by hand|no schedule|never by itself"
    r"|one[- ]off|once(?! (a|an|per|every|in|each)\b)(?! \w+ly\b))\b",
)
_EVERYTHING = LazyPattern(r"^\W*(all|every(thing)?|any|the whole)\b")
_BOTH = LazyPattern(r"\bboth\b")
_CHANNELS: Final[dict[Channel, LazyPattern]] = {
    Channel.SLACK: LazyPattern(r"\bslack\b"),
    Channel.EMAIL: LazyPattern(r"\be-?mail(s|ed|ing)?\b|(?<!-)\bmail(s|ed)?\b"),
    Channel.TEAMS: LazyPattern(r"\bteams\b"),
    Channel.SMS: LazyPattern(r"\bsms\b|\btext( message| me| us)\b|^\W*(a )?text\W*$"),
    Channel.WEBHOOK: LazyPattern(r"\bweb ?hook\b"),
    Channel.CONVERSATION: LazyPattern(
        r"\b(here|in(to)? (this|the|our) (chat|conversation)|in chat|this conversation)\b"
    ),
}
_DENIED = LazyPattern(
    r"\b(not|no|no longer|instead of|rather than|without|don'?t use)\s+((by|via|on|to|in|an?"
    r"|the)\s+)*(slack|e-?mail|mail|teams|sms|text)s?\b",
)
_CHANNEL = r"(slack|e-?mail|teams|sms)( (alerts?|messages?|notifications?))?"
_JOINED = LazyPattern(rf"\b{_CHANNEL}\s*(and|&|\+|as well as)\s*((by|via|on|in|an?|me)\s+)*{_CHANNEL}\b")
_NUMBERED = re.compile(r"(?:^|[\s,;])\(?([1-9])[.):]\s*")
_SEGMENT = re.compile(
    r"(?:(?<!\s)\s+)?(?:[,;\n]|\s-\s|\.\s|\band\b(?!\s+(?:a half|then)\b))\s*+", re.IGNORECASE
)
_CONDITION = LazyPattern(
    r"\b(past|after|older|more|less|fewer|over|under|above|below|when|if|once|without|no (reply|answer"
    r"|change)|due|sla|days?|hours?"
    r"|weeks?|exceeds?|fails?|failed|greater|at least|than)\b|[<>%]",
)
_SCOPE = re.compile(
    r"\b(projects?|boards?|channels?|sheets?|spreadsheets?|workbooks?|tabs?|repo(sitorie)?s?|repository"
    r"|databases?|pages?|spaces?"
    r"|folders?|inbox|mailbox|labels?|queues?|pipelines?|lists?|bases?|jobs?)\b|\b[A-Z][A-Z0-9_-]+\b"
)
_LEAD = LazyPattern(
    r"^\W*((well|so|ok|okay|yes|sure|just|only|please|actually|no|rather|instead)\W+)*"
    r"((it|that|they|everything|the data)( i|')?s?( is| are| all)?\s+|it'?s\s+|we (have|keep|store|use"
    r"|track)( it| them| that| everything)?\s+"
    r"|i (want|need|think|guess|have|keep|use)( it| them)?\s+)?"
    r"((lives?|comes?|is|are|should (include|show|contain|have|cover)|includes?)\s+)?((in|on|from|at"
    r"|inside|of|with)\s+)?((our|my|the|a|an)\s+)?",
)


def is_skip(message: str) -> bool:
    """Whether the user leaves the question to the assistant."""
    return _SKIP.search(message) is not None and len(message.split()) <= 12


def is_only_skip(message: str) -> bool:
    """Whether the user leaves the question to the assistant and says nothing else."""
    match = _SKIP.search(message)
    return match is not None and _BEHIND_SKIP.fullmatch(message[match.end() :]) is not None


def is_cancel(message: str) -> bool:
    """Whether the user drops the unfinished agent."""
    return _CANCEL.search(message) is not None and len(message.split()) <= 12


def is_correction(message: str) -> bool:
    """Whether the message contains words of correction."""
    return _CORRECTION.search(message) is not None


def takes_back(message: str) -> bool:
    """Whether the message begins by taking back something said before."""
    return _TAKES_BACK.search(message) is not None


def parse_yes_no(message: str, *, with_more: bool) -> Literal["yes", "no", "cancel"] | None:
    """Parses a plain reply to an offer, or one that continues ``with_more``; None for anything else."""
    if len(message.split()) > MAX_ANSWER_WORDS or message.rstrip().endswith("?"):
        return None
    if is_cancel(message):
        return "cancel"
    if (_NO if with_more else _ONLY_NO).search(message):
        return "no"
    return "yes" if (_YES if with_more else _ONLY_YES).search(message) else None


def is_filler(message: str) -> bool:
    """Whether the message answers nothing: it is a question, or a mere yes, no or ``ok``."""
    words = re.findall(r"[^\W_]+", message.casefold())
    is_question = message.rstrip().endswith("?")
    is_reply = parse_reply(message) in ("yes", "no")
    return (
        is_question
        or is_reply
        or all(word in _FILLER or (word.isdigit() and len(word) == 1) for word in words)
    )


def refers_back(message: str) -> bool:
    """Whether the message refers back and so names no source: ``same for blocked ones``."""
    return _SAME.match(message) is not None


def says_no_source(message: str) -> bool:
    """Whether the message says that the agent needs no source."""
    return _NO_SOURCE.search(message) is not None


def says_on_request(message: str) -> bool:
    """Whether the message says that the agent runs only on request."""
    return _NEVER.search(message) is not None


def says_everything(message: str) -> bool:
    """Whether the message says that the scope is everything."""
    return _EVERYTHING.search(message) is not None and len(message.split()) <= 5


def channels_in(message: str, *, offered: Sequence[Channel] = ()) -> tuple[Channel, ...]:
    """Returns the channels the message names; ``both`` means the two offered."""
    wanted = _DENIED.replace_matches(message, replacement=" ")
    found = tuple(channel for channel, pattern in _CHANNELS.items() if pattern.search(wanted))
    return tuple(offered[:2]) if not found and _BOTH.search(message) else found


def joined_channels(message: str) -> tuple[Channel, ...]:
    """Returns the two channels of ``Slack and e-mail``; empty when the message joins none."""
    match = _JOINED.search(message)
    return channels_in(match[0]) if match else ()


def numbered_answers(message: str, asked: Sequence[Part]) -> dict[Part, str]:
    """Returns by part the answers that carry the number of their question; empty without numbers."""
    pieces = _NUMBERED.split(message)
    numbers, texts = pieces[1::2], pieces[2::2]
    if len(asked) < 2 or not numbers or pieces[0].strip():
        return {}
    answers = {int(number): text.strip(" ,;\n") for number, text in zip(numbers, texts, strict=True)}
    return {part: answers[place] for place, part in enumerate(asked, 1) if answers.get(place)}


def split_answer(message: str) -> list[str]:
    """Splits an answer to several questions into its pieces, in order; at most `MAX_PIECES`."""
    return [piece for piece in (part.strip() for part in _SEGMENT.split(message)) if piece][:MAX_PIECES]


def likely_part(segment: str) -> Part | None:
    """Returns the part that a piece sounds like an answer to; None when it could be any."""
    if channels_in(segment):
        return "delivery"
    if _CONDITION.search(segment):
        return "condition"
    return "scope" if _SCOPE.search(segment) else None


def strip_lead_in(text: str) -> str:
    """Returns an answer without its lead-in: ``Airtable base`` for ``It's in our Airtable base.``"""
    bare = _LEAD.replace_matches(text, max_count=1).strip(" .!\t\n")
    return bare or text.strip(" .!\t\n")


def scope_name(text: str, noun: str | None) -> str:
    """Returns only the name of a project or board: ``PLATFORM`` for ``the PLATFORM project``."""
    bare = strip_lead_in(text)
    if noun is None:
        return bare
    return re.sub(_around(noun), "", bare, flags=re.IGNORECASE) or bare


def _around(noun: str) -> str:
    return rf"(?<!\s)\s++{noun}s?$|^{noun}s?\s++"
