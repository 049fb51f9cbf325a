"""A reminder comes once, whoever dies in between, and only as long as its task wants it, on every backend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agent.reminders.delivery import ReminderDelivery
from agent.runs.delivery import Deliverer
from agent.runs.run_queue import ReminderRequest
from conversation.clock import Deadline
from conversation.identity import Caller, new_conversation_id
from conversation.mailer import Mail, Mailer
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.store import TenantStore
from conversation.threads.repository import ConversationRepository
from conversation.token_counts import TokenCounter
from conversation.turns.proactive_messages import LeaseWaitTimeout, ProactiveMessages
from storage import keys
from storage.keys import TenantId
from storage.table import Item, Set, Table, Update
from storage.tenant_table import Tables
from tasks.reminders import CLAIM_LIFETIME, ReminderOccupied, next_reminder
from tasks.store import TaskStore
from tasks.task import Task, TaskChange, TaskSpec
from tests.fakes.aws.tables import Crash, ObservedTable
from tests.fakes.run.clocks import ManualClock
from tools.outbound.client import OutboundClient

MAYA = Caller(TenantId("acme"), "maya@acme.example")
THREE = datetime(2026, 3, 6, 15, 0, tzinfo=UTC)
MORNING = THREE.replace(hour=8)
LOCAL = THREE.replace(tzinfo=None)


@dataclass
class Mailbox:
    """A mailer that remembers, and can end its process before or after a mail."""

    sent: list[Mail] = field(default_factory=list)
    dies: str = ""

    def send(self, mail: Mail) -> None:
        if self.dies == "before":
            raise Crash
        self.sent.append(mail)
        if self.dies == "after":
            raise Crash


class World:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.clock = ManualClock(MORNING)
        self.tables = Tables(table)
        self.store = TaskStore(tables=self.tables, clock=self.clock)
        self.mailbox = Mailbox()
        self.conversations = ConversationRepository(tables=self.tables, clock=self.clock)
        self.tenants = TenantStore(tables=self.tables, clock=self.clock)

    def poster(self, table: Table) -> ProactiveMessages:
        return ProactiveMessages(tables=Tables(table), clock=self.clock, tokens=TokenCounter(None))

    def add(self, caller: Caller = MAYA, conversation_id: str | None = None, **fields: Any) -> Task:
        given = {"due_at": LOCAL, "time_zone": "UTC", **fields}
        spec = TaskSpec(title="call the bank", **given)
        return self.store.create(caller, spec, conversation_id=conversation_id)

    def begin(self, caller: Caller = MAYA) -> str:
        """A conversation of the user."""
        conversation_id = new_conversation_id(caller, self.clock.now())
        assert self.poster(self.table).ensure_conversation(caller, conversation_id, title="work")
        return conversation_id

    def remind(
        self,
        task: Task,
        at: datetime = THREE,
        caller: Caller = MAYA,
        *,
        observe: Callable[[str, str], None] = lambda _name, _when: None,
        mailer: Mailer | None = None,
    ) -> bool:
        observed = ObservedTable(self.table, observe)
        outbound = OutboundClient(allow_loopback=True)
        mailer = mailer or self.mailbox
        delivery = ReminderDelivery(
            tables=Tables(observed),
            clock=self.clock,
            poster=self.poster(observed),
            deliverer=Deliverer(outbound=outbound, mailer=mailer, clock=self.clock),
            is_mail_set_up=True,
        )
        request = ReminderRequest(caller.tenant, caller.user, task.id, at)
        return delivery.remind(request, Deadline.after(self.clock, 60))

    def set_time(self, moment: datetime) -> None:
        self.clock.advance((moment - self.clock.now()).total_seconds())

    def item(self, task: Task, caller: Caller = MAYA) -> Item:
        item = self.table.get(keys.task(caller.tenant, caller.user, task.id))
        assert item is not None
        return item

    def posted(self, caller: Caller = MAYA) -> list[tuple[str, str]]:
        """The titles of the user's conversations with each message in them."""
        listed, _ = self.conversations.list(caller, limit=100)
        return [
            (conversation.title or "", message.content)
            for conversation in listed
            for message in self.conversations.page(caller, conversation.id, limit=100)
        ]


@pytest.fixture
def world(table: Table) -> World:
    return World(table)


REMINDED = ("Reminders", "Reminder: call the bank.")


def test_it_is_posted_where_the_task_was_asked_for_and_mailed_to_its_owner(world: World) -> None:
    task = world.add(conversation_id=world.begin())
    world.set_time(THREE)
    assert world.remind(task)
    assert world.posted() == [("work", "Reminder: call the bank.")]
    [mail] = world.mailbox.sent
    assert (mail.to, mail.subject, mail.text) == (
        MAYA.user,
        "Reminder: call the bank",
        "Reminder: call the bank.",
    )


