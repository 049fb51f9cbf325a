"""What an agent reads, from words: known services, and systems that the words themselves call so."""

from __future__ import annotations

from intent.acts.act import Act
from intent.entities.services import find_services
from intent.regular_expressions import normalise

_ARTICLES = frozenset("the our my a an from in on out of its their this that it is it's all".split())
_PRONOUNS = frozenset({"i", "i'll", "i'm", "i've", "i'd", "you", "we", "he", "she", "they", "me", "there"})
_MOST_WORDS = 6


def named_source(words: str) -> str:
    """Return the known service that words name; empty when they name none."""
    services = find_services(normalise(words))
    return services[0].name if services else ""


def read_source(words: str) -> str:
    """Return the source that words name, in lower case; empty when they name none."""
    text = normalise(words).strip(" .,!?\"'")
    services = find_services(text)
    if services:
        return services[0].name
    kept = text.split()
    while kept and kept[0].lower() in _ARTICLES:
        kept.pop(0)
    if not kept or kept[0].lower() in _PRONOUNS:
        return ""
    return " ".join(kept[:_MOST_WORDS]).lower()


def changed_sources(old: tuple[str, ...], act: Act) -> tuple[str, ...]:
    """Return the sources after an act; empty when the act says nothing of them."""
    words = act.slot("source")
    found = read_source(words) if words else ""
    if not found:
        return ()
    if act.adds:
        return tuple(dict.fromkeys((*old, found)))
    if act.removes:
        return tuple(one for one in old if one != found)
    return (found,)
