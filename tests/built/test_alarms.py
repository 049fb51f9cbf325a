"""Every alarm of the template rings on its own fault and on no other.

What functions measure are the lines that the built functions wrote; what AWS measures itself is planted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Any

import pytest

from conversation.clock import SystemClock
from conversation.identity import Caller
from conversation.messages.items import DEATHS
from conversation.token_counts import TokenCounter
from conversation.turns.admission import IncomingMessage
from conversation.turns.turn_protocol import TurnProtocol
from edge.event_metrics import EVENT_METRICS
from local.template.sam_translation import read_template
from storage import keys
from storage.dynamodb.table import DynamoTable
from storage.keys import TenantId
from storage.table import Remove, Set, Update
from storage.tenant_table import Tables
from tests.built.build import ROOT
from tests.built.conftest import TABLE, Services
from tests.built.deployed_stack import deployed
from tests.built.emulator import EmulatedFunction, FunctionFailed, sample
from tests.fakes.aws.cloudwatch import Datum, Dimensions, measured_in, ringing, watched
from tests.fakes.aws.dynamodb import dynamo_client
from tests.fakes.http.servers import free_port
from tests.fakes.models.model_script import Reply, Script
from tests.fakes.models.model_server import ModelServer

EVENTS = ROOT / "events"
STACK = deployed(read_template(ROOT / "template.yaml"), {})
ALARMS = STACK.of_type("AWS::CloudWatch::Alarm")
STAGE = "dev"
MODEL = "gpt-4o-mini"
TURNS = 10
"""As many model calls as a share of failures is told of."""

Start = Callable[..., EmulatedFunction]


def of(**dimensions: str) -> Dimensions:
    return frozenset(dimensions.items())


def lambda_datum(metric: str, function: str, value: float = 1) -> Datum:
    return Datum("AWS/Lambda", metric, of(FunctionName=function), value)


def queued(queue: str) -> Datum:
    name = f"{queue}.QueueName"
    return Datum("AWS/SQS", "ApproximateNumberOfMessagesVisible", of(QueueName=name), 1)


def answered(status: int, count: int) -> list[Datum]:
    api = of(ApiName="omniforge", Stage=STAGE)
    return [Datum("AWS/ApiGateway", "5XXError", api, float(status >= 500))] * count


PLANTED: Mapping[str, list[Datum]] = {
    "ApiErrorsAlarm": [*answered(200, 98), *answered(502, 2)],
    "RequestErrorsAlarm": [lambda_datum("Errors", "WorkspaceFunction")],
    "EventErrorsAlarm": [lambda_datum("Errors", "RetentionFunction")],
    "RequestThrottlesAlarm": [lambda_datum("Throttles", "AuthorizerFunction")],
    "EventThrottlesAlarm": [lambda_datum("Throttles", "AgentRunsFunction")],
    "ConcurrencyAlarm": [Datum("AWS/Lambda", "ClaimedAccountConcurrency", of(), 801)],
    "TableThrottlesAlarm": [
        Datum("AWS/DynamoDB", "WriteThrottleEvents", of(TableName="Table", GlobalSecondaryIndexName="due"), 1)
    ],
    "TableErrorsAlarm": [
        Datum("AWS/DynamoDB", "SystemErrors", of(TableName="Table", Operation="TransactWriteItems"), 1)
    ],
    "FinishDeadLettersAlarm": [queued("FinishDeadLetters")],
    "RunDeadLettersAlarm": [queued("RunDeadLetters")],
    "RetentionDeadLettersAlarm": [queued("RetentionDeadLetters")],
    "ConsequencesDeadLettersAlarm": [queued("ConsequencesDeadLetters")],
    "ConsequencesBehindAlarm": [lambda_datum("IteratorAge", "ConsequencesFunction", 60_001)],
    "EnrichmentDeadLettersAlarm": [queued("EnrichmentDeadLetters")],
    "EnrichmentBehindAlarm": [lambda_datum("IteratorAge", "EnrichmentFunction", 600_001)],
}
"""Of each alarm on a metric of AWS, the values that mean its fault."""

SOUND: list[Datum] = [
    *answered(200, 99),
    *answered(500, 1),
    *(lambda_datum(metric, name, 0) for name in STACK.functions() for metric in ("Errors", "Throttles")),
    # Lambda counts each refused token as an error of the authorizer.
    lambda_datum("Errors", "AuthorizerFunction", 50),
    lambda_datum("IteratorAge", "ConsequencesFunction", 500),
    lambda_datum("IteratorAge", "EnrichmentFunction", 500),
    Datum("AWS/Lambda", "ClaimedAccountConcurrency", of(), 800),
]
"""The values of a deployment that works."""

BY_FUNCTIONS = frozenset(
    {
        "AuthorizerFailuresAlarm",
        "ConsequencesSkippedAlarm",
        "EnrichmentSkippedAlarm",
        "IntentCostAlarm",
        "ModelFailuresAlarm",
        "ModelRefusedAlarm",
        "TenantBudgetAlarm",
        "TurnLatencyAlarm",
        "TurnsGivenUpAlarm",
        "TurnsNotStoredAlarm",
    }
)
"""The alarms on what functions measure themselves."""


def test_every_alarm_is_seen_to_ring() -> None:
    assert set(ALARMS) == set(PLANTED) | BY_FUNCTIONS


@pytest.mark.parametrize("alarm", PLANTED)
def test_an_alarm_on_a_metric_of_aws_rings_on_its_fault_and_on_no_other(alarm: str) -> None:
    planted = {each[:3] for each in PLANTED[alarm]}
    others = [each for each in SOUND if each[:3] not in planted]
    assert ringing(ALARMS, [*others, *PLANTED[alarm]]) == {alarm}


def test_no_alarm_rings_where_all_is_well_or_nothing_happens() -> None:
    assert ringing(ALARMS, SOUND) == set()
    assert ringing(ALARMS, []) == set()


@pytest.mark.parametrize("alarm", ALARMS)
def test_an_alarm_looks_at_what_there_is_in_the_stack(alarm: str) -> None:
    functions, queues = set(STACK.functions()), set(STACK.queues())
    (api,) = STACK.of_type("AWS::ApiGateway::RestApi").values()
    (table,) = STACK.of_type("AWS::DynamoDB::Table").values()
    indexes = {index["IndexName"] for index in table["GlobalSecondaryIndexes"]}
    services = {path.parent.name for path in (ROOT / "functions").glob("*/app.py")}
    measured = {each.name for group in EVENT_METRICS.values() for each in group}
    values = {
        "ApiName": {api["Body"]["info"]["title"]},
        "FunctionName": functions,
        "GlobalSecondaryIndexName": indexes,
        "QueueName": {f"{queue}.QueueName" for queue in queues},
        "Stage": {STAGE},
        "TableName": {"Table"},
        "service": services,
        "stage": {STAGE},
    }
    metrics = list(watched(ALARMS[alarm]))
    assert 1 <= len(metrics) <= 10  # CloudWatch's limit for the metrics of one alarm
    for namespace, name, dimensions in metrics:
        for dimension, value in dimensions:
            assert dimension == "Operation" or value in values[dimension]
        if namespace == "OmniForge":
            assert name in measured
            assert {dimension for dimension, _ in dimensions} == {"stage", "service"}


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with ModelServer(Script(default=Reply(content="No verdict."))) as server:
        yield server


@pytest.fixture
def variables(model: ModelServer) -> dict[str, str]:
    """The stage, so that the function writes its log as on AWS, and a model that it may ask."""
    return {
        "OMNIFORGE_STAGE": STAGE,
        "OMNIFORGE_INTENT_MODEL": MODEL,
        "OMNIFORGE_STRONG_MODELS": "",
        "OMNIFORGE_INTENT_DEADLINE_MS": "10000",
        "OPENAI_BASE_URL": model.base_url,
        "OPENAI_API_KEY": "sk-test",
    }


def say(function: EmulatedFunction, times: int = 1) -> list[Datum]:
    """What the chat function measures while it answers."""
    event = sample(EVENTS / "chat" / "message_of_user.json")
    for _ in range(times):
        assert function.invoke(event)["statusCode"] == 200
    return list(written(function))


def written(function: EmulatedFunction) -> Iterator[Datum]:
    return measured_in(function.log.read_text(errors="replace"))


def completion(prompt_tokens: int) -> Reply:
    """A decision for which the provider bills so many tokens."""
    decision = {"action_type": "query_info", "confidence": 0.9, "entities": {}}
    message = {"role": "assistant", "content": json.dumps(decision)}
    usage = {"prompt_tokens": prompt_tokens, "completion_tokens": 1, "total_tokens": prompt_tokens + 1}
    body = {"object": "chat.completion", "model": MODEL, "usage": usage}
    return Reply(
        body=json.dumps({**body, "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
    )


@pytest.mark.built
def test_a_turn_as_it_should_be_rings_nothing(
    start: Start, variables: dict[str, str], model: ModelServer
) -> None:
    model.use(Script(default=completion(900)))
    data = say(start("ChatFunction", **variables))
    assert ringing(ALARMS, data) == set()
    measured = {each.metric for each in data}
    assert {"turn_latency_ms", "turn_storing_ms", "model_calls", "cold_starts", "intent_cost_usd"} <= measured


@pytest.mark.built
def test_turns_that_take_too_long_ring(start: Start) -> None:
    impatient = deployed(read_template(ROOT / "template.yaml"), {"LatencyAlarmMs": "1"})
    data = say(start("ChatFunction", OMNIFORGE_STAGE=STAGE))
    assert ringing(impatient.of_type("AWS::CloudWatch::Alarm"), data) == {"TurnLatencyAlarm"}


@pytest.mark.built
def test_a_model_that_fails_rings_once_it_was_asked_often_enough(
    start: Start, variables: dict[str, str], model: ModelServer
) -> None:
    model.use(Script(default=Reply(status=500)))
    assert ringing(ALARMS, say(start("ChatFunction", **variables), TURNS)) == {"ModelFailuresAlarm"}


@pytest.mark.built
def test_a_model_that_fails_in_one_turn_rings_nothing(
    start: Start, variables: dict[str, str], model: ModelServer
) -> None:
    model.use(Script(default=Reply(status=500)))
    assert ringing(ALARMS, say(start("ChatFunction", **variables))) == set()


@pytest.mark.built
@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_model_that_is_refused_rings_at_the_first_turn(
    status: int, start: Start, variables: dict[str, str], model: ModelServer
) -> None:
    model.use(Script(default=Reply(status=status)))
    assert ringing(ALARMS, say(start("ChatFunction", **variables))) == {"ModelRefusedAlarm"}


@pytest.mark.built
def test_an_expensive_understanding_rings(
    start: Start, variables: dict[str, str], model: ModelServer
) -> None:
    model.use(Script(default=completion(60_000)))
    assert ringing(ALARMS, say(start("ChatFunction", **variables))) == {"IntentCostAlarm"}


@pytest.mark.built
def test_a_spent_budget_rings(start: Start, variables: dict[str, str]) -> None:
    function = start("ChatFunction", **variables, OMNIFORGE_TENANT_USD_PER_DAY="0")
    assert ringing(ALARMS, say(function)) == {"TenantBudgetAlarm"}


@pytest.mark.built
def test_a_turn_that_is_stored_nowhere_rings(start: Start) -> None:
    nobody = f"http://127.0.0.1:{free_port()}"
    function = start(
        "ChatFunction", OMNIFORGE_STAGE=STAGE, AWS_ENDPOINT_URL=nobody, OMNIFORGE_STORAGE_DEADLINE_MS="500"
    )
    assert ringing(ALARMS, say(function)) == {"TurnsNotStoredAlarm"}


@pytest.mark.built
def test_an_authorizer_without_its_issuers_keys_rings_and_a_bad_token_does_not(start: Start) -> None:
    nobody = {
        "OMNIFORGE_STAGE": STAGE,
        "OMNIFORGE_JWT_ISSUERS": "https://id.example",
        "OMNIFORGE_JWT_AUDIENCE": "chat",
        "OMNIFORGE_JWT_JWKS_URLS": f"https://127.0.0.1:{free_port()}/jwks.json",
    }
    function = start("AuthorizerFunction", **nobody)
    event = sample(EVENTS / "authorizer" / "token.json")
    with pytest.raises(FunctionFailed, match="Unauthorized"):
        function.invoke({**event, "authorizationToken": "Bearer nonsense"})
    assert ringing(ALARMS, written(function)) == set()
    with pytest.raises(FunctionFailed, match="Unauthorized"):
        function.invoke({**event, "authorizationToken": f"Bearer {well_formed_token()}"})
    assert ringing(ALARMS, written(function)) == {"AuthorizerFailuresAlarm"}


def well_formed_token() -> str:
    """A token that only the issuer's keys could refuse."""
    import jwt

    claims = {"iss": "https://id.example", "aud": "chat", "sub": "maya", "tenant": "acme"}
    key = "0123456789abcdef0123456789abcdef"
    token = jwt.encode({**claims, "exp": 4_102_444_800}, key, headers={"kid": "k1", "alg": "HS256"})
    header = json.dumps({"alg": "RS256", "kid": "k1", "typ": "JWT"}, separators=(",", ":")).encode()
    return ".".join((jwt.utils.base64url_encode(header).decode(), *token.split(".")[1:]))


