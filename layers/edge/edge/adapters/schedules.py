"""Agents' schedules and single messages: in a group of EventBridge Scheduler on AWS, in a SQLite file in the
local twin.
"""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC
from typing import TYPE_CHECKING, Any

from conversation.clock import to_text
from conversation.cron import EVERY_DAY, EVERY_WEEKDAY, Cron
from conversation.scheduler import (
    ScheduledOnce,
    ScheduledRun,
    Scheduler,
    ScheduleRejected,
    SchedulerUnavailable,
)
from conversation.timing import Timing
from edge.adapters.sqlite_file import connect, sqlite_path, write_transaction
from edge.environment import SettingsInvalid
from edge.settings import Settings

if TYPE_CHECKING:
    from botocore.exceptions import ClientError
    from mypy_boto3_scheduler import EventBridgeSchedulerClient

RETRY_FOR_S = 3600
"""How long the delivery of a firing is retried: a report that comes hours late is not wanted any more."""

RETRY_ONCE_FOR_S = 86_400
"""The same for a message that is sent once and says itself that it is late. AWS allows no more."""

_SECOND = "-weekdays"
_REFUSED = frozenset({"ValidationException", "ServiceQuotaExceededException"})
_SCHEMA = """
create table if not exists appointments (
    agent_id text primary key, cron text not null, time_zone text not null, active integer not null,
    body text not null, since text not null
);
create table if not exists once (name text primary key, at text not null, body text not null)
"""
# ``since``, the last firing, is kept as long as the schedule stays the same.
_PUT = """
insert into appointments (agent_id, cron, time_zone, active, body, since)
values (:agent_id, :cron, :time_zone, :active, :body, :since)
on conflict (agent_id) do update set
    since = iif(
        cron = excluded.cron and time_zone = excluded.time_zone and active = excluded.active,
        since, excluded.since
    ),
    cron = excluded.cron, time_zone = excluded.time_zone, active = excluded.active, body = excluded.body
"""


class EventBridgeScheduler:
    """A group of EventBridge Scheduler, with one schedule per agent and one per single message.

    An agent has two where cron combines days of the month with days of the week, which AWS keeps apart. On a
    day that both name, both fire for the same moment; such a pair starts one run.
    """

    def __init__(
        self,
        connect: Callable[[], EventBridgeSchedulerClient],
        *,
        group: str,
        target_arn: str,
        role_arn: str,
        dead_letters_arn: str | None = None,
    ) -> None:
        self._client = functools.cache(connect)
        self._group = group
        self._target: dict[str, Any] = {
            "Arn": target_arn,
            "RoleArn": role_arn,
            "RetryPolicy": {"MaximumEventAgeInSeconds": RETRY_FOR_S},
        }
        if dead_letters_arn is not None:
            self._target["DeadLetterConfig"] = {"Arn": dead_letters_arn}

    def put(self, scheduled_run: ScheduledRun) -> None:
        timing = Timing.from_text(scheduled_run.cron, scheduled_run.time_zone)
        first, *more = expressions_for(timing)
        self._put(scheduled_run.agent_id, first, scheduled_run)
        if more:
            self._put(scheduled_run.agent_id + _SECOND, more[0], scheduled_run)
        else:
            self._remove(scheduled_run.agent_id + _SECOND)

    def remove(self, agent_id: str) -> None:
        self._remove(agent_id)
        self._remove(agent_id + _SECOND)

    def put_once(self, message: ScheduledOnce) -> None:
        self._save(
            Name=message.name,
            ScheduleExpression=f"at({message.at.astimezone(UTC):%Y-%m-%dT%H:%M:%S})",
            ScheduleExpressionTimezone="UTC",
            ActionAfterCompletion="DELETE",
            Target={
                **self._target,
                "RetryPolicy": {"MaximumEventAgeInSeconds": RETRY_ONCE_FOR_S},
                "Input": message.body,
            },
        )

    def remove_once(self, name: str) -> None:
        self._remove(name)

    def _put(self, name: str, expression: str, scheduled_run: ScheduledRun) -> None:
        self._save(
            Name=name,
            ScheduleExpression=expression,
            ScheduleExpressionTimezone=scheduled_run.time_zone,
            State="ENABLED" if scheduled_run.active else "DISABLED",
            Target={**self._target, "Input": scheduled_run.body},
        )

    def _save(self, **fields: Any) -> None:
        schedule: dict[str, Any] = {
            "GroupName": self._group,
            "FlexibleTimeWindow": {"Mode": "OFF"},
            **fields,
        }
        client = self._client()
        with _translated():
            try:
                client.update_schedule(**schedule)
            except client.exceptions.ResourceNotFoundException:
                client.create_schedule(**schedule)

    def _remove(self, name: str) -> None:
        client = self._client()
        with _translated():
            try:
                client.delete_schedule(Name=name, GroupName=self._group)
            except client.exceptions.ResourceNotFoundException:
                return


