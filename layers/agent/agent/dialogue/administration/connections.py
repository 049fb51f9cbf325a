"""The services that agents can reach: connecting one, listing them, disconnecting one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import ValidationError

from agent.dialogue.administration import connection_texts as texts
from agent.dialogue.administration import tool_acceptance
from agent.dialogue.administration.service_names import described_services, named_services
from agent.dialogue.administration.skill_requests import (
    AskedSkill,
    asks_to_register,
    parse_skill,
    skill_name,
)
from agent.dialogue.administration.tool_acceptance import ToolAcceptances
from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result
from agent.dialogue.workbench import Workbench
from agent.dialogue.workspace_questions.wording import Wording, word_set
from agent.templates import skill_texts
from agent.workspace.errors import SkillNotFound
from agent.workspace.roster import Roster
from agent.workspace.skill_store import SkillStore, visible_skills
from agent.workspace.skills import Skill, SkillCard, SkillKind, SkillSpec
from conversation.errors import DomainError, QuotaExceeded
from conversation.identity import ADMIN
from conversation.limits.quotas import QuotaKind
from intent.acts import lexicon
from intent.acts.act import Act, Span, Thing
from intent.acts.scene import Asked
from tools.sign_in.services import find_service

_WORKS = word_set("work works working survive survived alive ok okay healthy broken reachable expired valid")
_AGAIN = frozenset({"again", "expired", "reconnect", "reauthorise", "reauthorize", "renew", "refresh"})
_ALL = ("everything", "all of them", "all services", "all connections", "all apps", "all integrations")


@dataclass(frozen=True, slots=True)
class Connections:
    """Carries out acts on connections."""

    skills: SkillStore
    page_url: str | None = None
    """Where the page is, on which users sign in to services; None: unknown."""

    def connect_skill(self, act: Act, bench: Workbench, *, is_confirmed: bool) -> Result:
        """Connect the service at the address that was given; without one, say what is needed."""
        acceptances = ToolAcceptances(self.skills)
        if is_confirmed and tool_acceptance.is_held(act):
            return acceptances.accept(act, bench)
        if tool_acceptance.asks_to_accept(act):
            cards = self._cards(bench)
            return acceptances.show(_meant(act, cards), cards, bench)
        asked = _asked(act, bench)
        if asked.url is None:
            return self._how_to(act, bench)
        if asked.name is None:
            return Result(texts.ask_name(), question=_asking(act, asked, Asked.SLOTS, ("name",)))
        skill = self._built(asked, bench)
        if isinstance(skill, str):
            return Result(skill)
        if not is_confirmed:
            return Result(texts.ask_to_connect(skill), question=_asking(act, asked, Asked.CONFIRM))
        turn = bench.turn
        try:
            self.skills.take_creation(turn.caller, turn.roster)
        except QuotaExceeded as exceeded:
            return Result(str(exceeded))
        bench.write(*self.skills.create_actions(turn.caller, skill))
        return Result(texts.connected(skill), f"connected {skill.name}", tool="create_skill", kind=act.kind)

    def _how_to(self, act: Act, bench: Workbench) -> Result:
        if _was_asked(bench):
            return Result(texts.still_needs_address())
        names = _services_of(act, bench)
        roster = self._roster(bench)
        cards = visible_skills(roster, bench.turn.caller)
        to_sign_in = [name for name in names if self._is_to_sign_in(name, cards, roster, bench)]
        there = [name for name in names if _serving(cards, name) and name not in to_sign_in]
        missing = [name for name in names if name not in there and name not in to_sign_in]
        if there and not missing and not to_sign_in and Wording.of(act).has(_AGAIN):
            return Result(texts.renew(there))
        signs_in = [texts.sign_in(self.page_url, name) for name in to_sign_in]
        if signs_in and not missing:
            return Result(" ".join([*signs_in, *([texts.how_to_connect((), there)] if there else [])]))
        question = None
        if missing or not names:
            held = HeldAct.of(act, ()).model_copy(
                update={"slots": {"service": ", ".join(missing)} if missing else {}}
            )
            question = AskedQuestion(asked=Asked.SLOTS, slots=("link",), waiting=(held,), is_optional=True)
        told = " ".join([*signs_in, texts.how_to_connect(missing, there)])
        return Result(told, question=question)

    def _is_to_sign_in(self, name: str, cards: Sequence[SkillCard], roster: Roster, bench: Workbench) -> bool:
        """Return whether the user connects the service by a sign-in, which is still to be done."""
        card = _serving(cards, name)
        if card is not None:
            return not roster.is_signed_in(card, bench.turn.caller.user)
        return self.page_url is not None and find_service(name) is not None

    def _built(self, asked: AskedSkill, bench: Workbench) -> Skill | str:
        """Return the skill to register, or the sentence that says why it can't be."""
        turn = bench.turn
        values = {"kind": asked.kind.value, "url": asked.url, "name": asked.name, "secret": asked.secret}
        try:
            spec = SkillSpec.model_validate_json(json.dumps({**values, "serves": asked.serves}))
            return self.skills.build(
                turn.caller, spec, turn.roster, skill_id=turn.derive_id(f"skill-{asked.name}")
            )
        except ValidationError:
            return texts.refused("Its name or address can't be used.")
        except DomainError as refusal:
            return texts.refused(str(refusal))

    def list(self, act: Act, bench: Workbench) -> Result:
        """Say whether the named services are connected, or which ones are."""
        roster, user = self._roster(bench), bench.turn.caller.user
        cards, names = visible_skills(roster, bench.turn.caller), named_services(act)
        meant = _meant(act, cards) if Wording.of(act).has(_WORKS) else []
        if not names and len(meant) == 1:
            return self._checked(meant[0], bench)
        if not names:
            waiting = {card.id for card in cards if not roster.is_signed_in(card, user)}
            return Result(texts.listed(cards, _lacking(bench), waiting), tool="list_skills")
        card = _serving(cards, names[0])
        if card is not None and Wording.of(act).has(_WORKS) and roster.is_signed_in(card, user):
            return self._checked(card, bench)
        answers = [(name, _serving(cards, name)) for name in names]
        told = [
            texts.sign_in(self.page_url, name)
            if card is not None and not roster.is_signed_in(card, user)
            else texts.whether_connected([(name, card)])
            for name, card in answers
        ]
        return Result(" ".join(told), tool="list_skills")

    def _checked(self, card: SkillCard, bench: Workbench) -> Result:
        """Say what the last check of a connection found, and have it looked at again."""
        turn = bench.turn
        try:
            skill = self.skills.get(turn.caller, card.id)
        except SkillNotFound:
            return Result(texts.gone())
        try:
            self.skills.quotas.take(turn.caller, QuotaKind.SKILL_CHECKS, record=turn.roster.record)
        except QuotaExceeded as exceeded:
            return Result(str(exceeded))
        mark = turn.derive_id("check")
        bench.write(*self.skills.check_actions(turn.caller.tenant, skill, mark=mark))
        text = skill_texts.health(skill, turn.situation.time_zone)
        return Result(text, f"had the skill {skill.name} looked at", tool="check_skill")

    def remove(self, act: Act, bench: Workbench, *, is_confirmed: bool) -> Result:
        """Disconnect the services that are meant, after a yes."""
        cards = self._cards(bench)
        meant = [card for card in cards if card.id in {thing.id for thing in act.meant.things}] or _meant(
            act, cards
        )
        if not meant:
            there = [texts.title(card) for card in cards]
            return Result(
                texts.not_connected(named_services(act), there, is_vague=bool(described_services(act)))
            )
        caller = bench.turn.caller
        foreign = [card for card in meant if card.owner != caller.user and not caller.has(ADMIN)]
        if foreign:
            return Result(texts.not_yours(texts.title(foreign[0]), foreign[0].owner))
        if not is_confirmed:
            things = [Thing(card.id, card.name) for card in meant]
            question = AskedQuestion(asked=Asked.CONFIRM, waiting=(HeldAct.of(act, things),))
            return Result(
                texts.ask_to_remove([texts.title(card) for card in meant], _users_of(meant, bench)),
                question=question,
            )
        return self._removed([card.id for card in meant], act, bench)

    def _removed(self, ids: Sequence[str], act: Act, bench: Workbench) -> Result:
        names, caller = [], bench.turn.caller
        for skill_id in ids:
            try:
                skill = self.skills.get(caller, skill_id)
            except SkillNotFound:
                continue
            bench.write(*self.skills.delete_actions(caller, skill))
            names.append(texts.title(skill.card()))
        if not names:
            return Result(texts.gone())
        return Result(
            texts.removed(names), f"disconnected {', '.join(names)}", tool="delete_skill", kind=act.kind
        )

    def _cards(self, bench: Workbench) -> tuple[SkillCard, ...]:
        return visible_skills(self._roster(bench), bench.turn.caller)

    def _roster(self, bench: Workbench) -> Roster:
        """Return the workspace as it is now."""
        turn = bench.turn
        return turn.roster if turn.has_fresh_roster else self.skills.present_roster(turn.caller)


