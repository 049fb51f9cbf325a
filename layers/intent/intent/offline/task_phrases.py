"""Patterns for sentences about the user's own tasks. `intent.offline.tasks` interprets them."""

from __future__ import annotations

from intent.dates.times import LONG_DAY
from intent.regular_expressions import either, lower_pattern, pattern

_POLITE = either(
    "please|pls|plz|hey|hi|ok|okay|alright|and|also|then|now|so|oh|just|kindly"
    "|(?:can|could|would|will) (?:you|u|we|i)"
    "|i(?:'d| would) like(?: you)? to|i (?:want|need|have)(?: you)? to|let's|go ahead and|help me(?: to)?"
)
_LEAD = rf"\W*+(?:{_POLITE}[\s,]++)*"
_AFTER = either("please|pls|thanks|thank you|for me|now|again|too|as well|right away")
_END = rf"(?:[\s,]++{_AFTER})*+\W*+"
_WORDS = r"\S(?:.*?\S)??"
_WHAT = rf"(?P<what>{_WORDS})"
_TASK = r"(?:to-?dos?|to do|tasks?|reminders?)(?: items?| entry| entries)?"
_LIST_NOUN = r"(?:(?:to-?do|to do|task|todo)s?[- ]list|list of (?:tasks|to-?dos)|to-?dos|tasks)"
_MY_LIST = rf"(?:my (?:{_LIST_NOUN}|list)|(?:the|our) {_LIST_NOUN})"
_NEW = either("an?|another|one more|the following|these|this|my|the|new|a new|a quick|some|two|three")
_WHEN = r"(?: (?:for|due|by|on) (?P<when>(?:next |this )?\w+(?: \d{1,2})?))?"
_ADDING = either("add|create|make|new|put|open|note|save|record|write(?: down)?|jot down|i need")
_DAY = rf"(?:{LONG_DAY}|today|tomorrow|week|month)"
_REMIND = "(?:remind me|don't let me forget|do not let me forget)"

ADD = (
    lower_pattern(
        rf"{_LEAD}{_ADDING}(?: me)?(?: {_NEW})? (?P<noun>{_TASK})(?: for me)?"
        rf"(?: (?:on|to|in) {_MY_LIST})?{_WHEN}"
        r"(?P<joint> ?[:,-]+ ?| to | called | named | titled | saying | that says | for (?=\w+ing\b)"
        r"| (?=[\"']))(?P<title>.+)"
    ),
    lower_pattern(
        rf"{_LEAD}(?:add|put|write|jot|note|stick|get)(?: down)?(?P<joint> )(?P<title>{_WORDS})"
        rf" (?:to|on|onto|in|into) {_MY_LIST}{_WHEN}{_END}"
    ),
    lower_pattern(r"\W*(?:new )?(?P<noun>(?:to-?do|task)s?)(?P<joint> ?: ?)(?P<title>.+)"),
    lower_pattern(
        rf"{_LEAD}{_REMIND}(?: (?:(?:on|by) )?(?P<when>(?:next |this )?{_DAY}))?(?P<joint> to )(?P<title>.+)"
    ),
)
ADD_MORE = lower_pattern(
    r"\W*(?:(?:and|also|plus|then|oh|ok|okay|please|add)[\s,]+)*(?:one(?: more)?|another(?: one)?)"
    r"(?P<joint> to | for |: )(?P<title>.+)"
)
ADD_QUOTED = lower_pattern(rf"{_LEAD}add(?P<joint> )(?P<title>[\"'].+[\"']){_END}")
"""One more task, when tasks were just discussed."""
ADD_NOTHING = lower_pattern(
    rf"{_LEAD}(?:add|create|make|new|put)(?: me)?(?: {_NEW})? {_TASK}(?: (?:on|to|in) {_MY_LIST})?{_END}",
    rf"{_LEAD}add (?:something|one|it|an? (?:item|entry)) to {_MY_LIST}{_END}",
)
FOR_USER = lower_pattern(rf"^{_LEAD}{_REMIND}\b", rf"\b(?:to|on|onto|in|into) {_MY_LIST}{_END}$")
"""Reminders and list entries for the user themselves, which no agent could do."""
ADD_TARGET = lower_pattern(
    r"(?:the|my|our|your|this|that|these|those|its|his|her|their|all|every|each|both|an?|it|him|them|us|me"
    r"|@\w+)\b",
    r"[^.!?]{0,60}\b(?:board|project|backlog|column)\W*$",
)
"""How a target to add something to begins or ends, unlike an activity."""

