"""Requests about a text that comes with them: to summarise, translate or judge it, or just "look at this".

Tells `intent.entities.own_words` where a pasted text begins. Reads single lines, in the languages in which
people ask most.
"""

from __future__ import annotations

from typing import NamedTuple

from intent.regular_expressions import either, lower_pattern

_MOST_WORDS = 40
"""A longer line is no request about a text that follows."""

_TEXT = either(
    "e-?mails?|mails?|messages?|letters?|notes?|texts?|articles?|documents?|contracts?|offers?|circulars?"
    "|threads?|chats?|conversations?|logs?|errors?|code|snippets?|scripts?|functions?|quer(?:y|ies)|configs?"
    "|passages?|paragraphs?|sections?|sentences?|announcements?|press releases?|newsletters?|minutes"
    "|transcripts?|terms|memos?|notices?|abstracts?|stor(?:y|ies)|poems?|job ads?|adverts?|recipes?|quotes?"
    "|comments?|tweets?|cvs?|speech|essays?|answers?|repl(?:y|ies)|feedback|excerpts?|extracts?|lyrics"
    "|blog posts?|web ?pages?|faqs?|instructions below|release notes|agenda|invitation|proposal|complaint"
    "|schreiben|nachricht|brief|artikel|vertrag|texte?s?|courriels?|lettre|correo|mensaje|carta|testo"
)
_THIS = either("this|that|these|those|the following|the attached|the pasted|the quoted|following|below|above")
_HERE = either(
    "this|these|that|those|below|above|following|attached|here|it|them|das|dies(?:e[rmns]?)?"
    "|folgende[rmns]?|unten"
    "|ce|cet(?:te)?|ceci|cela|esto|este|esta|eso|questo|questa|dit|deze"
)
_WORK = either(
    "summari[sz]e|sum(?: (?:it|this|that|them|these))? up|tl;?dr|translat(?:e|ion)|proofread|proof-read"
    "|spell-?check"
    "|paraphrase|rephrase|reword|rewrite|re-?write|improve|fix the (?:typos|grammar|spelling|wording)"
    "|shorten|condense|explain|simplify|decode|decipher"
    "|correct|polish|review|critique|rate|grade|count the words|count the"
    "|extract|pull (?:out )?the|pick out|highlight|outline|annotate|interpret|analy[sz]e|classify|format"
    "|reply|respond|answer|comment on|react to|read|look at|have a look at|skim|go over|go through|check"
    "|turn|convert|render|put|make|add a title|give me the|tell me what|list the|name the"
    "|zusammenfass\\w*|fass\\w*|übersetz\\w*|korrigier\\w*|erklär\\w*|lies|kürz\\w*|beantwort\\w*"
    "|formulier\\w*"
    "|résum\\w*|tradu\\w*|corrig\\w*|expliqu\\w*|resum\\w*|explica\\w*|riassum\\w*|spiega\\w*|vertaal|vat"
)
_PLAIN_WORK = either(
    "summari[sz]e|sum(?: (?:it|this|that|them|these|the \\w+))? up|summary|tl;?dr|translat(?:e|ion)"
    "|proofread|proof-read"
    "|paraphrase|rephrase|reword|rewrite|re-write|shorten|condense|explain|simplify|spell-?check"
    "|count the words|make (?:this|that|these) (?:sound|read|friendlier|politer|nicer|shorter|clearer|simpler"
    "|(?:more|less) (?:formal|polite|friendly|concise|casual))|make it (?:sound|read)|zusammenfass\\w*"
    "|fass\\w*|übersetz\\w*|résum\\w*|traduis\\w*|traduire|resume|resumir"
    "|traduce|riassum\\w*|traduci|vertaal"
)
"""Work that only a text is subject to."""
_LEAD = either(
    "please|pls|plz|kindly|just|now|so|ok|okay|hey|hi|hello|and|also|then|quick question|(?:can|could|would"
    "|will)"
    " (?:you|u)|i(?:'d| would) like you to|i (?:want|need) you to|help me(?: to)?|bitte|kannst du|könntest du"
    "|können sie|peux-tu|pouvez-vous|pourrais-tu|s'il te plaît|puedes|podrías|por favor|puoi|kun je"
)
_BEGINS_WORK = lower_pattern(
    rf"\W*(?:{_LEAD}\b[\s,!.]*){{0,5}}(?:{_PLAIN_WORK})\b",
    r"\W*(?:[\w'-]{1,20} ){0,3}(?:summary|translation|gist|key points|main points|synopsis|zusammenfassung"
    r"|übersetzung|résumé|traduction|resumen|traducción)[\s,]*(?:please|pls|(?:in|into|of) [\w ]{1,30}"
    r"|bitte)?\W*$",
)
_WORK_ON_THIS = lower_pattern(
    rf"\b(?:{_WORK})\b[^.!?\n]{{0,60}}?\b(?:{_HERE})\b",
    rf"\b(?:{_HERE})\b[^.!?\n]{{0,60}}?\b(?:{_PLAIN_WORK})\b",
)
_POINTS = lower_pattern(rf"\b(?:{_HERE})\b")
_REFERS = lower_pattern(
    rf"\b(?:{_HERE}|he|she|they|him|her|{_TEXT})\b",
    r"^\W*(?:any|some)? ?(?:thoughts?|opinions?|comments?|ideas?|typos|mistakes|errors|red flags|objections"
    r"|remarks)"
    r"\b[^.!\n]{0,40}\?",
)
"""Words that refer to a text, its writer, or people in it."""
_THIS_TEXT = lower_pattern(
    rf"\b(?:{_THIS})\b(?: [\w-]{{1,20}}){{0,2}} (?:{_TEXT})\b",
    rf"\b(?:polish|correct|check|review|edit|improve|proofread|fix|spot|find) (?:my|the|any"
    rf"|all) (?:[\w-]{{1,20}} )?"
    rf"(?:{_TEXT}|english|german|french|grammar|spelling|wording|typos?|mistakes?)\W*$",
    rf"\b(?:the|this|that|my|her|his|their|a|an) (?:[\w-]{{1,20}} ){{0,2}}(?:{_TEXT}) (?:below|above|here"
    rf"|i got"
    r"|i received|that came)\b",
    r"\b(?:dies(?:e[rmns]?)?|folgende[rmns]?|ce|cet(?:te)?|este|esta|questo|questa) (?:[\w-]{1,20} )?"
    rf"(?:{_TEXT})\b",
)
_QUESTION = lower_pattern(
    r"(?! ?[\w'-]{1,20} ?:)\W*(?:(?:hi|hey|ok|okay|so|and|but|please|quick question|interesting[^,.]{0,20}"
    r"|in plain words|um|hm+)"
    r"[\s,:!.-]+){0,4}"
    r"(?:what|which|who|whom|whose|where|when|why|how|is|are|was|were|does|did|has|any|am|should|shall|may i"
    r"|(?:do|have) (?:i|we|you|they)|thoughts?|opinions?|right|wer|wem|wen|was|worum|wozu|woher|wie|wo|wann"
    r"|warum|ist|sind|muss|soll"
    r"|qui|que|quoi|quel\w*"
    r"|est-ce|dois-je|qué|quién|cómo|che|cosa|wat|wie)\b"
)
_OURS = lower_pattern(
    r"(?<![\w-])(?:possible|doable|feasible|automat\w+|agents?|bots?|tasks?|to-?dos?|list|skills?|retention"
    r"|settings?"
    r"|(?:do|set up|build|create|make|arrange|organi[sz]e|handle|solve|fix|change|pause|run|add|send"
    r"|post|deliver"
    r"|connect|register|use|mark|delete|remove|rename|resume|start|stop|set|watch|monitor|check|call|want"
    r"|need|meant|mean"
    r"|prefer|take care of) (?:(?:me|us|all|of|to|the results) ){0,2}(?:this|these|that|those|it"
    r"|the following)"
    r"|help(?: (?:me|us))? with (?:this|that|these|it)|(?:this|that) one|as follows|like this|here(?:'s| is"
    r"| are) (?:my|our"
    r"|what (?:i|we)|the (?:details|answers|requirements|settings)))\b(?! (?:sound|read|look|shorter"
    r"|friendlier|nicer|clearer"
    r"|simpler|politer|more|less|mail|e-?mail|text|letter|message|article|for (?:typos|errors|mistakes"
    r"|spelling)|out\b))"
)
"""Words of questions about what we do, not about a text."""
_POLITE = lower_pattern(
    r"\b(?:can|could|would|will) (?:you|u|we)\b"
    r"|\b(?:kannst du|könntest du|können sie|könnten sie|peux-tu|pouvez-vous|puedes|podrías|puoi|kun je)\b"
)
_INTRODUCED = lower_pattern(
    rf"\b(?:here(?:'s| is| are)(?! (?:my|our|what))|this is|these are|i (?:just )?(?:got|received|found)"
    rf"|got (?:this|that)"
    rf"|from (?:the|our"
    rf"|my|a)|quote from)\b[^\n]{{0,80}}\b(?:{_TEXT}|page|website|site|vendor|boss|support|bank|landlord)\b"
    r"[^\n]{0,60}:\W*$",
    r"\b(?:wrote|writes|said|says|sent|mailed|texted|posted|replied|asks|asked|got|received"
    r"|found)\b[^\n:]{0,40}"
    r"(?: (?:me|us|this|that|the following))?:\W*$",
    r"^\W*(?:here (?:you go|it is)|quote|quotation|transcript|excerpt|original|verbatim|zitat):\W*$",
    rf"^\W*(?:the )?(?:{_TEXT}):\W*$",
    r"^\W*(?:look at (?:this|that)|see (?:below|attached)|fyi|for your information|have a look|check this out"
    r"|got this(?: [\w ]{1,40})?|seen this|guess what|lol|weird(?: \w+)?|from \w+|via \w+|forwarded|fwd"
    r"|re)\W*$",
    r"\b(?:i )?(?:just )?(?:got|received|found) (?:this|that)\b[^\n]{0,80}$",
    r"\bforward(?:ing|ed)\b[^\n]{0,60}$",
)
_SETTING_UP = lower_pattern(
    r"\b(?:agents?|bots?|automations?|monitors?|watch(?:es)?|every|each|daily|weekly|monthly|hourly|whenever"
    r"|from now on|instructions?|skills?|tasks?|to-?dos?|remind(?:er)?s?|my list|rename|pause|resume|delete"
    r"|schedule|the results?|what i need|requirements?|(?:note|write|jot|put)(?: (?:this|these|it))? down)\b"
)
"""Words of requests to us, whose lists and details are the user's own."""
_GREETING = lower_pattern(
    r"\W*(?:hi|hello|hey|hallo|moin|bonjour|salut|hola|ciao|dear assistant|good (?:morning|afternoon"
    r"|evening|day)"
    r"|guten (?:morgen|tag|abend)|greetings|thanks|thank you|great|ok|okay)(?: (?:there|all|team|again"
    r"|omniforge"
    r"|assistant|you|everyone|so much|a lot)){0,3}\W*",
    r"\W*(?:(?:dear|respected|hi|hello) (?:sirs?|madam|ma'am|sir ?(?:/|or) ?madam|team|all|everyone|support"
    r"|colleagues?|assistant|omniforge)|to whom it may concern)\W*",
)
_AHEAD = lower_pattern(
    r"\b(?:this|these|the following|below|folgende[rmns]?|ceci|esto|questo)\b(?! (?:morning|afternoon"
    r"|evening|week"
    r"|month|quarter|year|time|one|way|chat|conversation|agent|bot|address|channel))"
)
"""Words that point forward. "That" and "it" mostly point back."""
_NO_OBJECT = lower_pattern(
    r"(?:\W++(?:please|pls|thanks|briefly|quickly|for me|it|that|the text"
    r"|(?:in|into|to) [\w-]++(?: [\w-]++)?|bitte|ins? \w++"
    r"|auf \w++|en \w++|al? \w++|por favor|s'il te plaît)){0,5}\W*+$"
)
_FIRST_PERSON = lower_pattern(
    r"\b(?:i|i'd|i'm|i've|i'll|we|we'd|we're|we've|we'll|my|our|ours|mine|ich|wir"
    r"|je|nous)\b"
)
_GOES_ON = lower_pattern(
    r"\W*+(?:i|i'd|i'm|i've|i'll|we|we'd|we're|we've|we'll|my|our|if so|if not|otherwise|and|then|also|or"
    r"|every|each"
    r"|it should|it's|hourly|daily|weekly|monthly|once|at|on|by|source|now|ich|wir|und|je|nous|et)\b"
)
_ITEM = lower_pattern(r" ?(?:[-*+\u2022\u2013] |\(?\d{1,2}[.):] |\[.?\] |[\w' ]{1,25}: ?\S)")
_SENTENCE = lower_pattern(r"[.!?]\s")

