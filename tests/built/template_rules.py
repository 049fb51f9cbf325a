"""Rules for a deployed stack; what its roles may do is `tests.built.role_rules`' business.

Each rule tells what of a deployment breaks it, a line for each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from edge.routes.mcp_access import MCP_PATH, METADATA_PATH
from tests.built.deployed_stack import Deployment

ANY = "x-amazon-apigateway-any-method"
OPEN = frozenset(
    (path, method)
    for path in (
        "/health",
        "/openapi.json",
        "/docs",
        "/docs/{asset}",
        METADATA_PATH,
        METADATA_PATH + MCP_PATH,
        "/.well-known/agent-card.json",
    )
    for method in ("get", ANY)
) | {("/v1/connections/callback", "get")}
"""The routes anybody may ask, and what is told of their other methods. A preflight is open as well: a browser
sends no token along.
"""
INVOKERS = frozenset({"apigateway.amazonaws.com", "cognito-idp.amazonaws.com", "events.amazonaws.com"})
"""The services that may invoke functions, each for one resource."""
VERBS = ("get", "head", "post", "put", "patch", "delete")
TWO_WEEKS_S = 1_209_600

_SECRETIVE = re.compile(r"SECRETS?|PASSWORD|PASSWD|TOKEN|CREDENTIALS?|APIKEY|KEY|PRIVATE")
_SECRET = re.compile(
    r"sk-[A-Za-z0-9_-]{16,}|AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{20,}|-----BEGIN|xox[abp]-|eyJ[A-Za-z0-9_-]{16,}\."
)
_ADDRESSES = ("arn:", "omniforge/")
"""What names a secret without being one: an ARN, a prefix of names."""


def secrets(stack: Deployment) -> Iterator[str]:
    """No secret in an environment, where everybody who may look at a function reads it."""
    for name, function in stack.functions().items():
        for variable, value in function.get("Environment", {}).get("Variables", {}).items():
            # A budget of tokens is a number, and no secret is.
            is_named_so = any(map(_SECRETIVE.fullmatch, variable.split("_"))) and not str(value).isdecimal()
            # CloudFormation would put the secret itself there.
            is_fetched = "{{resolve:" in str(value)
            is_one = _SECRET.search(str(value)) is not None
            if is_fetched or is_one or (is_named_so and value and not str(value).startswith(_ADDRESSES)):
                yield f"{name}: {variable} may hold a secret"


def tables(stack: Deployment) -> Iterator[str]:
    """Encrypted, recoverable to any second, and not gone with the stack."""
    for name, table in stack.of_type("AWS::DynamoDB::Table").items():
        if table.get("PointInTimeRecoverySpecification") != {"PointInTimeRecoveryEnabled": True}:
            yield f"{name}: no point-in-time recovery"
        if table.get("SSESpecification", {}).get("SSEEnabled") is not True:
            yield f"{name}: not encrypted"
        if table.get("DeletionProtectionEnabled") is not True:
            yield f"{name}: can be deleted"
        kept = {stack.resources[name].get(policy) for policy in ("DeletionPolicy", "UpdateReplacePolicy")}
        if kept != {"Retain"}:
            yield f"{name}: goes with the stack"


def queues(stack: Deployment) -> Iterator[str]:
    """Encrypted; what can't be worked off is kept for two weeks, and somebody hears of it."""
    dead = set(dead_letters(stack))
    for name, queue in stack.queues().items():
        if queue.get("SqsManagedSseEnabled") is not True and "KmsMasterKeyId" not in queue:
            yield f"{name}: not encrypted"
        if name not in dead and not queue.get("RedrivePolicy", {}).get("maxReceiveCount"):
            yield f"{name}: no dead-letter queue"
        if name in dead and queue.get("MessageRetentionPeriod") != TWO_WEEKS_S:
            yield f"{name}: forgets too soon"
        if name in dead and not any(_watches(alarm, name) for alarm in _alarms(stack)):
            yield f"{name}: no alarm"
    for name, policy in stack.of_type("AWS::SQS::QueuePolicy").items():
        for statement in policy["PolicyDocument"]["Statement"]:
            if "Service" not in _mapping(statement["Principal"]) or "Condition" not in statement:
                yield f"{name}: lets anybody in"