_HOUR = r"\d{1,2}(?:[:.]\d{2})?(?: ?[ap]\.?m\b\.?| ?o'clock)?"
_STATE = either(
    "open|done|completed?|finished|remaining|outstanding|pending|overdue|current|whole|entire|full|due"
    "|unfinished|upcoming|next|old"
)
_ANY_LIST = rf"(?:{_LIST_NOUN}|list|{_TASK})"
_WHILE = r"(?: (?:for )?(?:today|tomorrow|this week|right now|at the moment|so far|again))?"
LIST = lower_pattern(
    rf"{_LEAD}(?:what(?:'s| is| are|s)?(?: (?:still|left|all))? on|show(?: me)?(?: what's on)?|list|see"
    r"|display|read(?: me)?(?: out)?|give me|get|view|check|open|look at|what are|which are|what's|what is"
    rf"|tell me)(?: all(?: of)?)? my(?: {_STATE})* {_ANY_LIST}{_WHILE}{_END}",
    rf"{_LEAD}(?:what(?:'s| is) on|show(?: me)?|list|display|read(?: me)?(?: out)?|view)"
    rf"(?: (?:all|the|our|of))*(?: {_STATE})* {_LIST_NOUN}{_WHILE}{_END}",
    rf"{_LEAD}(?:which|what)(?: {_STATE})* {_TASK} (?:do (?:i|we) (?:still |currently )?have"
    rf"|are (?:still |all )?(?:mine|left|there|on (?:my|the) list|{_STATE})|(?:have|did) i [\w ]{{2,30}}"
    rf"|is next)(?: {_STATE}| left)?{_WHILE}{_END}",
    rf"{_LEAD}(?:do (?:i|we) have|are there|have i got)(?: (?:any|more|still|other))*(?: {_STATE})* {_TASK}"
    rf"(?: (?:left|{_STATE}))*{_WHILE}{_END}",
    rf"\W*(?:all )?(?:of )?my(?: {_STATE})* (?:{_LIST_NOUN}|{_TASK}){_WHILE}{_END}",
    rf"\W*(?:{_STATE} )+(?:{_LIST_NOUN}|{_TASK}){_END}",
    rf"{_LEAD}how many(?: {_STATE})* {_TASK} (?:do i (?:still )?have|are (?:left|there|{_STATE}))"
    rf"(?: left| {_STATE})?{_END}",
    rf"{_LEAD}what do i (?:still )?(?:have|need) to do{_WHILE}{_END}",
    rf"{_LEAD}what(?:'s| is| are) (?:(?:still|all|next) )*(?:due|overdue|outstanding)"
    rf"(?: (?:by|on|this|next|until|before))*(?: {_DAY})?{_END}",
    rf"{_LEAD}what(?:'s| is| do i have) (?:still |left )?(?:on my plate|to do|left to do|left on my list)"
    rf"{_WHILE}{_END}",
)
SEVERAL = lower_pattern(r"(?:to-?dos|tasks|reminders)\b.*")
BETWEEN = pattern(r"[^\S\n]*+(?:[;\n]|, ?(?:and )?)[\s*-]*+")
"""The separators between the titles of several new tasks."""
WHEN_DUE = lower_pattern(rf"{_LEAD}(?:when|what day|by when|until when) (?:is|'s) {_WHAT} due{_END}")
LIST_SHOWN = lower_pattern(
    rf"{_LEAD}which(?: ones| tasks| of them)? (?:is|are) (?:still )?(?:left|open|missing|remaining|to do)"
    rf"{_END}",
    rf"{_LEAD}(?:what(?:'s| is)(?: left)? on|show(?: me)?|list|read(?: me)?)"
    rf" (?:the list|them|it)(?: all)?{_END}",
)
"""A request for the list, when tasks were just shown."""
DONE = lower_pattern(r"\b(?:done|completed?|finish(?:ed)?)\b")
ALL = lower_pattern(r"\b(?:all|every|whole|entire|full)\b")

