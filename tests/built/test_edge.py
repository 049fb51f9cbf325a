"""What stands between a client and the functions, over what the template becomes with its parameters."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from conversation.identity import Caller
from edge.adapters.queues import FINISH_GROUPS, finish_group
from edge.http.problems import STATUSES
from edge.http.resolver import ALLOWED_HEADERS, ANSWER_MARGIN_S, EXPOSED_HEADERS, PREFIX_HEADER
from local.gateway.authorizers import AuthorizerRunner, RequestDenied
from local.openapi import PATH
from local.proxy.events import Match, Request
from local.proxy.gateway_responses import GatewayResponses
from local.template.interpreter import interpret
from local.template.intrinsics import Resolver
from local.template.resources import INTEGRATION_TIMEOUT_S, Stack
from local.template.sam_translation import read_template
from resilience.deadlines import DEADLINE_MARGIN_S
from storage.keys import parse_tenant
from tests.built.build import ROOT
from tests.built.deployed_stack import Deployment, deployed
from tests.built.test_template_policy import FULL, LEAST, TEMPLATE
from tests.fakes.identity.issuers import serve_issuer

DOMAIN: Mapping[str, str] = {
    "DomainName": "chat.example.com",
    "CertificateArn": "arn:aws:acm:eu-west-1:000000000000:certificate/0af3d8c2",
}
ACL = "arn:aws:wafv2:eu-west-1:000000000000:regional/webacl/ours/0af3d8c2"
COLD_START_S = 2.0
"""What the gateway's wait has to hold beside a function's own time: Lambda does not count its start."""


@pytest.fixture(scope="module")
def stack() -> Stack:
    return interpret(TEMPLATE, {})


def stage_of(deployment: Deployment) -> Mapping[str, Any]:
    [stage] = deployment.of_type("AWS::ApiGateway::Stage").values()
    return stage


def throttle(deployment: Deployment, method: str, path: str) -> tuple[Any, Any]:
    """The rate and the burst of a method; None where the account's hold."""
    [setting] = [
        each
        for each in stage_of(deployment)["MethodSettings"]
        if (each["HttpMethod"], "/" + each["ResourcePath"].replace("~1", "/").lstrip("/")) == (method, path)
    ]
    return setting.get("ThrottlingRateLimit"), setting.get("ThrottlingBurstLimit")


def deployment_id(folder: Path, *changes: tuple[str, str], at_s: int) -> str:
    """The id that SAM gives to the API's deployment at a time, with the template changed so."""
    text = (ROOT / "template.yaml").read_text()
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    folder.mkdir()
    (folder / "template.yaml").write_text(text)
    with mock.patch("samtranslator.model.apigateway.time.time", return_value=float(at_s)):
        translated = read_template(folder / "template.yaml")
    [stage] = [each for each in translated["Resources"].values() if each["Type"] == "AWS::ApiGateway::Stage"]
    return str(stage["Properties"]["DeploymentId"]["Ref"])


def test_a_change_of_allowed_origins_alone_deploys_the_api_anew(tmp_path: Path) -> None:
    # SAM reads a parameter's default as it reads a value that a deployment gives.
    any_origin = 'AllowedOrigins:\n    Type: String\n    Default: "*"'
    one_origin = (any_origin, any_origin.replace("*", "https://app.example.com"))
    unforced = ("      AlwaysDeploy: true\n", "")

    first = deployment_id(tmp_path / "first", at_s=1_000)
    second = deployment_id(tmp_path / "second", one_origin, at_s=1_001)
    without = [
        deployment_id(tmp_path / f"without {number}", unforced, *changes, at_s=1_000 + number)
        for number, changes in enumerate([(), (one_origin,)])
    ]

    assert first != second
    assert without[0] == without[1]  # else the setting would not be needed


