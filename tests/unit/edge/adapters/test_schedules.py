from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import boto3
import pytest
from botocore.config import Config
from cronsim import CronSim

from conversation.cron import Cron
from conversation.scheduler import (
    SCHEDULED_TIME,
    ScheduledOnce,
    ScheduledRun,
    ScheduleRejected,
    SchedulerUnavailable,
)
from conversation.timing import Timing
from edge.adapters.schedules import (
    EventBridgeScheduler,
    SqliteScheduler,
    eventbridge_expressions,
    expressions_for,
    open_scheduler,
)
from edge.environment import SettingsInvalid
from edge.settings import Settings
from tests.fakes.aws.dynamodb import REGION, ministack

if TYPE_CHECKING:
    from mypy_boto3_scheduler import EventBridgeSchedulerClient

MORNING = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
APPOINTMENT = ScheduledRun(
    agent_id="a" * 32,
    cron="0 9 * * 1-5",
    time_zone="Europe/Berlin",
    active=True,
    since=MORNING,
    body=f'{{"scheduled_at": "{SCHEDULED_TIME}"}}',
)
ONCE = ScheduledOnce("reminder-1", datetime(2099, 3, 6, 15, 0, tzinfo=UTC), '{"task_id": "1"}')


@pytest.fixture(scope="module")
def client() -> Iterator[EventBridgeSchedulerClient]:
    with ministack("scheduler") as endpoint:
        client = connected(endpoint)
        client.create_schedule_group(Name="omniforge")
        yield client


@pytest.fixture
def timetable(client: EventBridgeSchedulerClient) -> Iterator[EventBridgeScheduler]:
    yield scheduler(client)
    for schedule in client.list_schedules(GroupName="omniforge")["Schedules"]:
        client.delete_schedule(GroupName="omniforge", Name=schedule["Name"])


def connected(endpoint: str) -> EventBridgeSchedulerClient:
    return boto3.client(
        "scheduler",
        region_name=REGION,
        endpoint_url=endpoint,
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=Config(retries={"total_max_attempts": 1}),
    )


def scheduler(client: EventBridgeSchedulerClient) -> EventBridgeScheduler:
    return EventBridgeScheduler(
        lambda: client,
        group="omniforge",
        target_arn="arn:aws:sqs:eu-west-1:000000000000:runs",
        role_arn="arn:aws:iam::000000000000:role/schedules",
        dead_letters_arn="arn:aws:sqs:eu-west-1:000000000000:dead-runs",
    )


def kept(client: EventBridgeSchedulerClient) -> dict[str, Any]:
    """The schedules of the group by what their names add to the agent's id."""
    found = client.list_schedules(GroupName="omniforge")["Schedules"]
    return {
        schedule["Name"].removeprefix(APPOINTMENT.agent_id): client.get_schedule(
            GroupName="omniforge", Name=schedule["Name"]
        )
        for schedule in found
    }


def test_a_schedule_is_kept_with_its_time_zone_and_sends_to_the_queue(
    client: EventBridgeSchedulerClient, timetable: EventBridgeScheduler
) -> None:
    timetable.put(APPOINTMENT)
    schedule = kept(client)[""]
    assert schedule["ScheduleExpression"] == "cron(0 9 ? * 2-6 *)"
    assert schedule["ScheduleExpressionTimezone"] == "Europe/Berlin"
    assert schedule["State"] == "ENABLED"
    assert schedule["FlexibleTimeWindow"] == {"Mode": "OFF"}
    assert schedule["Target"]["Arn"] == "arn:aws:sqs:eu-west-1:000000000000:runs"
    assert schedule["Target"]["RoleArn"] == "arn:aws:iam::000000000000:role/schedules"
    assert schedule["Target"]["Input"] == APPOINTMENT.body
    dead_letters = schedule["Target"]["DeadLetterConfig"]
    assert dead_letters == {"Arn": "arn:aws:sqs:eu-west-1:000000000000:dead-runs"}