_DONE = r"(?:as )?(?:all )?(?:done|complete|completed|finished)"
_UNDONE = (
    r"(?:as )?(?:not (?:done|finished|completed?)(?: yet)?|undone|un-?done|incomplete|unfinished|open|to-?do)"
)
_FROM_LIST = rf" (?:from|off|off of|of) {_MY_LIST}"
_IS = r"(?: is|'s| are)"
COMPLETE_PLAIN = (
    lower_pattern(rf"{_LEAD}(?:mark|tick|check|flag|set)(?: off)? {_WHAT}(?: off)? {_DONE}{_END}"),
    lower_pattern(rf"{_LEAD}mark {_DONE}[:,]? {_WHAT}{_END}"),
    lower_pattern(rf"{_LEAD}(?:tick|check|cross|strike)(?: off)? {_WHAT}(?: off)?{_FROM_LIST}{_END}"),
)
COMPLETE = (
    lower_pattern(rf"{_LEAD}(?:tick|check|cross|strike) (?:off|out) {_WHAT}{_END}"),
    lower_pattern(rf"{_LEAD}(?:tick|check|cross|strike) {_WHAT} (?:off|out){_END}"),
    lower_pattern(
        rf"{_LEAD}(?:complete|finish|close"
        r"|i(?:'ve| have| just)?(?: (?:just|already|now))* (?:done|did|finished|completed)"
        rf"|(?:i'm |i am )?(?:done|finished|through) with) {_WHAT}{_END}"
    ),
    lower_pattern(
        rf"\W*+(?:(?:ok|okay|so|and|great|good news)[\s,:]++)*(?P<what>.+?){_IS}"
        rf"(?: (?:now|already|all|both))* (?:done|finished|completed?){_END}"
    ),
)
ONLY_DONE = lower_pattern(
    rf"{_LEAD}(?:(?:it's|that's|it is|that is|that one's|all) )?(?:now )?(?:done|finished|completed){_END}"
)
"""A statement that the one task just discussed is done."""
REOPEN_PLAIN = (
    lower_pattern(rf"{_LEAD}(?:mark|set|flag) {_WHAT} {_UNDONE}{_END}"),
    lower_pattern(rf"{_LEAD}(?:uncheck|untick|un-check|un-tick|unmark) {_WHAT}{_END}"),
)
REOPEN = (
    lower_pattern(rf"{_LEAD}(?:reopen|re-open|bring back|undo) {_WHAT}{_END}"),
    lower_pattern(
        rf"\W*+(?P<what>.+?)(?:{_IS} not|(?: is| are)n't)(?: really)? (?:done|finished|completed?)"
        rf"(?: yet)?(?: after all)?{_END}"
    ),
)
_DUE_DATE = r"(?:due date|deadline|date)"
CHANGE = (
    lower_pattern(
        rf"{_LEAD}(?:move|push|postpone|delay|reschedule|shift|bring)(?: the {_DUE_DATE} (?:of|for))?"
        rf" {_WHAT}(?: back| forward| out)? (?:to|until|till|for|by) (?P<due>{_WORDS}){_END}"
    ),
    lower_pattern(
        rf"{_LEAD}(?:change|set|make|update) the {_DUE_DATE} (?:of|for|on) {_WHAT}"
        rf" (?:to|as|=) (?P<due>{_WORDS}){_END}"
    ),
    lower_pattern(
        rf"{_LEAD}(?:change|set|make|update|give) (?P<what>.+?)(?:'s|s')?"
        rf" (?:(?:a )?{_DUE_DATE} (?:to|of|as) |due (?:on |by )?|for )(?P<due>{_WORDS}){_END}"
    ),
    lower_pattern(rf"\W*+(?P<what>.+?){_IS} due (?:on |by )?(?P<due>{_WORDS}){_END}"),
    lower_pattern(rf"{_LEAD}(?:rename|retitle|reword|change|edit|call) {_WHAT} (?:to|into|as) (?P<title>.+)"),
)
REMOVE_DUE_DATE = (
    lower_pattern(rf"{_LEAD}(?:remove|clear|delete|drop) the {_DUE_DATE} (?:of|from|for|on) {_WHAT}{_END}"),
)
_DELETING = either(
    "delete|remove|drop|erase|scrap|cancel|clear|take|get rid of|throw (?:away|out)|bin|trash|forget"
)
_NO_PART = rf"(?!.*\b(?:{_DUE_DATE}|description|title|name)\b)"
DELETE_PLAIN = (lower_pattern(rf"{_LEAD}{_DELETING} {_WHAT}(?: off)?{_FROM_LIST}{_END}"),)
DELETE = (lower_pattern(rf"{_LEAD}{_NO_PART}{_DELETING} {_WHAT}{_END}"),)

