"""A tenant's own answers: stored, limited, its own alone, and part of its roster."""

from __future__ import annotations

from contextlib import closing

import pytest

from agent.answers.errors import AnswerIdInvalid, AnswerLimitReached, AnswerNotFound
from agent.answers.tenant_answers import MAX_ANSWERS, AnswerSpec, TenantAnswerStore
from agent.workspace.roster import read_roster
from storage.dynamodb.table import DynamoTable, create_table
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.aws.dynamodb import moto_client
from tests.fakes.run.clocks import ManualClock

ACME, GLOBEX = TenantId("acme"), TenantId("globex")
OFFICE = AnswerSpec(title="When is the office open?", questions=("office hours",), text="Nine to five.")


def sqlite_store() -> tuple[TenantAnswerStore, Tables]:
    tables = Tables(SqliteTable(":memory:"))
    return TenantAnswerStore(tables=tables), tables


def check_life_of_an_answer(tables: Tables) -> None:
    store = TenantAnswerStore(tables=tables)
    store.put(ACME, "office-hours", OFFICE)
    changed = store.put(ACME, "office-hours", OFFICE.model_copy(update={"text": "Eight to four."}))

    assert store.list(ACME) == (changed,)
    assert store.get(ACME, "office-hours").text == "Eight to four."
    assert [each.text for each in read_roster(tables, ACME, ManualClock().now()).answers] == [
        "Eight to four."
    ]
    assert store.list(GLOBEX) == ()
    with pytest.raises(AnswerNotFound):
        store.get(GLOBEX, "office-hours")

    store.delete(ACME, "office-hours")
    assert store.list(ACME) == ()


def test_an_answer_is_written_replaced_read_and_removed_in_sqlite() -> None:
    with closing(SqliteTable(":memory:")) as table:
        check_life_of_an_answer(Tables(table))


def test_an_answer_is_written_replaced_read_and_removed_in_dynamodb() -> None:
    with moto_client() as client:
        create_table(client, "answers")
        check_life_of_an_answer(Tables(DynamoTable(client, "answers")))


def test_there_is_a_most_number_of_answers_which_replacing_one_does_not_pass() -> None:
    store, _ = sqlite_store()
    for number in range(MAX_ANSWERS):
        store.put(ACME, f"answer-{number}", OFFICE)
    store.put(ACME, "answer-0", OFFICE)
    with pytest.raises(AnswerLimitReached):
        store.put(ACME, "one-more", OFFICE)


@pytest.mark.parametrize("answer_id", ["", "Office", "a--b", "-a", "a b", "a#b", "ä", "x" * 61])
def test_an_id_that_is_no_slug_is_refused(answer_id: str) -> None:
    store, _ = sqlite_store()
    with pytest.raises(AnswerIdInvalid):
        store.put(ACME, answer_id, OFFICE)
    with pytest.raises(AnswerNotFound):
        store.get(ACME, answer_id)


def test_a_key_in_an_answer_is_not_stored() -> None:
    spec = AnswerSpec(title="Key?", questions=("key",), text="It is sk-proj-" + "a1B2" * 12)
    assert "a1B2" not in spec.text
