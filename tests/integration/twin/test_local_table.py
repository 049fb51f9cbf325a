"""`python -m local local-table`: the template's table on an endpoint that speaks DynamoDB."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from local.__main__ import main
from storage.keys import INDEXES
from tests.fakes.aws.dynamodb import dynamo_client, ministack
from tests.fakes.http.servers import free_port

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with ministack("dynamodb") as url:
        yield url


def test_the_table_has_its_keys_indexes_stream_and_time_to_live(
    endpoint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["local-table", "--endpoint", endpoint]) == 0
    assert main(["local-table", "--endpoint", endpoint]) == 0

    client: Any = dynamo_client(endpoint)
    table = client.describe_table(TableName="omniforge")["Table"]
    assert [key["AttributeName"] for key in table["KeySchema"]] == ["pk", "sk"]
    assert {index["IndexName"] for index in table["GlobalSecondaryIndexes"]} == {
        index.name for index in INDEXES
    }
    assert table["StreamSpecification"] == {
        "StreamEnabled": True,
        "StreamViewType": "NEW_AND_OLD_IMAGES",
    }
    expiry = client.describe_time_to_live(TableName="omniforge")["TimeToLiveDescription"]
    assert (expiry["TimeToLiveStatus"], expiry["AttributeName"]) == ("ENABLED", "expires_at")
    created, again = capsys.readouterr().out.splitlines()
    assert "was created" in created
    assert "was there already" in again


def test_an_endpoint_where_nothing_answers_is_said_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["local-table", "--endpoint", f"http://127.0.0.1:{free_port()}"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