TASK_HINT = lower_pattern(
    r"\b(?:tasks?|to-?dos?|to do|due|overdue|outstanding|remind(?:ers?| me)|me forget|list|plate"
    r"|(?:un)?(?:mark|tick|check)|cross|strike|flag)\b"
)
"""Words of which a message about tasks has at least one, unless tasks were just shown.

Most messages have none, so they skip the other patterns, which take longer to compile than all other work.
"""
TASK_WORD = lower_pattern(rf"\b(?:tasks?|to-?dos?|{_MY_LIST})\b")
ABOUT_AGENTS = lower_pattern(
    r"\b(?:agents?|bots?|automations?|assistants?|workflows?|skills?|runs?|schedules?|recipients?)\b",
    r"\b(?:whenever|every time|each time|as soon as)\b",
)
"""Words about agents or automation. A message with one is not about the user's own tasks."""

AFTER_DUE = lower_pattern(rf"(?P<time> (?:at|by|before|around) (?:{_HOUR}|noon|midnight|lunch))?{_END}")
"""What may follow a new task's due date. A time goes into the title, because tasks have no time."""

_EACH_QUOTED = pattern(r"\"([^\"]+)\"", r"'([^']+)'")
_ALL_QUOTED = pattern(
    r" ?(?:\"[^\"]+\"|'[^']+')(?:(?: ?, ?(?:and )?| and | & )(?:\"[^\"]+\"|'[^']+'))+ ?[.!]?"
)
_QUOTED = pattern(r"[\"'](.+)[\"'][.!?]*")
_THANKS = pattern(r"[\s,]++(?:please|pls|thanks|thank you|thx)\W*+$")
_TRIM = " \t\n.,;:!?-"


def clean_title(words: str) -> str:
    """Return a title without surrounding quotes, thanks and punctuation."""
    title = _THANKS.replace_matches(" ".join(words.split()))
    quoted = _QUOTED.fullmatch(title)
    return (quoted[1] if quoted else title).strip(_TRIM)


def split_titles(titles: str) -> list[str]:
    """Return the titles in a list, separated by lines, commas or semicolons."""
    parts = BETWEEN.replace_matches(titles, replacement="\n").split("\n")
    return [part for part in map(clean_title, parts) if part] or [titles]


def quoted_titles(titles: str) -> list[str]:
    """Return two or more titles, each in quotes; empty for anything else."""
    if _ALL_QUOTED.fullmatch(titles) is None:
        return []
    return [match[1] or match[2] for match in _EACH_QUOTED.finditer(titles)]
