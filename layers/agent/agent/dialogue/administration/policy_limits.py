"""The limits of a workspace that count something: which one words name, what it counts, and its value now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from agent.dialogue.administration.topics import Topic
from agent.dialogue.workspace_questions.wording import Wording, word_set
from conversation.limits.quotas import QuotaKind, StockLimits, limits_of
from conversation.limits.rates import RateLimits
from conversation.tenants.policy import Limits, TenantPolicy
from conversation.tenants.store import TenantRecord


class Limit(NamedTuple):
    """What one limit counts, as the end of "at most 25 …"."""

    one: str
    many: str
    behind: str
    """What follows the things counted."""
    name: str
    """What the limit is called in a list."""


_AT_ONCE = " may come at once after a quiet time (the burst limit)"
_TOGETHER, _OF_A_USER = " a day, all of you together", " a day for each person"
_DAILY = {
    "runs": ("run", "runs"),
    "forks": ("fork of a conversation", "forks of conversations"),
    "imports": ("imported conversation", "imported conversations"),
    "exports": ("page of exports", "pages of exports"),
    "skill_checks": ("check of a connection", "checks of connections"),
    "checks": ("check of web addresses", "checks of web addresses"),
    "agents": ("new agent", "new agents"),
    "skills": ("new connection", "new connections"),
    "tasks": ("new task", "new tasks"),
    "conversations": ("conversation begun", "conversations begun"),
    "erasures": ("erasure", "erasures"),
}
_STOCK = {
    Topic.BURST: Limit("message", "messages", _AT_ONCE, "messages at once"),
    Topic.TURNS_A_MINUTE: Limit("message", "messages", " a minute, all of you together", "messages a minute"),
    Topic.TURNS_AT_ONCE: Limit(
        "message", "messages", " of one person being answered or waiting for it", "waiting messages"
    ),
    Topic.RUNS_AT_ONCE: Limit(
        "run", "runs", " at the same time, all of you together", "runs at the same time"
    ),
    Topic.AGENTS: Limit("agent", "agents", ", all of you together", "agents of all of you"),
    Topic.AGENTS_OF_A_USER: Limit("agent", "agents", " for each person", "agents for each person"),
    Topic.SKILLS: Limit("connection", "connections", ", all of you together", "connections of all of you"),
    Topic.SKILLS_OF_A_USER: Limit(
        "connection", "connections", " for each person", "connections for each person"
    ),
}


def _daily() -> Iterator[tuple[Topic, Limit]]:
    for kind, (one, many) in _DAILY.items():
        yield Topic(f"per_day.{kind}"), Limit(one, many, _TOGETHER, f"{many} a day")
        yield (
            Topic(f"per_user_per_day.{kind}"),
            Limit(one, many, _OF_A_USER, f"{many} a day for each person"),
        )


LIMITS = {**_STOCK, **dict(_daily())}
"""Each limit with a number that an administrator can set, by its topic."""

_PER_PERSON = word_set("person user users head employee member colleague anybody any individual someone")
_AT_A_TIME = (
    "at once", "at the same time", "at a time", "at one time", "in parallel", "parallel", "simultaneous",
    "simultaneously", "concurrent", "concurrently",
)  # fmt: skip
_A_DAY = ("a day", "per day", "daily", "each day", "every day", "in a day", "one day", "day")
MESSAGES = word_set("message messages request requests turn turns call calls prompts")
_BURST_LIMIT = (
    "burst limit", "burst limits", "burst size", "burst rate", "burst to", "burst is", "burst at", "burst of",
    "bursts of", "the burst", "our burst", "my burst", "max burst", "maximum burst", "bursts are", "a burst",
    "burst allowed", "burst cap", "burst quota",
)  # fmt: skip
"""How the limit is called: a pipe bursts, too."""
_MINUTE = word_set("minute minutes")
_SKILLS = word_set("skill skills connection connections connector connectors integration integrations")
_TOGETHER_WORDS = ("together", "in total", "altogether", "all of us", "whole workspace", "entire workspace")
_NEW = frozenset({"new"})
_COUNTED_DAILY = {
    "forks": word_set("fork forks"),
    "imports": word_set("import imports imported"),
    "exports": word_set("export exports exported"),
    "erasures": word_set("erasure erasures"),
    "tasks": word_set("task tasks todos to-dos"),
    "checks": word_set("check checks"),
}
_LIMITING = word_set("limit limits limited cap caps capped quota quotas allowance maximum max most")
_CONVERSATIONS = word_set("conversations chats threads")


def is_per_person(wording: Wording) -> bool:
    """Return whether words limit what one person may do."""
    return wording.has(_PER_PERSON) or (
        wording.says("each", "each of")
        and not wording.says("each day", "each week", "each month", "each year")
    )


def limit_in(wording: Wording) -> Topic | None:
    """Return the limit that words name apart from runs and agents of a person; None when they name none."""
    at_once = wording.says(*_AT_A_TIME)
    if wording.has({"bursting"}) or wording.says(*_BURST_LIMIT):
        return Topic.BURST
    if wording.has({"runs", "run", "running"}) and at_once:
        return Topic.RUNS_AT_ONCE
    if wording.has(MESSAGES):
        return _about_messages(wording, at_once=at_once)
    if not (wording.has(_LIMITING) or wording.says(*_A_DAY, "how many", "more than")):
        return None
    return _about_stock(wording) or _about_day(wording)


def _about_messages(wording: Wording, *, at_once: bool) -> Topic | None:
    if wording.has(_MINUTE):
        return Topic.TURNS_A_MINUTE
    if wording.has({"waiting", "queue", "queued"}) or (at_once and is_per_person(wording)):
        return Topic.TURNS_AT_ONCE
    return Topic.BURST if at_once else None


def _about_stock(wording: Wording) -> Topic | None:
    is_daily = wording.says(*_A_DAY)
    if wording.has({"agents", "agent"}) and not is_daily and wording.says(*_TOGETHER_WORDS):
        return Topic.AGENTS
    if wording.has(_SKILLS) and not is_daily and not wording.has({"check", "checks"}):
        return Topic.SKILLS_OF_A_USER if is_per_person(wording) else Topic.SKILLS
    return None


def _about_day(wording: Wording) -> Topic | None:
    """Return the limit of what may be made or started in a day."""
    kind = next((kind for kind, words in _COUNTED_DAILY.items() if wording.has(words)), None)
    if wording.has(_SKILLS):
        kind = "skill_checks" if kind == "checks" else "skills"
    elif kind is None and wording.says(*_A_DAY) and wording.has(_NEW):
        kind = next(
            (k for k, w in (("agents", {"agents"}), ("conversations", _CONVERSATIONS)) if wording.has(w)),
            None,
        )
    if kind is None:
        return None
    return Topic(f"per_user_per_day.{kind}" if is_per_person(wording) else f"per_day.{kind}")


def own_value(limits: Limits, topic: Topic) -> int | None:
    """Return what a workspace has set for a limit; None: nothing of its own."""
    group, _, name = topic.value.rpartition(".")
    value: int | None = getattr(getattr(limits, group) if group else limits, name)
    return value


def default_value(record: TenantRecord, topic: Topic) -> int | None:
    """Return what counts where a workspace has set nothing: what operators granted, else the usual."""
    group, _, name = topic.value.rpartition(".")
    if group:
        daily = limits_of(replace(record, policy=TenantPolicy()), QuotaKind(name))
        return daily.per_user if group == "per_user_per_day" else daily.per_tenant
    found: int | None = getattr(RateLimits().with_grant(record.grant), name, None)
    stock: int | None = getattr(StockLimits.of(record), name, None)
    return stock if found is None else found


def with_value(limits: Limits, topic: Topic, value: int) -> Limits:
    """Return the limits with a value for one.

    Raises:
        ValidationError: the limit can't have it.
    """
    group, _, name = topic.value.rpartition(".")
    if not group:
        return Limits.model_validate({**dict(limits), name: value})
    caps = getattr(limits, group)
    return Limits.model_validate(
        {**dict(limits), group: type(caps).model_validate({**dict(caps), name: value})}
    )