def test_putting_it_again_changes_it(
    client: EventBridgeSchedulerClient, timetable: EventBridgeScheduler
) -> None:
    for appointment in (APPOINTMENT, APPOINTMENT, replace(APPOINTMENT, cron="30 7 1 * *", active=False)):
        timetable.put(appointment)
    [schedule] = kept(client).values()
    assert (schedule["ScheduleExpression"], schedule["State"]) == ("cron(30 7 1 * ? *)", "DISABLED")


def test_days_of_the_month_or_the_week_are_two_schedules_until_they_are_one(
    client: EventBridgeSchedulerClient, timetable: EventBridgeScheduler
) -> None:
    timetable.put(replace(APPOINTMENT, cron="0 9 13 * 5"))
    expected = {"": "cron(0 9 13 * ? *)", "-weekdays": "cron(0 9 ? * 6 *)"}
    assert {name: each["ScheduleExpression"] for name, each in kept(client).items()} == expected
    timetable.put(APPOINTMENT)
    assert list(kept(client)) == [""]


def test_what_is_removed_is_gone_however_often_it_is_removed(
    client: EventBridgeSchedulerClient, timetable: EventBridgeScheduler
) -> None:
    timetable.put(replace(APPOINTMENT, cron="0 9 13 * 5"))
    for _ in range(2):
        timetable.remove(APPOINTMENT.agent_id)
    assert kept(client) == {}


def test_a_single_message_is_sent_at_its_moment_and_forgotten(
    client: EventBridgeSchedulerClient, timetable: EventBridgeScheduler
) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    for message in (ONCE, replace(ONCE, at=ONCE.at.astimezone(berlin))):
        timetable.put_once(message)
    [schedule] = kept(client).values()
    assert (schedule["Name"], schedule["ScheduleExpression"]) == (ONCE.name, "at(2099-03-06T15:00:00)")
    assert schedule["ScheduleExpressionTimezone"] == "UTC"
    assert schedule["ActionAfterCompletion"] == "DELETE"
    assert schedule["FlexibleTimeWindow"] == {"Mode": "OFF"}
    assert schedule["Target"]["Input"] == ONCE.body
    assert schedule["Target"]["RetryPolicy"]["MaximumEventAgeInSeconds"] == 86_400
    for _ in range(2):
        timetable.remove_once(ONCE.name)
    assert kept(client) == {}


def test_a_scheduler_that_can_not_be_reached_is_tried_again_later() -> None:
    timetable = scheduler(connected("http://127.0.0.1:9"))
    with pytest.raises(SchedulerUnavailable):
        timetable.put(APPOINTMENT)
    with pytest.raises(SchedulerUnavailable):
        timetable.remove(APPOINTMENT.agent_id)
    with pytest.raises(SchedulerUnavailable):
        timetable.put_once(ONCE)


@pytest.mark.parametrize(
    ("code", "status", "error"),
    [
        ("ValidationException", 400, ScheduleRejected),
        ("ThrottlingException", 429, SchedulerUnavailable),
        ("AccessDeniedException", 403, SchedulerUnavailable),
        ("InternalServerException", 500, SchedulerUnavailable),
    ],
)
def test_only_a_schedule_that_never_will_be_kept_is_given_up(
    code: str, status: int, error: type[Exception]
) -> None:
    from botocore.awsrequest import AWSResponse

    class Raw:
        def stream(self) -> Iterator[bytes]:
            yield f'{{"Message": "no", "__type": "{code}"}}'.encode()

    client = connected("http://127.0.0.1:9")
    headers: Any = {"x-amzn-errortype": code}
    answer: Any = lambda **_: AWSResponse("http://127.0.0.1:9", status, headers, Raw())  # noqa: E731
    client.meta.events.register("before-send.scheduler.*", answer)
    with pytest.raises(error):
        scheduler(client).put(APPOINTMENT)