def test_limits_of_methods_name_them_as_the_gateway_does() -> None:
    deployment = deployed(TEMPLATE, LEAST)
    methods = {(path, method.upper()) for path, method, _ in deployment.operations()}
    paths_with_any = {path for path, method in methods if method == "X-AMAZON-APIGATEWAY-ANY-METHOD"}
    for setting in stage_of(deployment)["MethodSettings"]:
        path, method = setting["ResourcePath"], setting["HttpMethod"]
        if (path, method) == ("/*", "*"):
            continue
        assert re.fullmatch(r"/(~1[^/~]+)+", path), path
        named = path[1:].replace("~1", "/")
        assert (named, method) in methods or named in paths_with_any


def test_every_method_that_answers_a_message_has_the_limits_of_chat() -> None:
    given = {"ThrottleRate": "70", "ThrottleBurst": "80", "ChatThrottleRate": "7", "ChatThrottleBurst": "8"}
    default, changed = deployed(TEMPLATE, LEAST), deployed(TEMPLATE, {**LEAST, **given})
    turns = [
        path
        for path, method, operation in default.operations()
        if method == "post"
        and (
            "/chat" in path
            or path.endswith(("/edit", "/regenerate", "/stream", "/responses", "/ag-ui", "/a2a"))
        )
        if not path.endswith("/stop")
    ]
    assert len(turns) == 14
    assert {throttle(default, "POST", path) for path in turns} == {(300, 400)}
    assert {throttle(changed, "POST", path) for path in turns} == {("7", "8")}
    assert (throttle(default, "*", "/*"), throttle(changed, "*", "/*")) == ((200, 400), ("70", "80"))


def test_a_throttle_of_nought_is_none() -> None:
    nought = dict.fromkeys(("ThrottleRate", "ThrottleBurst", "ChatThrottleRate", "ChatThrottleBurst"), "0")
    deployment = deployed(TEMPLATE, {**LEAST, **nought})
    assert throttle(deployment, "*", "/*") == throttle(deployment, "POST", "/v1/chat") == (None, None)
    # What anybody may ask keeps its own.
    assert throttle(deployment, "GET", "/health") == (20, 100)
    only_shared = deployed(TEMPLATE, {**LEAST, "ChatThrottleRate": "0", "ChatThrottleBurst": "0"})
    assert throttle(only_shared, "POST", "/v1/chat") == (200, 400)


def test_every_function_may_be_given_a_concurrency_of_its_own() -> None:
    parameters = {
        f"{name.removesuffix('Function')}Concurrency" for name in deployed(TEMPLATE, LEAST).functions()
    }
    assert parameters <= TEMPLATE["Parameters"].keys()
    plain = deployed(TEMPLATE, LEAST).functions().values()
    assert not [each for each in plain if "ReservedConcurrentExecutions" in each]
    given = {name: str(number) for number, name in enumerate(sorted(parameters), start=10)}
    reserved = {
        f"{name.removesuffix('Function')}Concurrency": each["ReservedConcurrentExecutions"]
        for name, each in deployed(TEMPLATE, {**LEAST, **given}).functions().items()
    }
    assert reserved == given


def test_a_queue_feeds_its_function_no_more_than_what_is_reserved() -> None:
    # Lambda would refuse what is beyond it, and the queue count that as failures.
    given = {"FinishConcurrency": "5", "AgentRunsConcurrency": "6", "RetentionConcurrency": "2"}
    for parameters, expected in ((LEAST, (50, 50, 2)), ({**LEAST, **given}, ("5", "6", "2"))):
        deployment = deployed(TEMPLATE, parameters)
        fed = {
            # A mapping names a function's ARN or alias.
            re.sub(r"\.Arn$|Alias\w*$", "", mapping["FunctionName"]): mapping["ScalingConfig"][
                "MaximumConcurrency"
            ]
            for mapping in deployment.of_type("AWS::Lambda::EventSourceMapping").values()
            if "ScalingConfig" in mapping
        }
        names = ("FinishFunction", "AgentRunsFunction", "RetentionFunction")
        assert tuple(fed[name] for name in names) == expected
    for name in given:
        assert not re.fullmatch(TEMPLATE["Parameters"][name]["AllowedPattern"], "1")  # SQS takes 2 or more