MAX_LINE_CHARACTERS = 600
"""A longer line introduces nothing: it is a text itself."""
_FEW_WORDS = 6
_SOME_WORDS = 8
_MANY_WORDS = 15
_VERY_MANY_WORDS = 25
_FEWEST_WORDS_OF_A_SENTENCE = 6


def is_greeting(line: str) -> bool:
    """Return whether the line only greets or thanks."""
    return _GREETING.fullmatch(line[:100]) is not None


def asks_for_text_work(line: str) -> bool:
    """Return whether the line is one sentence that asks for work on a text, named by a word like "this"."""
    if _is_long(line) or _SENTENCE.search(line.strip()) or _SETTING_UP.search(line):
        return False
    if _BEGINS_WORK.match(line):
        return _POINTS.search(line) is not None
    return _POLITE.search(line) is not None and _WORK_ON_THIS.search(line) is not None


class Behind(NamedTuple):
    """What is behind a line: its words in all, and those in sentences rather than in lists."""

    words: int
    prose: int
    is_break: bool
    """Whether a blank line comes first."""
    goes_on: bool
    """Whether it begins like words of the same user: in the first person, or with "and", "then", "every"."""


def is_prose(line: str) -> bool:
    """Return whether the line is a sentence, not an item of a list or a value with its key."""
    return len(line.split()) >= _FEWEST_WORDS_OF_A_SENTENCE and not _ITEM.match(line[:MAX_LINE_CHARACTERS])


