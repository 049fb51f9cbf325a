"""The built functions behind the table's stream and the run queue, with their own roles' permissions."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from agent.runs.run_queue import RunRequest, parse_request
from agent.workspace.delivery_targets import Channel
from agent.workspace.items import agent_from_item, run_from_item
from agent.workspace.runs import DeliveryStatus, Run, RunStatus
from storage import keys
from storage.dynamodb.attribute_values import from_wire
from storage.dynamodb.table import DynamoTable
from storage.keys import TenantId
from storage.table import Key, Put
from tests.built.build import ROOT
from tests.built.conftest import SCHEDULE_GROUP, TABLE, Services
from tests.built.emulator import EmulatedFunction, FunctionFailed, sample
from tests.fakes.aws.dynamodb import dynamo_client
from tests.fakes.models.model_script import Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer

pytestmark = pytest.mark.built

EVENTS = ROOT / "events"
AGENT = "0123456789abcdef0123456789abcdef"
ROUTED = Rule(
    "",
    Reply(decision={"model": "gpt-4o", "tools": [], "can_answer": True, "think": False}),
    prompt="Pick who answers",
)
DONE: dict[str, Any] = {"batchItemFailures": []}

Start = Callable[..., EmulatedFunction]


@pytest.fixture(autouse=True)
def _nothing_was_run(services: Services) -> None:
    request = parse_request(event("agent_runs/scheduled")["Records"][0]["body"])
    assert isinstance(request, RunRequest)
    key = keys.run(request.tenant, request.user, request.effective_run_id)
    DynamoTable(dynamo_client(services.endpoint), TABLE).batch_delete([key])


@pytest.fixture
def received(services: Services) -> Callable[[], list[str]]:
    """What lies in the run queue; it is taken out."""
    sqs = services.client("sqs")

    def receive() -> list[str]:
        answer = sqs.receive_message(QueueUrl=services.run_queue_url, MaxNumberOfMessages=10)
        return [message["Body"] for message in answer.get("Messages", ())]

    sqs.purge_queue(QueueUrl=services.run_queue_url)
    return receive


def event(name: str) -> Any:
    return sample(EVENTS / f"{name}.json")


def schedules(services: Services) -> dict[str, str]:
    """The state of every schedule, by its name."""
    client = services.client("scheduler")
    found = client.list_schedules(GroupName=SCHEDULE_GROUP)["Schedules"]
    return {schedule["Name"]: schedule["State"] for schedule in found}


def stored_image(name: str, services: Services) -> DynamoTable:
    """The table, with the item that the stream told of."""
    table = DynamoTable(dynamo_client(services.endpoint), TABLE)
    [record] = event(name)["Records"]
    table.put(Put(from_wire(record["dynamodb"]["NewImage"])))
    return table


def test_the_built_function_keeps_schedules_in_step_with_agents(start: Start, services: Services) -> None:
    function = start("ConsequencesFunction")
    assert function.invoke(event("consequences/agent_created")) == DONE
    assert schedules(services) == {AGENT: "ENABLED"}
    assert function.invoke(event("consequences/agent_paused")) == DONE
    assert schedules(services) == {AGENT: "DISABLED"}
    assert function.invoke(event("consequences/agent_deleted")) == DONE
    assert schedules(services) == {}


def test_the_built_function_asks_for_a_queued_run_and_a_look_at_a_skill(
    start: Start, received: Callable[[], list[str]]
) -> None:
    function = start("ConsequencesFunction")
    for name in ("run_queued", "skill_registered"):
        assert function.invoke(event(f"consequences/{name}")) == DONE
    expected = [event(f"agent_runs/{name}")["Records"][0]["body"] for name in ("asked", "skill_check")]
    assert sorted(received()) == sorted(expected)


def test_the_built_function_follows_what_is_said_and_what_users_think_of_it(start: Start) -> None:
    function = start("EnrichmentFunction")
    for name in ("first_message", "message_stored", "feedback_given"):
        assert function.invoke(event(f"enrichment/{name}")) == DONE
    assert start("ConsequencesFunction").invoke(event("consequences/first_message")) == DONE


def test_what_can_not_be_followed_is_reported_and_nothing_behind_it_is_done(
    start: Start, received: Callable[[], list[str]]
) -> None:
    broken, fine = event("consequences/agent_created"), event("consequences/run_queued")
    broken["Records"][0]["dynamodb"]["NewImage"]["agent"] = {"S": "{"}
    function = start("ConsequencesFunction")
    number = broken["Records"][0]["dynamodb"]["SequenceNumber"]
    assert function.invoke(broken) == {"batchItemFailures": [{"itemIdentifier": number}]}
    # Lambda halves a batch that ends with an error, until the write that can't be followed is alone.
    with pytest.raises(FunctionFailed, match="WriteFailed"):
        function.invoke({"Records": [*broken["Records"], *fine["Records"]]})
    assert received() == []


def test_the_built_function_executes_what_was_asked_for(start: Start, services: Services) -> None:
    stored_image("consequences/agent_created", services)
    table = stored_image("consequences/run_queued", services)
    assert start("AgentRunsFunction").invoke(event("agent_runs/asked")) == DONE
    [record] = event("consequences/run_queued")["Records"]
    key = {name: value["S"] for name, value in record["dynamodb"]["Keys"].items()}
    item = table.get(Key(key["pk"], key["sk"]))
    assert item is not None
    run = run_from_item("maya", item)
    assert run.status is RunStatus.FAILED
    assert run.outcome is not None
    assert run.outcome.code == "no_model"


def test_the_built_function_works_with_a_model_and_mails_the_result(start: Start, services: Services) -> None:
    # Without a source: an agent whose source isn't connected ends its run before a model is asked.
    mail = {"channels": ["email"], "recipients": ["maya@acme.example"]}
    stored_agent(services, sources=[], delivery=mail)
    mails, before = services.client("sesv2"), sent_mails(services)
    mails.create_email_identity(EmailIdentity="reports@acme.example")
    script = Script([ROUTED], default=Reply(content="Three new tickets."))
    with ModelServer(script) as server:
        function = start(
            "AgentRunsFunction",
            conditions=["HasMailSender"],
            OMNIFORGE_MAIL="ses:reports@acme.example",
            OMNIFORGE_DELIVERY_HOSTS="acme.example",
            OMNIFORGE_INTENT_MODEL="gpt-4o-mini",
            OMNIFORGE_STRONG_MODELS="gpt-4o",
            OPENAI_BASE_URL=server.base_url,
            OPENAI_API_KEY="test",
            AWS_LAMBDA_FUNCTION_TIMEOUT="330",
        )
        assert function.invoke(event("agent_runs/scheduled")) == DONE
    run = scheduled_run(services)
    assert (run.status, run.output) == (RunStatus.SUCCEEDED, "Three new tickets.")
    [delivery] = [each for each in run.deliveries if each.channel is Channel.EMAIL]
    assert delivery.status is DeliveryStatus.DELIVERED, delivery.reason
    assert sent_mails(services) == before + 1


def sent_mails(services: Services) -> int:
    return int(services.client("sesv2").get_account()["SendQuota"]["SentLast24Hours"])


def stored_agent(services: Services, **changed: Any) -> None:
    """The agent of the samples, with some fields changed."""
    [record] = event("consequences/agent_created")["Records"]
    item = from_wire(record["dynamodb"]["NewImage"])
    agent = {**json.loads(str(item["agent"])), **changed}
    DynamoTable(dynamo_client(services.endpoint), TABLE).put(Put({**item, "agent": json.dumps(agent)}))


def scheduled_run(services: Services) -> Run:
    """The run of the sample."""
    request = parse_request(event("agent_runs/scheduled")["Records"][0]["body"])
    assert isinstance(request, RunRequest)
    table = DynamoTable(dynamo_client(services.endpoint), TABLE)
    item = table.get(keys.run(request.tenant, request.user, request.effective_run_id))
    assert item is not None
    return run_from_item(request.user, item)


def test_the_built_function_executes_a_scheduled_run_once(start: Start, services: Services) -> None:
    stored_agent(services)
    function = start("AgentRunsFunction")
    for _ in range(2):
        assert function.invoke(event("agent_runs/scheduled")) == DONE
    assert scheduled_run(services).attempt == 1


def test_the_built_function_has_nothing_to_do_for_what_is_gone(
    start: Start, received: Callable[[], list[str]]
) -> None:
    function = start("AgentRunsFunction")
    gone = event("agent_runs/scheduled")
    body = json.loads(gone["Records"][0]["body"])
    gone["Records"][0]["body"] = json.dumps({**body, "agent_id": "f" * 32})
    assert function.invoke(gone) == DONE
    assert function.invoke(event("agent_runs/skill_check")) == DONE
    assert received() == []


def test_the_sample_of_the_stream_is_an_agent_of_ours() -> None:
    [record] = event("consequences/agent_created")["Records"]
    agent = agent_from_item(from_wire(record["dynamodb"]["NewImage"]))
    assert agent.id == AGENT
    assert keys.tenant_of(record["dynamodb"]["Keys"]["pk"]["S"]) == TenantId("acme")