def output(name: str, parameters: Mapping[str, str]) -> Any:
    return Resolver(TEMPLATE, parameters).resolve(TEMPLATE["Outputs"][name]["Value"])


def test_without_a_domain_or_a_web_acl_there_is_nothing_of_them() -> None:
    plain = deployed(TEMPLATE, LEAST)
    for kind in ("AWS::ApiGateway::DomainName", "AWS::ApiGateway::BasePathMapping"):
        assert plain.of_type(kind) == {}
    assert plain.of_type("AWS::WAFv2::WebACLAssociation") == {}
    assert output("ApiUrl", LEAST) == "https://Api.execute-api.local.localhost/dev"


def test_a_domain_of_the_deployers_leads_to_the_stage_without_naming_it() -> None:
    parameters = {**LEAST, **DOMAIN}
    deployment = deployed(TEMPLATE, parameters)
    [domain] = deployment.of_type("AWS::ApiGateway::DomainName").values()
    [mapping] = deployment.of_type("AWS::ApiGateway::BasePathMapping").values()
    assert domain == {
        "DomainName": DOMAIN["DomainName"],
        "RegionalCertificateArn": DOMAIN["CertificateArn"],
        "EndpointConfiguration": {"Types": ["REGIONAL"]},
        "SecurityPolicy": "TLS_1_2",
    }
    assert mapping == {"DomainName": "ApiDomain", "RestApiId": "Api", "Stage": "ApiStage"}
    assert output("ApiUrl", parameters) == "https://chat.example.com"
    assert output("DomainTarget", parameters) == "ApiDomain.RegionalDomainName"
    assert output("DomainTargetZone", parameters) == "ApiDomain.RegionalHostedZoneId"


def test_a_domain_without_its_certificate_stops_the_deployment() -> None:
    rule = TEMPLATE["Rules"]["DomainNeedsACertificate"]

    def stops(parameters: Mapping[str, str]) -> bool:
        resolve = Resolver(TEMPLATE, parameters).resolve
        return bool(resolve(rule["RuleCondition"])) and not resolve(rule["Assertions"][0]["Assert"])

    assert [stops({"DomainName": DOMAIN["DomainName"]}), stops(DOMAIN), stops({})] == [True, False, False]


def test_the_page_tells_the_api_that_its_address_has_no_stage() -> None:
    [distribution] = deployed(TEMPLATE, FULL).of_type("AWS::CloudFront::Distribution").values()
    [api] = [each for each in distribution["DistributionConfig"]["Origins"] if each["Id"] == "api"]
    assert api["OriginCustomHeaders"] == [{"HeaderName": PREFIX_HEADER, "HeaderValue": "/"}]


def test_a_web_acl_stands_before_the_stage() -> None:
    [association] = (
        deployed(TEMPLATE, {**LEAST, "WebAclArn": ACL}).of_type("AWS::WAFv2::WebACLAssociation").values()
    )
    assert association["WebACLArn"] == ACL
    assert association["ResourceArn"].endswith("::/restapis/Api/stages/ApiStage")


@pytest.mark.parametrize(
    ("kind", "status", "code", "retry_after_s"),
    [
        ("UNAUTHORIZED", 401, "auth_invalid", None),
        ("ACCESS_DENIED", 403, "tenant_invalid", None),
        ("WAF_FILTERED", 403, "request_blocked", None),
        ("MISSING_AUTHENTICATION_TOKEN", 404, "route_not_found", None),
        ("REQUEST_TOO_LARGE", 413, "body_too_large", None),
        ("UNSUPPORTED_MEDIA_TYPE", 415, "unsupported_media_type", None),
        ("THROTTLED", 429, "rate_limited", "1"),
        ("QUOTA_EXCEEDED", 429, "quota_exceeded", None),
        ("AUTHORIZER_FAILURE", 500, "internal", None),
        ("INTEGRATION_FAILURE", 503, "service_unavailable", "1"),
        ("INTEGRATION_TIMEOUT", 504, "timeout", None),
    ],
)
def test_what_the_gateway_itself_answers_is_a_problem_that_a_page_may_read(
    stack: Stack, kind: str, status: int, code: str, retry_after_s: str | None
) -> None:
    context = {"requestId": "r-1", "authorizer.code": "tenant_invalid"}
    answer = GatewayResponses(stack.gateway_responses).render(kind, context, {"accept": "text/html"})
    headers = dict(answer.headers)
    body = json.loads(answer.body)
    assert (answer.status, headers["content-type"]) == (status, "application/problem+json")
    assert (body["type"], body["status"], body["code"]) == ("about:blank", status, code)
    assert body["request_id"] == "r-1"
    assert headers["access-control-allow-origin"] == "*"
    assert headers["access-control-expose-headers"] == ",".join(EXPOSED_HEADERS)
    assert headers.get("retry-after") == retry_after_s
    described = json.loads(PATH.read_text())["components"]["responses"]
    assert f"`{code}`" in described.get(f"Problem{status}", {"description": f"`{code}`"})["description"]