def _was_asked(bench: Workbench) -> bool:
    """Return whether the last reply asked for the address of a service."""
    asked = AskedQuestion.of(bench.turn.note.question)
    return asked is not None and asked.slots == ("link",)


def _services_of(act: Act, bench: Workbench) -> tuple[str, ...]:
    """Return the services that a clause names; by a pronoun, the last one named before it."""
    named = named_services(act)
    if named or not Wording.of(act).has(lexicon.POINTERS):
        return named or described_services(act)
    before = Span(bench.turn.message[: act.clause.start], 0, act.clause.start)
    return named_services(replace(act, clause=before))[-1:]


def _asked(act: Act, bench: Workbench) -> AskedSkill:
    """Return what is to be connected: as it was held, or as the words describe it."""
    if act.slot("url"):
        return AskedSkill(
            kind=SkillKind(act.slot("kind") or SkillKind.MCP.value),
            url=act.slot("url"),
            name=skill_name(act.slot("name")) or skill_name(act.clause.text),
            secret=act.slot("secret") or None,
            serves=tuple(filter(None, act.slot("serves").split(","))),
        )
    text = act.clause.text
    if parse_skill(text).url is None and asks_to_register(bench.turn.message):
        text = bench.turn.message
    found = parse_skill(text)
    if found.url is None:
        return found
    services = tuple(one.strip().lower() for one in act.slot("service").split(",") if one.strip())
    serves = found.serves or services
    said = parse_skill(text.replace(found.url, " ")).name
    return found._replace(serves=serves, name=said or (skill_name(serves[0]) if serves else found.name))


