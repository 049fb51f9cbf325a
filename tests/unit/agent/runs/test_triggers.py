from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest

from agent.runs.run_queue import CheckRequest, ReminderRequest, Request, RunRequest, parse_request
from agent.runs.triggers import RunTriggers
from agent.workspace.agents import Agent, AgentChange, AgentSpec, AgentStatus, Schedule
from agent.workspace.items import (
    CHECK_REQUESTED,
    HEALTH,
    agent_to_item,
    deleted_agent_to_item,
    run_to_item,
    skill_to_item,
)
from agent.workspace.runs import Run, RunStatus
from agent.workspace.skills import Skill
from conversation.identity import ulid_time
from conversation.scheduler import (
    SCHEDULED_TIME,
    ScheduledOnce,
    ScheduledRun,
    ScheduleRejected,
    SchedulerUnavailable,
)
from conversation.turns.deferred_turn import QueueUnavailable
from storage import keys
from storage.keys import TenantId
from storage.table import Item, Key, StreamRecord
from tests.fakes.run.clocks import ManualClock

ACME = TenantId("acme")
NOW = ManualClock().now()
AGENT = Agent.create(
    AgentSpec(what="new tickets", schedule=Schedule(cron="0 9 * * *", time_zone="Europe/Berlin")),
    agent_id="a" * 32,
    name="tickets",
    owner="maya@acme.example",
    now=NOW,
)
SKILL = Skill(
    id="5" * 32, name="notion", owner="maya", url="https://mcp.example", created_at=NOW, updated_at=NOW
)


@dataclass
class Outside:
    """The queue and the timetable, and whether they can be reached."""

    sent: list[Request] = field(default_factory=list)
    kept: dict[str, ScheduledRun] = field(default_factory=dict)
    fault: Exception | None = None

    def send(self, request: Request, *, delay_s: int = 0) -> None:
        self._break()
        self.sent.append(request)

    def put(self, appointment: ScheduledRun) -> None:
        self._break()
        self.kept[appointment.agent_id] = appointment

    def remove(self, agent_id: str) -> None:
        self._break()
        self.kept.pop(agent_id, None)

    def put_once(self, message: ScheduledOnce) -> None:
        raise AssertionError(message)

    def remove_once(self, name: str) -> None:
        raise AssertionError(name)

    def follow(self, old: Item | None, new: Item | None) -> None:
        item = new or old or {}
        key = Key(str(item["pk"]), str(item["sk"]))
        RunTriggers(runs=self, scheduler=self).handle(StreamRecord(key, old, new))

    def _break(self) -> None:
        if self.fault is not None:
            raise self.fault


def agent_item(agent: Agent) -> Item:
    return agent_to_item(ACME, agent)


def changed(**fields: object) -> Agent:
    return AgentChange.model_validate(fields).applied_to(AGENT, NOW + timedelta(hours=1))


def test_a_queued_run_is_asked_for_with_what_its_key_says() -> None:
    outside = Outside()
    run = Run.create(AGENT, run_id="0" * 26, user="auth0|maya", now=NOW)
    outside.follow(None, run_to_item(ACME, run))
    assert outside.sent == [RunRequest(ACME, "auth0|maya", AGENT.id, run_id="0" * 26)]


@pytest.mark.parametrize("status", [status for status in RunStatus if status is not RunStatus.QUEUED])
def test_a_run_that_is_stored_in_any_other_status_is_not_asked_for(status: RunStatus) -> None:
    outside = Outside()
    run = Run.create(AGENT, run_id="0" * 26, user="maya", now=NOW).model_copy(update={"status": status})
    outside.follow(None, run_to_item(ACME, run))
    assert outside.sent == []


def test_what_becomes_of_a_run_asks_for_nothing() -> None:
    outside = Outside()
    item = run_to_item(ACME, Run.create(AGENT, run_id="0" * 26, user="maya", now=NOW))
    outside.follow(item, {**item, "stop": True})
    outside.follow(item, None)
    assert outside.sent == []


def test_an_agents_schedule_is_kept_from_its_creation_to_its_end() -> None:
    outside = Outside()
    outside.follow(None, agent_item(AGENT))
    assert outside.kept[AGENT.id].cron == "0 9 * * *"
    assert (outside.kept[AGENT.id].time_zone, outside.kept[AGENT.id].since) == ("Europe/Berlin", NOW)
    paused = changed(status=AgentStatus.PAUSED)
    outside.follow(agent_item(AGENT), agent_item(paused))
    assert not outside.kept[AGENT.id].active
    outside.follow(agent_item(paused), None)
    assert outside.kept == {}