@pytest.mark.built
def test_a_message_that_ended_two_processes_rings(start: Start, services: Services) -> None:
    table = DynamoTable(dynamo_client(services.endpoint), TABLE)
    conversation = waiting_message_after_two_deaths(table)
    event = sample(EVENTS / "finish" / "unfinished.json")
    event["Records"][0]["body"] = json.dumps({"tenant": "acme", "conversation": conversation})
    function = start("FinishFunction", OMNIFORGE_STAGE=STAGE)
    assert function.invoke(event) == {"batchItemFailures": []}
    assert ringing(ALARMS, written(function)) == {"TurnsGivenUpAlarm"}


def waiting_message_after_two_deaths(table: DynamoTable) -> str:
    clock, acme = SystemClock(), TenantId("acme")
    protocol = TurnProtocol(tables=Tables(table), clock=clock, tokens=TokenCounter(None))
    admission = protocol.admit(
        IncomingMessage(Caller(acme, "maya"), "Hello"),
        owner="gone",
        caller_until=clock.now() - timedelta(seconds=1),
        retention_days=30,
    )
    turn = admission.turn_id
    died = Set(DEATHS, {"t": turn.ulid, "n": 2})
    table.update(Update(keys.head(acme, turn.conversation_id), (died, Remove("lease"))))
    return turn.conversation_id


@pytest.mark.built
@pytest.mark.parametrize("service", ["consequences", "enrichment"])
def test_a_record_of_a_newer_version_rings_the_alarm_of_the_function_that_skips_it(
    service: str, start: Start
) -> None:
    event: Any = sample(EVENTS / service / "first_message.json")
    event["Records"][0]["dynamodb"]["NewImage"]["v"] = {"N": "99"}
    function = start(f"{service.title()}Function", OMNIFORGE_STAGE=STAGE)
    assert function.invoke(event) == {"batchItemFailures": []}
    assert ringing(ALARMS, written(function)) == {f"{service.title()}SkippedAlarm"}
