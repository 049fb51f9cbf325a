"""The subject of a request: what to watch, collect or report, the topic of work, and its output.

Pure text functions. Each returns None when the text says nothing of the kind. None of them guesses the
action.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from re import Match

from intent.entities.scope_and_period import CONTAINER, ENDS, MAX_PHRASE, is_period, remove_deadlines
from intent.regular_expressions import either, pattern

_AGENT = either(
    "agents?|bots?|robots?|automations?|assistants?|workflows?|helpers?|watchers?|monitors?"
    "|skills?|something|someone|somebody|one"
)
_TITLE = r"(?:(?:(?:called|named) )?(?:\"[^\"\n]{1,60}\"|'[^'\n]{1,60}')|(?:called|named) \S+),?"
_JOB = pattern(
    rf"(?<![\w-]){_AGENT}(?: up)?(?: \w+ly)?(?: {_TITLE})?(?: (?P<does>that|which|who|what(?= is| are))"
    r" (?:is |are )?(?:(?:can|will|would|should) )?| to | for |: )(?P<job>[^.!?;\n]{3,300})"
)
_GENERIC = either(
    r"monitor\w*|watch\w*|track\w*|check\w*|compil\w*|collect\w*|gather\w*|report\w*|send\w*"
    r"|prepar\w*|generat\w*|assembl\w*|pull\w*|reads?|reading|lists?|flags?|flagging|finds?|spots?|shows?"
    r"|fetch\w*|produc\w*|creat\w*|build\w*|look\w*|put\w* together|keep\w* (?:an? )?(?:close )?eyes?"
    r"|summari[sz]\w+"
)
_TELLING = either(
    r"automat(?:e|es|ed|ing)|review\w*|analy[sz]\w*|reconcil\w+|updat\w+|writ\w+|post\w*"
    r"|copy\w*"
    r"|copy-past\w+|re-?typ\w+|chas\w+|sort\w*|export\w*|compar\w+|forget\w*|overlook\w*"
    r"|tagg?\w*|filing|files?(?= (?:every|each|all|the|new))|go\w* through|remind\w*|alert\w*"
    r"|notif\w+|answer\w*|forward\w*|sync\w*|count\w*"
    r"|typ(?:e|es|ing)(?! (?:of|(?:the )?same)\b)|enter(?:s|ing)?|fill(?:s|ing)? (?:in|out)|key(?:s|ing)? in"
    r"|clean\w*|extract\w*|process\w*|classif\w+|draft\w*|e-?mail\w*|mail\w*"
)
_OBJECT = pattern(
    rf"(?<![\w-])(?<!\ba\s)(?<!\ban\s)(?:{_GENERIC}|{_TELLING})"
    r" (?:(?:me|us|up|out|about|on|at|for|through|into) )?"
    r"(?!(?:are|is|was|were|be|has|have|had)\b)(?=([^.!?;,\n]{3,200}))"
)
_WATCH = pattern(r"(?:monitor|watch|track|check|look|keep|review|scan|search|go|read|see)\w*")
_PRODUCT_NOUN = either(
    "digest|report|summary|overview|list|roundup|round-up|recap|newsletter|log|chart|graph|table|brief"
    "|briefing"
    "|presentation|deck|slides?|memo|reminder|copy"
)
_MADE_OF = pattern(rf"\b{_PRODUCT_NOUN}s? (?:of|on|about|with|for) ([^.!?;,\n]{{3,200}})")
_PRODUCT_OF = pattern(rf"^(?:(?:an?|the|our|my|\w+ly) )*{_PRODUCT_NOUN}s? (?:of|on|about|with) ")
_TOLD = either(
    "(?:tell|told|alert|notify|notified|ping|warn|shout|inform|informed|message|text|let (?:me|us)"
    " know|(?:get|receive) an? (?:e-?mail|mail|text|message|alert|notification))(?:s|ed|ing)?"
)
_NEWS = pattern(
    rf"(?:\b{_TOLD}\b[^.!?;,\n]{{0,60}}?|\b(?:get|receive)(?= (?:when|if|as)))"
    r" (?:whenever|when|if|as soon as|with|about) ([^.!?;,\n]{3,200})"
)
_OF_A_NAME = (
    r"(?!(?:i|me|we|us|you|he|she|they|them|it|when|each|every|to|should|must|would|need|want)\b)[\w'&-]+"
)
_TROUBLED = pattern(
    r"(?:^|[.!?;:]\s|\b(?:wish|if|that|when|because)\s)(?:our|the|my|these|all) "
    rf"((?:{_OF_A_NAME} ){{0,7}}?{_OF_A_NAME}) (?:is"
    r"|are|was|were"
    r"|keeps?|gets?|comes?|came|goes|slips?|fails?|arrives?|arrived|always|never|often|takes?|has to"
    r"|have to)\b"
)
_SAYS_LITTLE = pattern(rf"(?:{_GENERIC}|{_TOLD}|runs)")
_DROPPED = pattern(
    rf"^(?:(?:automatically|just) )?{_GENERIC} (?:(?:me|us) )?(?:(?:on|for|at|through|out for|if"
    r"|whether|up) )?"
)
_FOR = pattern(r"\bfor ((?:(?:any|all|new) )?[^,;.!?\n]{3,120})")
_CLAUSE = pattern(
    r"\s(?:and|&|please|pls|then|so that|so|because|if|but|when|whenever|while|until|by hand|manually|eats?"
    r"|takes?|-)(?:\s|$)"
)
_BEFORE = pattern(
    r"^(?:(?:our|the|my|all|any|some|an?|of|every|each|these|those|this|us|me|about|with|for|weekly|daily"
    r"|monthly|quarterly|yearly) )+"
)
_AFTER = pattern(
    r"(?: (?:and|or|to|in|on|before|until|till|after|around"
    r"|at|for|from|with|by|of|into|onto|as|the|our|my|an?|via|please"
    r"|automatically|then|it|them|me|us|every|each"
    r"|that|which)){1,12}$"
)
_NEEDED = pattern(
    r"\b(?:need|want|like to (?:see|get|have|know)|receive|know)\b (?!to\b|you\b|it\b"
    r"|that\b)([^.!?;,\n]{3,200})"
)
_WORKED_ON = pattern(
    r"(?:^|[.!?;:]\s)\W*(?:(?:please|pls|now|kindly|can|could|would|you) )*"
    r"(?!(?:run|re-?run|start|stop|pause|resume|execute|trigger|delete|remove|keep|store|change|rename"
    r"|name|call|set"
    r"|make|let|switch|move|turn|put|use|add|give|bring|get|do|is|are|was|were|in|on|at|by|for|with|and"
    r"|to|about)\b)"
    r"[a-z-]+ ((?:the|our|my|all|any|every|each|these|those|this|an?) [^.!?;,\n]{3,200})"
)
_AGENT_ALONE = pattern(rf"(?:[\w-]+ ){{0,3}}{_AGENT}\W*$")
_KIND = pattern(
    r"\b(?:create|build|make|set up|want|need|start|add|give) (?:(?:me|us) )?(?:an?|another|the|our|my) "
    r"(?:new )?((?:[\w&'-]+ ){1,4}?)(?:agents?|bot|robot|automation|assistant)\b"
    r"(?! (?:that|which|who|to|for)\b)"
)
"""An agent described only by its job: ``a travel expenses agent``."""
_OF_A_PERIOD = pattern(
    r" (?:from|for|in|of|since) (?:(?:this|last|the last|the past) [\w ]++"
    r"|(?:q[1-4]|h[12]|20\d\d)(?: 20\d\d)?)$"
)
_TO_DO = re.compile(r"^to ([a-z]{2,})\b(?!-)", re.IGNORECASE)
_ENDS_IN_ES = re.compile(r"(?:[cs]h|ss|[xzo])es", re.IGNORECASE)
_DOUBLED = re.compile(r"[^aeiou]+[aeiou][bdgkmnprt]", re.IGNORECASE)
"""Verbs of one short syllable, whose last letter is doubled: ``running``."""
_IDLE = pattern(r"^(?:works?|runs?|starts?|operates?|kicks in|wakes up)\b\W*(?:(?:and|to) (?:then )?)?")
"""Phrases that say only that the agent works, not what its job is."""
_IF = pattern(r"^ (?:if|whether|when|whenever) ")
_BARE_VERB = pattern(rf"(?:{_GENERIC}|{_TELLING}|tells?|informs?|messages?|pings?)")
_PRONOUN = pattern(r"(?:it|them|they|this|that|these|those)\b(?! \w+s\b)")
_EMPTY = frozenset(
    {
        "it",
        "once",
        "this once",
        "this time",
        "that",
        "this",
        "us",
        "them",
        "something",
        "things",
        "stuff",
        "agent",
        "bot",
        "one",
        "help",
        "together",
        "new one",
        "please",
        "pls",
        "thanks",
        "another",
        "simple",
        "small",
        "good",
        "nice",
        "little",
        "test",
        "second",
        "monitor",
        "watcher",
        "reporter",
    }
)

_STUDIED = pattern(
    r"(?<![\w-])(?:analy[sz]\w*|look(?:ing)? (?:into|in|at)|dig(?:ging)? into|examin\w+|stud(?:y|ying)"
    r"|investigat\w+|crunch\w*|review\w*|assess\w*"
    r"|evaluat\w+|explor\w+|go(?:ing)? (?:over|through)|summari[sz]\w*|break(?:ing)? down"
    r"|research\w*|understand|make sense of"
    r"|work(?:ing)? (?:out|through)) ((?:[\w'&/-]+\s*){1,8})",
    r"\b(?:analysis|review|study|breakdown|overview|look|report|presentation|deck|slides) (?:of|on"
    r"|at|about|into) ((?:[\w'&/-]+\s*){1,6})",
)
_TOPIC_ENDS = pattern(
    r"\b(?:and|then|to|for|in|into|on|by|before|so|with|using|as|from|because|since|over|data"
    r"|numbers?|figures|stats|statistics|metrics"
    r"|dataset|next|this|last|today|tomorrow)\b"
)
_PRODUCT = (
    r"(presentations?|slide decks?|decks?|slides?|reports?|summar(?:y|ies)|charts?|graphs?"
    r"|spreadsheets?|dashboards?|memos?|briefs?"
    r"|briefings?|newsletters?|overviews?|digests?|one-pagers?|tables?|proposals?|exports?|lists?)\b"
)
_MAKING = pattern(
    r"\b(?:(?:creat|prepar|mak|build|generat|produc|writ|draft|assembl|draw|need|want|giv)\w*|put\w* "
    r"together|turn\w* \w+ into|as|into) "
    rf"(?:[\w-]+ ){{0,4}}?{_PRODUCT}"
)


def find_subject(text: str, sources: AbstractSet[str] = frozenset()) -> str | None:
    """Return what is watched, collected or reported.

    For example, ``overdue tickets`` for ``an agent that monitors our Jira board for overdue tickets``.
    ``sources`` are the services as the text spells them, in lower case. They are the source, not the
    subject.
    """
    if (job := _JOB.search(text)) and (short := _object_of(_as_work(job), sources)):
        return short
    text = remove_deadlines(text)
    for form in (_NEWS,) if job else (_KIND, _OBJECT, _MADE_OF, _NEWS, _TROUBLED, _NEEDED, _WORKED_ON):
        for match in form.finditer(text):
            watched_for = _watched_for(match[1], sources) if _WATCH.match(match[0]) else None
            if short := watched_for or _trimmed(match[1], sources):
                return short
    return None


def _as_work(job: Match[str]) -> str:
    """``counting open tickets`` for an agent that ``counts open tickets``; other words are unchanged."""
    work = _IDLE.replace_matches(job["job"], max_count=1)
    verb, _, rest = work.partition(" ")
    is_finite = verb.endswith("s") and not verb.endswith("ss") and not _SAYS_LITTLE.fullmatch(verb)
    if not (job["does"] and rest and is_finite):
        return work
    if verb.endswith("ies"):
        return f"{_gerund(f'{verb[:-3]}y')} {rest}"
    return f"{_gerund(verb[:-2] if _ENDS_IN_ES.search(verb) else verb[:-1])} {rest}"


def _object_of(job: str, sources: AbstractSet[str]) -> str | None:
    plain = _DROPPED.replace_matches(job, max_count=1)
    watched_for = _watched_for(plain, sources) if _WATCH.match(job) else None
    short = watched_for or _trimmed(plain, sources)
    return None if short and _BARE_VERB.fullmatch(short) else short


def _watched_for(text: str, sources: AbstractSet[str]) -> str | None:
    """What a source is watched for: ``blockers`` for ``our Jira project for blockers``."""
    match = _FOR.search(text)
    if match is None or not any(source in text[: match.start()].lower() for source in sources):
        return None
    return _trimmed(match[1], sources)


def _trimmed(text: str, sources: AbstractSet[str]) -> str | None:
    text = _ADDRESSED.text_before(text)
    short = _CLAUSE.text_before(_IF.replace_matches(text.partition(",")[0], max_count=1))
    for source in sorted(sources, key=len, reverse=True):
        short = _without_place(short, source)
    short = " ".join(short.split()).strip(" .,:;!?-")
    short = _BEFORE.replace_matches(_PRODUCT_OF.replace_matches(_BEFORE.replace_matches(short), max_count=1))
    short = _AFTER.replace_matches(_OF_A_PERIOD.replace_matches(_AFTER.replace_matches(short))).strip()
    return (
        None
        if _says_nothing(short)
        else _TO_DO.sub(lambda to: _gerund(to[1]), short).removeprefix("to ")[:MAX_PHRASE]
    )


_ADDRESSED = pattern(r" (?:to|at) [\w.+\-]{1,64}@")


def _gerund(verb: str) -> str:
    """``sending`` for ``send``."""
    stem = verb[:-1] if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) else verb
    return f"{stem}{stem[-1] if _DOUBLED.fullmatch(stem) and stem == verb else ''}ing"


def _says_nothing(short: str) -> bool:
    is_empty = (
        len(short) < 3
        or short.lower() in _EMPTY
        or is_period(short)
        or "@" in short.removeprefix("to ").partition(" ")[0]
    )
    return is_empty or any(form.match(short) for form in (_PRONOUN, _AGENT_ALONE))


def _without_place(text: str, source: str) -> str:
    start = text.lower().find(source)
    if start < 0:
        return text
    before = _PLACE_BEFORE.replace_matches(text[:start])
    after = _PLACE_AFTER.replace_matches(text[start + len(source) :], max_count=1)
    return f"{before} {after}"


_PLACE_BEFORE = pattern(r"(?:\b(?:from|in|on|out of|into|to|of|across|inside) )?(?:\b(?:our|the|my) )?$")
_PLACE_AFTER = pattern(rf"^ {CONTAINER}\b{ENDS}")


def find_topic(text: str) -> str | None:
    """Return the topic of work: ``customer churn`` for ``analyze our customer churn data``."""
    for match in _STUDIED.finditer(text):
        words = _BEFORE.replace_matches((match[1] or match[2]).strip())
        short = _TOPIC_ENDS.text_before(words).strip(" '-")
        if short and short.lower() not in _EMPTY:
            return short[:MAX_PHRASE]
    return None


def find_output(text: str) -> str | None:
    """Return the requested output: ``presentation``."""
    match = _MAKING.search(text)
    return match[1].lower() if match else None