def test_a_task_asked_for_nowhere_has_a_conversation_of_its_users_own(world: World) -> None:
    for hours in (0, 1):
        task = world.add(due_at=LOCAL + timedelta(hours=hours))
        world.set_time(THREE + timedelta(hours=hours))
        assert world.remind(task, THREE + timedelta(hours=hours))
    assert world.posted() == [REMINDED] * 2


def test_where_the_conversation_is_gone_it_is_posted_into_that_one_and_then_the_next(world: World) -> None:
    gone = world.begin()
    world.conversations.delete(MAYA, gone)
    task = world.add(conversation_id=gone)
    world.set_time(THREE)
    assert world.remind(task)
    [reminders] = world.conversations.list(MAYA, limit=10)[0]
    world.conversations.delete(MAYA, reminders.id)
    world.set_time(MORNING + timedelta(days=1))
    later = world.add(due_at=LOCAL + timedelta(days=1))
    world.set_time(THREE + timedelta(days=1))
    assert world.remind(later, THREE + timedelta(days=1))
    assert world.posted() == [REMINDED]


def test_two_requests_remind_once(world: World) -> None:
    task = world.add()
    world.set_time(THREE)
    assert [world.remind(task) for _ in range(3)] == [True, False, False]
    assert world.posted() == [REMINDED]
    assert len(world.mailbox.sent) == 1


def change_done(world: World, task: Task) -> None:
    world.store.complete(MAYA, task.id)


def change_deleted(world: World, task: Task) -> None:
    world.store.delete(MAYA, task.id)


def change_moved(world: World, task: Task) -> None:
    world.store.update(MAYA, task.id, TaskChange(due_date=LOCAL.date() + timedelta(days=1)))


def change_silenced(world: World, task: Task) -> None:
    world.store.update(MAYA, task.id, TaskChange(remind=False))


def change_deleted_and_restored(world: World, task: Task) -> None:
    change_deleted(world, task)
    world.store.restore(MAYA, task.id)


CHANGES = [change_done, change_deleted, change_moved, change_silenced]


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_completed_deleted_or_moved_is_not_reminded_of(
    world: World, change: Callable[[World, Task], None]
) -> None:
    task = world.add()
    change(world, task)
    world.set_time(THREE)
    assert not world.remind(task)
    assert (world.posted(), world.mailbox.sent) == ([], [])


@pytest.mark.parametrize("change", [*CHANGES, change_deleted_and_restored])
def test_not_even_when_that_happens_while_the_reminder_is_being_posted(
    world: World, change: Callable[[World, Task], None]
) -> None:
    task = world.add()
    world.set_time(THREE)
    changed: list[str] = []

    def observe(name: str, when: str) -> None:
        if (name, when) == ("transact", "before") and not changed:
            changed.append(name)
            change(world, task)

    assert not world.remind(task, observe=observe)
    assert changed
    assert (world.posted(), world.mailbox.sent) == ([], [])


def test_other_changes_do_not_keep_it_from_coming(world: World) -> None:
    task = world.add()
    world.set_time(THREE)
    world.store.update(MAYA, task.id, TaskChange(title="call the bank now!"))
    assert world.remind(task)
    assert world.posted() == [("Reminders", "Reminder: call the bank now!")]


def test_whatever_request_it_dies_at_it_comes_once(table: Table) -> None:
    """Every request of a reminder, before and after; how many there are is found on the way."""
    mails: list[int] = []
    for place in range(100):
        world, caller = World(table), Caller(TenantId(f"tenant-{place}"), MAYA.user)
        task = world.add(caller)
        world.set_time(THREE)
        is_dead = dies_at(world, task, caller, place)
        if is_dead:
            world.clock.advance(CLAIM_LIFETIME.total_seconds() + 1)
            world.remind(task, caller=caller)
        assert world.posted(caller) == [REMINDED]
        assert len({mail.key for mail in world.mailbox.sent}) == 1
        mails.append(len(world.mailbox.sent))
        if not is_dead:
            break
    assert len(mails) > 10
    # Only a process that dies after its mail, and before it noted that, has it sent again.
    assert sum(mails) == len(mails) + 1


def dies_at(world: World, task: Task, caller: Caller, place: int) -> bool:
    """Remind in a process that dies at that place, counted from 0; False if it ends before."""
    left = iter(range(place, -1, -1))

    def observe(_name: str, _when: str) -> None:
        if next(left, -1) == 0:
            raise Crash

    try:
        world.remind(task, caller=caller, observe=observe)
    except Crash:
        return True
    return False


@pytest.mark.parametrize("dies", ["before", "after"])
def test_a_mail_that_its_process_died_at_is_sent_by_the_next(world: World, dies: str) -> None:
    task = world.add()
    world.set_time(THREE)
    world.mailbox.dies = dies
    with pytest.raises(Crash):
        world.remind(task)
    world.mailbox.dies = ""
    with pytest.raises(ReminderOccupied):
        world.remind(task)
    world.clock.advance(CLAIM_LIFETIME.total_seconds())
    assert world.remind(task)
    assert not world.remind(task)
    assert len({mail.key for mail in world.mailbox.sent}) == 1
    assert len(world.mailbox.sent) == (2 if dies == "after" else 1)
    assert world.posted() == [REMINDED]


