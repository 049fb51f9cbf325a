"""What an agent reads, from words: known services, and systems that the words themselves call so."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile

from agent.dialogue.agent_acts.source_words import PLAIN, begins_with_no_system, find_source
from intent.acts.act import Act, Span
from intent.acts.clauses import Clause
from intent.acts.lexicon import NEGATIONS
from intent.acts.polarity import is_turned_down
from intent.acts.tokens import Token, tokenise
from intent.entities.services import find_services
from intent.regular_expressions import lower_pattern, normalise, straighten_quotes


def named_source(words: str) -> str:
    """Return the known service that words name, one with a name of its own before ``the database``; empty
    when they name none.
    """
    services = [one.name for one in find_services(normalise(words))]
    return next((name for name in services if name not in PLAIN), services[0] if services else "")


def read_source(words: str) -> str:
    """Return the source that words name, in lower case; empty when they name none."""
    text = normalise(words).strip(" .,!?\"'")
    return find_source(text, told=text)


def is_some_page(source: str) -> bool:
    """Return whether a source is a web page of which no address is known."""
    return source.lower() in _SOME_PAGE


def is_on_some_page(text: str) -> bool:
    """Return whether a request speaks of a web page without its address."""
    return bool(_SOME_PAGE & {token.word for token in tokenise(text)}) and "://" not in text


def ends_on_some_page(job: str) -> bool:
    """Return whether a job names nothing but a page, or whose it is: ``my competitor's website``."""
    words = [token.word for token in tokenise(job) if token.is_word]
    while words and words[-1] in {"for", "me", "us"}:
        words = words[:-1]
    last = words[-1] if words else ""
    return last in _SOME_PAGE | {"page", "site"} or last.endswith("'s")


_SOME_PAGE = frozenset({"web", "website", "websites", "webpage", "homepage", "internet"})


def with_further(source: str, text: str, used: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """Return the source with the further known services that a request reads: each stands behind ``from``,
    or in a row with one that does: ``from Zendesk and Jira``.
    """
    found: list[str] = []
    tokens = tokenise(text)
    end = -1
    for one in find_services(straighten_quotes(text)):
        before = [token for token in tokens if token.end <= one.start]
        is_led = before[-1:] != [] and before[-1].word == "from"
        between = {token.word for token in before if token.start >= end}
        is_next = bool(found) and between <= {",", "and", "&"}
        if any(start < one.end and one.start < stop for start, stop in used) or not (is_led or is_next):
            continue
        found.append(one.name)
        end = one.end
    is_several = source in found and not NEGATIONS & {token.word for token in tokens}
    return tuple(dict.fromkeys((source, *found))) if is_several else (source,) if source else ()


def changed_sources(old: tuple[str, ...], act: Act) -> tuple[str, ...]:
    """Return the sources after an act; empty when the act says nothing of them."""
    if moved := _moved(old, act) or _replaced(old, act):
        return moved
    words = act.slot("source")
    words = words[: at.start()] if (at := _IN_PLACE.search(words.lower())) else words
    is_named = bool(words.strip()) and not begins_with_no_system(words)
    found = read_source(words) if is_named else ""
    if not found:
        return ()
    if act.adds:
        return tuple(dict.fromkeys((*old, found)))
    if act.removes:
        return tuple(one for one in old if one != found)
    return (found,)


_IN_PLACE = lower_pattern(r"\b(?:instead of|rather than|in place of|in lieu of)\b")


def _moved(old: tuple[str, ...], act: Act) -> tuple[str, ...]:
    """Return the sources where the words turn one of them down for another: ``not in Drive, in Dropbox``."""
    text = act.clause.text
    tokens = tokenise(text)
    mentions = [one for one in find_services(straighten_quotes(text)) if not _is_place(act, one.start)]
    if not tokens or len(mentions) < 2:
        return ()
    clause = Clause(text, tokens)
    gone = {
        one.name
        for one in mentions
        if is_turned_down(clause, Span(text[one.start : one.end], one.start, one.end))
    }
    before = {one.name: _word_before(tokens, one.start) for one in reversed(mentions)}
    if "to" in before.values():
        gone |= {name for name, word in before.items() if word == "from"} & set(old)
    wanted = [one.name for one in mentions if one.name not in gone]
    if not wanted or not gone & set(old):
        return ()
    return tuple(dict.fromkeys((*(one for one in old if one not in gone), *wanted)))


def _word_before(tokens: Sequence[Token], start: int) -> str:
    return next((token.word for token in reversed(tokens) if token.end <= start), "")


def _replaced(old: tuple[str, ...], act: Act) -> tuple[str, ...]:
    """Return the sources where one of them is denied or left and another name is told: ``not project44, it's
    Shippeo``, ``we moved from Jane to Cliniko``.
    """
    text = act.clause.text
    tokens = [token for token in tokenise(text) if token.is_word]
    for gone in old:
        start = text.lower().find(gone)
        before = [token.word for token in tokens if token.end <= start]
        behind = [token for token in tokens if start >= 0 and token.start >= start + len(gone)]
        if not before or not behind:
            continue
        named = next((at + 1 for at, token in enumerate(behind) if token.word in _NAMING), None)
        if before[-1] == "from" and behind[0].word == "to":
            named = 1
        elif before[-1] not in NEGATIONS or named is None:
            continue
        if new := _name_at(behind[named:]):
            return tuple(dict.fromkeys((*(one for one in old if one != gone), new)))
    return ()


_NAMING = frozenset("its it's is but use using called now".split())


def _name_at(tokens: Sequence[Token]) -> str:
    """Return the name that begins there: words written as names are, else a last word alone."""
    row = takewhile(lambda pair: pair[1].start - pair[0].end <= 1, pairwise([*tokens[:1], *tokens]))
    named = list(takewhile(lambda one: one.text[0].isupper(), (one for _, one in row)))
    said = named or (tokens if len(tokens) == 1 else [])
    return " ".join(one.text.lower() for one in said)


def _is_place(act: Act, start: int) -> bool:
    """Return whether what stands at ``start`` of the clause is a place for results."""
    where = act.slots.get("where")
    return where is not None and where.start <= start + act.clause.start < where.end
