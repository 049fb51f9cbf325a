"""Answers to wishes about skills: connecting one, listing, removing, and how one is doing.

A skill is registered or removed only after a yes. What it answers is never asked for here: runs and checks do
that.
"""

from __future__ import annotations

import json
import re

from pydantic import ValidationError

from agent import skill_texts
from agent.agents import service_names
from agent.errors import SkillNotFound
from agent.replies import Reply, Turn
from agent.skill_asks import Operation, described, names_a_skill, operation_of
from agent.skill_store import SkillStore, visible_skills
from agent.skills import Skill, SkillCard, SkillSpec
from agent.wishes import Entities, Wish
from conversation.errors import DomainError
from conversation.identity import ADMIN
from conversation.notes import Note, Pending
from intent.decision import ActionType

CONFIRMED = "confirmed"
REGISTER, REMOVE = "register_skill", "remove_skill"
MAX_LISTED = 50


def asked(turn: Turn, skills: SkillStore) -> Reply | None:
    """The answer to a message that is plainly about skills, whatever it was taken for; None for any other."""
    operation = operation_of(turn.message)
    if operation is None or (operation == "register" and _is_an_answer(turn)):
        return None
    return _answer(turn, operation, skills)


def wished(turn: Turn, entities: Entities, skills: SkillStore) -> Reply:
    """The answer to a wish for a skill, and to the yes it waited for."""
    if entities.get(CONFIRMED) is not True:
        return _register(turn, Wish.of(entities).subject(), skills)
    if entities.get("operation") == REMOVE:
        return _remove(turn, str(entities.get("skill_id")), skills, is_confirmed=True)
    return _confirmed(turn, entities, skills)


def _answer(turn: Turn, operation: Operation, skills: SkillStore) -> Reply:
    if operation == "register":
        return _register(turn, None, skills)
    if operation == "explain":
        return Reply(skill_texts.HOW_TO)
    cards = (
        visible_skills(turn.roster, turn.caller) if turn.knows_the_present else skills.visible(turn.caller)
    )
    if operation == "list":
        return Reply(skill_texts.listed(cards[:MAX_LISTED]), tools=("list_skills",))
    card = _meant(turn.message, cards)
    if card is None:
        return Reply(skill_texts.which(cards))
    if operation == "remove":
        return _remove(turn, card.id, skills, is_confirmed=False)
    return _check(turn, card, skills)


def _is_an_answer(turn: Turn) -> bool:
    """Whether it may be about the agent that is being made: "connect to Jira" then tells its source, and an
    address where it posts.
    """
    return turn.note.draft is not None and not names_a_skill(turn.message)


def _services(serves: tuple[str, ...]) -> str | None:
    return service_names(serves) if serves else None


def _register(turn: Turn, topic: str | None, skills: SkillStore) -> Reply:
    found = described(turn.message)
    if found.url is None:
        return Reply(skill_texts.how_to(topic or _services(found.serves)))
    if found.name is None:
        return Reply(skill_texts.needs_name())
    wish: Entities = {
        "kind": found.kind.value,
        "url": found.url,
        "name": found.name,
        "secret": found.secret,
        "serves": list(found.serves),
    }
    skill = _new(turn, wish, skills)
    if isinstance(skill, Reply):
        return skill
    pending = Pending(
        action=ActionType.CREATE_SKILL,
        entities={"operation": REGISTER, "skill": wish, CONFIRMED: True},
        summary=f"connect the skill {skill.name}",
    )
    return Reply(skill_texts.confirm(skill), Note(pending=pending))


def _confirmed(turn: Turn, entities: Entities, skills: SkillStore) -> Reply:
    wish = entities.get("skill")
    skill = _new(turn, wish if isinstance(wish, dict) else {}, skills)
    if isinstance(skill, Reply):
        return skill
    note = Note(did=f"registered the skill {skill.name}")
    effects = skills.creating(turn.caller.tenant, skill)
    return Reply(skill_texts.registered(skill), note, effects, ("create_skill",))


def _new(turn: Turn, wish: Entities, skills: SkillStore) -> Skill | Reply:
    """The skill that was wished for, or the words for why it can't be."""
    try:
        spec = SkillSpec.model_validate_json(json.dumps(wish))
        return skills.new(turn.caller, spec, turn.roster, skill_id=turn.new_id("skill"))
    except ValidationError:
        return Reply(skill_texts.refused("Its name or address isn't one a skill may have."))
    except DomainError as refusal:
        return Reply(skill_texts.refused(str(refusal)))


def _remove(turn: Turn, skill_id: str, skills: SkillStore, *, is_confirmed: bool) -> Reply:
    try:
        skill = skills.get(turn.caller, skill_id)
    except SkillNotFound:
        return Reply(skill_texts.which(visible_skills(turn.roster, turn.caller)))
    if skill.owner != turn.caller.user and not turn.caller.has(ADMIN):
        return Reply(skill_texts.not_owned(skill.name))
    if is_confirmed:
        effects = skills.deleting(turn.caller.tenant, skill)
        note = Note(did=f"removed the skill {skill.name}")
        return Reply(skill_texts.removed(skill.name), note, effects, ("delete_skill",))
    pending = Pending(
        action=ActionType.CREATE_SKILL,
        entities={"operation": REMOVE, "skill_id": skill.id, CONFIRMED: True},
        summary=f"remove the skill {skill.name}",
    )
    return Reply(skill_texts.confirm_removal(skill.name), Note(pending=pending))


def _check(turn: Turn, card: SkillCard, skills: SkillStore) -> Reply:
    try:
        skill = skills.get(turn.caller, card.id)
    except SkillNotFound:
        return Reply(skill_texts.which(()))
    words = skill_texts.health(skill, turn.situation.time_zone)
    asking = skills.asking_check(turn.caller.tenant, skill, mark=turn.new_id("check"))
    return Reply(words, Note(did=f"had the skill {skill.name} looked at"), asking, ("check_skill",))


def _meant(message: str, cards: tuple[SkillCard, ...]) -> SkillCard | None:
    """The skill whose name stands in the message, or the only one there is."""
    words = message.casefold()
    named = [card for card in cards if re.search(rf"(?<![\w-]){_spelled(card.name)}(?![\w-])", words)]
    if named:
        return max(named, key=lambda card: len(card.name))
    return cards[0] if len(cards) == 1 else None


def _spelled(name: str) -> str:
    """A name with its hyphens said or not."""
    return "[- ]".join(map(re.escape, name.split("-")))
