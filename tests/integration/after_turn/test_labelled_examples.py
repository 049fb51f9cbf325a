"""What users teach in conversation, kept by the chat function and printed for training."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from conversation.identity import Caller
from local.__main__ import main
from storage.keys import EXAMPLE_PREFIX, TenantId
from tests.benchmarks.metered import MeteredTurn, metered_chat
from tests.evals.measurement import read_cases
from tests.fakes.aws.dynamodb import ministack
from tests.fakes.aws.proxy_events import request
from tests.fakes.deployment import functions

UNCLEAR, CORRECTION = "hm, the numbers", "I meant create an agent"
FIELDS = {"id", "text", "label", "history", "difficulty", "family"}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with ministack() as endpoint:
        yield endpoint


def talk(folder: Path, *messages: str, tenant: str = "acme") -> None:
    """One conversation with the chat function as it is composed on this machine."""
    chat = functions.load("chat", functions.settings(folder))
    body: dict[str, str] = {}
    for message in messages:
        event = request("POST", "/v1/chat", body={**body, "message": message}, tenant=tenant)
        said = functions.invoke(chat, event)
        assert said.status == 200, said.body
        body = {"conversation_id": said.json["conversation_id"]}


def printed(folder: Path, capsys: pytest.CaptureFixture[str], tenant: str = "acme") -> list[str]:
    """The lines of ``python -m local examples``."""
    capsys.readouterr()
    assert main(["examples", "--data", str(folder), "--tenant", tenant]) == 0
    return capsys.readouterr().out.splitlines()


def test_a_corrected_message_becomes_a_case_of_the_evals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    talk(tmp_path, "Hello!", f"{UNCLEAR} of maya@acme.com", CORRECTION)

    [line] = printed(tmp_path, capsys)
    assert json.loads(line).keys() == FIELDS
    (tmp_path / "turns.jsonl").write_text(line)
    [case] = read_cases(tmp_path / "turns.jsonl")
    assert (case.text, case.label) == (f"{UNCLEAR} of [email]", "create_agent")
    assert [role for role, _ in case.history] == ["user", "assistant"]


def test_a_tenant_prints_its_own_examples_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    talk(tmp_path, f"{UNCLEAR} of ours", CORRECTION)
    talk(tmp_path, f"{UNCLEAR} of theirs", CORRECTION, tenant="acme-eu")

    assert [json.loads(line)["text"] for line in printed(tmp_path, capsys)] == [f"{UNCLEAR} of ours"]
    assert [json.loads(line)["text"] for line in printed(tmp_path, capsys, "acme-eu")] == [
        f"{UNCLEAR} of theirs"
    ]
    assert not printed(tmp_path, capsys, "acm")


@pytest.mark.parametrize(("data", "tenant"), [("nowhere", "acme"), (".", "a#b")])
def test_what_can_not_be_printed_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: str, tenant: str
) -> None:
    talk(tmp_path, "Hello!")
    capsys.readouterr()
    assert main(["examples", "--data", str(tmp_path / data), "--tenant", tenant]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not (tmp_path / "nowhere").exists()


def test_a_turn_that_teaches_takes_no_request_for_it_and_no_other_pays_for_it(endpoint: str) -> None:
    with metered_chat(endpoint, Caller(TenantId("acme"), "maya"), model=False) as chat:
        unclear = chat.say("hm, the numbers")
        corrected = chat.say("I meant create an agent", conversation_id=unclear.conversation_id)

    assert corrected.spent.requests == ["UpdateItem", "Query", "TransactWriteItems"]
    assert [_examples_written(turn) for turn in (unclear, corrected)] == [0, 1]


def _examples_written(turn: MeteredTurn) -> int:
    return sum(charge.what.startswith(EXAMPLE_PREFIX) for charge in turn.spent.charges)
