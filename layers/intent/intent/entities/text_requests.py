"""Requests about a text that comes with them: to summarise, translate or judge it, or just "look at this".

Tells `intent.entities.own_words` where a pasted text begins. Reads single lines, in the languages in which
people ask most.
"""

from __future__ import annotations

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
    "|paraphrase|rephrase|reword|rewrite|re-?write|shorten|condense|explain|simplify|decode|decipher"
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
    r"|(?:do|have) (?:i|we|you|they)|thoughts?|opinions?|right|wer|was|wie|wo|wann|warum|ist|sind|muss|soll"
    r"|qui|que|quoi|quel\w*"
    r"|est-ce|dois-je|qué|quién|cómo|che|cosa|wat|wie)\b"
)
_OURS = lower_pattern(
    r"\b(?:possible|doable|feasible|automat\w+|agents?|bots?|tasks?|to-?dos?|list|skills?|retention|settings?"
    r"|(?:do|does|set up|build|create|make|arrange|organi[sz]e|handle|solve|fix|change|pause|run|help"
    r"|take care of) (?:(?:me|us|all|with|of) ){0,2}(?:this|these|that|those|it))\b"
)
"""Words of questions about what we do, not about a text."""
_POLITE = lower_pattern(r"\b(?:can|could|would|will) (?:you|u|we)\b")
_INTRODUCED = lower_pattern(
    rf"\b(?:here(?:'s| is| are)|this is|these are|i (?:just )?(?:got|received|found)|got (?:this|that)"
    rf"|from (?:the|our"
    rf"|my|a)|quote from)\b[^\n]{{0,80}}\b(?:{_TEXT}|page|website|site|vendor|boss|support|bank|landlord)\b"
    r"[^\n]{0,60}:\W*$",
    r"\b(?:wrote|writes|said|says|sent|mailed|texted|posted|replied|asks|asked|got|received"
    r"|found)\b[^\n:]{0,40}"
    r"(?: (?:me|us|this|that|the following))?:\W*$",
    r"^\W*(?:look at (?:this|that)|see (?:below|attached)|fyi|for your information|have a look|check this out"
    r"|got this(?: [\w ]{1,40})?|seen this|guess what|lol|weird(?: \w+)?|from \w+|via \w+|forwarded|fwd"
    r"|re)\W*$",
    r"\b(?:i )?(?:just )?(?:got|received|found) (?:this|that)\b[^\n]{0,80}$",
    r"\bforward(?:ing|ed)\b[^\n]{0,60}$",
)
_SETTING_UP = lower_pattern(
    r"\b(?:agents?|bots?|automations?|monitors?|watch(?:es)?|every|each|daily|weekly|monthly|hourly|whenever"
    r"|from now on|instructions?|skills?|tasks?|to-?dos?|remind(?:er)?s?|my list|rename|pause|resume|delete"
    r"|schedule|the results?|what i need|requirements?)\b"
)
"""Words of requests to us, whose lists and details are the user's own."""
_GREETING = lower_pattern(
    r"\W*(?:hi|hello|hey|hallo|moin|bonjour|salut|hola|ciao|dear assistant|good (?:morning|afternoon"
    r"|evening|day)"
    r"|guten (?:morgen|tag|abend)|greetings|thanks|thank you|great|ok|okay)(?: (?:there|all|team|again"
    r"|omniforge"
    r"|assistant|you|everyone|so much|a lot)){0,3}\W*"
)
_SENTENCE = lower_pattern(r"[.!?]\s")

_FEWEST_WORDS = 6
_MANY_WORDS = 40


def is_greeting(line: str) -> bool:
    """Return whether the line only greets or thanks."""
    return _GREETING.fullmatch(line[:100]) is not None


def asks_for_text_work(line: str) -> bool:
    """Return whether the line is one sentence that asks for work on a text, named by a word like "this"."""
    if len(line.split()) > _MOST_WORDS or _SENTENCE.search(line.strip()) or _SETTING_UP.search(line):
        return False
    if _BEGINS_WORK.match(line):
        return _POINTS.search(line) is not None
    return _POLITE.search(line) is not None and _WORK_ON_THIS.search(line) is not None


def asks_about_text(line: str) -> bool:
    """Return whether the line asks for work on a text, or asks something about it."""
    if len(line.split()) > _MOST_WORDS:
        return False
    if _SETTING_UP.search(line) and not _THIS_TEXT.search(line):
        return False
    if _BEGINS_WORK.match(line) or (_WORK_ON_THIS.search(line) and not _OURS.search(line)):
        return True
    return _THIS_TEXT.search(line) is not None or (
        _QUESTION.match(line) is not None and not _OURS.search(line) and not _POLITE.search(line)
    )


def introduces_text(line: str, *, is_break: bool, words_behind: int) -> bool:
    """Return whether the line introduces the text behind it.

    ``is_break`` says whether a blank line follows, ``words_behind`` how many words do in all.
    """
    if len(line.split()) > _MOST_WORDS:
        return False
    if _INTRODUCED.search(line):
        return True
    if not asks_about_text(line):
        return False
    if not (_BEGINS_WORK.match(line) or _REFERS.search(line)):
        return words_behind > _MANY_WORDS
    ends_open = line.rstrip().endswith(":")
    return is_break or ends_open or _BEGINS_WORK.match(line) is not None or words_behind > _FEWEST_WORDS


def text_after_colon(line: str) -> str | None:
    """Return the beginning of a line such as ``Translate to French: pause the agent``, up to its colon; None
    when the line asks for no work on the text behind it.
    """
    head, colon, rest = line.partition(":")
    if not colon or not rest.strip() or not _BEGINS_WORK.match(head) or _SETTING_UP.search(head):
        return None
    return f"{head}:"
