"""The workspace's policy: saying what it is, and changing it for administrators after a yes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from pydantic import ValidationError

from agent.dialogue.administration import policy_texts, roles
from agent.dialogue.administration.policy_fields import (
    NUMBERED,
    Value,
    amount_in,
    budget_in,
    is_in_other_money,
    money_in,
    topic_of,
    topics_in,
    values_in,
)
from agent.dialogue.administration.policy_limits import LIMITS, limit_in, with_value
from agent.dialogue.administration.roles import Role
from agent.dialogue.administration.settings_asked import FIELD, ROLE, SETTING, role_of
from agent.dialogue.administration.topics import BUDGETS, IN_DAYS, NO_SETTING, Topic
from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result
from agent.dialogue.workbench import Workbench
from agent.dialogue.workspace_questions.wording import Wording, word_set
from agent.undo import Change
from conversation.errors import Forbidden
from conversation.identity import ADMIN
from conversation.limits.quotas import QuotaKind, StockLimits, limits_of
from conversation.messages.models import Reference
from conversation.tenants.audit import Act as AuditedAct
from conversation.tenants.audit import AuditLog
from conversation.tenants.policy import Budget, TenantPolicy
from conversation.tenants.store import TenantRecord, TenantStore
from intent.acts.act import Act, ActKind
from intent.acts.answers import read_reply
from intent.acts.clauses import Clause
from intent.acts.requests import question_in
from intent.acts.scene import Asked
from intent.acts.tokens import tokenise

_MOST_TOPICS = 3
_LIFTS = word_set("lift lifted remove end release off over stop unfreeze withdraw")
_PART = word_set("about case correspondence regarding concerning collision matter")
_GENERAL = word_set("rules rule policy policies settings")
_ON, _OFF = "on", "off"
_AMENDING = frozenset(
    {
        ActKind.YES,
        ActKind.NO,
        ActKind.ANSWER,
        ActKind.SET_POLICY,
        ActKind.CHANGE_AGENT,
        ActKind.PICK,
        ActKind.NONE,
    }
)


def _open_question(bench: Workbench) -> AskedQuestion | None:
    asked = AskedQuestion.of(bench.turn.note.question)
    is_ours = asked is not None and bool(asked.waiting) and asked.waiting[0].kind is ActKind.SET_POLICY
    return asked if is_ours and asked is not None and "field" in asked.waiting[0].slots else None


class Wish(NamedTuple):
    """A setting and the value it should get: a number as text, ``on`` or ``off``; empty: not said."""

    topic: Topic
    value: str = ""
    unit: str = ""
    """What the number was said to count, such as ``year``; the value itself counts days."""
    is_other_money: bool = False
    """Whether an amount was said in another currency than dollars."""


@dataclass(frozen=True, slots=True)
class PolicyActs:
    """Says what the policy is, and carries out changes of it."""

    tenants: TenantStore
    audit: AuditLog

    def show(self, act: Act, bench: Workbench) -> Result:
        """Say what the policy is about what was asked, or all of it in short. An open question stays open."""
        wording, asked = _question_of(act), _open_question(bench)
        if (role := role_of(act)) is not None:
            about = bench.turn.note.about if role in _GOING_ON else None
            text = roles.answer(role, bench.turn.caller, bench.turn.roster.answers)
            return Result(text, question=asked, about=about)
        if wording.has(roles.ADMINS) and limit_in(wording) is None:
            return Result(policy_texts.role(is_admin=bench.turn.caller.has(ADMIN)), question=asked)
        held = Topic(act.slot(FIELD)) if act.slot(FIELD) else None
        topics = [held] if held else list(dict.fromkeys(topics_in(wording)))[:_MOST_TOPICS]
        if len(topics) > 1 and Topic.LIMITS in topics:
            topics.remove(Topic.LIMITS)
        if not topics and asked is not None:
            topics = [Topic(asked.waiting[0].slots["field"])]
        if not topics or (wording.has(_GENERAL) and len(topics) > 1):
            topics = [Topic.ALL]
        talked = bench.turn.note.about
        if topics[0] in BUDGETS and talked is not None and talked.id in BUDGETS:
            topics[0] = budget_in(wording, Topic(talked.id))
        record, agents = self._record(bench), len(bench.turn.own_agents())
        text = " ".join(policy_texts.shown(topic, record, agents) for topic in topics)
        about = None if topics[0] is Topic.ALL else _about(topics[0])
        return Result(text, question=asked, tool="show_policy", about=about)

    def _record(self, bench: Workbench) -> TenantRecord:
        """Return the tenant as it is now: another process may have changed it since the roster was read."""
        turn = bench.turn
        return turn.roster.record if turn.has_fresh_roster else self.tenants.record(turn.caller.tenant)

    def change(self, act: Act, bench: Workbench, *, is_confirmed: bool) -> Result:
        """Change a setting, or ask for its value or for a yes first."""
        wish = _wish(act, Wording.of_text(bench.turn.message))
        if wish is None:
            return Result(policy_texts.what_can_be_set())
        result = self._changed_to(wish, act, bench, is_confirmed=is_confirmed)
        return replace(result, about=_about(wish.topic))

    def _changed_to(self, wish: Wish, act: Act, bench: Workbench, *, is_confirmed: bool) -> Result:
        if wish.topic is Topic.LIMITS and bench.turn.caller.has(ADMIN):
            return Result(policy_texts.which_limit(wish.value), question=_asking_limit(act, wish))
        if wish.topic in NO_SETTING:
            return Result(
                policy_texts.shown(wish.topic, bench.turn.roster.record, len(bench.turn.own_agents()))
            )
        if not bench.turn.caller.has(ADMIN):
            return Result(policy_texts.admins_only(wish.topic, bench.turn.roster.record))
        if wish.topic not in NUMBERED | {Topic.LEGAL_HOLD}:
            return Result(policy_texts.set_elsewhere())
        if not wish.value:
            return Result(policy_texts.ask_value(wish.topic), question=_asking_value(act, wish))
        return self._settle(act, wish, bench, is_confirmed=is_confirmed)

    def _settle(self, act: Act, wish: Wish, bench: Workbench, *, is_confirmed: bool) -> Result:
        if (most := _most(wish.topic, bench)) is not None and float(wish.value) > most:
            return Result(policy_texts.beyond_limit(wish.topic, most), question=_asking_value(act, wish))
        policy = _changed(bench.policy, wish)
        if policy is None:
            return Result(policy_texts.out_of_range(wish.topic), question=_asking_value(act, wish))
        if policy == bench.policy.with_earlier_retention(None):
            return Result(policy_texts.already(wish.topic, wish.value), is_idle=True)
        if not is_confirmed:
            text = policy_texts.ask(
                wish.topic,
                wish.value,
                bench.policy,
                is_part=_is_part(Wording.of(act), wish),
                is_whole=bool(act.slot("whole")),
                is_other_money=wish.is_other_money,
            )
            return Result(text, question=_asking_yes(act, wish))
        self._replace(policy, bench)
        did = policy_texts.did(wish.topic, wish.value)
        return Result(policy_texts.done(wish.topic, wish.value), did, tool="update_policy", kind=act.kind)

    def restore(self, change: Change, bench: Workbench) -> str:
        """Undo a change of the policy and return how it is again, as a clause.

        Raises:
            ChangedSince: it was changed again since.
            Forbidden: the caller is no administrator.
        """
        if not bench.turn.caller.has(ADMIN):
            raise Forbidden(policy_texts.admins_only(Topic.ALL, bench.turn.roster.record))
        former = change.former_policy(bench.policy)
        self._replace(former, bench)
        return policy_texts.former(former, list(change.former))

    def _replace(self, policy: TenantPolicy, bench: Workbench) -> None:
        record = bench.turn.roster.record
        write = self.tenants.build_policy_update(record, policy)
        before, after = (each.model_dump(mode="json") for each in (record.policy, policy))
        recorded = self.audit.build_record(
            bench.turn.caller, AuditedAct.POLICY_CHANGED, before=before, after=after
        )
        bench.change_policy(policy, write, recorded)


def _question_of(act: Act) -> Wording:
    """Return the words of an act; of its question alone, where that names a setting: ``I'm admin now, which
    models may we use?``
    """
    question = Wording.of_text(question_in(act.clause.text))
    return question if any(topics_in(question)) else Wording.of(act)


def names_setting(act: Act) -> bool:
    """Return whether a question names the asker's role or a setting that the workspace has."""
    wording = Wording.of(act)
    return bool(act.slot(ROLE) or act.slot(FIELD)) or wording.has(roles.ADMINS) or bool(topics_in(wording))


