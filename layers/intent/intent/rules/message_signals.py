"""Signals in a message: features of its wording that distinguish intents.

A signal describes the form of a request (a command, a question, a complaint) or what it names (an agent, a
skill, an account), never one particular sentence. `intent.rules.scoring` adds the signals up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from intent.dates.schedules import find_schedule
from intent.regular_expressions import LowerPattern, either, lower_pattern
from intent.rules.vocabulary import (
    AGENT,
    AGENTS,
    ASK,
    BUILDING_BLOCK,
    CHANGE,
    CHATS,
    CONFIGURE,
    END_OR_PAUSE,
    EVERY_UNIT,
    LEAD,
    MAKE,
    MANAGED,
    ONE_AGENT,
    PRODUCT,
    RUN,
    SKILL,
    WORK,
)

_CLAUSE = lower_pattern(r"(?:^|[.!?;:\n]|,|\band\b|\bthen\b|\bplease\b|\bpls\b)\W*")
_LEAD = lower_pattern(rf"{LEAD}\b[\s,!.]*")
_MOST_LEADS = 5
_A = either("an?|another|one more|one of|one|some|new|more|(?:a )?separate|those|few|something like an?")
_THE = either("the|my|our|that|this|your|their|both|old|of the|all|those")
_DOER = r"(?:bot|agent|sync|watch|check|scan|digest|report|job|[a-z]{2,}(?:er|or))"
_LENGTH = either("days?|weeks?|months?|years?|forever")
_WORDS = r"(?:[\w'&-]+ )"

_COMMANDS: Mapping[str, LowerPattern] = {
    "command_run": lower_pattern(rf"{RUN}\b(?!-)"),
    "command_work": lower_pattern(rf"{WORK}\b(?!-)"),
    "command_change": lower_pattern(rf"{CHANGE}\b(?!-)"),
    "command_end": lower_pattern(rf"{END_OR_PAUSE}\b(?!-)"),
    "command_ask": lower_pattern(rf"{ASK}(?![\w-])"),
    "command_configure": lower_pattern(rf"{CONFIGURE}\b(?!-)"),
    "teach": lower_pattern(
        r"(?:teach|equip|train|educate)\b",
        r"(?:give|let|make|allow|enable) (?:(?:all|any|each|every|our|the|my) ){0,2}"
        rf"(?:{AGENTS}|them all)\b",
    ),
}
"""Patterns that are matched only where a command can begin."""

_FORMS: Mapping[str, LowerPattern] = {
    "command_ask": lower_pattern(rf"^\W*(?:my|our|all)(?: \w+)? {AGENT}\W*(?:please\W*)?$"),
    "question_word": lower_pattern(
        r"(?:^|[.!?\n,]\W*+(?:and |so |but )?)(?:what|which|who|whom|whose|where|why|how|eta)\b",
        r"(?:^|[.!?\n,])\W*+(?:and |so |but )?"
        r"when (?:did|do|does|is|are|was|were|will|has|have|can|should)\b",
    ),
    "question_start": lower_pattern(
        r"(?:^|[.!?\n])\W*+(?:is|are|was|were|do|does|did|has|have|had|can i|could i|may i|am i|any"
        r"|would|will)\b"
        r"(?! (?:you|u|someone|somebody)\b)[^.!\n]*\?"
    ),
    "question_mark": lower_pattern(r"\?\W*$"),
    "polite": lower_pattern(
        r"\b(?:can|could|would|will) (?:you|u|we|someone|somebody|(?:this|the) platform)\b"
    ),
    "how_to": lower_pattern(
        r"\bhow (?:do|can|would|should|could) (?:i|we|you|one)\b",
        r"\bhow to (?!read|parse|write|handle)\b",
        r"\bshow me how\b",
        r"\b(?:walk|run) me through\b",
        r"\bsteps (?:to|for)\b",
        r"\bwhat would (?:it|i)\b",
        r"\bbest way to\b",
    ),
    "curious": lower_pattern(
        r"\b(?:like|love|want|need|trying) to (?:know|understand|learn|get a picture|find out)\b",
        r"\bwonder|\bcurious\b|\bconfus|\bi'm lost\b|\bno (?:clue|idea)\b|\bany (?:idea|update|news)\b",
        r"\b(?:can'?t|cannot|nobody can) (?:tell|remember|find|see|work out)\b",
        r"\bdon'?t (?:understand|get)\b",
        r"\b(?:only|just) (?:asking|collecting)\b|\bnot asking\b|\bget a picture\b",
    ),
    "about_facts": lower_pattern(
        r"\b(?:status|history|change ?log|eta|progress|overview of|difference between|success rate"
        r"|uptime|reasoning)\b",
        r"\b(?:log|logs|owner) of\b|\bowned by\b|\bhow (?:many|much)\b|\bwhat (?:does|did|can)\b",
        rf"\b{AGENT} do (?:i|we) have\b",
    ),
    "greeting": lower_pattern(
        r"^\W*(?:good )?(?:hi|hello|hey|morning|afternoon|evening|howdy|greetings|yo)\b(?:\W+\w+){0,3}\W*$"
    ),
    "thanks": lower_pattern(r"\b(?:thanks|thank you|thx|cheers|you're a star|well done|nice one)\b"),
    "small_talk": lower_pattern(
        r"\b(?:weather|sunny|rainy|jokes?|football|soccer|champions league|haha+|lol|lmao|how are you"
        r"|your weekend)\b",
        r"\bwhat a (?:week|day|month|mess)\b|\bfingers crossed\b|\bgotta\b|\bhappy birthday\b|\bgood night\b",
        r"\b(?:recipe|movie|horoscope|poem|song|off to lunch|see you|bye)\b",
    ),
}
_SUBJECTS: Mapping[str, LowerPattern] = {
    "agent": lower_pattern(rf"\b{AGENT}\b"),
    "new_agent": lower_pattern(
        rf"\b{MAKE}(?: (?:me|us|up|out))?(?: (?:please|already))? {_A} {_WORDS}{{0,5}}?(?<!-)"
        rf"(?:{AGENT}|{ONE_AGENT})\b(?!-)",
        rf"(?:^|[.!?])\W*+new {AGENT}\b",
        rf"\bas an? {_WORDS}{{0,2}}{AGENT} for\b",
        rf"\b(?:create|build|set up|design|develop|automate) {AGENT}\b",
        rf"\b{AGENT} of (?:its|their|our) own\b",
        rf"\b(?:one of those|little|digital|automated) {_WORDS}{{0,2}}{AGENT}\b",
        rf"\blet's (?:get|have) an? {_WORDS}{{0,3}}{AGENT}\b",
        r"\b(?:create|build|make|set up) (?:me )?(?:a|another) (?:new )?one\b",
    ),
    "something_that": lower_pattern(
        r"\b(?:something|somebody|someone|a thing|anything) (?:that|to|which|who|should)\b",
        r"\bsomething(?: \w+){0,2} (?:runs|checks|watches|keeps|sends|looks|lists)\b",
    ),
    "this_agent": lower_pattern(
        rf"\b{_THE} (?:(?!new\b|separate\b|another\b)[\w'&-]+ ){{0,3}}?{ONE_AGENT}s?\b(?! (?:for|should "
        r"we|library))",
        rf"\b[\w-]+ {ONE_AGENT}: ",
        rf"\b{ONE_AGENT}s? (?:that|who|which) (?:sends?|does|runs?|posts?|watch\w*)\b",
    ),
    "slug": lower_pattern(
        rf"(?<![\w./@-])(?<!the\s)(?<!an\s)(?<!\ba\s)(?:[a-z][a-z0-9]*[-_])+{_DOER}(?![\w@])"
    ),
    "these_agents": lower_pattern(
        r"\b(?:all|any of|none of|every|each of|any|no|not one|whichever|which of|several|these|our|the|my) "
        rf"(?:(?:of|our|the|my|single) ){{0,2}}{AGENTS}\b",
        r"^\W*(?:agents|bots|assistants)\b",
        r"\b(?:agents|bots|assistants) (?:can|could|should|ought|need|must|call|may|use)\b",
        r"\btoolbox\b",
    ),
    "skill": lower_pattern(rf"\b{SKILL}\b"),
    "new_skill": lower_pattern(
        rf"\b(?:{MAKE}|new|teach|lack|lacking|package|define|no) {_WORDS}{{0,6}}?{SKILL}\b",
        rf"^\W*(?:new )?{SKILL}\b",
        rf"\bmissing is {_WORDS}{{0,3}}{SKILL}\b",
    ),
    "new_part": lower_pattern(
        rf"\b(?:{MAKE}|packaged?|wrap|one more|new|as) (?:[\w'()-]+,? ){{0,7}}?{BUILDING_BLOCK}s?\b",
        rf"\ban? (?:[\w'()-]+ ){{0,3}}{BUILDING_BLOCK}\b",
    ),
    "agents_cannot": lower_pattern(
        rf"\b{AGENTS} (?:[\w,]+ ){{0,3}}(?:should|ought|need|must|can't|cannot|can not|could|can|don't "
        r"know|know|learn)\b",
        rf"\b{AGENTS} (?:[\w,]+ ){{0,3}}(?:is able|are able|unable|skips?|chokes?|fails?)\b",
        rf"\bnone of (?:the|our|my) {AGENTS}\b|\bnot one of them\b|\bno agent (?:can|knows)\b",
    ),
    "reusable": lower_pattern(
        r"\bre-?usable\b|\bcallable\b|\bcall on\b|\bplug (?:it|that) into\b|\bshare it\b|\bpackaged?\b",
        r"\bavailable to (?:all|every|any)\b|\bso (?:that )?any (?:of|agent)|\bagents (?:can )?(?:call"
        r"|chain)\b",
        rf"\b(?:every|any|each) {ONE_AGENT} can\b",
    ),
    "product": lower_pattern(rf"\b{PRODUCT}\b"),
    "managed": lower_pattern(rf"\b{MANAGED}\b"),
    "retention": lower_pattern(
        r"\b(?:keep|store|retain|hold|delete|wiped?|purge|erase|save|kept|forget|remove|archive)\b"
        rf"[^.!?\n]{{0,60}}\b{CHATS}\b[^.!?\n]{{0,60}}\b{_LENGTH}\b",
        rf"\b{CHATS}\b[^.!?\n]{{0,60}}\b(?:kept|stored|retained|deleted|wiped|purged|expire|erased)\b"
        rf"[^.!?\n]{{0,40}}\b{_LENGTH}\b",
        rf"\bretention\b[^.!?\n]{{0,40}}\b(?:{_LENGTH}|period)\b",
    ),
}
_CIRCUMSTANCES: Mapping[str, LowerPattern] = {
    "automatic": lower_pattern(
        r"\bautomat(?:e|es|ed|ing|ically|ion)\b|\bautopilot\b|\bby (?:itself|themselves)\b|\bon its "
        r"own\b|\bhands-?free\b",
        r"\b(?:without|w/o) (?:me|us|any(?:one|body)|my|our|having|somebody)\b|\b(?:isn't|not) me\b",
        r"\boff (?:my|our) hands\b|\bnever to have to\b|\b(?:rather than|instead of) me\b|\bevery single"
        r" time\b",
    ),
    "recurring": lower_pattern(
        rf"\b(?:every|each) (?:\w+ )?{EVERY_UNIT}\b",
        r"\bwhenever\b|\bas soon as\b|\bfrom now on\b|\bthe moment\b|\bweek after week\b|\bagain and again\b",
        r"\bregularly\b|\bconstantly\b|\b(?:daily|weekly|monthly|nightly|hourly|quarterly)\b(?!-)",
        r"\bevery (?:\d+|two|three|other|six)\b",
    ),
    "watch": lower_pattern(
        r"\b(?:monitor|watch|keep(?:ing)? an eye|track|alert|notify|ping|shout|warn|page|remind|tells? "
        r"us|trigger)\w*\b"
    ),
    "pain": lower_pattern(
        r"\b(?:wast(?:e|es|ing)|los(?:e|es|ing)|burn(?:s|ing)?|drowning)\b|\beats? up\b",
        r"\b(?:spends?|takes?|costs?) (?:\w+ ){0,3}(?:hours?|days?|time|ages|forever|afternoon|morning"
        r"|shift|half|week)\b",
        r"\bspends? (?:\w+ ){0,2}(?:third|quarter)\b",
        r"\bby hand\b|\bmanual(?:ly)?\b|\bcopy-?past|\bre-?typ|\btedious\b|\bsoul-destroying\b|\bback "
        r"and forth\b",
        r"\bsick (?:and tired )?of\b|\btired of\b|\bfed up\b|\bhate\b|\bnightmare\b|\bkilling\b"
        r"|\bpainful\b|\bdread\b",
        r"\b(?:nobody|no one)\b[^.!?\n]{0,30}\b(?:notic|spot|sees|checks|knows)",
        r"\balways (?:late|behind)\b|\blate (?:each|every)\b|\bembarrass|\bscramble\b|\bforgets?\b"
        r"|\berror-prone\b",
        r"\bkeeps? (?:missing|forgetting|slipping)\b|\bslip(?:s|ping)?\b|\bchas(?:e|es|ing)\b|\bwoken\b",
        r"\bhas to be (?:done|copied|typed|retyped)\b|\bsame (?:thing|scramble|mess) (?:each|every)\b",
    ),
    "relief": lower_pattern(
        r"\b(?:can|could) (?:the platform|this platform|omniforge|this|it|you(?: guys)?|we) "
        r"(?:help|do something|take|keep|automate|have)\b",
        r"\b(?:is there|any) (?:an?y? )?way\b|\banything (?:you|we|that) can\b|\bsomething (?:you|the "
        r"platform) (?:can|could)\b",
        r"\bwould be (?:an? )?(?:great|nice|good|lovely|dream|perfect)\b|\bi wish\b|\bhelp (?:(?:us|me) "
        r")?with (?:that|this|it)\b",
        r"\bdo something about\b|\btake (?:this|that|it) (?:off|over)\b|\btake (?:this|that|it) over\b"
        r"|\bneeds? to stop\b",
    ),
    "once": lower_pattern(
        r"\b(?:now|today|asap|tonight|tomorrow|immediately|yesterday|attached|attachment|due|one-off)\b",
        r"\bright (?:now|away)\b|\bthis (?:morning|afternoon|evening|week|month)\b|\bnext week\b|\bjust "
        r"(?:this )?once\b",
        r"\bby (?:noon|lunch|(?:fri|mon|tues|wednes|thurs)day|\d)|\bat (?:two|three|four|noon)\b|\bin "
        r"(?:\w+) min(?:utes)?\b",
        r"\blast (?:week|month|quarter|year|\w+day)\b|\bthe (?:last|latest|oldest) \d+|\bq[1-4]\b|\bfor "
        r"(?:me|today's|tonight's)\b",
        r"\bis (?:standing|waiting)\b|\bon the phone\b|\b(?:still )?ha(?:s|ve) to be (?!done|copied"
        r"|typed|retyped)\w+",
    ),
    "again": lower_pattern(
        r"\b(?:again|one more time|once more|one more go|another go|re-?run|redo)\b",
        r"\bsame (?:thing )?(?:as|like) (?:last|before)\b|\blike last time\b",
    ),
    "duty": lower_pattern(
        r"\b(?:i|we) (?:need|have|must|ought|'ve got|got|want)(?: to)? "
        r"(?:analy|look|review|prepar|put|go|work|get|examin|understand|stud|research|dig|make|creat"
        r"|writ|figure)"
    ),
    "new_ways": lower_pattern(
        r"\binstead\b|\brather than\b|\bin place of\b|\bfrom (?:here|today) on\b|\bnow on\b|\bany "
        r"?more\b|\bno longer\b",
        r"\bgoing forward\b|\bfor good\b|\bpermanent(?:ly)?\b|\bnever again\b|\bas well\b|\bso it also\b"
        r"|\bstarting next\b",
        r"\bnot (?:at|to|in|the|on|just)\b|\bevery time after\b|\bsince\b|\bonly (?:drafts|when|if|on)\b",
        r"\btoo (?:stiff|often|long|many|much|thin|slow|verbose|short|early|late)\b",
    ),
    "complaint": lower_pattern(
        r"\bstill (?:gets?|lands?|goes|sends?|reads?|counts?|uses?|looking|fires?)\b|\bkeeps? \w+ing\b"
        r"|\bgoes on \w+ing\b",
        r"\bspam(?:s|ing|ming)?\b|\bwaking\b|\bis no use\b|\bshould(?:n't| not| never| also| only)?\b"
        r"|\bmust (?:go|not|also)\b",
        r"\b(?:pings|mails|texts|emails) (?:me|us|everybody)\b|\bneeds? to (?:read|use|also|go|send|run"
        r"|skip)\b",
        r"\b(?:fires|runs|goes off|going off) at\b",
    ),
    "pointing": lower_pattern(
        r"\b(?:it|that one|this one|number \d|the (?:first|second|third|last|other))\b"
    ),
    "rhythm": lower_pattern(
        r"\bmake (?:it|that|this)\b|\b(?:change|switch|move|set) (?:it|that|this)? ?(?:to|back to)\b"
        r"|\bwill do\b",
        r"\b(?:hourly|daily|weekly|monthly) (?:instead|please|will do)\b",
    ),
}
_ANYWHERE = {**_FORMS, **_SUBJECTS, **_CIRCUMSTANCES}


def signals_in(text: str) -> frozenset[str]:
    """Return the names of the signals in the text. Its quotes must be straight already."""
    found = {name for name, form in _ANYWHERE.items() if form.search(text)}
    openings = frozenset(_openings(text))
    found |= {name for name, form in _COMMANDS.items() if any(form.match(text, place) for place in openings)}
    if find_schedule(text):
        found.add("recurring")
    return frozenset(found)


def _openings(text: str) -> Iterator[int]:
    """Yields where a command can begin: at a clause, and after each word that people put before a command."""
    for clause in _CLAUSE.finditer(text):
        place = clause.end()
        yield place
        for _ in range(_MOST_LEADS):
            lead = _LEAD.match(text, place)
            if lead is None:
                break
            place = lead.end()
            yield place