def goes_on(line: str) -> bool:
    """Return whether the line begins like words of the user who wrote the lines before."""
    return _GOES_ON.match(line[:MAX_LINE_CHARACTERS]) is not None


def introduces_text(line: str, behind: Behind) -> bool:
    """Return whether the line introduces the text behind it, which then is somebody else's."""
    if _is_long(line) or not behind.words:
        return False
    if _INTRODUCED.search(line):
        return True
    if _is_ours(line):
        return False
    is_apart = behind.is_break or line.rstrip().endswith(":") or behind.words > _FEW_WORDS
    if _points_at_text(line):
        return True
    if _REFERS.search(line) and is_apart and behind.words >= _SOME_WORDS and _is_request(line):
        return True
    if line.rstrip().endswith(":"):
        return behind.prose >= _SOME_WORDS and _FIRST_PERSON.search(line) is None
    if is_greeting(line) or (behind.goes_on and behind.prose < _VERY_MANY_WORDS):
        return False
    if _is_request(line):
        return behind.prose >= _MANY_WORDS
    return behind.prose >= _VERY_MANY_WORDS and _FIRST_PERSON.search(line) is None


def _is_long(line: str) -> bool:
    return len(line) > MAX_LINE_CHARACTERS or len(line.split()) > _MOST_WORDS