def test_a_deleted_agent_has_no_schedule_and_a_restored_one_has_it_from_then_on() -> None:
    outside = Outside()
    outside.follow(None, agent_item(AGENT))
    outside.follow(agent_item(AGENT), None)
    outside.follow(None, deleted_agent_to_item(ACME, AGENT, NOW))
    assert (outside.kept, outside.sent) == ({}, [])
    restored = AGENT.restored((), NOW + timedelta(days=3))
    outside.follow(None, agent_item(restored))
    assert outside.kept[AGENT.id].since == NOW + timedelta(days=3)
    assert outside.kept[AGENT.id].active


def test_an_agent_that_loses_its_schedule_works_only_when_asked() -> None:
    outside = Outside()
    outside.follow(None, agent_item(AGENT))
    outside.follow(agent_item(AGENT), agent_item(changed(schedule=None)))
    assert outside.kept == {}


def test_an_agent_that_never_had_a_schedule_needs_no_timetable() -> None:
    outside = Outside(fault=SchedulerUnavailable())
    on_request = changed(schedule=None)
    outside.follow(agent_item(on_request), agent_item(on_request))
    outside.follow(agent_item(on_request), None)


def test_what_a_schedule_sends_is_a_request_for_the_same_run_each_time() -> None:
    outside = Outside()
    outside.follow(None, agent_item(AGENT))
    body = outside.kept[AGENT.id].body
    one, again, other = (
        parse_request(body.replace(SCHEDULED_TIME, f"2026-03-0{day}T08:00:00Z")) for day in (2, 2, 3)
    )
    assert isinstance(one, RunRequest)
    assert isinstance(again, RunRequest)
    assert isinstance(other, RunRequest)
    assert (one.tenant, one.user, one.agent_id) == (ACME, AGENT.owner, AGENT.id)
    assert one.effective_run_id == again.effective_run_id
    assert one.effective_run_id != other.effective_run_id
    assert ulid_time(one.effective_run_id) == one.scheduled_at


def test_two_agents_have_different_runs_at_the_same_time() -> None:
    request = RunRequest(ACME, "maya", AGENT.id, scheduled_at=NOW)
    assert request.effective_run_id != replace(request, agent_id="b" * 32).effective_run_id


def test_a_skill_is_looked_at_when_it_is_new_moves_or_somebody_asks() -> None:
    outside, item = Outside(), skill_to_item(ACME, SKILL)
    outside.follow(None, item)
    outside.follow(item, {**item, "url": "https://other.example"})
    outside.follow(item, {**item, CHECK_REQUESTED: "x"})
    assert outside.sent == [CheckRequest(ACME, SKILL.id)] * 3


def test_what_a_look_at_a_skill_found_is_no_reason_for_another() -> None:
    outside, item = Outside(), skill_to_item(ACME, SKILL)
    outside.follow(item, {**item, HEALTH: json.dumps({"status": "ok"})})
    outside.follow(item, None)
    assert outside.sent == []


@pytest.mark.parametrize("sort", [keys.HEAD, "M#000000000001", "K#x", "A#maya#tickets"])
def test_anything_else_asks_for_nothing(sort: str) -> None:
    outside = Outside(fault=QueueUnavailable())
    outside.follow(None, {"pk": "T#acme#C#1", "sk": sort, "v": 1})


def test_what_is_out_of_reach_is_told_so_that_it_comes_again() -> None:
    run = Run.create(AGENT, run_id="0" * 26, user="maya", now=NOW)
    with pytest.raises(QueueUnavailable):
        Outside(fault=QueueUnavailable()).follow(None, run_to_item(ACME, run))
    with pytest.raises(SchedulerUnavailable):
        Outside(fault=SchedulerUnavailable()).follow(None, agent_item(AGENT))


def test_a_schedule_that_never_will_be_kept_does_not_hold_up_the_others() -> None:
    Outside(fault=ScheduleRejected("ValidationException")).follow(None, agent_item(AGENT))


@pytest.mark.parametrize(
    "body",
    ["", "{}", "[]", '{"tenant":"acme"}', '{"tenant":"a b","user":"u","agent_id":"a","run_id":"r"}',
     '{"tenant":"acme","user":"","agent_id":"a","run_id":"r"}',
     '{"tenant":"acme","user":"u","agent_id":"a","scheduled_at":"<aws.scheduler.scheduled-time>"}'],
)  # fmt: skip
def test_a_request_we_did_not_write_is_refused(body: str) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        parse_request(body)


def test_requests_come_out_of_a_queue_as_they_went_in() -> None:
    requests = (
        RunRequest(ACME, "maya", AGENT.id, run_id="0" * 26),
        RunRequest(ACME, "maya", AGENT.id, scheduled_at=NOW),
        CheckRequest(ACME, SKILL.id),
        ReminderRequest(ACME, "maya", "0" * 26, NOW),
    )
    assert tuple(parse_request(request.to_body()) for request in requests) == requests