def _asking(act: Act, asked: AskedSkill, kind: Asked, slots: tuple[str, ...] = ()) -> AskedQuestion:
    values = {
        "url": asked.url, "kind": asked.kind.value, "name": asked.name, "secret": asked.secret,
        "serves": ",".join(asked.serves),
    }  # fmt: skip
    held = HeldAct(kind=act.kind, text=act.clause.text[:200], slots={k: v for k, v in values.items() if v})
    return AskedQuestion(asked=kind, slots=slots, waiting=(held,))


def _serving(cards: Sequence[SkillCard], service: str) -> SkillCard | None:
    """Return the connection that has this name or serves this service."""
    plain = service.lower()
    name = skill_name(plain)
    return next((card for card in cards if plain in card.serves or card.name == name), None)


def _meant(act: Act, cards: Sequence[SkillCard]) -> list[SkillCard]:
    """Return the connections that words name, without those they except; the only one, by a pronoun."""
    wording = Wording.of(act)
    cut = next(
        (at for at, word in enumerate(wording.words) if at and word in lexicon.EXCEPTIONS), len(wording.words)
    )
    before, behind = frozenset(wording.words[:cut]), frozenset(wording.words[cut + 1 :])
    named = [card for card in cards if _parts(card) & before and not _parts(card) & behind]
    if named:
        return [card for card in named if not any(_is_beaten(card, other, before) for other in named)]
    kept = {name for name in named_services(act) if behind & set(name.lower().split())}
    if wording.says(*_ALL) and not set(named_services(act)) - kept:
        return [card for card in cards if not _parts(card) & behind]
    is_open = not described_services(act)
    return list(cards) if is_open and len(cards) == 1 else []


def _is_beaten(card: SkillCard, other: SkillCard, words: frozenset[str]) -> bool:
    """Return whether words name another connection in full, and of this one's name no more or only a part."""
    mine, theirs = set(card.name.split("-")), set(other.name.split("-"))
    if card is other or not theirs <= words or not _parts(card) & words <= theirs:
        return False
    return mine < theirs or not mine <= words


def _parts(card: SkillCard) -> frozenset[str]:
    """Return the words by which a connection is called."""
    words = [part for service in card.serves for part in service.split()]
    return frozenset((*card.name.split("-"), card.name, *words))


def _users_of(cards: Sequence[SkillCard], bench: Workbench) -> list[str]:
    """Return the names of the user's agents that read what these connections serve."""
    served = {service for card in cards for service in card.serves}
    return [card.name for card in bench.turn.own_agents() if served & set(card.needs_connection)]


def _lacking(bench: Workbench) -> tuple[str, ...]:
    """Return the services that the user's agents need and that aren't connected."""
    turn = bench.turn
    needs = (need for card in turn.own_agents() for need in card.needs_connection)
    return tuple(dict.fromkeys(need for need in needs if need not in turn.connected_services))
