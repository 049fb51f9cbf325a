"""Recipients that confirm by a code, over both tables: codes, tries, and how many are asked."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest

from agent.mail_recipients import (
    ASKED_AGAIN_AFTER,
    CODE_LASTS,
    MOST_ASKED_A_DAY,
    MOST_TRIES,
    CodeNotValid,
    Confirmation,
    MailRecipients,
    Question,
    RecipientStatus,
)
from conversation.identity import Caller
from storage.dynamodb.table import DynamoTable, create_table
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Table
from storage.tenant_table import Tables
from tests.fakes.aws.dynamodb import dynamo_client, ministack
from tests.fakes.run.clocks import ManualClock

MAYA, NOAH = Caller(TenantId("acme"), "maya"), Caller(TenantId("acme"), "noah")
ZOE = "zoe@partner.com"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with ministack() as endpoint:
        yield endpoint


@pytest.fixture(params=["sqlite", "dynamo"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Table:
    if request.param == "sqlite":
        return SqliteTable(tmp_path / "table.db")
    client, name = dynamo_client(request.getfixturevalue("endpoint")), f"recipients-{uuid4()}"
    create_table(client, name)
    return DynamoTable(client, name)


def asked(recipients: MailRecipients, address: str = ZOE) -> Question:
    question = recipients.question(MAYA, address)
    assert question is not None
    recipients.record_asked(MAYA, question)
    return question


def test_a_code_confirms_one_user_and_however_the_address_is_written(table: Table) -> None:
    recipients = MailRecipients(tables=Tables(table), clock=ManualClock())
    code = asked(recipients).code
    assert not recipients.is_verified(MAYA, ZOE)
    with pytest.raises(CodeNotValid):
        recipients.verify(NOAH, Confirmation(address=ZOE, code=code))
    spelled = Confirmation(address="Zoe@Partner.com", code=f"{code[:4]}-{code[4:]}")
    assert recipients.verify(MAYA, spelled).status is RecipientStatus.VERIFIED
    assert recipients.verify(MAYA, spelled).status is RecipientStatus.VERIFIED
    assert (recipients.is_verified(MAYA, ZOE), recipients.is_verified(NOAH, ZOE)) == (True, False)
    assert [each.address for each in recipients.list(MAYA)] == [ZOE]


def test_tries_at_the_same_moment_are_counted_together(table: Table) -> None:
    recipients = MailRecipients(tables=Tables(table), clock=ManualClock())
    code = asked(recipients).code
    wrong = [f"{(int(code) + n) % 10**8:08d}" for n in range(1, 3 * MOST_TRIES)]

    def is_refused(number: str) -> bool:
        try:
            recipients.verify(MAYA, Confirmation(address=ZOE, code=number))
        except CodeNotValid:
            return True
        return False

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(is_refused, wrong))
    assert is_refused(code)


def test_a_code_expires_and_a_new_one_makes_it_worthless(table: Table) -> None:
    clock = ManualClock()
    recipients = MailRecipients(tables=Tables(table), clock=clock)
    first = asked(recipients)
    assert recipients.question(MAYA, ZOE) is None
    clock.advance(ASKED_AGAIN_AFTER.total_seconds() + 1)
    second = asked(recipients)
    if first.code != second.code:
        with pytest.raises(CodeNotValid):
            recipients.verify(MAYA, Confirmation(address=ZOE, code=first.code))
    clock.advance(CODE_LASTS.total_seconds() + 1)
    with pytest.raises(CodeNotValid):
        recipients.verify(MAYA, Confirmation(address=ZOE, code=second.code))


def test_a_user_asks_few_addresses_a_day(table: Table) -> None:
    clock = ManualClock()
    recipients = MailRecipients(tables=Tables(table), clock=clock)
    for number in range(MOST_ASKED_A_DAY):
        asked(recipients, f"zoe{number}@partner.com")
    assert recipients.question(MAYA, ZOE) is None
    assert recipients.question(NOAH, ZOE) is not None
    clock.advance(ASKED_AGAIN_AFTER.total_seconds() + 1)
    assert recipients.question(MAYA, ZOE) is not None
