"""The system that a request names as the place of its data: a known service, or what words call a place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from intent.acts.lexicon import verb_forms
from intent.acts.tokens import Token, known_words, tokenise
from intent.entities.services import find_services
from intent.regular_expressions import LazyPattern, straighten_quotes

Span = tuple[int, int]
_PREPOSITIONS = frozenset("from in on out of inside within via using into through at off".split())
_DETERMINERS = frozenset("our the my their his her your a an this that its all mostly".split())
_CONTAINERS = frozenset(
    "sheet spreadsheet log system database mailbox inbox calendar folder board portal website page register"
    " file account app software tool dashboard site workbook tracker sheets register feed forum store crm"
    " erp drive doc document".split()
)
_NOT_SYSTEMS = frozenset(
    "i i'm i'd i've monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays"
    " thursdays fridays saturdays sundays january february march april may june july august september"
    " october november december mr mrs ms dr am pm utc gmt cet est pst ist hi hello hey please can could"
    " thanks ok okay and the a every each new set make agent".split()
)
_MOST_WORDS = 4


def find_source(text: str, used: Sequence[Span] = ()) -> str:
    """Return the source in lower case; empty when the words name none.

    ``used`` are the spans that say when and where to: ``to Slack`` is no source.
    """
    straight = straighten_quotes(text)
    for service in find_services(straight):
        if not _overlaps(service.start, service.end, used):
            return service.name
    tokens = [token for token in tokenise(text) if not _overlaps(token.start, token.end, used)]
    for found in (_named_systems(tokens), _containers(tokens), _proper_names(tokens), _searched(tokens)):
        best = next(found, "")
        if best:
            return best.lower()
    return ""


def _overlaps(start: int, end: int, spans: Sequence[Span]) -> bool:
    return any(first < end and start < last for first, last in spans)


def _named_systems(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the proper names behind a preposition, then those with capitals within: ``ezyVet``."""
    for place, token in enumerate(tokens):
        if token.word in _PREPOSITIONS:
            at = place + 1
            while at < len(tokens) and tokens[at].word in _DETERMINERS | _PREPOSITIONS:
                at += 1
            if name := _name_at(tokens, at):
                yield name
    for place, token in enumerate(tokens):
        if (
            any(mark.isupper() for mark in token.text[1:])
            and not token.text.isupper()
            and token.text[0].isalpha()
        ):
            yield _name_at(tokens, place) or token.text


def _proper_names(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield names within a sentence that no title of a person precedes: ``failed Airflow runs``."""
    for place, token in enumerate(tokens):
        before = tokens[place - 1] if place else None
        begins = before is None or before.text in ".!?:;\n(" or before.end + 1 < token.start
        if begins or not _is_proper(token) or token.text.isupper() or token.text.endswith("'s"):
            continue
        if before is not None and before.word not in _TITLES and token.text[0].isalpha():
            yield token.text


def _searched(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield names in lower case that something is looked for in: ``checks lightspeed for refunds``."""
    for verb, token, behind in zip(tokens, tokens[1:], tokens[2:], strict=False):
        form = verb_forms().get(verb.word)
        is_search = form is not None and form.base in _SEARCHING and behind.word == "for"
        if is_search and token.word.isalpha() and token.word not in known_words():
            yield token.text


_SEARCHING = frozenset({"check", "scan", "watch", "monitor", "read", "search", "look"})
_TITLES = frozenset(
    {"mr", "mrs", "ms", "dr", "miss", "sir", "for", "called", "named", "ask", "tell", "with", "by"}
)


def _name_at(tokens: Sequence[Token], place: int) -> str:
    words: list[str] = []
    end = 0
    for token in tokens[place : place + _MOST_WORDS]:
        is_joined = not words or token.start - end <= 1
        if not (is_joined and token.text[0].isalpha() and _is_proper(token)):
            break
        words.append(token.text)
        end = token.end
    return " ".join(words)


def _is_proper(token: Token) -> bool:
    is_capital = any(mark.isupper() for mark in token.text)
    return is_capital and token.word not in _NOT_SYSTEMS


def _containers(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield ``rota sheet``, ``fall log``: the words that say where data are kept."""
    for place, token in enumerate(tokens):
        if token.word not in _CONTAINERS or not place:
            continue
        begin = place
        while begin and place - begin < 2 and tokens[begin - 1].word not in _DETERMINERS | _PREPOSITIONS:
            if not tokens[begin - 1].is_word or tokens[begin - 1].end + 1 < tokens[begin].start:
                break
            begin -= 1
        before = tokens[begin - 1].word if begin else ""
        if before in _DETERMINERS | _PREPOSITIONS:
            yield " ".join(one.text for one in tokens[begin : place + 1])


def says_no_source(words: str) -> bool:
    """Return whether words say that an agent needs no source."""
    return _NO_SOURCE.search(words) is not None


_NO_SOURCE = LazyPattern(r"^\W*(none|nowhere|no (source|app|service|data)|it (needs|has) no|nothing)\b")
