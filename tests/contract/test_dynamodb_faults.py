"""What becomes of a request that DynamoDB throttles, refuses or leaves undone, and how often it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from uuid import uuid4

import pytest
from botocore.exceptions import EndpointConnectionError, NoCredentialsError, ReadTimeoutError

from storage.dynamodb.table import DynamoTable, create_table
from storage.dynamodb.timeouts import timeouts_within
from storage.errors import (
    ConditionRefused,
    InvalidRequest,
    LimitExceeded,
    StorageMisconfigured,
    StorageUnavailable,
    StorageUnreachable,
    TransactionRefused,
)
from storage.factory import open_table
from storage.table import Add, Delete, Equals, Key, NotExists, Put, Query, Update
from tests.fakes.aws.dynamodb import (
    REGION,
    Answer,
    Faults,
    cancelled_transaction,
    dynamo_client,
    error_answer,
    json_answer,
    let_through,
    lost_answer,
    unsent_request,
    without_retry_delays,
)

KEY = Key("T#acme#C#1", "HEAD")
OTHER = Key("T#acme#C#1", "M#1")
INCREMENT = Update(KEY, (Add("n", 1),))
OUR_TRIES, BOTO_TRIES = 8, 4

THROTTLED = error_answer("ProvisionedThroughputExceededException")
CONFLICT = error_answer("TransactionConflictException")


@dataclass
class Bench:
    """A table on ministack whose requests can be disturbed."""

    name: str
    table: DynamoTable
    faults: Faults
    waits: list[float]
    lost: Answer


@pytest.fixture
def bench(endpoint: str) -> Iterator[Bench]:
    client = dynamo_client(endpoint)
    name = f"faults-{uuid4()}"
    create_table(client, name)
    waits: list[float] = []
    table = DynamoTable(client, name, sleep=waits.append)
    faults = Faults(client)
    with without_retry_delays():
        yield Bench(name, table, faults, waits, lost_answer(client))
    faults.stop()
    client.delete_table(TableName=name)
    client.close()


def test_every_operation_is_one_request(bench: Bench) -> None:
    bench.table.put(Put({"pk": KEY.partition, "sk": KEY.sort}, (NotExists(),)))
    bench.table.update(INCREMENT)
    bench.table.get(KEY)
    bench.table.query(Query(KEY.partition, 5))
    bench.table.transact([INCREMENT, Put({"pk": OTHER.partition, "sk": OTHER.sort})])
    bench.table.delete(Delete(KEY))
    bench.table.batch_delete([KEY, OTHER])
    assert bench.faults.sent == [
        *("PutItem", "UpdateItem", "GetItem", "Query", "TransactWriteItems", "DeleteItem", "BatchWriteItem")
    ]


def test_reads_are_strongly_consistent_unless_told_otherwise(bench: Bench) -> None:
    bench.table.get(KEY)
    bench.table.query(Query(KEY.partition, 5))
    bench.table.query(Query(KEY.partition, 5, consistent=False))
    bench.table.query(Query("T#acme#ALL", 5, index="by_tenant"))
    assert [body.get("ConsistentRead") for body in bench.faults.bodies] == [True, True, False, None]


def test_a_throttled_request_is_sent_again_by_boto3(bench: Bench) -> None:
    bench.faults.inject(THROTTLED, THROTTLED)
    assert bench.table.update(INCREMENT)["n"] == 1
    assert len(bench.faults.sent) == 3


@pytest.mark.parametrize(
    "fault",
    [
        THROTTLED,
        error_answer("ThrottlingException"),
        error_answer("InternalServerError", 500),
        error_answer("", 503),
    ],
)
def test_a_request_that_is_always_throttled_or_failing_is_unavailable(bench: Bench, fault: Answer) -> None:
    bench.faults.inject(*[fault] * 99)
    with pytest.raises(StorageUnavailable):
        bench.table.update(INCREMENT)
    assert len(bench.faults.sent) == BOTO_TRIES


def test_a_write_that_meets_a_transaction_is_sent_again(bench: Bench) -> None:
    bench.faults.inject(CONFLICT)
    assert bench.table.update(INCREMENT)["n"] == 1
    assert (len(bench.faults.sent), len(bench.waits)) == (2, 1)


@pytest.mark.parametrize(
    "reasons",
    [
        ("TransactionConflict", "None"),
        ("None", "TransactionConflict"),
        ("TransactionConflict", "ThrottlingError"),
        ("None", "ProvisionedThroughputExceeded"),
    ],
)
def test_a_transaction_that_meets_another_is_sent_again_as_the_same(
    bench: Bench, reasons: tuple[str, str]
) -> None:
    bench.faults.inject(cancelled_transaction(*reasons))
    bench.table.transact([INCREMENT, Put({"pk": OTHER.partition, "sk": OTHER.sort})])
    assert (len(bench.faults.sent), len(bench.waits)) == (2, 1)
    assert bench.faults.bodies[0] == bench.faults.bodies[1]
    assert bench.table.get(KEY) == {"pk": KEY.partition, "sk": KEY.sort, "n": 1, "v": 1}


@pytest.mark.parametrize("fault", [CONFLICT, cancelled_transaction("TransactionConflict")])
def test_a_conflict_that_never_ends_is_unavailable_after_a_bounded_wait(bench: Bench, fault: Answer) -> None:
    bench.faults.inject(*[fault] * 99)
    with pytest.raises(StorageUnavailable):
        bench.table.transact([INCREMENT])
    assert (len(bench.faults.sent), len(bench.waits)) == (OUR_TRIES, OUR_TRIES - 1)
    assert all(0 <= wait <= 0.4 for wait in bench.waits)
    assert len(set(bench.waits)) > 1


def test_a_transaction_still_in_progress_is_awaited(bench: Bench) -> None:
    bench.faults.inject(*[error_answer("TransactionInProgressException")] * (BOTO_TRIES + 1))
    bench.table.transact([INCREMENT])
    assert (len(bench.faults.sent), len(bench.waits)) == (BOTO_TRIES + 2, 1)


def test_a_refused_condition_counts_more_than_a_conflict_beside_it(bench: Bench) -> None:
    bench.faults.inject(cancelled_transaction("TransactionConflict", "ConditionalCheckFailed"))
    with pytest.raises(TransactionRefused) as refused:
        bench.table.transact([INCREMENT, Put({"pk": OTHER.partition, "sk": OTHER.sort}, (NotExists(),))])
    assert refused.value.refused == {1: None}
    assert len(bench.faults.sent) == 1


def test_a_transaction_whose_answer_was_lost_is_applied_once(bench: Bench) -> None:
    bench.faults.inject(bench.lost)
    bench.table.transact([INCREMENT])
    assert len(bench.faults.sent) == 2
    assert bench.table.get(KEY) == {"pk": KEY.partition, "sk": KEY.sort, "n": 1, "v": 1}


def test_each_transaction_is_its_own_even_when_it_says_the_same(bench: Bench) -> None:
    bench.table.transact([INCREMENT])
    bench.table.transact([INCREMENT])
    item = bench.table.get(KEY)
    assert item is not None
    assert item["n"] == 2


def test_a_conditional_write_whose_answer_was_lost_is_refused_with_what_it_wrote(bench: Bench) -> None:
    bench.faults.inject(bench.lost)
    with pytest.raises(ConditionRefused) as refused:
        bench.table.put(Put({"pk": KEY.partition, "sk": KEY.sort, "n": 7}, (NotExists(),)))
    assert refused.value.old == {"pk": KEY.partition, "sk": KEY.sort, "n": 7, "v": 1}


def test_a_database_out_of_reach_is_unavailable(bench: Bench) -> None:
    bench.faults.inject(*[unsent_request(EndpointConnectionError(endpoint_url="here"))] * 99)
    with pytest.raises(StorageUnavailable):
        bench.table.get(KEY)
    assert len(bench.faults.sent) == BOTO_TRIES


@pytest.mark.parametrize(
    "fault",
    [
        error_answer("AccessDeniedException"),
        error_answer("ResourceNotFoundException"),
        error_answer("UnrecognizedClientException"),
        unsent_request(NoCredentialsError()),
    ],
)
def test_what_only_the_deployment_can_mend_is_told_apart_and_not_tried_again(
    bench: Bench, fault: Answer
) -> None:
    bench.faults.inject(fault)
    with pytest.raises(StorageMisconfigured):
        bench.table.get(KEY)
    assert len(bench.faults.sent) == 1


def test_what_dynamodb_finds_too_large_exceeds_a_limit(bench: Bench) -> None:
    too_large = "Item size to update has exceeded the maximum allowed size"
    bench.faults.inject(error_answer("ValidationException", message=too_large))
    with pytest.raises(LimitExceeded):
        bench.table.update(INCREMENT)
    reasons = [{"Code": "ValidationError", "Message": too_large}]
    bench.faults.inject(error_answer("TransactionCanceledException", CancellationReasons=reasons))
    with pytest.raises(LimitExceeded):
        bench.table.transact([INCREMENT])


def test_what_dynamodb_finds_invalid_is_an_invalid_request_without_its_text(bench: Bench) -> None:
    bench.faults.inject(error_answer("ValidationException", message="cannot convert: my secret"))
    with pytest.raises(InvalidRequest) as invalid:
        bench.table.update(INCREMENT)
    assert "secret" not in str(invalid.value)
    assert len(bench.faults.sent) == 1


@pytest.fixture
def hasty_bench(endpoint: str) -> Iterator[Bench]:
    """Its clock moves on while it waits, and by a hundredth of a second with each look."""
    client = dynamo_client(endpoint, patience=timeouts_within(0.9))
    name = f"faults-{uuid4()}"
    create_table(client, name)
    waits: list[float] = []
    looks = count()
    table = DynamoTable(
        client,
        name,
        retry_for_s=timeouts_within(0.9).retry_for_s,
        sleep=waits.append,
        monotonic=lambda: sum(waits) + next(looks) / 100,
    )
    faults = Faults(client)
    yield Bench(name, table, faults, waits, lost_answer(client))
    faults.stop()
    client.delete_table(TableName=name)
    client.close()


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (THROTTLED, StorageUnavailable),
        (error_answer("InternalServerError", 500), StorageUnreachable),
        (unsent_request(EndpointConnectionError(endpoint_url="here")), StorageUnreachable),
    ],
    ids=["throttled", "failing", "gone"],
)
def test_who_is_in_a_hurry_tries_a_few_times_within_a_third_of_a_second(
    hasty_bench: Bench, fault: Answer, error: type[StorageUnavailable]
) -> None:
    hasty_bench.faults.inject(*[fault] * 99)
    with pytest.raises(error) as refused:
        hasty_bench.table.update(INCREMENT)
    assert type(refused.value) is error
    assert 1 < len(hasty_bench.faults.sent) <= OUR_TRIES
    assert sum(hasty_bench.waits) <= 0.3


def test_who_is_in_a_hurry_gets_past_a_moment_of_throttling(hasty_bench: Bench) -> None:
    hasty_bench.faults.inject(THROTTLED, error_answer("ThrottlingException"))
    assert hasty_bench.table.update(INCREMENT)["n"] == 1


def test_who_is_in_a_hurry_waits_for_other_transactions_as_everybody_does(hasty_bench: Bench) -> None:
    hasty_bench.faults.inject(*[CONFLICT] * 99)
    with pytest.raises(StorageUnavailable):
        hasty_bench.table.update(INCREMENT)
    assert len(hasty_bench.faults.sent) == OUR_TRIES


def test_an_attempt_that_hangs_beyond_the_time_for_others_is_the_last(hasty_bench: Bench) -> None:
    def hang(_: object) -> None:
        hasty_bench.waits.append(0.6)
        raise ReadTimeoutError(endpoint_url="here")

    hasty_bench.faults.inject(*[hang] * 99)
    with pytest.raises(StorageUnreachable):
        hasty_bench.table.update(INCREMENT)
    assert len(hasty_bench.faults.sent) == 1


def test_all_of_it_takes_less_than_a_second() -> None:
    patience = timeouts_within(0.9)
    assert patience.attempts == 1
    assert patience.retry_for_s + max(patience.timeout_s, patience.connect_timeout_s) <= 0.9


def undone(bench: Bench, *keys: Key) -> Answer:
    """A batch of which these keys were left."""
    left = [{"DeleteRequest": {"Key": {"pk": {"S": key.partition}, "sk": {"S": key.sort}}}} for key in keys]
    return json_answer({"UnprocessedItems": {bench.name: left}})


def test_a_batch_is_sent_in_parts_of_25_and_what_was_left_undone_again(bench: Bench) -> None:
    many = [Key("T#acme#C#1", f"M#{number:03d}") for number in range(60)]
    for key in many:
        bench.table.put(Put({"pk": key.partition, "sk": key.sort}))
    bench.faults.sent.clear()
    bench.faults.bodies.clear()
    bench.faults.inject(let_through, undone(bench, *many[25:50]), undone(bench, *many[30:33]))
    bench.table.batch_delete(many)
    assert [len(body["RequestItems"][bench.name]) for body in bench.faults.bodies] == [25, 25, 25, 3, 10]
    assert len(bench.waits) == 2


def test_a_batch_that_is_never_done_is_unavailable(bench: Bench) -> None:
    bench.faults.inject(*[undone(bench, KEY)] * 99)
    with pytest.raises(StorageUnavailable):
        bench.table.batch_delete([KEY])
    assert (len(bench.faults.sent), len(bench.waits)) == (OUR_TRIES, OUR_TRIES - 1)


def test_a_refusal_is_final(bench: Bench) -> None:
    with pytest.raises(ConditionRefused):
        bench.table.update(Update(KEY, (Add("n", 1),), (Equals("n", 1),)))
    with pytest.raises(TransactionRefused):
        bench.table.transact([Update(KEY, (Add("n", 1),), (Equals("n", 1),))])
    assert bench.faults.sent == ["UpdateItem", "TransactWriteItems"]


def test_a_table_name_opens_a_table_in_dynamodb_of_the_environment(
    endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint)
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    with pytest.raises(StorageMisconfigured):
        open_table("no-such-table").get(KEY)
