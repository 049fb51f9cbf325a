"""How skills lie in the table: in full, and as a card beside the tenant's policy, both written in one
transaction. Health lies beside the skill's own fields: checks and owners don't get in each other's way.
"""

from __future__ import annotations

from typing import cast

from agent.skills import Health, Skill, SkillCard, SkillKind, SkillStatus
from storage import keys
from storage.keys import TenantId
from storage.table import Equals, Item, Set, Update

HEALTH = "health"
URL = "url"
CHECK_ASKED = "check_asked"


def skill_to_item(tenant: TenantId, skill: Skill) -> Item:
    """A skill in full. Its address lies open, so that a change of it is seen without reading the rest."""
    key = keys.skill(tenant, skill.id)
    return {
        "pk": key.partition,
        "sk": key.sort,
        "skill": skill.model_dump_json(exclude={"version", "health"}, exclude_defaults=True),
        URL: skill.url,
        HEALTH: skill.health.model_dump_json(exclude_defaults=True),
        "version": skill.version,
    }


def skill_update(tenant: TenantId, old: Skill, new: Skill) -> Update:
    """The write of a skill's next version, refused when it changed since ``old`` was read. What a check found
    meanwhile stays, unless it was found elsewhere.
    """
    item = skill_to_item(tenant, new)
    fields = ("skill", URL, "version", *((HEALTH,) if new.url != old.url else ()))
    changes = tuple(Set(field, item[field]) for field in fields)
    return Update(keys.skill(tenant, old.id), changes, (Equals("version", old.version),))


def skill_from_item(item: Item) -> Skill:
    """The skill that `skill_to_item` stored."""
    stored = Skill.model_validate_json(str(item["skill"]))
    health = Health.model_validate_json(str(item[HEALTH]))
    return stored.model_copy(update={"health": health, "version": cast("int", item["version"])})


def skill_card_to_item(tenant: TenantId, card: SkillCard) -> Item:
    """A card; its name is in the key only."""
    key = keys.skill_card(tenant, card.name)
    return {
        "pk": key.partition,
        "sk": key.sort,
        "id": card.id,
        "owner": card.owner,
        "kind": card.kind.value,
        "shared": card.shared,
        "status": card.status.value,
        "description": card.description,
        "serves": list(card.serves),
    }


def skill_card_from_item(item: Item) -> SkillCard:
    """The card that `skill_card_to_item` stored."""
    return SkillCard(
        id=str(item["id"]),
        name=str(item["sk"]).removeprefix(keys.SKILL_CARD_PREFIX),
        owner=str(item["owner"]),
        kind=SkillKind(str(item["kind"])),
        shared=bool(item["shared"]),
        status=SkillStatus(str(item["status"])),
        description=str(item["description"]),
        serves=tuple(str(service) for service in cast("list[str]", item["serves"])),
    )