def _about(topic: Topic) -> Reference:
    return Reference(kind=SETTING, id=topic.value, name=topic.value)


_GOING_ON = frozenset({Role.DECIDES, Role.REASON, Role.REPAIRS})
"""The questions about roles after which the setting is still talked about."""


def _held(act: Act, wish: Wish) -> HeldAct:
    return HeldAct.of(act, ()).model_copy(update={"slots": _slots(wish)})


def _slots(wish: Wish) -> dict[str, str]:
    slots = {"field": wish.topic.value, "value": wish.value, "unit": wish.unit}
    return {name: text for name, text in slots.items() if text}


def _asking_yes(act: Act, wish: Wish) -> AskedQuestion:
    return AskedQuestion(asked=Asked.CONFIRM, waiting=(_held(act, wish),))


def _asking_limit(act: Act, wish: Wish) -> AskedQuestion:
    """Return the question which limit should have the value; ``any``: it isn't known yet."""
    return AskedQuestion(asked=Asked.SLOTS, slots=("field",), waiting=(_held(act, wish),))


def _asking_value(act: Act, wish: Wish) -> AskedQuestion:
    held = _held(act, wish._replace(value=""))
    return AskedQuestion(asked=Asked.SLOTS, slots=("number",), waiting=(held,))


def _wish(act: Act, message: Wording) -> Wish | None:
    """Return what an act wants: as it was held, or as its words say; the setting may be named around it."""
    held = Topic(act.slot("field")) if act.slot("field") else None
    if held is not None and act.slot("value"):
        return Wish(held, act.slot("value"), act.slot("unit"))
    wording = Wording.of(act)
    around = topic_of(message)
    has_unit = any(value.unit for value in values_in(wording))
    if held is None and topic_of(wording) is None and (around in IN_DAYS or not has_unit):
        held = around
    return read_wish(wording, held, act.slot("unit"))


