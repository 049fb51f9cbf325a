"""What a request is about: what to watch, collect or report, what work is on, what should come out.

Pure text work: each function returns None when the text says nothing of the kind, and none guesses what
should be done.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from intent.measures import CONTAINER, ENDS, MAX_PHRASE, without_deadline
from intent.patterns import either, pattern

_AGENT = either(
    "agents?|bots?|robots?|automations?|assistants?|workflows?|helpers?|watchers?|monitors?"
    "|something|someone|somebody|one"
)
_JOB = pattern(
    rf"(?<![\w-]){_AGENT} (?:\w+ly )?(?:(?:called|named) \S+ )?(?:(?:that|which|who) (?:(?:can|will|would"
    r"|should) )?|to |for )"
    r"([^.!?;\n]{3,300})"
)
_GENERIC = either(
    r"monitor\w*|watch\w*|track\w*|check\w*|compil\w*|collect\w*|gather\w*|report\w*|send\w*"
    r"|prepar\w*|generat\w*|assembl\w*|pull\w*|reads?|reading"
    r"|fetch\w*|produc\w*|creat\w*|build\w*|look\w*|put\w* together|keep\w* (?:an? )?(?:close )?eyes?"
)
_TELLING = either(
    r"automat\w+|summari[sz]\w+|review\w*|analy[sz]\w*|reconcil\w+|updat\w+|writ\w+|post\w*|copy\w*"
    r"|copy-past\w+|retyp\w+|chas\w+|sort\w*"
    r"|tagg?\w*|filing|files?(?= (?:every|each|all|the|new))|go\w* through|remind\w*|alert\w*"
    r"|notif\w+|answer\w*|forward\w*|sync\w*|count\w*"
    r"|clean\w*|extract\w*|process\w*|classif\w+|draft\w*|e-?mail\w*|mail\w*"
)
_OBJECT = pattern(
    rf"(?<![\w-])(?:{_GENERIC}|{_TELLING}) (?:(?:me|us|up|out|about|on|at|for|through|into) )?"
    r"(?!(?:are|is|was|were|be|has|have|had)\b)([^.!?;,\n]{3,200})"
)
_MADE_OF = pattern(
    r"\b(?:digest|report|summary|overview|list|roundup|round-up|recap|newsletter|log)s? (?:of|on"
    r"|about|with|for) ([^.!?;,\n]{3,200})"
)
_DROPPED = pattern(
    rf"^(?:(?:automatically|just) )?{_GENERIC} (?:(?:me|us) )?(?:(?:on|for|at|through|out for|if"
    r"|whether|up) )?"
)
_FOR = pattern(r"\bfor ((?:(?:any|all|new) )?[^,;.!?\n]{3,120})")
_CLAUSE = pattern(
    r"\s(?:and|then|so that|so|because|if|but|when|whenever|while|until|by hand|manually|eats?"
    r"|takes?|-)(?:\s|$)"
)
_BEFORE = pattern(
    r"^(?:(?:our|the|my|all|any|some|an?|of|these|those|this|us|me|about|with|for|weekly|daily"
    r"|monthly|quarterly|yearly) )+"
)
_AFTER = pattern(
    r"(?: (?:and|or|to|in|on|at|for|from|with|by|of|into|onto|the|our|my|an?|via|please"
    r"|automatically|then|it|them|me|us|every|each"
    r"|that|which))+$"
)
_PRONOUN = pattern(r"(?:it|them|they|this|that|these|those)\b(?! \w+s\b)")
_EMPTY = frozenset(
    {
        "it",
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
    r"\b(?:(?:creat|prepar|mak|build|generat|produc|writ|draft|assembl|draw|need|want)\w*|put\w* "
    r"together|turn\w* \w+ into|as|into) "
    rf"(?:\w+ ){{0,4}}?{_PRODUCT}"
)


def what(text: str, sources: AbstractSet[str] = frozenset()) -> str | None:
    """What is watched, collected or reported.

    ``overdue tickets`` for ``an agent that monitors our Jira board for overdue tickets``. ``sources`` are
    the services the text names, as it writes them in lower case: they are where, not what.
    """
    if job := _JOB.search(text):
        return _object_of(job[1], sources)
    text = without_deadline(text)
    for form in (_OBJECT, _MADE_OF):
        if (match := form.search(text)) and (short := _trimmed(match[1], sources)):
            return short
    return None


def _object_of(job: str, sources: AbstractSet[str]) -> str | None:
    plain = _DROPPED.without(job, most=1)
    watched_for = _FOR.search(plain) if plain != job else None
    if watched_for and any(source in plain[: watched_for.start()].lower() for source in sources):
        return _trimmed(watched_for[1], sources)
    return _trimmed(plain, sources)


def _trimmed(text: str, sources: AbstractSet[str]) -> str | None:
    short = _CLAUSE.before(text.partition(",")[0])
    for source in sorted(sources, key=len, reverse=True):
        short = _without_place(short, source)
    short = " ".join(short.split()).strip(" .,:;!?-")
    short = _AFTER.without(_BEFORE.without(short)).strip()
    says_nothing = short.lower() in _EMPTY or len(short) < 3 or _PRONOUN.match(short)
    return None if says_nothing else short[:MAX_PHRASE]


def _without_place(text: str, source: str) -> str:
    start = text.lower().find(source)
    if start < 0:
        return text
    before = _PLACE_BEFORE.without(text[:start])
    after = _PLACE_AFTER.without(text[start + len(source) :], most=1)
    return f"{before} {after}"


_PLACE_BEFORE = pattern(r"(?:\b(?:from|in|on|out of|into|to|of|across|inside) )?(?:\b(?:our|the|my) )?$")
_PLACE_AFTER = pattern(rf"^ {CONTAINER}\b{ENDS}")


def topic(text: str) -> str | None:
    """What a piece of work is about: ``customer churn`` for ``analyze our customer churn data``."""
    for match in _STUDIED.finditer(text):
        words = _BEFORE.without((match[1] or match[2]).strip())
        short = _TOPIC_ENDS.before(words).strip(" '-")
        if short and short.lower() not in _EMPTY:
            return short[:MAX_PHRASE]
    return None


def output(text: str) -> str | None:
    """What should come out: ``presentation``."""
    match = _MAKING.search(text)
    return match[1].lower() if match else None