def dead_letters(stack: Deployment) -> Iterator[str]:
    """The queues something leaves there what it can't deal with."""
    for queue in stack.queues().values():
        yield _queue(queue.get("RedrivePolicy", {}).get("deadLetterTargetArn"))
    for mapping in (
        *stack.of_type("AWS::Lambda::EventSourceMapping").values(),
        *stack.of_type("AWS::Lambda::EventInvokeConfig").values(),
    ):
        yield _queue(mapping.get("DestinationConfig", {}).get("OnFailure", {}).get("Destination"))
    for rule in stack.of_type("AWS::Events::Rule").values():
        for target in rule["Targets"]:
            yield _queue(target.get("DeadLetterConfig", {}).get("Arn"))
    for function in stack.functions().values():
        yield _queue(
            function.get("Environment", {}).get("Variables", {}).get("OMNIFORGE_SCHEDULE_DEAD_LETTERS_ARN")
        )


def sources(stack: Deployment) -> Iterator[str]:
    """What a function is fed with, and can't take, is kept by somebody."""
    for name, mapping in stack.of_type("AWS::Lambda::EventSourceMapping").items():
        if mapping.get("FunctionResponseTypes") != ["ReportBatchItemFailures"]:
            yield f"{name}: one failure repeats its whole batch"
        is_stream = _queue(mapping["EventSourceArn"]) not in stack.queues()
        if is_stream and not _is_queue(
            stack, mapping.get("DestinationConfig", {}).get("OnFailure", {}).get("Destination")
        ):
            yield f"{name}: what it gives up is lost"
        if is_stream and mapping.get("MaximumRecordAgeInSeconds", -1) == -1:
            yield f"{name}: gives nothing up until it is lost"
    caught = {
        config["FunctionName"]
        for config in stack.of_type("AWS::Lambda::EventInvokeConfig").values()
        if _is_queue(stack, config.get("DestinationConfig", {}).get("OnFailure", {}).get("Destination"))
    }
    for name, rule in stack.of_type("AWS::Events::Rule").items():
        for target in rule["Targets"]:
            if not _is_queue(stack, target.get("DeadLetterConfig", {}).get("Arn")):
                yield f"{name}: what it can't deliver is lost"
            if _queue(target["Arn"]) not in caught:
                yield f"{name}: its function may fail unheard"


def schedules(stack: Deployment) -> Iterator[str]:
    """The schedules that functions make leave somewhere what they can't send."""
    for name, function in stack.functions().items():
        variables = function.get("Environment", {}).get("Variables", {})
        makes_some = "OMNIFORGE_SCHEDULE_TARGET_ARN" in variables
        if makes_some and not _is_queue(stack, variables.get("OMNIFORGE_SCHEDULE_DEAD_LETTERS_ARN")):
            yield f"{name}: what its schedules can't send is lost"


def logs(stack: Deployment) -> Iterator[str]:
    """Every function has a log of its own that is not kept for ever; the gateway writes no bodies down."""
    groups = stack.of_type("AWS::Logs::LogGroup")
    for name, function in stack.functions().items():
        group = groups.get(function.get("LoggingConfig", {}).get("LogGroup", ""))
        if group is None:
            yield f"{name}: no log group"
        elif not group.get("RetentionInDays"):
            yield f"{name}: its log is kept for ever"
    for name, stage in stack.of_type("AWS::ApiGateway::Stage").items():
        if any(setting.get("DataTraceEnabled") for setting in stage.get("MethodSettings", ())):
            yield f"{name}: bodies are logged"


def own_key(stack: Deployment, key: str) -> Iterator[str]:
    """Where the deployer gave a key, all that is kept is encrypted with it."""
    for name, table in stack.of_type("AWS::DynamoDB::Table").items():
        if table["SSESpecification"].get("KMSMasterKeyId") != key:
            yield f"{name}: another key"
    for name, queue in stack.queues().items():
        if queue.get("KmsMasterKeyId") != key or queue.get("SqsManagedSseEnabled"):
            yield f"{name}: another key"
    for name, group in stack.of_type("AWS::Logs::LogGroup").items():
        if group.get("KmsKeyId") != key:
            yield f"{name}: another key"