def test_only_what_looks_like_a_token_starts_the_authorizer(stack: Stack) -> None:
    asked: list[str] = []

    def invoke(_: str, event: Mapping[str, Any]) -> Any:
        asked.append(event["authorizationToken"])
        return {}

    [authorizer] = stack.authorizers.values()
    runner = AuthorizerRunner(authorizer, invoke=invoke, stage="dev", now=lambda: datetime.now(UTC))
    match = Match(next(route for route in stack.routes if route.path == "/v1/tasks"), {})

    def refusal(header: str) -> str:
        sent = [("authorization", header)] if header else []
        request = Request("r-1", "GET", "/v1/tasks", "", sent, b"", "127.0.0.1", datetime.now(UTC))
        with pytest.raises(RequestDenied) as refused:
            runner.authorize(request, match)
        return refused.value.kind

    junk = [
        "", "Bearer", "Bearer ", "Bearer null", "Bearer a.b", "Bearer a.b.c.d", "Bearer  a.b.c", "a.b.c",
        "Basic bWF5YTpzZWNyZXQ=", "Bearer a.b.c ", "Bearer a=.b.c", "Bearer a.b.", "Bearer <script>.b.c",
        "Token a.b.c", "Bearer a.b.c\n", "xBearer a.b.c",
    ]  # fmt: skip
    assert {header: refusal(header) for header in junk} == dict.fromkeys(junk, "UNAUTHORIZED")
    assert asked == []
    with serve_issuer() as issuer:
        tokens = [f"{scheme} {issuer.token(datetime.now(UTC))}" for scheme in ("Bearer", "bearer", "BEARER")]
    for token in tokens:
        refusal(token)
    assert asked == tokens


def test_a_function_ends_before_the_gateway_gives_up_on_it(stack: Stack) -> None:
    waited = {(route.function, route.timeout_s) for route in stack.routes if route.function}
    assert {wait for _, wait in waited} == {INTEGRATION_TIMEOUT_S, 125.0}
    for name, wait_s in waited:
        # A method that only a stream's path lacks is refused at once, by the function of plain turns.
        assert stack.functions[str(name)].timeout_s + COLD_START_S < wait_s, name
    assert min(ANSWER_MARGIN_S, DEADLINE_MARGIN_S) > 0  # a turn ends before its function does


READ_HEADER = re.compile(r"""headers\.get\(\s*(?:"([A-Za-z-]+)"|([A-Z_]+))""")
NEEDS_NO_LEAVE = frozenset({"accept", "accept-encoding", "host", "origin"})
"""Headers that a browser sends by itself, or that a page may always set."""