@pytest.mark.parametrize(
    ("cron", "expected"),
    [
        ("*/15 * * * *", ("cron(0,15,30,45 * * * ? *)",)),
        ("0 9 * * 0", ("cron(0 9 ? * 1 *)",)),
        ("0 9 * * 7", ("cron(0 9 ? * 1 *)",)),
        ("0 9 * * 5-7", ("cron(0 9 ? * 1,6-7 *)",)),
        ("0 9 * * 1,3,5", ("cron(0 9 ? * 2,4,6 *)",)),
        ("0 9 1-31 * 1", ("cron(0 9 * * ? *)",)),
        ("0 8-18/2 1,15 2-11 *", ("cron(0 8,10,12,14,16,18 1,15 2-11 ? *)",)),
        ("0 9 */2 * *", ("cron(0 9 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31 * ? *)",)),
    ],
)
def test_five_fields_become_the_six_of_aws(cron: str, expected: tuple[str, ...]) -> None:
    assert eventbridge_expressions(Cron.parse(cron)) == expected


CRONS = [
    "0 9 * * *", "*/5 * * * *", "1-59/7 */3 * * 1-5", "0 0 29 2 *", "15 10 1,15 * 3", "0 9 13 * 5",
    "5,35 8-18/2 */3 1-11/2 *", "0 0 * * 6,7", "0 12 31 1,3,5 *", "0 9 1-7 * 1-6/2",
]  # fmt: skip


@pytest.mark.parametrize("cron", CRONS)
def test_the_expressions_of_aws_name_the_same_days_and_times(cron: str) -> None:
    parsed = Cron.parse(cron)
    translated = [expression[5:-1].split() for expression in eventbridge_expressions(parsed)]
    for expression in eventbridge_expressions(parsed):
        assert len(expression) <= 256
    start = datetime(2027, 12, 1, tzinfo=UTC)
    for place in range(100):
        day = start + timedelta(days=place)
        named = next(CronSim(cron, day - timedelta(seconds=1))).date() == day.date()
        assert named is any(aws_falls_on(fields, day) for fields in translated)
    for minutes, hours, *_ in translated:
        assert aws_values(minutes, 0, 59) == parsed.minutes
        assert aws_values(hours, 0, 23) == parsed.hours


def aws_falls_on(fields: list[str], day: datetime) -> bool:
    """As AWS documents its fields, written down apart from the translation."""
    _, _, days, months, weekdays, year = fields
    assert year == "*"
    assert (days == "?") is not (weekdays == "?")
    is_day = day.day in aws_values(days, 1, 31) if days != "?" else True
    is_weekday = day.isoweekday() % 7 + 1 in aws_values(weekdays, 1, 7) if weekdays != "?" else True
    return is_day and is_weekday and day.month in aws_values(months, 1, 12)


def aws_values(field: str, low: int, high: int) -> set[int]:
    if field == "*":
        return set(range(low, high + 1))
    ranges = [part.split("-") for part in field.split(",")]
    return {value for part in ranges for value in range(int(part[0]), int(part[-1]) + 1)}