def read_wish(wording: Wording, held: Topic | None = None, unit: str = "") -> Wish | None:
    """Return the setting and value that words name; ``held`` and ``unit``: those talked about before."""
    values = values_in(wording)
    topic = held or _with_number(wording) if values else held or topic_of(wording)
    if topic is None and wording.has(_LIFTS & {"lift", "lifted"}):
        topic = Topic.LEGAL_HOLD
    if topic is Topic.LIMITS:
        return Wish(topic, str(int(values[-1].number)) if values else "")
    if topic is None:
        topic = Topic.RETENTION if any(value.unit for value in values) else None
    if topic is None:
        return None
    if topic is Topic.LEGAL_HOLD:
        return Wish(topic, _OFF if wording.has(_LIFTS) and not wording.says("not over") else _ON)
    if topic in BUDGETS:
        topic = budget_in(wording, topic)
    if not values or topic not in NUMBERED:
        return Wish(topic)
    if topic in IN_DAYS:
        last = values[-1]
        last = last if last.unit else Value(last.number, unit)
        return Wish(topic, str(last.days), last.unit)
    if topic in BUDGETS and (amount := money_in(wording)) is not None:
        dollars = f"{amount_in(wording, amount.number):.2f}"
        return Wish(topic, dollars, is_other_money=is_in_other_money(wording))
    return Wish(topic, str(int(values[0].number)))


def _with_number(wording: Wording) -> Topic | None:
    """Return the setting that words with a number mean: the first that has one, else the first."""
    named = list(topics_in(wording))
    return next((topic for topic in named if topic in NUMBERED), named[0] if named else None)


def _changed(policy: TenantPolicy, wish: Wish) -> TenantPolicy | None:
    """Return the policy with the value; None when the value is not allowed."""
    try:
        return TenantPolicy.model_validate({**dict(policy), **_values(policy, wish)})
    except ValidationError:
        return None


def _values(policy: TenantPolicy, wish: Wish) -> dict[str, object]:
    match wish.topic:
        case Topic.LEGAL_HOLD:
            return {"legal_hold": wish.value == _ON}
        case topic if topic in BUDGETS:
            caps = {**dict(policy.budget), topic.value: float(wish.value)}
            return {"budget": Budget.model_validate(caps)}
        case topic if topic in LIMITS:
            return {"limits": with_value(policy.limits, topic, int(wish.value))}
        case _:
            return {wish.topic.value: int(wish.value)}


