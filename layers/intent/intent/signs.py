"""Signs in a message: which of the things that tell intents apart its words show. What they add up to is `intent.keywords`' business.

A sign is about the form of English requests (a command, a question, a complaint) or about what they name (an agent, a skill, an
account); none is about a particular sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from re import Pattern

from intent.patterns import either, pattern
from intent.schedules import find_schedule

_AGENT = either(
    r"(?<![\w-])(?:agents?|bots?|robots?|automations?|assistants?|workflows?|helpers?|watchers?|colleagues?)(?![\w-])"
)
_ONE_AGENT = either("agent|bot|robot|automation|assistant|workflow|watcher|detector|monitor|reporter")
_MANY = either(
    "(?:all |any of |each of |none of )?(?:(?:our|the|my|these|your|any|all|no|every|each|which(?:ever)?|five different) )?(?:agents?|bots?|assistants?|robots?)"
)
_SKILL = either("skills?|abilit(?:y|ies)|capabilit(?:y|ies)")
_PART = either(
    "tool|action|step|module|building block|connector|integration|function|lookup|calculator|converter|plug-?in|helper"
)
_SLUG = r"(?<![\w./@-])(?<!the\s)(?<!an\s)(?<!\ba\s)(?:[a-z][a-z0-9]*[-_])+(?:bot|agent|sync|watch|check|scan|digest|report|job|recon|[a-z]{2,}(?:er|or))(?![\w@])"

_LEAD = either(
    "please|pls|plz|kindly|just|now|so|ok|okay|hey|hi|hello|then|and|also|actually|right|well|good|great|neat|yes|yeah|first|again|next|quickly"
    "|(?:can|could|would|will) (?:you|u|we|someone|somebody)|(?:i|we)(?: want| need|'d like| would like)(?: you)? to|you to|let's|go ahead and|help me(?: to)?"
    "|time to|i want(?: that)?(?: you)?|i would want that you|i'd like you to|make sure(?: to)?|be so kind(?: as)? to|it's time to|feel free to"
)
_START = rf"(?:^|[.!?;:\n]|,|\band\b|\bthen\b|\bplease\b|\bpls\b|\bwho can\b)\W*(?:{_LEAD}\b[\s,!.]*){{0,5}}"

_MAKE = either(
    "create|creating|build|building|make|making|set(?:ting)? up|setup|design|develop|spin up|add|need|want|wants|get|getting|give|launch|put together|configure"
    "|write|clone|duplicate|looking for|love|like|program|craft|deploy|start|have|after|missing|introduce|provide"
)
_A = either("an?|another|one more|one of|one|some|new|more|(?:a )?separate|those|few|something like an?")
_DETERMINED = either("the|my|our|that|this|your|their|both|old|of the|all|those")

_RUN = either(
    r"run|re-?run|execute|start|trigger|fire(?: up| off)?|launch|kick(?: off)?|invoke|process|resend|backfill|retry|restart|redo|repeat"
)
_WORK = either(
    "analy[sz]e|summari[sz]e|draft|write|compare|send|prepare|pull|get|grab|crunch|turn|look|find|compile|translate|convert|export|calculate|book|check|generate"
    "|post|print|collect|gather|sort|classify|cluster|review|proofread|extract|merge|upload|download|e-?mail|mail|text|call|message|search|count|tally|make|build"
    "|create|put together|do|clean|schedule|research|investigate|redact|answer|reply|file|plot|draw|chart|format|fill|order|pick|go through|give me|produce|update"
    "|work out|let|help me get|set up|delete|bring|fetch|rank|group|list every|tidy|reconcile|sum up|dig into|look into|use|try|see"
)
_CHANGE = either(
    "change|update|modify|edit|rename|pause|stop|resume|disable|enable|delete|remove|retire|move|switch|point|bump|drop|swap|turn|trn|bring back|bring|adjust"
    "|reschedule|unpause|reactivate|deactivate|kill|get rid of|bin|ditch|shut down|cancel|add|make|have|set|raise|lower|increase|reduce|extend|limit|fix|tweak"
    "|loosen|tighten|postpone|delay|replace|let|mute|silence|put|help|run|give|take|narrow|widen|correct|share|unshare|only|exclude|include|skip"
)
_END_OR_PAUSE = either(
    "pause|unpause|resume|reactivate|deactivate|disable|enable|rename|retire|reschedule|delete|remove|get rid of|bin|ditch|turn off|turn on|turn it off|turn it on"
    "|switch off|switch on|switch it off|switch it on|shut down|mute|stop|put on hold|bring back|kill|unshare|suspend|trash|scrap"
)
_ASK = either(
    "list|show|tell me|explain|describe|remind me|display|walk me through|run me through|take me through|give me (?:a list|an overview|the status|details|an update)"
    "|let me (?:see|know)|what's|whats|help(?=\\W*(?:$|[,.!?]|please|what|i'm))|see(?= (?:all|my))|enumerate|read out"
)
_WH = either("what|which|who|whom|whose|when|where|why|how|whta|eta")
_MANAGED = either(
    r"users?|usrs|seats?|roles?|permissions?|admins?|administrators?|sso|single sign-?on|saml|api keys?|credentials?|quotas?|billing|subscriptions?|retention"
    r"|audit(?: trail| log)?s?|tenants?|workspace|organi[sz]ation|log ?ins?|sign-?in|passwords?|2fa|mfa|two-factor|phone code|allow-?list|whitelist|ip range|logo"
    r"|branding|colou?rs|portal|user groups?|licen[cs]es?|viewer|spend on tokens|monthly bill|platform|acounts?|accounts?|polic(?:y|ies)|time ?zone|default language"
)
_CONFIGURE = either(
    "add|ad|remove|invite|revoke|grant|give|set|configure|enable|turn on|cap|limit|allow|lock|unlock|create|delete|change|upgrade|rotate|require|stream|wipe|keep"
    "|restrict|reset|assign|make|stop|need|disable|raise|lower|move|sort out|arrange|only|let|allow-list|whitelist|block|connect"
)

SIGNS: Mapping[str, Pattern[str]] = {
    # how it is said
    "command_run": pattern(rf"{_START}{_RUN}\b(?!-)"),
    "command_work": pattern(rf"{_START}{_WORK}\b(?!-)"),
    "command_change": pattern(rf"{_START}{_CHANGE}\b(?!-)"),
    "command_end": pattern(rf"{_START}{_END_OR_PAUSE}\b(?!-)"),
    "command_ask": pattern(rf"{_START}{_ASK}(?![\w-])"),
    "command_configure": pattern(rf"{_START}{_CONFIGURE}\b(?!-)"),
    "question_word": pattern(rf"(?:^|[.!?\n,]\W*(?:and |so |but )?){_WH}\b"),
    "question_start": pattern(
        r"(?:^|[.!?\n]\s*)\W*(?:is|are|was|were|do|does|did|has|have|had|can i|could i|may i|am i|any|would adding|will)\b[^.!\n]*\?"
    ),
    "question_mark": pattern(r"\?\W*$"),
    "polite": pattern(r"\b(?:can|could|would|will) (?:you|u|we|someone|somebody|this platform|the platform)\b"),
    "how_to": pattern(
        r"\bhow (?:do|can|would|should|could) (?:i|we|you|one)\b|\bhow to (?!read|parse|write|handle)\b|\bshow me how\b|\bwalk me through\b|\brun me through\b"
        r"|\bsteps (?:to|for)\b|\bwhat would (?:it|i)\b|\bbest way to\b"
    ),
    "curious": pattern(
        r"\b(?:like|love|want|need|trying) to (?:know|understand|learn|get a picture|find out)\b|\bwonder|\bcurious\b|\bcan'?t (?:tell|remember|find|see|work out)\b"
        r"|\bnobody can work out\b|\bno (?:clue|idea)\b|\bi'm lost\b|\bconfus|\bdon'?t (?:understand|get)\b|\bonly (?:asking|collecting)\b|\bjust asking\b|\bnot asking\b"
        r"|\bany (?:idea|update|news)\b|\bcnt find\b|\bnot now\b|\bget a picture\b"
    ),
    "about_facts": pattern(
        r"\b(?:status|history|change ?log|eta|progress|overview of|difference between|success rate|uptime|reasoning|log of|logs of|owner of|owned by|how many|how much)\b"
        r"|\bwhat (?:does|did|can)\b|\bagents do i have\b"
    ),
    "greeting": pattern(r"^\W*(?:good )?(?:hi|hello|hey|morning|afternoon|evening|howdy|greetings|yo)\b(?:\W+\w+){0,3}\W*$"),
    "small_talk": pattern(
        r"\b(?:weather|sunny|rainy|joke|football|champions league|haha+|lol|lmao|how are you|what a (?:week|day)|your weekend|thank(?:s| you)|you're a star|love you"
        r"|fingers crossed|gotta|happy birthday|recipe|movie|horoscope|off to lunch|see you|good night|bye)\b"
    ),
    # what it names
    "agent": pattern(rf"\b{_AGENT}\b"),
    "new_agent": pattern(
        rf"\b{_MAKE}(?: (?:me|us|up|out|yourself|a|let's))?(?: (?:please|already))? {_A}(?: [\w'&-]+){{0,5}}? {_AGENT}",
        rf"(?:^|[.!?]\W*)\W*new {_AGENT}",
        rf"\b(?:as an?|an) (?:[\w-]+ ){{0,2}}{_AGENT} (?:of its own|for)\b",
        rf"\b(?:create|build|set up|design|develop|automate) {_AGENT}",
        rf"\b{_AGENT} of (?:its|their|our) own\b",
        rf"\b(?:one of those|little|digital|automated) (?:[\w-]+ ){{0,2}}{_AGENT}",
        rf"\blet's (?:get|have) an? (?:[\w-]+ ){{0,3}}{_AGENT}",
        r"\bwant(?: that| this| it) (?:in|on|to) (?:my|our)\b",
    ),
    "something_that": pattern(
        r"\b(?:something|somebody|someone|a thing|anything) (?:that|to|which|who|should)\b",
        r"\bsomething(?: \w+){0,2} (?:runs|checks|watches|keeps|sends|looks|lists)\b",
    ),
    "this_agent": pattern(
        rf"\b{_DETERMINED} (?:(?!new\b|separate\b|another\b)[\w'&-]+ ){{0,3}}?{_ONE_AGENT}s?\b(?! (?:for|should we|library|toolbox))",
        rf"\b(?:[\w-]+ ){_ONE_AGENT}: ",
        rf"\b{_ONE_AGENT}s? (?:that|who|which) (?:sends?|does|runs?|posts?|watch\w*)\b",
    ),
    "slug": pattern(_SLUG),
    "these_agents": pattern(
        r"\b(?:all|any of|none of|every|each of|any|no|not one|whichever|which of|several|these|our|the|my) (?:(?:of|our|the|my|single) ){0,2}(?:agents?|bots?|assistants?|robots?)\b",
        r"^\W*(?:agents|bots|assistants)\b",
        r"\b(?:agents|bots|assistants) (?:can|could|should|ought|need|must|call|may|use)\b",
        r"\btoolbox\b|\bagent library\b|\b(?:4|for) all th[e]? (?:agents|agnets)\b",
    ),
    "skill": pattern(rf"\b{_SKILL}\b|\bskil\b"),
    "new_skill": pattern(
        rf"\b(?:{_MAKE}|new|teach|lack|lacking|package|define|no|addd) (?:[\w'-]+ ){{0,6}}?(?:{_SKILL}|skil)\b",
        rf"^\W*(?:new )?{_SKILL}\b",
        rf"\bmissing is (?:[\w'-]+ ){{0,3}}{_SKILL}\b",
    ),
    "new_part": pattern(rf"\b(?:{_MAKE}|package|packaged|wrap|one more|new|as) (?:[\w'()-]+,? ){{0,7}}?{_PART}s?\b", rf"\ban? (?:[\w'()-]+ ){{0,3}}{_PART}\b"),
    "teach": pattern(
        rf"{_START}(?:teach|equip|train|educate)\b",
        rf"{_START}(?:give|let|make|allow|enable) (?:{_MANY}|them all)\b",
    ),
    "agents_cannot": pattern(
        rf"\b{_MANY} (?:[\w,]+ ){{0,3}}(?:should|ought|need|must|can't|cannot|can not|could|don't know|know|learn|able|unable|skips?|chokes?|fails?|is able|can)\b",
        r"\bnone of (?:the|our|my) (?:agents|bots|assistants)\b|\bnot one of them\b|\bno agent (?:can|knows)\b",
    ),
    "reusable": pattern(
        r"\bre-?usable\b|\bcallable\b|\bcall on\b|\bplug (?:it|that) into\b|\bshare it\b|\bavailable to (?:all|every|any)\b|\bso (?:that )?any (?:of|agent)"
        r"|\bpackaged?\b|\bagents call\b|\bevery bot can\b|\bso thy can\b|\bcan chain\b|\bthings they know\b|\bpull in\b"
    ),
    "product": pattern(
        r"\b(?:summar(?:y|ies)|report|chart|graph|export|deck|slides?|spreadsheet|sheet|pack|memo|changelog|newsletter|pdf|letter|repl(?:y|ies)|presentation|draft|drafts"
        r"|invoice pack|table|list of|minutes|statement|statements|overview|csv|one-pager|briefing|call with|update saying|digest|forecast)\b"
    ),
    "managed": pattern(rf"\b{_MANAGED}\b"),
    "retention": pattern(
        r"\b(?:keep|store|retain|hold|delete|wipe|wiped|purge|erase|save|kept|forget|remove|archive)\w*\b[^.!?\n]{0,60}\b(?:chats?|conversations?|messages|chat history|history)\b"
        r"[^.!?\n]{0,60}\b(?:days?|weeks?|months?|years?|forever)\b",
        r"\b(?:chats?|conversations?|messages|chat history)\b[^.!?\n]{0,60}\b(?:kept|stored|retained|deleted|wiped|purged|expire|erased)\b[^.!?\n]{0,40}\b(?:days?|weeks?|months?|years?)\b",
        r"\bretention\b[^.!?\n]{0,40}\b(?:days?|weeks?|months?|years?|period)\b",
    ),
    # what surrounds it
    "automatic": pattern(
        r"\bautomat(?:e|es|ed|ing|ically|ion)\b|\bautopilot\b|\bby (?:itself|themselves)\b|\bon its own\b|\bhands-?free\b|\b(?:without|w/o) (?:me|us|any(?:one|body)|my|our|having|somebody)\b"
        r"|\b(?:isn't|not) me\b|\boff my hands\b|\bnever to have to\b|\brather than me\b|\binstead of me\b|\bnot (?:be )?doing (?:it|this) by hand\b|\bevery single time\b"
    ),
    "recurring": pattern(
        r"\b(?:every|each) (?:time|new|single|incoming|merged|signed|\w+day|week|month|quarter|fortnight|shift|patient|day|morning|night|hour|year|evening|afternoon)\b"
        r"|\bwhenever\b|\bas soon as\b|\bfrom now on\b|\bthe moment\b|\bweek after week\b|\bagain and again\b|\bregularly\b|\bconstantly\b|\bonce a (?:day|week|month)\b"
        r"|\b(?:daily|weekly|monthly|nightly|hourly|quarterly)\b|\bevery \d+\b|\b(?:\w+days) (?:and|at|\d)|\bevery (?:two|three|other|fortnight|six)\b"
    ),
    "watch": pattern(
        r"\b(?:monitor|watch|keep(?:ing)? an eye|track|alert|notify|ping|shout|warn|page|remind|tell us|tells us|trigger)\w*\b"
    ),
    "pain": pattern(
        r"\b(?:wast(?:e|es|ing)|los(?:e|es|ing)|burns?|burning|drowning)\b|\bspends? (?:\w+ ){0,3}(?:hours?|days?|time|ages|afternoon|morning|shift|half|third|week)\b"
        r"|\bby hand\b|\bmanual(?:ly)?\b|\bcopy-?past|\bre-?typ|\bretyped\b|\btedious\b|\bsick (?:and tired )?of\b|\btired of\b|\bfed up\b|\bsoul-destroying\b"
        r"|\b(?:nobody|no one)\b[^.!?\n]{0,30}\b(?:notic|spot|sees|checks|knows)|\balways (?:late|behind)\b|\blate (?:each|every)\b|\btakes? (?:\w+ ){0,3}(?:hours|forever|ages|days)\b"
        r"|\b(?:a )?nightmare\b|\bkilling\b|\bembarrass|\bscramble\b|\bforgets?\b|\berror-prone\b|\bwoken\b|\bback and forth\b|\bkeeps? (?:missing|forgetting|slipping)\b|\bslip(?:s|ping)?\b"
        r"|\bpainful\b|\bdread\b|\bchas(?:e|es|ing)\b|\bevery (?:month|week|quarter) the same\b|\bsame thing each\b|\bhas to be (?:done|copied|typed|retyped)\b|\btake turns\b"
    ),
    "relief": pattern(
        r"\b(?:can|could) (?:the platform|this platform|omniforge|this|it|you(?: guys)?|we) (?:help|do something|take|keep|automate|have)\b|\bis there (?:a|any) way\b|\bwould be (?:a )?(?:great|nice|good|lovely|dream|perfect)\b"
        r"|\bi wish\b|\bhelp (?:us|me)? ?with (?:that|this|it)\b|\bdo something about\b|\btake (?:this|that|it) off\b|\bsomething (?:you|the platform) (?:can|could)\b|\bany way to\b"
        r"|\bthat's what i'?m after\b|\bneeds? to stop\b|\bcan anything be done\b|\bhow could (?:the platform|you) help\b"
    ),
    "once": pattern(
        r"\b(?:now|today|asap|tonight|tomorrow|immediately|yesterday|attached|attachment)\b|\bright (?:now|away)\b|\bthis (?:morning|afternoon|evening|week|month)(?:'s)?\b|\bby (?:noon|lunch|friday|monday|\d)"
        r"|\bin (?:\w+) (?:min|minutes)\b|\blast (?:week|month|thursday|year|quarter)(?:'s)?\b|\bone-off\b|\bjust (?:this )?once\b|\bfor (?:me|tonight's|today's)\b|\bdue\b|\bis (?:standing|waiting)\b"
        r"|\bon the phone\b|\bnext week\b|\bat (?:two|three|four|noon)\b|\bthe (?:last|latest|oldest) \d+|\bq[1-4]\b|\bhave to be (?:in|done)\b|\bstill have to be\b|\bdo that now\b"
    ),
    "again": pattern(r"\b(?:again|one more time|once more|one more go|another go|re-?run|rerun|redo)\b|\bsame (?:thing )?(?:as|like) (?:last|before)\b|\blike last time\b"),
    "duty": pattern(r"\b(?:i|we) (?:need|have|must|ought|'ve got|got|want)(?: to)? (?:analy|look|review|prepar|put|go|work|get|examin|understand|stud|research|dig|make|creat|writ|figure)"),
    "new_ways": pattern(
        r"\binstead\b|\brather than\b|\bin place of\b|\bfrom (?:now|here|today) on\b|\bany ?more\b|\bno longer\b|\bgoing forward\b|\bfor good\b|\bpermanent(?:ly)?\b|\bnever again\b|\bnot (?:at|to|in|the|on|just) "
        r"|\bas well\b|\bevery time after\b|\bstarting next\b|\bsince\b|\bnow on\b|\bso it also\b|\bonly (?:drafts|when|if|on)\b|\btoo\b(?= (?:stiff|often|long|many|much|thin|slow|verbose|short|early|late))"
    ),
    "complaint": pattern(
        r"\bstill (?:gets?|lands?|goes|sends?|reads?|counts?|uses?|looking|fires?)\b|\bkeeps? (?:\w+ing)\b|\bgoes on \w+ing\b|\bspam(?:s|ing|ming)?\b|\bwaking\b|\bis no use\b|\bforty times\b|\bonce would do\b"
        r"|\b(?:pings|mails|texts|emails) (?:me|us|everybody)\b|\bshould(?:n't| not| never| also| only)?\b|\bmust (?:go|not|also)\b|\bneeds? to (?:read|use|also|go|send|run|skip)\b|\b(?:fires|runs|goes off|going off) at\b"
    ),
    "pointing": pattern(
        r"\b(?:it|that one|this one|the (?:first|second|third|last|other) one|number \d|the (?:first|second|third|last))\b"
    ),
    "rhythm": pattern(
        r"\bmake (?:it|that|this)\b|\b(?:change|switch|move|set) (?:it|that|this)? ?(?:to|back to)\b|\b(?:hourly|daily|weekly|monthly) (?:instead|please|will do)\b|\bwill do\b"
    ),
}  # fmt: skip


def signs_in(text: str) -> frozenset[str]:
    """The names of the signs that the text shows; quotes must be straight already."""
    found = {name for name, form in SIGNS.items() if form.search(text)}
    if find_schedule(text):
        found.add("recurring")
    return frozenset(found)