def _is_ours(line: str) -> bool:
    """Whether the line is about what we do, so that what follows belongs to the wish."""
    if _THIS_TEXT.search(line) or (_BEGINS_WORK.match(line) and _AHEAD.search(line)):
        return False
    return _SETTING_UP.search(line) is not None or _OURS.search(line) is not None


def _points_at_text(line: str) -> bool:
    """Whether the line asks for work on a text, or points at the one that follows."""
    if _THIS_TEXT.search(line) or _AHEAD.search(line) or _WORK_ON_THIS.search(line):
        return True
    work = _BEGINS_WORK.match(line)
    is_bare = work is not None and _NO_OBJECT.match(line, work.end()) is not None
    return is_bare or (work is not None and line.rstrip().endswith(":"))


def _is_request(line: str) -> bool:
    """Whether the line asks something or asks for something."""
    plain = line.rstrip()
    is_question = plain.endswith("?") or _QUESTION.match(line) is not None
    return is_question or _POLITE.search(line) is not None or _BEGINS_WORK.match(line) is not None


def text_after_colon(line: str) -> str | None:
    """Return the beginning of a line such as ``Translate to French: pause the agent``, up to its colon; None
    when the line asks for no work on the text behind it.
    """
    head, colon, rest = line.partition(":")
    if not colon or not rest.strip() or len(head) > MAX_LINE_CHARACTERS:
        return None
    if not _BEGINS_WORK.match(head) or _SETTING_UP.search(head):
        return None
    return f"{head}:"