def _most(topic: Topic, bench: Workbench) -> int | None:
    """Return the most that an administrator may set; None: what the policy's own form allows."""
    record = bench.turn.roster.record
    free = replace(record, policy=TenantPolicy())
    group, _, name = topic.value.rpartition(".")
    if topic in LIMITS and group:
        daily = limits_of(free, QuotaKind(name))
        return daily.per_user if group == _OF_A_USER else daily.per_tenant
    match topic:
        case Topic.AGENTS_OF_A_USER | Topic.AGENTS:
            return StockLimits.of(free).agents
        case Topic.SKILLS:
            return StockLimits.of(free).skills
        case Topic.SKILLS_OF_A_USER:
            return StockLimits.of(free).skills_per_user
        case Topic.RUNS_AT_ONCE:
            return StockLimits.of(free).runs_at_once
        case _:
            return None


_OF_A_USER = "per_user_per_day"


def _is_part(wording: Wording, wish: Wish) -> bool:
    """Return whether a hold is asked for on a subject, which there is not."""
    is_hold = wish.topic is Topic.LEGAL_HOLD and wish.value == _ON
    return is_hold and (
        wording.has(_PART)
        or wording.says("to do with", "everything from", "hold on the", "one on the", "hold on my")
    )


def amended(asked: AskedQuestion, acts: Sequence[Act]) -> tuple[AskedQuestion | None, list[Act]]:
    """Return the question and the acts after an answer that gives another value: ``no, 90 days``.

    After a yes the new value is set at once; after a no, or neither, it is asked about.
    """
    held = asked.waiting[0]
    topic, unit = Topic(held.slots.get("field", Topic.RETENTION)), held.slots.get("unit", "")
    if topic is Topic.LIMITS and (named := _limit_named(held, acts)) is not None:
        return None, named
    told = [act for act in acts if act.kind in _AMENDING or _restates(act, topic)]
    rest = [act for act in acts if act not in told]
    if any(_excepts(act) for act in told):
        slots = {**held.slots, "whole": "yes"}
        return None, [held.model_copy(update={"slots": slots}).to_act(), *rest]
    wishes = [
        wish
        for act in told
        if (wish := read_wish(Wording.of(act), _own_topic(act, topic), unit)) and wish.value
    ]
    new = wishes[-1] if wishes else None
    if new is None or topic is Topic.LEGAL_HOLD:
        return asked, list(acts)
    if (new.topic, new.value) == (topic, held.slots.get("value")):
        return asked, [act for act in acts if act.kind is not ActKind.SET_POLICY or act not in told]
    changed = held.model_copy(update={"slots": _slots(new)})
    if asked.asked is Asked.CONFIRM and _begins_with_yes(told):
        answer = replace(told[0], kind=ActKind.YES)
        return asked.model_copy(update={"waiting": (changed, *asked.waiting[1:])}), [answer, *rest]
    return None, [changed.to_act(), *rest]


def _restates(act: Act, topic: Topic) -> bool:
    """Return whether words say the setting that is asked about again, with a value."""
    wording = Wording.of(act)
    return topic in BUDGETS and topic_of(wording) in BUDGETS and bool(values_in(wording))


def _limit_named(held: HeldAct, acts: Sequence[Act]) -> list[Act] | None:
    """Return the acts once an answer names the limit that a value was meant for."""
    for act in acts:
        wish = read_wish(Wording.of(act))
        if wish is not None and wish.topic in NUMBERED:
            slots = {"field": wish.topic.value, "value": wish.value or held.slots.get("value", "")}
            changed = held.model_copy(update={"slots": {name: text for name, text in slots.items() if text}})
            return [changed.to_act(), *(other for other in acts if other is not act)]
    return None


def _own_topic(act: Act, topic: Topic) -> Topic:
    """Return the setting an amendment names itself, else the one asked about."""
    named = topic_of(Wording.of(act)) if act.kind is ActKind.SET_POLICY else None
    return named if named in NUMBERED and named is not None else topic


def _excepts(act: Act) -> bool:
    wording = Wording.of(act)
    return wording.has({"except", "excluding", "besides"}) or wording.says("apart from", "but not")


def _begins_with_yes(acts: Sequence[Act]) -> bool:
    tokens = tokenise(acts[0].clause.text)
    reply = read_reply(Clause(acts[0].clause.text, tokens)) if tokens else None
    is_yes = acts[0].kind is ActKind.YES if reply is None else reply == "yes"
    return is_yes and not any(act.kind is ActKind.NO for act in acts)
