"""What a message asks about skills: which operation, and the skill as far as the words describe it. Pure.

Addresses and names are the same words for a model and for rules, so they are always read from the message.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from agent.names import slug
from agent.skills import MAX_NAME_CHARACTERS, SkillKind
from intent.patterns import Form
from intent.services import services_in

MOST_WORDS = 9
"""Of a wish to connect a service and nothing else."""

Operation = Literal["register", "list", "remove", "check", "explain"]

_URL = Form(r"\bhttps?://[^\s<>\"']+")
_SKILL = Form(r"\bskills?\b|\bmcp\b|\btool servers?\b")
_NOT_ABOUT_SKILLS = Form(
    r"\bagents?\b(?! (?:may|can|could|to) use)|\bmonitors?\b|\breports?\b|\btasks?\b|\bto-?dos?\b"
)
_REGISTER = Form(
    r"\b(?:connect|register|add|plug in|hook up|link|teach|install|integrate|attach|set up|create|make|use)\b"
)
_CONNECT = Form(
    r"\W*(?:(?:please|can you|could you|let'?s|i(?:'d like| want| need) to|how to"
    r"|how (?:do|can|could|should) (?:i|we|you)) )*"
    r"(?:connect|register|integrate|link|hook up)\b(?! (?:the )?(?:dots|to the))"
)
_REMOVE = Form(r"\b(?:remove|delete|disconnect|unregister|detach|uninstall|drop|get rid of)\b")
_CHECK = Form(
    r"^\W*(?:(?:please|can you|could you) )*(?:check|test|ping|look at)\b[^.?!]{0,60}"
    r"\b(?:skill|mcp|tool server)\b"
    r"|^\W*(?:is|are|does|do|how is|how's|how are)\b[^.?!]{0,60}\b(?:skills?|mcp(?: server)?|tool server)\b"
    r"[^.?!]{0,30}\b(?:work(?:ing)?|reachable|healthy|alive|up|ok|doing|respond(?:ing)?)\b"
)
_LIST = Form(
    r"\b(?:list|show|which|what|see|any|all)\b[^.?!]{0,60}\b(?:skills|mcp servers|tool servers)\b"
    r"|^\W*(?:my |our )?skills\W*$"
)
_EXPLAIN = Form(
    r"^\W*(?:(?:hi|hey|ok|so|and|please)\W+)*(?:how (?:do|can|could|should|would|to)\b[^.?!]{0,30}"
    r"\b(?:add|connect|register|create|make|build|use|install|set up|integrate)\b[^.?!]{0,20}"
    r"\b(?:skills?|mcp)\b"
    r"|(?:what(?:'s| is| are| does)|explain)(?: an?| me)? (?:skills?|mcp)\b\W*$)"
)
_NAMED = Form(r"\b(?:as|called|named|name it|call it)\s+(?:the\s+)?[\"'\u201c]?([a-z0-9][\w -]{0,40})")
_SECRET = Form(
    r"\b(?:with|using|use|signed with)\s+(?:(?:the|our|a|my)\s+)?(?:secret|key|token)\s+"
    r"(?:called\s+|named\s+)?[\"'\u201c]?([a-z0-9][a-z0-9_-]{0,63})"
)
_WEBHOOK = Form(r"\bweb ?hooks?\b")
_NAME_ENDS = Form(r"\s+(?:with|using|at|for|and|to|from|in|please|which|that)\b|[,.;:!?\"'\u201d]|\s+skill\b")
_COMMON_LABELS = frozenset({"www", "mcp", "api", "hooks", "hook", "tools", "app", "server", "localhost"})


class AskedSkill(NamedTuple):
    """A skill somebody describes; ``url`` None: no address was said."""

    kind: SkillKind = SkillKind.MCP
    url: str | None = None
    name: str | None = None
    secret: str | None = None
    serves: tuple[str, ...] = ()


def operation_of(message: str) -> Operation | None:
    """What a message plainly wants done about skills; None when it may be about something else.

    A message that speaks of agents is theirs: they take up addresses too.
    """
    is_named = _SKILL.search(message) is not None
    if _URL.search(message):
        return "register" if _registers(message, is_named=is_named) else None
    if _NOT_ABOUT_SKILLS.search(message):
        return None
    if _CONNECT.match(message) and len(message.split()) <= MOST_WORDS and services_in(message):
        return "register"
    if not is_named:
        return None
    if _EXPLAIN.search(message):
        return "explain"
    if _LIST.search(message):
        return "list"
    if _REMOVE.search(message):
        return "remove"
    return "check" if _CHECK.search(message) else None


def _registers(message: str, *, is_named: bool) -> bool:
    """Whether a message with an address in it wants a skill made of that."""
    if is_named and (_REGISTER.search(message) or _URL.fullmatch(message.strip())):
        return True
    return _CONNECT.match(message) is not None and not _NOT_ABOUT_SKILLS.search(message)


def names_a_skill(message: str) -> bool:
    """Whether skills are spoken of outside of addresses."""
    return _SKILL.search(_URL.without(message)) is not None


def described(message: str) -> AskedSkill:
    """The skill the words of a message describe."""
    found = _URL.search(message)
    url = found.group().rstrip(".,;:!?)") if found else None
    rest = message.replace(url, " ") if url else message
    secret = _SECRET.search(rest)
    name = _name_in(rest) or _name_of_host(url)
    services = services_in(f"{rest} {name or ''}")
    return AskedSkill(
        kind=SkillKind.WEBHOOK if _WEBHOOK.search(rest) else SkillKind.MCP,
        url=url,
        name=name,
        secret=secret.group(1) if secret else None,
        serves=tuple(dict.fromkeys(named.name for named in services)),
    )


def skill_name(words: str) -> str | None:
    """The words as a skill's name; None when nothing of them can be one."""
    plain = re.sub(r"[^a-z0-9]+", "-", slug(words)).strip("-")
    return plain[:MAX_NAME_CHARACTERS].strip("-") or None


def _name_in(text: str) -> str | None:
    named = _NAMED.search(text)
    return skill_name(_NAME_ENDS.before(named.group(1))) if named else None


def _name_of_host(url: str | None) -> str | None:
    try:
        labels = (urlsplit(url or "").hostname or "").split(".")
    except ValueError:
        return None
    telling = [label for label in labels[:-1] or labels if label not in _COMMON_LABELS]
    return skill_name(telling[-1]) if telling and not telling[-1].isdecimal() else None