def test_what_was_missed_comes_late_once_and_says_so(world: World) -> None:
    task = world.add(due_at=datetime.fromisoformat("2026-03-06T16:00"), time_zone="Europe/Berlin")
    world.set_time(THREE + timedelta(days=2))
    assert world.remind(task)
    assert not world.remind(task)
    late = "Reminder: call the bank. It is late: it was to come on 6 March 2026, 4:00 PM (Europe/Berlin)."
    assert world.posted() == [("Reminders", late)]


def test_one_that_repeats_comes_at_each_of_its_times_until_it_is_done(world: World) -> None:
    task = world.add(repeat="0 15 * * 5")
    week = timedelta(days=7)
    for number in range(3):
        at = THREE + number * week
        assert next_reminder(world.item(task)) == at
        world.set_time(at)
        assert world.remind(task, at)
    world.store.complete(MAYA, task.id)
    assert next_reminder(world.item(task)) == THREE + 3 * week
    world.set_time(THREE + 5 * week + timedelta(days=1))
    assert world.remind(task, THREE + 3 * week)
    assert next_reminder(world.item(task)) == THREE + 6 * week
    assert len(world.posted()) == 4


def test_a_time_that_was_past_when_it_was_set_is_not_reminded_of(world: World) -> None:
    world.set_time(THREE + timedelta(minutes=1))
    assert not world.remind(world.add())
    assert world.posted() == []


def test_a_task_that_is_open_again_reminds_of_what_is_still_to_come(world: World) -> None:
    task = world.add()
    world.store.complete(MAYA, task.id)
    world.store.update(MAYA, task.id, TaskChange(completed=False))
    world.set_time(THREE)
    assert world.remind(task)


def test_a_clock_that_is_behind_the_schedulers_reminds_once(world: World) -> None:
    task = world.add(repeat="0 15 * * 5")
    world.set_time(THREE - timedelta(seconds=2))
    assert world.remind(task)
    assert not world.remind(task)
    assert next_reminder(world.item(task)) == THREE + timedelta(days=7)


def test_a_busy_conversation_is_waited_for_and_then_tried_again(world: World) -> None:
    conversation_id = world.begin()
    task = world.add(conversation_id=conversation_id)
    world.set_time(THREE)
    until = int((THREE + timedelta(minutes=3)).timestamp() * 1000)
    head = keys.head(MAYA.tenant, conversation_id)
    lease: Any = {"owner": "x", "until": until}
    world.table.update(Update(head, (Set("lease", lease),)))
    with pytest.raises(LeaseWaitTimeout):
        world.remind(task)
    world.set_time(THREE + timedelta(minutes=4))
    assert world.remind(task)
    assert world.posted() == [("work", "Reminder: call the bank.")]


@pytest.mark.parametrize("user", ["maya", "auth0|maya"])
def test_who_has_no_address_gets_no_mail(world: World, user: str) -> None:
    caller = Caller(MAYA.tenant, user)
    task = world.add(caller)
    world.set_time(THREE)
    assert world.remind(task, caller=caller)
    assert (world.posted(caller), world.mailbox.sent) == ([REMINDED], [])


def test_no_mail_goes_where_the_tenant_allows_none(world: World) -> None:
    world.tenants.save(MAYA.tenant, TenantPolicy(allowed_mail_domains=("other.example",)))
    task = world.add()
    world.set_time(THREE)
    assert world.remind(task)
    assert (world.posted(), world.mailbox.sent) == ([REMINDED], [])


def test_where_no_history_is_kept_only_a_mail_comes(world: World) -> None:
    world.tenants.save(MAYA.tenant, TenantPolicy(history="off"))
    task = world.add()
    world.set_time(THREE)
    assert world.remind(task)
    assert not world.remind(task)
    assert (world.posted(), len(world.mailbox.sent)) == ([], 1)


def test_a_suspended_tenant_is_not_reminded_and_its_repeating_tasks_go_on(world: World) -> None:
    task = world.add(repeat="0 15 * * 5")
    world.tenants.register(MAYA.tenant)
    world.tenants.suspend(MAYA.tenant)
    world.set_time(THREE)
    world.remind(task)
    assert (world.posted(), world.mailbox.sent) == ([], [])
    assert next_reminder(world.item(task)) == THREE + timedelta(days=7)


def test_another_users_task_of_the_same_id_is_another_one(world: World) -> None:
    task = world.add()
    world.set_time(THREE)
    for other in (Caller(MAYA.tenant, "noah"), Caller(TenantId("globex"), MAYA.user)):
        assert not world.remind(task, caller=other)
    assert world.posted() == []