class SqliteScheduler:
    """Schedules in a SQLite file that several processes share; `local.events.scheduler` fires them."""

    def __init__(self, path: str) -> None:
        self._path = path
        with closing(connect(path)) as connection:
            connection.execute("pragma journal_mode=wal")
            connection.executescript(_SCHEMA)

    def put(self, scheduled_run: ScheduledRun) -> None:
        row = {
            "agent_id": scheduled_run.agent_id,
            "cron": scheduled_run.cron,
            "time_zone": scheduled_run.time_zone,
            "active": scheduled_run.active,
            "body": scheduled_run.body,
            "since": to_text(scheduled_run.since),
        }
        self._write(_PUT, row)

    def remove(self, agent_id: str) -> None:
        self._write("delete from appointments where agent_id = :agent_id", {"agent_id": agent_id})

    def put_once(self, message: ScheduledOnce) -> None:
        row = {"name": message.name, "at": to_text(message.at), "body": message.body}
        self._write("insert or replace into once (name, at, body) values (:name, :at, :body)", row)

    def remove_once(self, name: str) -> None:
        self._write("delete from once where name = :name", {"name": name})

    def _write(self, statement: str, values: Mapping[str, object]) -> None:
        try:
            with write_transaction(self._path) as connection:
                connection.execute(statement, values)
        except sqlite3.Error as error:
            raise SchedulerUnavailable from error


def open_scheduler(settings: Settings) -> Scheduler:
    """The scheduler that the settings name.

    Raises:
        SettingsInvalid: they name none, or a group of EventBridge Scheduler without a target or role.
    """
    if settings.schedules is None:
        raise SettingsInvalid("OMNIFORGE_SCHEDULES", "is needed and not set")
    path = sqlite_path(settings.schedules)
    if path is not None:
        return SqliteScheduler(path)
    target, role = settings.schedule_target_arn, settings.schedule_role_arn
    if target is None or role is None:
        name = "OMNIFORGE_SCHEDULE_" + ("TARGET_ARN" if target is None else "ROLE_ARN")
        raise SettingsInvalid(name, "is needed beside OMNIFORGE_SCHEDULES and not set")
    return EventBridgeScheduler(
        _connect,
        group=settings.schedules,
        target_arn=target,
        role_arn=role,
        dead_letters_arn=settings.schedule_dead_letters_arn,
    )


def eventbridge_expressions(cron: Cron) -> tuple[str, ...]:
    """One or two expressions in EventBridge Scheduler's notation for the moments of a cron expression.

    They have six fields, weekdays counted from 1 (Sunday), and a ``?`` in one of the two fields for days.
    """
    cron = _expressible(cron)
    times = f"{_listed(cron.minutes, 60)} {_listed(cron.hours, 24)}"
    months = _listed(cron.months, 12)
    days = next(iter(cron.placed_days), None) or _listed(cron.days, 31)
    by_day = f"cron({times} {days} {months} ? *)"
    weekdays = _listed(frozenset(day + 1 for day in cron.weekdays), 7)
    for weekday, place in cron.placed_weekdays:
        weekdays = f"{weekday + 1}L" if place < 0 else f"{weekday + 1}#{place}"
    by_weekday = f"cron({times} ? {months} {weekdays} *)"
    if cron.placed_days:
        return (by_day,)
    if cron.placed_weekdays:
        return (by_weekday,)
    if cron.matches_either_day_field:
        return by_day, by_weekday
    return (by_day,) if cron.weekdays == EVERY_WEEKDAY else (by_weekday,)