def told(stack: Deployment, topic: str) -> Iterator[str]:
    """Where the deployer gave a topic, it hears of every alarm."""
    for name, alarm in stack.of_type("AWS::CloudWatch::Alarm").items():
        if alarm.get("AlarmActions") != [topic]:
            yield f"{name}: rings for nobody"


def routes(stack: Deployment) -> Iterator[str]:
    """No way in but the API's routes, and all of them ask the authorizer, but for `OPEN` and preflights."""
    ours = {name for name, _ in _authorizers(stack)}
    for path, method, operation in stack.operations():
        asked = {name for requirement in operation.get("security", ()) for name in requirement}
        if (path, method) not in OPEN and method != "options" and not asked & ours:
            yield f"{method.upper()} {path}: no authorizer"
    for name, scheme in _authorizers(stack):
        if "/AuthorizerFunction.Arn/" not in scheme["x-amazon-apigateway-authorizer"]["authorizerUri"]:
            yield f"{name}: not our authorizer"
    for name in stack.of_type("AWS::Lambda::Url"):
        yield f"{name}: a way round the API"
    for name, permission in stack.of_type("AWS::Lambda::Permission").items():
        is_service = permission["Principal"] in INVOKERS
        if not is_service or "SourceArn" not in permission:
            yield f"{name}: lets anybody invoke"


def throttles(stack: Deployment) -> Iterator[str]:
    """A limit for all routes together, and lower ones for those that anybody may ask."""
    for name, stage in stack.of_type("AWS::ApiGateway::Stage").items():
        limits = {
            (setting["ResourcePath"].replace("~1", "/"), setting["HttpMethod"]): setting
            for setting in stage.get("MethodSettings", ())
            if setting.get("ThrottlingRateLimit") and setting.get("ThrottlingBurstLimit")
        }
        shared = limits.get(("/*", "*"))
        if shared is None:
            yield f"{name}: no throttle"
            continue
        for path, method in sorted({(path, verb) for path, _ in OPEN for verb in VERBS}):
            own = limits.get((f"/{path}", method.upper())) or limits.get((path, method.upper())) or shared
            if own["ThrottlingRateLimit"] >= shared["ThrottlingRateLimit"]:
                yield f"{name}: {method.upper()} {path} can use up what others need"
        for path, method in limits:
            if method == "ANY":
                yield f"{name}: the gateway takes no limit for any method of {path}"


RULES: tuple[Callable[[Deployment], Iterator[str]], ...] = (
    secrets,
    tables,
    queues,
    sources,
    schedules,
    logs,
    routes,
    throttles,
)


def _authorizers(stack: Deployment) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for api in stack.of_type("AWS::ApiGateway::RestApi").values():
        for name, scheme in api["Body"]["components"]["securitySchemes"].items():
            if "x-amazon-apigateway-authorizer" in scheme:
                yield name, scheme


def _alarms(stack: Deployment) -> Iterator[Mapping[str, Any]]:
    yield from stack.of_type("AWS::CloudWatch::Alarm").values()


def _watches(alarm: Mapping[str, Any], queue: str) -> bool:
    """Whether it rings for the first message in the queue."""
    return (
        (alarm.get("Namespace"), alarm.get("MetricName")) == ("AWS/SQS", "ApproximateNumberOfMessagesVisible")
        and alarm["Dimensions"] == [{"Name": "QueueName", "Value": f"{queue}.QueueName"}]
        and (alarm["ComparisonOperator"], alarm["Threshold"]) == ("GreaterThanThreshold", 0)
        and alarm["Statistic"] == "Maximum"
    )


def _is_queue(stack: Deployment, arn: object) -> bool:
    return _queue(arn) in stack.queues()


def _queue(arn: object) -> str:
    return str(arn or "").partition(".")[0]


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
