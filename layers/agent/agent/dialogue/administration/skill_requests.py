"""A skill to connect, as a message describes it: address, name and secret, and whether one is asked for."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from agent.workspace.agents import to_slug
from agent.workspace.skills import MAX_NAME_CHARACTERS, SkillKind
from intent.entities.services import find_services
from intent.regular_expressions import LazyPattern

MOST_WORDS = 9
"""The most words of a request to connect a service and nothing else."""

_URL = LazyPattern(r"\bhttps?://[^\s<>\"']+")
_SKILL = LazyPattern(r"\bskills?\b|\bmcp\b|\btool servers?\b")
_NOT_ABOUT_SKILLS = LazyPattern(
    r"\bagents?\b(?! (?:may|can|could|to) use)|\bmonitors?\b|\breports?\b|\btasks?\b|\bto-?dos?\b"
)
_REGISTER = LazyPattern(
    r"\b(?:connect|register|add|plug in|hook up|link|teach|install|integrate|attach|set up|create|make|use)\b"
)
_CONNECT = LazyPattern(
    r"\W*(?:(?:please|can you|could you|let'?s|i(?:'d like| want| need) to|how to"
    r"|how (?:do|can|could|should) (?:i|we|you)) )*"
    r"(?:connect|register|integrate|link|hook up)\b(?! (?:the )?(?:dots|to the))"
)
_NAMED = LazyPattern(r"\b(?:as|called|named|name it|call it)\s+(?:the\s+)?[\"'\u201c]?([a-z0-9][\w -]{0,40})")
_SECRET = LazyPattern(
    r"\b(?:with|using|use|signed with)\s+(?:(?:the|our|a|my)\s+)?(?:secret|key|token)\s+"
    r"(?:called\s+|named\s+)?[\"'\u201c]?([a-z0-9][a-z0-9_-]{0,63})"
)
_WEBHOOK = LazyPattern(r"\bweb ?hooks?\b")
_NAME_ENDS = LazyPattern(
    r"(?<!\s)\s++(?:with|using|at|for|and|to|from|in|please|which|that|skill)\b|[,.;:!?\"'\u201d]"
)
_COMMON_LABELS = frozenset({"www", "mcp", "api", "hooks", "hook", "tools", "app", "server", "localhost"})


class AskedSkill(NamedTuple):
    """A skill as a message describes it; ``url`` None: no address was given."""

    kind: SkillKind = SkillKind.MCP
    url: str | None = None
    name: str | None = None
    secret: str | None = None
    serves: tuple[str, ...] = ()


def asks_to_register(message: str) -> bool:
    """Return whether a message clearly asks to connect a service as a skill.

    One about agents doesn't: agents use addresses too.
    """
    if _URL.search(message):
        return _registers(message, is_named=_SKILL.search(message) is not None)
    if _NOT_ABOUT_SKILLS.search(message) or not _CONNECT.match(message):
        return False
    return len(message.split()) <= MOST_WORDS and bool(find_services(message))


def _registers(message: str, *, is_named: bool) -> bool:
    """Whether a message that contains an address asks to connect it as a skill."""
    if is_named and (_REGISTER.search(message) or _URL.fullmatch(message.strip())):
        return True
    return _CONNECT.match(message) is not None and not _NOT_ABOUT_SKILLS.search(message)


def parse_skill(message: str) -> AskedSkill:
    """The skill that a message describes."""
    found = _URL.search(message)
    url = found.group().rstrip(".,;:!?)") if found else None
    rest = message.replace(url, " ") if url else message
    secret = _SECRET.search(rest)
    name = _name_in(rest) or _name_of_host(url)
    services = find_services(f"{rest} {name or ''}")
    return AskedSkill(
        kind=SkillKind.WEBHOOK if _WEBHOOK.search(rest) else SkillKind.MCP,
        url=url,
        name=name,
        secret=secret.group(1) if secret else None,
        serves=tuple(dict.fromkeys(named.name for named in services)),
    )


def skill_name(words: str) -> str | None:
    """The words as a skill's name; None when nothing usable remains."""
    plain = re.sub(r"[^a-z0-9]+", "-", to_slug(words)).strip("-")
    return plain[:MAX_NAME_CHARACTERS].strip("-") or None


def _name_in(text: str) -> str | None:
    named = _NAMED.search(text)
    return skill_name(_NAME_ENDS.text_before(named.group(1))) if named else None


def _name_of_host(url: str | None) -> str | None:
    try:
        labels = (urlsplit(url or "").hostname or "").split(".")
    except ValueError:
        return None
    distinctive = [label for label in labels[:-1] or labels if label not in _COMMON_LABELS]
    return skill_name(distinctive[-1]) if distinctive and not distinctive[-1].isdecimal() else None