def test_a_page_of_another_origin_may_send_every_header_that_is_read(stack: Stack) -> None:
    preflights = {
        route.mock.headers["Access-Control-Allow-Headers"] for route in stack.routes if route.mock is not None
    }
    assert preflights == {",".join(ALLOWED_HEADERS)}
    allowed = {name.lower() for name in ALLOWED_HEADERS}
    sources = [
        *(ROOT / "layers/edge/edge/http").glob("*.py"),
        *(ROOT / "layers/edge/edge/routes").glob("*.py"),
    ]
    sources += (ROOT / "functions").glob("*/app.py")
    constants = {
        name: value
        for source in (ROOT / "layers").rglob("*.py")
        for name, value in re.findall(
            r'^([A-Z_]+)(?:: \S+)? = "([A-Za-z-]+)"$', source.read_text(), re.MULTILINE
        )
    }
    read = {
        (literal or constants[constant]).lower()
        for source in sources
        for literal, constant in READ_HEADER.findall(source.read_text())
    } - {"vary", "content-type"}
    described = {
        parameter["name"].lower()
        for operations in json.loads(PATH.read_text())["paths"].values()
        for operation in operations.values()
        for parameter in operation.get("parameters", ())
        if parameter["in"] == "header"
    }
    assert {"x-omniforge-user", "if-none-match"} <= read
    assert "idempotency-key" in described
    assert (read | described) - NEEDS_NO_LEAVE <= allowed


NAMES = (
    "AlarmName",
    "BucketName",
    "FunctionName",
    "GroupName",
    "LogGroupName",
    "Name",
    "QueueName",
    "RoleName",
)
ACROSS_REGIONS = ("AWS::CloudFront::", "AWS::IAM::", "AWS::S3::")


def physical_names(parameters: Mapping[str, str]) -> dict[str, str]:
    """The names that resources are given, by their logical ids; those that AWS chooses are left out."""
    found = {}
    for name, resource in deployed(TEMPLATE, parameters).resources.items():
        properties = resource.get("Properties", {})
        configs = [
            each for key, each in properties.items() if key.endswith("Config") and isinstance(each, dict)
        ]
        for each in (properties, *configs):
            own = {key: each[key] for key in NAMES if key in each}
            if resource["Type"].startswith("AWS::Lambda::") and resource["Type"] != "AWS::Lambda::Function":
                own = {}  # a function's alias, version or permission, whose names are the function's
            for value in own.values():
                found[name] = str(value)
    return found


def test_two_stages_and_two_regions_of_one_account_share_no_name() -> None:
    def names(stack_name: str, region: str) -> dict[str, str]:
        return physical_names({**FULL, **DOMAIN, "AWS::StackName": stack_name, "AWS::Region": region})

    here, there = names("chat-dev", "eu-west-1"), names("chat-dev", "us-east-1")
    other = names("chat-prod", "eu-west-1")
    assert {"PageAccess", "PageAddresses", "WebHeaders"} <= here.keys()
    same = {name for name in here if here[name] == other[name]}
    assert same == set()
    across = {name for name in here if TEMPLATE["Resources"][name]["Type"].startswith(ACROSS_REGIONS)}
    assert {name for name in across if here[name] == there[name]} == set()


def test_the_finish_queue_is_limited_by_group_and_a_conversation_is_always_in_one() -> None:
    queue = deployed(TEMPLATE, LEAST).queues()["FinishQueue"]
    assert (queue["DeduplicationScope"], queue["FifoThroughputLimit"]) == (
        "messageGroup",
        "perMessageGroupId",
    )
    acme, globex = (Caller(parse_tenant(name), "maya").tenant for name in ("acme", "globex"))
    groups = [finish_group(acme, f"conversation-{number}") for number in range(500)]
    assert groups == [finish_group(acme, f"conversation-{number}") for number in range(500)]
    assert len(set(groups)) == FINISH_GROUPS
    assert set(groups).isdisjoint(finish_group(globex, f"conversation-{number}") for number in range(500))
    longest = finish_group(parse_tenant("a" * 64), "c")
    assert all(re.fullmatch(r"[!-~]{1,128}", group) for group in (*groups, longest))


def test_the_codes_of_the_gateway_are_not_those_of_another_status() -> None:
    for kind, response in interpret(TEMPLATE, {}).gateway_responses.items():
        [template] = response.templates.values()
        code = json.loads(template)["code"]
        assert STATUSES.get(code, response.status) == response.status, kind