def _expressible(cron: Cron) -> Cron:
    """The expression itself, or the narrowest one of EventBridge that misses none of its moments.

    It takes one ``L``, ``W`` or ``#`` in a field, and nothing beside it. `agent.runs.executor` passes over
    what the wider one wakes too often.
    """
    placed = len(cron.placed_days) + len(cron.placed_weekdays)
    is_alone = placed == 1 and (cron.days == EVERY_DAY or cron.weekdays == EVERY_WEEKDAY)
    is_alone = is_alone and (not cron.days or not cron.weekdays) and "LW" not in cron.placed_days
    if not placed or is_alone:
        return cron
    if cron.days and cron.weekdays and not _is_one_field(cron):
        return cron._replace(
            days=EVERY_DAY, weekdays=EVERY_WEEKDAY, placed_days=frozenset(), placed_weekdays=frozenset()
        )
    days = frozenset(day for day in EVERY_DAY if _may_be_on(day, cron))
    return cron._replace(
        days=days, weekdays=EVERY_WEEKDAY, placed_days=frozenset(), placed_weekdays=frozenset()
    )


def _is_one_field(cron: Cron) -> bool:
    """Whether only one of the two fields for days is restricted, and by places only."""
    return (cron.days == EVERY_DAY and not cron.weekdays) or cron.weekdays == EVERY_WEEKDAY


def _may_be_on(day: int, cron: Cron) -> bool:
    """Whether the expression may name this day of some month."""
    if day in cron.days and cron.days != EVERY_DAY:
        return True
    if cron.placed_weekdays:
        return any(
            day > 21 if place < 0 else (day - 1) // 7 + 1 == place for _, place in cron.placed_weekdays
        )
    if day > 25 and any(name.startswith("L") for name in cron.placed_days):
        return True
    return any(abs(day - int(name[:-1])) <= 2 for name in cron.placed_days if name[0].isdigit())


def expressions_for(timing: Timing) -> tuple[str, ...]:
    """The expressions that wake every moment of a schedule; `Timing.matches` passes over the others."""
    first, *more = map(Cron.parse, timing.crons)
    for other in more:
        first = _both(_expressible(first), _expressible(other))
    return eventbridge_expressions(first)


def _both(one: Cron, two: Cron) -> Cron:
    """An expression that misses no moment of the two."""
    same_days = one[2:] == two[2:]
    weekly = all(
        cron.days == EVERY_DAY and not cron.placed_weekdays and not cron.placed_days for cron in (one, two)
    )
    monthly = all(cron.weekdays == EVERY_WEEKDAY and not cron.placed_days for cron in (one, two))
    days = one.days | two.days if monthly else EVERY_DAY
    weekdays = one.weekdays | two.weekdays if weekly else EVERY_WEEKDAY
    wide = Cron(one.minutes | two.minutes, one.hours | two.hours, days, one.months | two.months, weekdays)
    if not same_days:
        return wide
    return one._replace(minutes=one.minutes | two.minutes, hours=one.hours | two.hours)


def _listed(values: frozenset[int], all_of_them: int) -> str:
    """A field's values as text; ranges keep an expression within AWS's limit of 256 characters."""
    if len(values) == all_of_them:
        return "*"
    starts = sorted(value for value in values if value - 1 not in values)
    ends = sorted(value for value in values if value + 1 not in values)
    return ",".join(
        str(start) if start == end else f"{start}-{end}" for start, end in zip(starts, ends, strict=True)
    )


@contextmanager
def _translated() -> Iterator[None]:
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except ClientError as error:
        raise _refusal(error) from error
    except BotoCoreError as error:
        raise SchedulerUnavailable from error


def _refusal(error: ClientError) -> Exception:
    code = error.response.get("Error", {}).get("Code", "")
    return ScheduleRejected(code) if code in _REFUSED else SchedulerUnavailable(code)


def _connect() -> EventBridgeSchedulerClient:
    import boto3

    return boto3.client("scheduler")
