"""Every sentence about the workspace's policy that is shown to people. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from agent.answers.budget_caps import LASTING, say_caps
from agent.dialogue.administration.policy_limits import LIMITS, default_value, own_value
from agent.dialogue.administration.topics import BUDGETS, IN_DAYS, Topic
from agent.dialogue.workspace_questions.texts import counted, usd
from agent.workspace.agents import join_words
from conversation.limits.quotas import QuotaKind, limits_of
from conversation.messages.models import Status
from conversation.retention.expiry import days_kept
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.retention_grace import GRACE
from conversation.tenants.store import TenantRecord
from conversation.usage.spend_caps import effective_cap_usd, effective_month_usd

MOST_DAYS = 3_650


def days(number: int) -> str:
    """Return a number of days; whole years beside it: ``730 days (2 years)``."""
    years = number // 365
    return counted(number, "day") + (f" ({counted(years, 'year')})" if years and number % 365 == 0 else "")


def shown(topic: Topic, record: TenantRecord, own_agents: int) -> str:
    """Say what the policy is about one subject."""
    if topic is Topic.AGENTS_OF_A_USER:
        return f"{_agents(record)[:-1]}; you have {own_agents}."
    if topic in _SAID:
        return _SAID[topic](record)
    return _limit(topic, record) if topic in LIMITS else _ELSEWHERE[topic](record.policy)


def _limit(topic: Topic, record: TenantRecord) -> str:
    value = own_value(record.policy.limits, topic)
    if value is None and (usual := default_value(record, topic)) is not None:
        return (
            f"{_capitalised(_so(topic, str(usual)))}, by default: your workspace has set no limit of its own."
        )
    if value is None:
        what = LIMITS[topic]
        return f"Your workspace has set no limit of its own on {what.name}; what the service allows counts."
    return f"{_capitalised(_so(topic, str(value)))}."


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _agents(record: TenantRecord) -> str:
    return f"Each person may have up to {counted(record.policy.limits.agents_per_user, 'agent')}."


def _creators(record: TenantRecord) -> str:
    return (
        f"Everybody in your workspace may create agents; only their number can be limited. {_agents(record)}"
    )


def _sharing(_record: TenantRecord) -> str:
    return (
        "Agents can only be shared with your whole workspace, never with anybody outside it. There is no "
        "other rule to set."
    )


def _quiet_hours(_record: TenantRecord) -> str:
    return "There are no quiet hours here: each agent runs at the times it is set to."


def _limits(record: TenantRecord) -> str:
    own = (topic for topic in LIMITS if topic not in _SAID and topic is not Topic.AGENTS_OF_A_USER)
    more = "".join(f" {_limit(topic, record)}" for topic in own if own_value(record.policy.limits, topic))
    return f"{_runs(record)} {_agents(record)} {_budget(record)}{more}"


def _archived(record: TenantRecord) -> str:
    kept = days_kept(record.policy, Status.ARCHIVED)
    return f"Archived chats are kept for {days(kept)} after the last activity."


def _time_zone(record: TenantRecord) -> str:
    return f"{record.policy.time_zone}, for everybody whose own device names no other."


def _retention(record: TenantRecord) -> str:
    policy = record.policy
    if policy.legal_hold:
        return "Your workspace is on legal hold, so nothing is deleted until an administrator lifts it."
    archived = policy.archived_retention_days
    others = f" Archived chats: {days(archived)}." if archived else ""
    return f"{days(policy.retention_days)} after the last activity; results of runs as long.{others}"


def _grace(record: TenantRecord) -> str:
    policy = record.policy
    kept = days_kept(policy, Status.DELETED)
    if policy.legal_hold:
        return "Deleted chats stay until an administrator lifts the workspace's legal hold."
    if not kept:
        return "Deleted chats are gone at once and can't be brought back."
    return f"Deleted chats can be brought back for {days(kept)}; then they are gone for good."


def _hold(record: TenantRecord) -> str:
    policy = record.policy
    if policy.legal_hold:
        return (
            "Yes, the whole workspace is on legal hold: nothing expires or is erased until an "
            "administrator lifts it."
        )
    return "No, your workspace is not on legal hold. Single chats may be; your administrators decide that."


def _budget(record: TenantRecord) -> str:
    cap = effective_cap_usd(record, math.inf)
    most = {"usd_per_day": None if cap == math.inf else cap, "usd_per_month": effective_month_usd(record)}
    caps = say_caps(record.policy.budget.model_copy(update=most), usd)
    return f"Models may cost {caps}." if caps else "No budget for models is set."


def _models(record: TenantRecord) -> str:
    policy = record.policy
    if policy.allowed_models is None:
        return "All models that are set up here may be used."
    return f"These models may be used: {', '.join(policy.allowed_models) or 'none'}."


def _runs(record: TenantRecord) -> str:
    most = limits_of(record, QuotaKind.RUNS)
    each = f", {most.per_user:,} for each person" if most.per_user < most.per_tenant else ""
    return f"At most {most.per_tenant:,} runs a day for all of you together{each}."


def _all(record: TenantRecord) -> str:
    policy, most = record.policy, limits_of(record, QuotaKind.RUNS)
    runs = min(most.per_user, most.per_tenant)
    hold = "The workspace is on legal hold." if policy.legal_hold else "There is no legal hold."
    return (
        f"Chats are kept for {days(policy.retention_days)}; deleted ones can be brought back for "
        f"{days(days_kept(policy, Status.DELETED))}. Each person may have "
        f"{policy.limits.agents_per_user:,} agents and {runs:,} runs a day. {_budget(record)} {hold}"
    )


def _mail_domains(record: TenantRecord) -> str:
    domains = record.policy.allowed_mail_domains
    if domains is None:
        return "Results may be mailed to people's own domains and those your operator allows."
    return f"Results may be mailed to these domains: {', '.join(domains) or 'none'}."


_SAID: Mapping[Topic, Callable[[TenantRecord], str]] = {
    Topic.RETENTION: _retention,
    Topic.ARCHIVED: _archived,
    Topic.GRACE: _grace,
    Topic.LEGAL_HOLD: _hold,
    **dict.fromkeys(BUDGETS, _budget),
    Topic.MODELS: _models,
    Topic.TIME_ZONE: _time_zone,
    Topic.RUNS_A_DAY: _runs,
    Topic.RUNS_OF_A_USER: _runs,
    Topic.CREATORS: _creators,
    Topic.SHARING: _sharing,
    Topic.QUIET_HOURS: _quiet_hours,
    Topic.MAIL_DOMAINS: _mail_domains,
    Topic.LIMITS: _limits,
    Topic.ALL: _all,
}


_ELSEWHERE: Mapping[Topic, Callable[[TenantPolicy], str]] = {
    Topic.HOOK_HOSTS: lambda policy: _hosts(policy.allowed_hook_hosts),
    Topic.STORED_BYTES: lambda policy: (
        "Your workspace has set no limit of its own on what is stored a day."
        if policy.limits.bytes_per_day is None
        else f"At most {policy.limits.bytes_per_day:,} bytes may be stored a day."
    ),
    Topic.ADMIN_READING: lambda policy: (
        f"Administrators {'can' if policy.admin_content_access else 'can not'} read chats here."
    ),
    Topic.HISTORY: lambda policy: f"Messages are {'' if policy.history == 'on' else 'not '}stored here.",
    Topic.REDACTION: lambda policy: (
        "Secrets are taken out of messages before they are stored."
        if policy.redaction == "store"
        else "Secrets stay in messages, which are marked."
    ),
    Topic.LANGUAGE: lambda policy: f"The workspace's language is {policy.language}.",
    Topic.ASSISTANT_NAME: lambda policy: f"The assistant is called {policy.assistant_name} here.",
    Topic.TONE: lambda policy: f"The assistant's tone is {policy.tone} here.",
    Topic.INSTRUCTIONS: lambda policy: (
        "There are standing instructions for the assistant."
        if policy.instructions
        else "There are no standing instructions for the assistant."
    ),
}


def _hosts(hosts: Sequence[str] | None) -> str:
    if hosts is None:
        return "Results may be sent to the web addresses that your operator allows."
    return f"Results may be sent to these web hosts: {', '.join(hosts) or 'none'}."


def ask(
    topic: Topic, value: str, policy: TenantPolicy, *, is_part: bool, is_whole: bool, is_other_money: bool
) -> str:
    """Ask for a yes before a setting changes.

    ``is_whole``: somebody wants a part excepted; ``is_other_money``: the amount was said in no dollars.
    """
    match topic:
        case Topic.LEGAL_HOLD if value == "off":
            return (
                "Shall I lift the legal hold? What is older than your workspace keeps it "
                f"({days(policy.retention_days)}) goes {_IN_GRACE}."
            )
        case Topic.LEGAL_HOLD:
            part = "I can't hold a subject, only the whole workspace. " if is_part else ""
            return (
                f"{part}Shall I put the whole workspace on legal hold? Nothing then expires or is erased, "
                "for anybody, until an administrator lifts it."
            )
        case _:
            only = "One setting holds for all; I can't except anything. " if is_whole else ""
            dollars = "Budgets here are in US dollars; I convert nothing. " if is_other_money else ""
            asked = f"{only}{dollars}Shall I set this for your whole workspace: {_so(topic, value)}?"
            return f"{asked} {_until_now(topic, value, policy)}".strip()


def _so(topic: Topic, value: str) -> str:
    """Return a setting with its value, as the end of a sentence."""
    match topic:
        case Topic.RETENTION:
            return f"chats and results are kept for {days(int(value))} after the last activity"
        case Topic.ARCHIVED:
            return f"archived chats are kept for {days(int(value))}"
        case Topic.GRACE:
            return f"deleted chats can be brought back for {days(int(value))}"
        case _ if topic in LIMITS:
            what, number = LIMITS[topic], int(value)
            return f"at most {number:,} {what.one if number == 1 else what.many}{what.behind}"
        case _ if topic in BUDGETS:
            return f"models may cost {usd(float(value))} {LASTING[topic.value]}"
        case Topic.LEGAL_HOLD:
            return "the workspace is on legal hold" if value == "on" else "the workspace is not on legal hold"
        case _:
            return f"{topic.value}: {value}"


_IN_GRACE = f"{GRACE.days} days after your yes; set it back before that, and nothing is lost"


def _until_now(topic: Topic, value: str, policy: TenantPolicy) -> str:
    if topic not in IN_DAYS:
        return ""
    statuses = {Topic.RETENTION: Status.ACTIVE, Topic.ARCHIVED: Status.ARCHIVED, Topic.GRACE: Status.DELETED}
    now = days_kept(policy, statuses[topic])
    gone = f" What is older goes {_IN_GRACE}." if int(value) < now else ""
    return f"Now it is {days(now)}.{gone}"


def done(topic: Topic, value: str) -> str:
    """Confirm a change."""
    so = _so(topic, value)
    return f"Done: {so}."


def former(policy: TenantPolicy, fields: Sequence[str]) -> str:
    """Return how settings are again after an undo, as a clause."""
    said = [_again(policy, field) for field in fields]
    return join_words(list(dict.fromkeys(said)))


def _again(policy: TenantPolicy, field: str) -> str:
    match field:
        case "retention_days":
            return f"{_so(Topic.RETENTION, str(policy.retention_days))} again"
        case "archived_retention_days" if policy.archived_retention_days is not None:
            return f"{_so(Topic.ARCHIVED, str(policy.archived_retention_days))} again"
        case "deleted_grace_days":
            return f"{_so(Topic.GRACE, str(policy.deleted_grace_days))} again"
        case "legal_hold":
            return f"{_so(Topic.LEGAL_HOLD, 'on' if policy.legal_hold else 'off')} again"
        case "budget":
            caps = say_caps(policy.budget, usd)
            return f"models may cost {caps} again" if caps else "there is no budget again"
        case _:
            return "the settings of your workspace are as they were"


def did(topic: Topic, value: str) -> str:
    """Return a change as it is remembered."""
    return f"changed the workspace's policy: {_so(topic, value)}"


def already(topic: Topic, value: str) -> str:
    """Say that nothing has to change."""
    return f"That is so already: {_so(topic, value)}."


def admins_only(topic: Topic, record: TenantRecord) -> str:
    """Say who may change a setting, and what it is."""
    now = "" if topic is Topic.ALL else f" Now: {shown(topic, record, 0)}" if topic in _SHORT else ""
    return f"Only an administrator of your workspace can change that, and you aren't one.{now}"


_SHORT = IN_DAYS | BUDGETS | {*LIMITS} - {Topic.AGENTS_OF_A_USER}


def role(*, is_admin: bool) -> str:
    """Say what administrators may do, and whether the user is one."""
    mine = "You are an administrator of this workspace." if is_admin else "You aren't an administrator here."
    return f"{mine} Only administrators change its settings: how long chats are kept, limits, legal hold."


def ask_value(topic: Topic) -> str:
    """Ask for the value of a setting."""
    match topic:
        case _ if topic in BUDGETS:
            lasting = LASTING[topic.value]
            return f"Budgets here are in US dollars. How many dollars {lasting} should it be?"
        case _ if topic in LIMITS:
            return f"How many {LIMITS[topic].name} should be allowed?"
        case _:
            return "For how many days should they be kept?"


def out_of_range(topic: Topic) -> str:
    """Say which values a setting may have."""
    if topic in IN_DAYS:
        least = 0 if topic is Topic.GRACE else 1
        return f"It can be {least} to {MOST_DAYS:,} days. How many should it be?"
    return "That number can't be set. Which other one should it be?"


def beyond_limit(topic: Topic, most: int) -> str:
    """Say that a limit can't be raised here."""
    return (
        f"At most {most:,} {LIMITS[topic].name} can be set here; only your operator can raise that. How many?"
    )


def what_can_be_set() -> str:
    """Ask what should change."""
    return (
        "What should I change: how long chats are kept, a limit on runs, agents or spending, or the "
        "legal hold?"
    )


def which_limit(value: str) -> str:
    """Ask which limit should have a value."""
    be = f"be {value}" if value else "change"
    return (
        f"Which limit should {be}: messages at once (the burst limit), messages a minute, runs a day, agents "
        "for each person, tasks a day, or what models may cost?"
    )


def set_elsewhere() -> str:
    """Say that a setting isn't changed in the chat."""
    return (
        "I can't change that from this chat. An administrator can, with PATCH /v1/tenant/policy: it holds "
        "all settings of your workspace."
    )
