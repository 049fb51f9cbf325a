"""Answers to requests about skills: connecting, listing, removing and checking them, accepting their tools.

A skill is registered or removed, and a tool accepted, only after a yes. No skill is contacted here: runs and
checks do that (`agent.runs.skill_tools`).
"""

from __future__ import annotations

import json
import re
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from pydantic import JsonValue, ValidationError

from agent.handler_interface import HandlerReply, TurnRequest
from agent.requested_entities import CONFIRMED, Entities, RequestedEntities
from agent.templates import skill_texts
from agent.workspace.agents import join_services, to_slug
from agent.workspace.errors import SkillNotFound
from agent.workspace.skill_store import SkillStore, visible_skills
from agent.workspace.skills import (
    MAX_NAME_CHARACTERS,
    Skill,
    SkillCard,
    SkillKind,
    SkillSpec,
    ToolAcceptance,
)
from conversation.errors import DomainError, QuotaExceeded
from conversation.identity import ADMIN
from conversation.limits.quotas import QuotaKind
from conversation.messages.models import Note, Pending
from intent.decision import ActionType
from intent.entities.services import find_services
from intent.regular_expressions import LazyPattern

MOST_WORDS = 9
"""The most words of a request to connect a service and nothing else."""

Operation = Literal["register", "list", "remove", "accept", "check", "explain"]

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
_REMOVE = LazyPattern(r"\b(?:remove|delete|disconnect|unregister|detach|uninstall|drop|get rid of)\b")
_ACCEPT = LazyPattern(r"\b(?:accept|approve)\b[^.?!]{0,40}\b(?:tools?|changes?|skill)\b")
_CHECK = LazyPattern(
    r"^\W*(?:(?:please|can you|could you) )*(?:check|test|ping|look at)\b[^.?!]{0,60}"
    r"\b(?:skill|mcp|tool server)\b"
    r"|^\W*(?:is|are|does|do|how is|how's|how are)\b[^.?!]{0,60}\b(?:skills?|mcp(?: server)?|tool server)\b"
    r"[^.?!]{0,30}\b(?:work(?:ing)?|reachable|healthy|alive|up|ok|doing|respond(?:ing)?)\b"
)
_LIST = LazyPattern(
    r"\b(?:list|show|which|what|see|any|all)\b[^.?!]{0,60}\b(?:skills|mcp servers|tool servers)\b"
    r"|^\W*(?:my |our )?skills\W*$"
)
_EXPLAIN = LazyPattern(
    r"^\W*(?:(?:hi|hey|ok|so|and|please)\W+)*(?:how (?:do|can|could|should|would|to)\b[^.?!]{0,30}"
    r"\b(?:add|connect|register|create|make|build|use|install|set up|integrate)\b[^.?!]{0,20}"
    r"\b(?:skills?|mcp)\b"
    r"|(?:what(?:'s| is| are| does)|explain)(?: an?| me)? (?:skills?|mcp)\b\W*$)"
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


def operation_of(message: str) -> Operation | None:
    """What a message clearly asks to do about skills; None when it may be about something else.

    A message about agents is left to their handlers: agents use addresses too.
    """
    is_named = _SKILL.search(message) is not None
    if _URL.search(message):
        return "register" if _registers(message, is_named=is_named) else None
    if _NOT_ABOUT_SKILLS.search(message):
        return None
    if _CONNECT.match(message) and len(message.split()) <= MOST_WORDS and find_services(message):
        return "register"
    if not is_named:
        return None
    if _EXPLAIN.search(message):
        return "explain"
    if _LIST.search(message):
        return "list"
    if _REMOVE.search(message):
        return "remove"
    if _ACCEPT.search(message):
        return "accept"
    return "check" if _CHECK.search(message) else None


def _registers(message: str, *, is_named: bool) -> bool:
    """Whether a message that contains an address asks to connect it as a skill."""
    if is_named and (_REGISTER.search(message) or _URL.fullmatch(message.strip())):
        return True
    return _CONNECT.match(message) is not None and not _NOT_ABOUT_SKILLS.search(message)


def _names_a_skill(message: str) -> bool:
    """Whether the message mentions skills outside of its addresses."""
    return _SKILL.search(_URL.replace_matches(message)) is not None


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


REGISTER, REMOVE, ACCEPT = "register_skill", "remove_skill", "accept_tools"
MAX_LISTED = 50
MAX_ACCEPTED = 5
"""The most tools to show and accept at once: whoever says yes should have read them."""


def reply_if_explicit(turn: TurnRequest, skills: SkillStore) -> HandlerReply | None:
    """The answer to a message that is clearly about skills, whatever its decision; else None."""
    operation = operation_of(turn.message)
    if operation is None or (operation == "register" and _is_an_answer(turn)):
        return None
    return _answer(turn, operation, skills)


def reply(turn: TurnRequest, entities: Entities, skills: SkillStore) -> HandlerReply:
    """The answer to a request for a skill, and to the yes that confirms one."""
    if entities.get(CONFIRMED) is not True:
        return _register(turn, RequestedEntities.of(entities).subject(), skills)
    if entities.get("operation") == REMOVE:
        return _remove(turn, str(entities.get("skill_id")), skills, is_confirmed=True)
    if entities.get("operation") == ACCEPT:
        return _accepted(turn, entities, skills)
    return _confirmed(turn, entities, skills)


def _answer(turn: TurnRequest, operation: Operation, skills: SkillStore) -> HandlerReply:
    if operation == "register":
        return _register(turn, None, skills)
    if operation == "explain":
        return HandlerReply(skill_texts.HOW_TO)
    cards = (
        visible_skills(turn.roster, turn.caller)
        if turn.has_fresh_roster
        else skills.visible_cards(turn.caller)
    )
    if operation == "list":
        return HandlerReply(skill_texts.listed(cards[:MAX_LISTED]), used_tools=("list_skills",))
    card = _meant(turn.message, cards)
    if card is None:
        return HandlerReply(skill_texts.which(cards))
    if operation == "remove":
        return _remove(turn, card.id, skills, is_confirmed=False)
    if operation == "accept":
        return _accept(turn, card, skills)
    return check_skill(turn, card, skills)


def _is_an_answer(turn: TurnRequest) -> bool:
    """Whether the message may be about the unfinished agent: "connect to Jira" then names its source, and an
    address is where it posts.
    """
    return turn.note.draft is not None and not _names_a_skill(turn.message)


def _services(serves: tuple[str, ...]) -> str | None:
    return join_services(serves) if serves else None


def _register(turn: TurnRequest, topic: str | None, skills: SkillStore) -> HandlerReply:
    found = parse_skill(turn.message)
    if found.url is None:
        return HandlerReply(skill_texts.how_to(topic or _services(found.serves)))
    if found.name is None:
        return HandlerReply(skill_texts.needs_name())
    wish: Entities = {
        "kind": found.kind.value,
        "url": found.url,
        "name": found.name,
        "secret": found.secret,
        "serves": list(found.serves),
    }
    skill = _new(turn, wish, skills)
    if isinstance(skill, HandlerReply):
        return skill
    pending = Pending(
        action=ActionType.CREATE_SKILL,
        entities={"operation": REGISTER, "skill": wish, CONFIRMED: True},
        summary=f"connect the skill {skill.name}",
    )
    return HandlerReply(skill_texts.confirm(skill), Note(pending=pending))


def _confirmed(turn: TurnRequest, entities: Entities, skills: SkillStore) -> HandlerReply:
    wish = entities.get("skill")
    skill = _new(turn, wish if isinstance(wish, dict) else {}, skills)
    if isinstance(skill, HandlerReply):
        return skill
    try:
        skills.take_creation(turn.caller, turn.roster)
    except QuotaExceeded as exceeded:
        return HandlerReply(str(exceeded))
    note = Note(did=f"registered the skill {skill.name}")
    effects = skills.create_actions(turn.caller.tenant, skill)
    return HandlerReply(skill_texts.registered(skill), note, effects, ("create_skill",))


def _new(turn: TurnRequest, wish: Entities, skills: SkillStore) -> Skill | HandlerReply:
    """The requested skill, or the reply that says why it can't be created."""
    try:
        spec = SkillSpec.model_validate_json(json.dumps(wish))
        return skills.build(turn.caller, spec, turn.roster, skill_id=turn.derive_id("skill"))
    except ValidationError:
        return HandlerReply(skill_texts.refused("Its name or address isn't one a skill may have."))
    except DomainError as refusal:
        return HandlerReply(skill_texts.refused(str(refusal)))


def _remove(turn: TurnRequest, skill_id: str, skills: SkillStore, *, is_confirmed: bool) -> HandlerReply:
    try:
        skill = skills.get(turn.caller, skill_id)
    except SkillNotFound:
        return HandlerReply(skill_texts.which(visible_skills(turn.roster, turn.caller)))
    if skill.owner != turn.caller.user and not turn.caller.has(ADMIN):
        return HandlerReply(skill_texts.not_owned(skill.name))
    if is_confirmed:
        effects = skills.delete_actions(turn.caller.tenant, skill)
        note = Note(did=f"removed the skill {skill.name}")
        return HandlerReply(skill_texts.removed(skill.name), note, effects, ("delete_skill",))
    pending = Pending(
        action=ActionType.CREATE_SKILL,
        entities={"operation": REMOVE, "skill_id": skill.id, CONFIRMED: True},
        summary=f"remove the skill {skill.name}",
    )
    return HandlerReply(skill_texts.confirm_removal(skill.name), Note(pending=pending))


def check_skill(turn: TurnRequest, card: SkillCard, skills: SkillStore) -> HandlerReply:
    """The answer to whether a skill works, and the write that has it looked at again."""
    try:
        skill = skills.get(turn.caller, card.id)
    except SkillNotFound:
        return HandlerReply(skill_texts.which(()))
    try:
        skills.quotas.take(turn.caller, QuotaKind.SKILL_CHECKS, record=turn.roster.record)
    except QuotaExceeded as exceeded:
        return HandlerReply(str(exceeded))
    words = skill_texts.health(skill, turn.situation.time_zone)
    check = skills.check_actions(turn.caller.tenant, skill, mark=turn.derive_id("check"))
    return HandlerReply(words, Note(did=f"had the skill {skill.name} looked at"), check, ("check_skill",))


def _accept(turn: TurnRequest, card: SkillCard, skills: SkillStore) -> HandlerReply:
    skill = _owned(turn, card.id, skills)
    if isinstance(skill, HandlerReply):
        return skill
    shown = skill.health.waiting_tools[:MAX_ACCEPTED]
    if not shown:
        return HandlerReply(skill_texts.no_tools_wait(skill.name))
    hashes: list[JsonValue] = [{"name": tool.name, "hash": tool.hash} for tool in shown]
    pending = Pending(
        action=ActionType.CREATE_SKILL,
        entities={"operation": ACCEPT, "skill_id": skill.id, "tools": hashes, CONFIRMED: True},
        summary=f"accept tools of the skill {skill.name}",
    )
    return HandlerReply(skill_texts.confirm_tools(skill, shown), Note(pending=pending))


def _accepted(turn: TurnRequest, entities: Entities, skills: SkillStore) -> HandlerReply:
    """The answer to the yes: the tools are accepted as they were shown, or not at all."""
    skill = _owned(turn, str(entities.get("skill_id")), skills)
    if isinstance(skill, HandlerReply):
        return skill
    acceptance = ToolAcceptance.model_validate({"tools": entities.get("tools") or []})
    new = skill.with_accepted(acceptance, turn.situation.now)
    if new is None:
        return HandlerReply(skill_texts.tools_changed_again(skill.name))
    words = skill_texts.tools_accepted(skill.name, [tool.name for tool in acceptance.tools])
    note = Note(did=f"accepted tools of the skill {skill.name}")
    effects = (skills.accept_action(turn.caller.tenant, skill, new),)
    return HandlerReply(words, note, effects, ("accept_tools",))


def _owned(turn: TurnRequest, skill_id: str, skills: SkillStore) -> Skill | HandlerReply:
    """The skill, if its tools are the caller's to accept; else the reply that says so."""
    try:
        skill = skills.get(turn.caller, skill_id)
    except SkillNotFound:
        return HandlerReply(skill_texts.which(visible_skills(turn.roster, turn.caller)))
    if skill.owner != turn.caller.user and not turn.caller.has(ADMIN):
        return HandlerReply(skill_texts.tools_not_owned(skill.name))
    return skill


def _meant(message: str, cards: tuple[SkillCard, ...]) -> SkillCard | None:
    """The skill whose name occurs in the message, or the only one there is."""
    words = message.casefold()
    named = [card for card in cards if re.search(rf"(?<![\w-]){_spelled(card.name)}(?![\w-])", words)]
    if named:
        return max(named, key=lambda card: len(card.name))
    return cards[0] if len(cards) == 1 else None


def _spelled(name: str) -> str:
    """A pattern for the name, with hyphens or spaces."""
    return "[- ]".join(map(re.escape, name.split("-")))
