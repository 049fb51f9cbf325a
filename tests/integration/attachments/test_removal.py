"""Attachments go with what they belong to, a conversation, its user or the tenant, and with nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from agent.turn_events import Done
from conversation.attachments.bucket import BucketUnavailable, ObjectName
from conversation.attachments.errors import AttachmentNotFound
from conversation.attachments.removal import AttachmentRemover
from conversation.attachments.store import AttachmentStore, NewAttachment, Use
from conversation.clock import Deadline
from conversation.erasure.eraser import SETTLING_TIME, Eraser
from conversation.erasure.partitions import MemberIndex
from conversation.erasure.requests import Erasures, Progress
from conversation.identity import ADMIN, Caller
from conversation.limits.quotas import Quotas
from conversation.retention.holds import LegalHolds
from conversation.retention.removal_writes import delete_items
from conversation.tenants.store import PolicyCache
from conversation.threads.forks import ConversationForks
from conversation.threads.message_versions import Versions
from conversation.threads.repository import ConversationRepository
from conversation.turns.admission import IncomingMessage
from edge.adapters.folder_bucket import FolderBucket
from storage import keys
from storage.items import item_key
from storage.keys import parse_tenant
from storage.sqlite.table import SqliteTable
from storage.table import Query, StreamRecord
from storage.tenant_table import Tables
from tests.fakes.data import sample_files
from tests.fakes.data.scripted_turns import MAYA, EchoMaster, scripted_service
from tests.fakes.run.clocks import ManualClock

ADMINISTRATOR = Caller(MAYA.tenant, "ana", frozenset({ADMIN}))
NOAH = Caller(MAYA.tenant, "noah")


class Workshop:
    """The stores over one table and one folder."""

    def __init__(self, table: SqliteTable, folder: Path) -> None:
        self.table, self.clock, self.folder = table, ManualClock(), folder
        self.tables = Tables(table)
        self.bucket = FolderBucket(folder, origin="")
        policies = PolicyCache(tables=self.tables, clock=self.clock)
        self.attachments = AttachmentStore(
            tables=self.tables,
            clock=self.clock,
            bucket=self.bucket,
            policies=policies,
            quotas=Quotas(tables=self.tables, clock=self.clock, policies=policies),
        )
        self.conversations = ConversationRepository(tables=self.tables, clock=self.clock)
        self.forks = ConversationForks(
            tables=self.tables, clock=self.clock, policies=policies, conversations=self.conversations
        )
        self.service = scripted_service(table, self.clock, master=EchoMaster())

    def added(
        self, caller: Caller = MAYA, content: bytes = sample_files.png(), kind: str = "image/png"
    ) -> str:
        new = NewAttachment("a file", kind, len(content))
        return self.attachments.add(caller, new, content).file.id

    def said(self, *ids: str, caller: Caller = MAYA) -> str:
        files = self.attachments.for_message(caller, ids, Use())
        incoming = IncomingMessage(caller, "hello", attachments=files)
        done = self.service.run(incoming)[-1]
        assert isinstance(done, Done)
        return done.answer.conversation_id

    def content(self, attachment_id: str, caller: Caller = MAYA) -> bytes | None:
        return self.bucket.read(ObjectName(caller.tenant, caller.user, attachment_id))

    def objects(self) -> list[Path]:
        return [each for each in self.folder.rglob("*") if each.is_file() and each.name != "signing-key"]

    def erase(self, erasure_id: str) -> None:
        eraser = Eraser(tables=self.tables, clock=self.clock, bucket=self.bucket)
        for _ in range(4):
            eraser.run(MAYA.tenant, erasure_id, Deadline.after(self.clock, 1000))
            self.clock.advance(SETTLING_TIME.total_seconds() + 1)

    def remove(self, conversation_id: str) -> None:
        """What the sweep does, and the stream after it."""
        partition = keys.conversation(MAYA.tenant, conversation_id)
        before = self.table.query(Query(partition, 100)).items
        delete_items(self.table, MAYA.tenant, conversation_id)
        for item in before:
            self.follow(StreamRecord(item_key(item), item, None))

    def follow(self, record: StreamRecord) -> None:
        AttachmentRemover(self.tables, self.bucket).handle(record)

    def is_there(self, attachment_id: str, caller: Caller = MAYA) -> bool:
        try:
            self.attachments.find(caller, attachment_id)
        except AttachmentNotFound:
            return False
        return True


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[Workshop]:
    with closing(SqliteTable(":memory:")) as table:
        yield Workshop(table, tmp_path)


def test_a_conversation_that_is_swept_takes_its_files_along(workshop: Workshop) -> None:
    kept, gone = workshop.added(), workshop.added()
    workshop.said(kept)
    conversation = workshop.said(gone)
    key = keys.attachment(MAYA.tenant, MAYA.user, gone)
    item = workshop.table.get(key)
    workshop.remove(conversation)
    assert not workshop.is_there(gone)
    workshop.follow(StreamRecord(key, item, None))
    assert workshop.content(gone) is None
    assert workshop.content(kept) is not None
    workshop.remove(conversation)  # a record may come twice
    assert workshop.is_there(kept)


def test_a_fork_keeps_the_files_until_it_goes_too(workshop: Workshop) -> None:
    file = workshop.added()
    conversation = workshop.said(file)
    copy, _ = workshop.forks.fork(MAYA, conversation)
    workshop.remove(conversation)
    assert workshop.is_there(file)
    [said, _] = workshop.conversations.page(MAYA, copy.id, limit=5)
    assert [each.id for each in said.attachments] == [file]
    workshop.remove(copy.id)
    assert not workshop.is_there(file)


def test_a_message_that_is_taken_back_lets_go_of_its_files(workshop: Workshop) -> None:
    file = workshop.added()
    conversation = workshop.said(file)
    [said, _] = workshop.conversations.page(MAYA, conversation, limit=5)
    place = keys.attached(MAYA.tenant, conversation, file)
    tied = workshop.table.get(place)
    versions = Versions(tables=workshop.tables, clock=workshop.clock, conversations=workshop.conversations)
    versions.delete(MAYA, conversation, said.id)
    assert workshop.table.get(place) is None
    workshop.follow(StreamRecord(place, tied, None))
    assert not workshop.is_there(file)
    [said, _] = workshop.conversations.page(MAYA, conversation, limit=5)
    assert said.attachments == ()


def test_erasing_a_conversation_removes_its_files_and_counts_them(workshop: Workshop) -> None:
    kept, gone = workshop.added(), workshop.added()
    conversation = workshop.said(gone)
    erasures = Erasures(tables=workshop.tables, clock=workshop.clock)
    erasure = erasures.request_for_conversation(ADMINISTRATOR, conversation)
    workshop.erase(erasure.id)
    found = erasures.find(MAYA.tenant, erasure.id)
    assert found is not None
    assert found.progress is Progress.DONE
    assert found.removed["attachments"] == 1
    assert workshop.content(gone) is None
    assert workshop.content(kept) is not None


def test_erasing_a_user_removes_all_their_bytes_and_nobody_elses(workshop: Workshop) -> None:
    for _ in range(2):
        workshop.said(workshop.added())
    workshop.added()
    workshop.bucket.upload_request(ObjectName(MAYA.tenant, MAYA.user, "0" * 32), "image/png", 3, 60)
    workshop.bucket.write_object(ObjectName(MAYA.tenant, MAYA.user, "0" * 32).within("uploads"), b"abc")
    other = workshop.added(NOAH)
    erasures = Erasures(tables=workshop.tables, clock=workshop.clock)
    erasure = erasures.request_for_user(ADMINISTRATOR, MAYA.user)
    workshop.erase(erasure.id)
    found = erasures.find(MAYA.tenant, erasure.id)
    assert found is not None
    assert (found.progress, found.removed["attachments"]) == (Progress.DONE, 3)
    assert [each.name for each in workshop.objects()] == [other]


def test_erasing_a_tenant_leaves_nothing_in_its_part_of_the_bucket(workshop: Workshop) -> None:
    workshop.said(workshop.added())
    workshop.bucket.write_object(f"files/{MAYA.tenant}/nobody/x", b"abc")
    other = workshop.added(Caller(parse_tenant("acme-eu"), "maya"))
    record = StreamRecord(keys.attachment(MAYA.tenant, MAYA.user, "x"), None, {"pk": "", "sk": ""})
    MemberIndex(workshop.tables).handle(record)
    erasures = Erasures(tables=workshop.tables, clock=workshop.clock)
    erasure = erasures.request_for_tenant(ADMINISTRATOR, MAYA.tenant)
    workshop.erase(erasure.id)
    assert [each.name for each in workshop.objects()] == [other]


def test_files_of_a_conversation_on_legal_hold_stay_until_it_is_lifted(workshop: Workshop) -> None:
    held, other = workshop.added(), workshop.added()
    conversation = workshop.said(held)
    workshop.said(other)
    holds = LegalHolds(tables=workshop.tables, clock=workshop.clock)
    holds.place(MAYA.tenant, conversation)
    erasures = Erasures(tables=workshop.tables, clock=workshop.clock)
    erasure = erasures.request_for_user(ADMINISTRATOR, MAYA.user)
    workshop.erase(erasure.id)
    assert workshop.content(held) is not None
    assert workshop.content(other) is None
    holds.lift(MAYA.tenant, conversation)
    workshop.erase(erasure.id)
    assert workshop.objects() == []


def test_a_bucket_out_of_reach_interrupts_an_erasure_and_loses_nothing(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = workshop.added()
    workshop.said(file)
    erasures = Erasures(tables=workshop.tables, clock=workshop.clock)
    erasure = erasures.request_for_user(ADMINISTRATOR, MAYA.user)

    def refuse(*_: object) -> None:
        raise BucketUnavailable

    with monkeypatch.context() as patched:
        patched.setattr(FolderBucket, "remove", refuse)
        workshop.erase(erasure.id)
        found = erasures.find(MAYA.tenant, erasure.id)
        assert found is not None
        assert found.progress is Progress.RUNNING
        assert workshop.is_there(file)
    workshop.erase(erasure.id)
    assert workshop.objects() == []


def test_what_nobody_sent_within_a_day_is_gone(workshop: Workshop) -> None:
    file = workshop.added()
    sent = workshop.added()
    workshop.said(sent)
    workshop.clock.advance(86_400 + 1)
    assert not workshop.is_there(file)
    assert workshop.is_there(sent)
    key = keys.attachment(MAYA.tenant, MAYA.user, file)
    workshop.follow(StreamRecord(key, workshop.table.get(key), None))
    assert workshop.content(file) is None