def rows(path: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("select cron, active, since from appointments").fetchall()


def test_in_the_twin_a_change_counts_from_when_it_was_made(tmp_path: Path) -> None:
    path = tmp_path / "schedules.db"
    timetable = SqliteScheduler(str(path))
    timetable.put(APPOINTMENT)
    later = MORNING + timedelta(hours=1)
    timetable.put(replace(APPOINTMENT, since=later, body="changed"))
    assert rows(path) == [("0 9 * * 1-5", 1, "2026-03-02T08:00:00.000Z")]
    timetable.put(replace(APPOINTMENT, since=later, active=False))
    assert rows(path) == [("0 9 * * 1-5", 0, "2026-03-02T09:00:00.000Z")]


def test_in_the_twin_what_is_removed_is_gone(tmp_path: Path) -> None:
    timetable = SqliteScheduler(str(tmp_path / "schedules.db"))
    timetable.put(APPOINTMENT)
    for _ in range(2):
        timetable.remove(APPOINTMENT.agent_id)
    assert rows(tmp_path / "schedules.db") == []


def test_a_file_that_can_not_be_used_is_tried_again_later(tmp_path: Path) -> None:
    timetable = SqliteScheduler(str(tmp_path / "schedules.db"))
    (tmp_path / "schedules.db").write_text("no database")
    with pytest.raises(SchedulerUnavailable):
        timetable.put(APPOINTMENT)


def test_the_setting_names_the_timetable(tmp_path: Path) -> None:
    group = {
        "OMNIFORGE_SCHEDULES": "g",
        "OMNIFORGE_SCHEDULE_TARGET_ARN": "t",
        "OMNIFORGE_SCHEDULE_ROLE_ARN": "r",
    }
    assert isinstance(open_scheduler(settings(**group)), EventBridgeScheduler)
    file = f"sqlite:///{tmp_path}/schedules.db"
    assert isinstance(open_scheduler(settings(OMNIFORGE_SCHEDULES=file)), SqliteScheduler)


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_a_group_without_target_or_role_is_refused(missing: int) -> None:
    names = ["OMNIFORGE_SCHEDULES", "OMNIFORGE_SCHEDULE_TARGET_ARN", "OMNIFORGE_SCHEDULE_ROLE_ARN"]
    given = {name: "x" for name in names if name != names[missing]}
    with pytest.raises(SettingsInvalid, match=names[missing]):
        open_scheduler(settings(**given))


def settings(**given: str) -> Settings:
    return Settings.load({"OMNIFORGE_TABLE": "t", **given})


@pytest.mark.parametrize(
    ("crons", "expected"),
    [
        (("0 16 * * 5L",), ("cron(0 16 ? * 6L *)",)),
        (("0 9 * * 2#1",), ("cron(0 9 ? * 3#1 *)",)),
        (("55 23 L * *",), ("cron(55 23 L * ? *)",)),
        (("0 11 15W * *",), ("cron(0 11 15W * ? *)",)),
        (("0 16 LW * *",), ("cron(0 16 26-31 * ? *)",)),
        (("0 14 * * 2#2,2#4",), ("cron(0 14 8-14,22-28 * ? *)",)),
        (("0 9 * * 1-4", "0 11 * * 5,6"), ("cron(0 9,11 ? * 2-7 *)",)),
        (("0 9 1 * *", "30 9 * * 5"), ("cron(0,30 9 * * ? *)",)),
    ],
)
def test_aws_is_woken_by_its_own_signs_or_by_the_narrowest_wider_expression(
    crons: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    assert expressions_for(Timing(crons)) == expected


@pytest.mark.parametrize(
    "crons",
    [
        ("0 16 LW * *",),
        ("0 9 * * 2#2,5L",),
        ("0 9 1,15W * *",),
        ("0 9 * * 1", "30 10 L * *"),
        ("0 9 13 2 5L",),
    ],
)
def test_no_moment_of_a_schedule_is_missed_by_the_expression_that_wakes_it(crons: tuple[str, ...]) -> None:
    timing = Timing(crons)
    woken = [Cron.parse(_five_fields(expression)) for expression in expressions_for(timing)]
    for moment in islice(timing.moments(MORNING), 60):
        assert any(
            cron.matches_day(moment.date()) and moment.hour in cron.hours and moment.minute in cron.minutes
            for cron in woken
        )


def _five_fields(expression: str) -> str:
    minute, hour, day, month, weekday, _year = expression[5:-1].split()
    parts = weekday.split(",")
    counted = ",".join(str(int(part[0]) - 1) + part[1:] if part[0].isdigit() else part for part in parts)
    ranges = re.sub(r"-(\d)", lambda end: f"-{int(end[1]) - 1}", counted)
    return f"{minute} {hour} {'*' if day == '?' else day} {month} {'*' if weekday == '?' else ranges}"
