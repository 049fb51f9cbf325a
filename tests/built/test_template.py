"""What the template promises without being deployed; what no stack may be without: `test_template_policy`."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

import pytest
from samtranslator.yaml_helper import yaml_parse

from agent.runs.executor import DELIVERY_MARGIN_S
from conversation.attachments.bucket import UPLOADS
from conversation.erasure.eraser import SETTLING_TIME
from edge.adapters.event_batches import CONSEQUENCE_LIMIT_S
from local.template.intrinsics import Resolver
from local.template.sam_translation import read_template, translate
from storage.keys import (
    ATTACHMENT_PREFIX,
    DELETED_AGENT_PREFIX,
    ERASURE_PREFIX,
    FEEDBACK_PREFIX,
    INDEXES,
    MESSAGE_PREFIX,
    RUN_PREFIX,
    TASK_PREFIX,
)
from tests.built.build import ROOT
from tests.built.deployed_stack import deployed
from tests.fakes.run.bad_inputs import case

TEMPLATE: Mapping[str, Any] = yaml_parse((ROOT / "template.yaml").read_text(encoding="utf-8"))
RESOURCES: Mapping[str, Any] = TEMPLATE["Resources"]


def test_the_table_has_the_indexes_the_code_reads() -> None:
    declared = {
        index["IndexName"]: (
            [key["AttributeName"] for key in index["KeySchema"]],
            index["Projection"].get("NonKeyAttributes", []),
        )
        for index in RESOURCES["Table"]["Properties"]["GlobalSecondaryIndexes"]
    }
    assert declared == {
        index.name: ([index.partition, index.sort], list(index.projected)) for index in INDEXES
    }


@pytest.mark.parametrize(
    ("queue", "function"),
    [
        ("FinishQueue", "FinishFunction"),
        ("RunQueue", "AgentRunsFunction"),
        ("RetentionQueue", "RetentionFunction"),
    ],
)
def test_a_queue_hides_a_message_for_six_runs_of_its_function(queue: str, function: str) -> None:
    timeout_s = RESOURCES[function]["Properties"]["Timeout"]
    assert RESOURCES[queue]["Properties"]["VisibilityTimeout"] >= 6 * timeout_s


def test_a_run_is_stopped_before_its_function_is() -> None:
    properties = RESOURCES["AgentRunsFunction"]["Properties"]
    assert properties["Environment"]["Variables"]["OMNIFORGE_RUN_TIMEOUT_S"] == {"Ref": "RunTimeoutSeconds"}
    run_s = TEMPLATE["Parameters"]["RunTimeoutSeconds"]["MaxValue"]
    assert run_s + DELIVERY_MARGIN_S < properties["Timeout"]


def test_of_all_writes_only_those_invoke_something_that_something_follows_from() -> None:
    first = f"{MESSAGE_PREFIX}{1:012d}"
    assert followed_sorts("Consequences") == [
        [{"prefix": RUN_PREFIX}],
        ["AGENT", {"prefix": TASK_PREFIX}, {"prefix": ATTACHMENT_PREFIX}],
        ["SKILL", "POLICY"],
        [first, {"prefix": ERASURE_PREFIX}, {"prefix": DELETED_AGENT_PREFIX}],
        [{"prefix": MESSAGE_PREFIX}],
    ]
    assert followed_sorts("Enrichment") == [
        [{"prefix": FEEDBACK_PREFIX}],
        [first],
        [{"prefix": MESSAGE_PREFIX}],
        [{"prefix": ATTACHMENT_PREFIX}],
        ["HEAD"],
    ]


def followed_sorts(consumer: str) -> list[Any]:
    """The sort keys of the filters of a consumer of the stream."""
    mapping = RESOURCES[f"{consumer}FunctionWrites"]["Properties"]
    patterns = [json.loads(each["Pattern"]) for each in mapping["FilterCriteria"]["Filters"]]
    assert len(patterns) <= 5  # what AWS allows
    return [pattern["dynamodb"]["Keys"]["sk"]["S"] for pattern in patterns]


def test_a_write_that_can_not_be_followed_holds_up_runs_for_less_than_a_minute() -> None:
    mapping = RESOURCES["ConsequencesFunctionWrites"]["Properties"]
    halvings = (mapping["BatchSize"] - 1).bit_length()
    tries = halvings + 1 + mapping["MaximumRetryAttempts"]
    assert mapping["BisectBatchOnFunctionError"]
    assert tries * CONSEQUENCE_LIMIT_S < 60


def test_each_consumer_of_the_stream_has_dead_letters_of_its_own() -> None:
    mappings = [RESOURCES[f"{each}FunctionWrites"]["Properties"] for each in ("Consequences", "Enrichment")]
    targets = [each["DestinationConfig"]["OnFailure"]["Destination"] for each in mappings]
    assert targets[0] != targets[1]
    assert all(each["MaximumRetryAttempts"] >= 1 for each in mappings)


def test_what_asks_no_model_may_ask_none() -> None:
    roles = json.dumps(RESOURCES["ConsequencesFunction"]["Properties"]["Policies"])
    assert "bedrock" not in roles
    assert "secretsmanager:GetSecretValue" not in roles


LABEL = "2026-03-02T08:00:00.000"
STREAM = f"arn:aws:dynamodb:local:000000000000:table/kept/stream/{LABEL}"


def test_a_stack_that_adopts_a_table_makes_none_and_uses_it_everywhere() -> None:
    parameters = {"ExistingTable": "kept", "ExistingTableStreamLabel": LABEL, "TenantCredentials": "on"}
    template = read_template(ROOT / "template.yaml")
    stack = deployed(template, parameters)
    assert stack.of_type("AWS::DynamoDB::Table") == {}
    mappings = stack.of_type("AWS::Lambda::EventSourceMapping").values()
    assert [each["EventSourceArn"] for each in mappings].count(STREAM) == 2
    tables = {each["Environment"]["Variables"]["OMNIFORGE_TABLE"] for each in stack.functions().values()}
    assert tables == {"kept"}
    named = json.dumps(dict(stack.resources))
    assert "Table.Arn" not in named
    assert "Table.StreamArn" not in named
    assert "table/kept/index/by_user" in named
    outputs = Resolver(template, parameters).resolve(template["Outputs"])
    assert outputs["TableName"]["Value"] == "kept"


def test_every_turn_can_be_streamed_with_what_the_other_route_may_do_and_more_time() -> None:
    chat, stream = (RESOURCES[name]["Properties"] for name in ("ChatFunction", "StreamFunction"))
    streamed = [event["Properties"] for event in routes(stream)]
    # A wire has paths of its own.
    own = [event["Path"] for event in streamed if event["Path"].startswith("/v1/")]
    plain = [event["Properties"]["Path"] for event in routes(chat)]
    assert {*own} == {f"{path}/stream" for path in plain if path.startswith("/v1/")}
    assert {event["ResponseTransferMode"] for event in streamed} == {"RESPONSE_STREAM"}
    assert stream["Timeout"] > chat["Timeout"]
    assert (stream["CodeUri"], stream["Policies"]) == (chat["CodeUri"], chat["Policies"])


def test_every_path_answers_a_method_it_does_not_have() -> None:
    body = api_paths()
    served = {event["Properties"]["Path"]: name for name, each in api_functions() for event in routes(each)}
    assert body.keys() == served.keys()
    for path, name in served.items():
        other = body[path]["x-amazon-apigateway-any-method"]["x-amazon-apigateway-integration"]
        # Streams have the functions of the plain routes: a refusal is no stream.
        asked = "ChatFunction" if name == "StreamFunction" else name
        is_streamed = RESOURCES[asked]["Properties"].get("Handler") == "app.stream_handler"
        invoked = "response-streaming-invocations" if is_streamed else "invocations"
        assert other["uri"]["Fn::Sub"].endswith(f"/functions/${{{asked}Aliaslive}}/{invoked}"), path
        assert other.get("responseTransferMode") == ("STREAM" if is_streamed else None), path
        source = RESOURCES[f"{asked}OtherMethods"]["Properties"]["SourceArn"]["Fn::Sub"]
        assert source.endswith(":${Api}/*"), path


def test_a_preflight_can_be_answered_although_every_body_is_binary() -> None:
    api = RESOURCES["Api"]["Properties"]
    assert api["BinaryMediaTypes"] == ["*~1*"]
    assert "Cors" not in api  # it would make preflights of its own
    preflights = [each["options"]["x-amazon-apigateway-integration"] for each in api_paths().values()]
    assert {(each["type"], each["contentHandling"]) for each in preflights} == {("mock", "CONVERT_TO_TEXT")}


def test_a_functions_policy_has_room_for_all_who_may_invoke_it() -> None:
    for name, each in api_functions():
        paths = [f"{event['Properties']['Method']}{event['Properties']['Path']}" for event in routes(each)]
        assert len(json.dumps([permission(path) for path in (*paths, "")])) <= 20_480 - 512, name


def permission(path: str) -> Mapping[str, Any]:
    """As Lambda keeps it, with names as long as it takes them: those of a stack with a long name."""
    return {
        "Sid": "s" * 100,
        "Effect": "Allow",
        "Principal": {"Service": "apigateway.amazonaws.com"},
        "Action": "lambda:InvokeFunction",
        "Resource": f"arn:aws:lambda:ap-southeast-2:000000000000:function:{'f' * 64}:live",
        "Condition": {
            "ArnLike": {
                "AWS:SourceArn": "arn:aws:execute-api:ap-southeast-2:000000000000:0123456789/*/"
                + re.sub(r"\{\w+\}", "*", path)
            }
        },
    }


def test_an_erasure_waits_for_whoever_was_let_in_before_it() -> None:
    let_in_s = RESOURCES["Api"]["Properties"]["Auth"]["Authorizers"]["Token"]["Identity"]["ReauthorizeEvery"]
    shared_s = TEMPLATE["Globals"]["Function"]["Timeout"]
    longest_s = max(each.get("Timeout", shared_s) for each in functions() if any(routes(each)))
    assert SETTLING_TIME.total_seconds() >= let_in_s + longest_s


def test_a_schedule_may_do_nothing_but_ask_for_runs() -> None:
    role = RESOURCES["ScheduleRole"]["Properties"]
    sending, using_the_key = role["Policies"]
    [statement] = sending["PolicyDocument"]["Statement"]
    assert statement["Action"] == "sqs:SendMessage"
    told = RESOURCES["ConsequencesFunction"]["Properties"]["Environment"]["Variables"]
    names = ("OMNIFORGE_SCHEDULE_TARGET_ARN", "OMNIFORGE_SCHEDULE_DEAD_LETTERS_ARN")
    assert statement["Resource"] == [told[name] for name in names]
    assert using_the_key["Fn::If"][0] == "HasKmsKey"
    [trust] = role["AssumeRolePolicyDocument"]["Statement"]
    assert trust["Principal"] == {"Service": "scheduler.amazonaws.com"}
    assert trust["Condition"]["StringEquals"].keys() == {"aws:SourceAccount", "aws:SourceArn"}


def test_nothing_of_the_page_is_there_unless_it_is_wanted() -> None:
    kinds = ("AWS::S3::", "AWS::CloudFront::")
    made = {name: each for name, each in RESOURCES.items() if each["Type"].startswith(kinds)}
    made = {name: each for name, each in made.items() if not name.startswith("Attachments")}
    assert {"PageBucket", "PageDistribution", "WebHeaders"} <= made.keys()
    assert {each.get("Condition") for each in made.values()} == {"HasPage"}
    assert TEMPLATE["Parameters"]["Page"]["Default"] == "no"


def test_the_files_of_messages_are_private_encrypted_reached_by_tls_only_and_uploads_expire() -> None:
    resource = RESOURCES["AttachmentsBucket"]
    bucket = resource["Properties"]
    assert resource["DeletionPolicy"].startswith("Retain")
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    assert bucket["BucketEncryption"]
    [denied] = RESOURCES["AttachmentsBucketPolicy"]["Properties"]["PolicyDocument"]["Statement"]
    assert (denied["Effect"], denied["Action"]) == ("Deny", "s3:*")
    assert denied["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    uploads, parts = bucket["LifecycleConfiguration"]["Rules"]
    assert (uploads["Prefix"], uploads["ExpirationInDays"]) == (f"{UPLOADS}/", 1)
    assert parts["AbortIncompleteMultipartUpload"] == {"DaysAfterInitiation": 1}


def test_the_pages_files_are_read_through_cloudfront_only() -> None:
    bucket = RESOURCES["PageBucket"]["Properties"]
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    allowed, denied = RESOURCES["PageBucketPolicy"]["Properties"]["PolicyDocument"]["Statement"]
    assert (allowed["Effect"], allowed["Action"]) == ("Allow", "s3:GetObject")
    assert allowed["Principal"] == {"Service": "cloudfront.amazonaws.com"}
    assert "PageDistribution" in allowed["Condition"]["StringEquals"]["AWS:SourceArn"]["Fn::Sub"]
    assert (denied["Effect"], denied["Condition"]) == ("Deny", {"Bool": {"aws:SecureTransport": "false"}})
    access = RESOURCES["PageAccess"]["Properties"]["OriginAccessControlConfig"]
    assert (access["SigningBehavior"], access["SigningProtocol"]) == ("always", "sigv4")
    assert origins()["page"]["OriginAccessControlId"] == {"Fn::GetAtt": ["PageAccess", "Id"]}


def test_neither_the_page_nor_the_api_behind_it_travels_in_the_clear() -> None:
    assert distribution()["DefaultCacheBehavior"]["ViewerProtocolPolicy"] == "redirect-to-https"
    assert {each["ViewerProtocolPolicy"] for each in behaviors()} == {"https-only"}
    to_the_api = origins()["api"]["CustomOriginConfig"]
    assert (to_the_api["OriginProtocolPolicy"], to_the_api["OriginSSLProtocols"]) == (
        "https-only",
        ["TLSv1.2"],
    )


def test_the_page_runs_only_its_own_scripts() -> None:
    assert distribution()["DefaultCacheBehavior"]["ResponseHeadersPolicyId"] == {"Ref": "WebHeaders"}
    security = RESOURCES["WebHeaders"]["Properties"]["ResponseHeadersPolicyConfig"]["SecurityHeadersConfig"]
    assert all(each["Override"] for each in security.values())
    parts = security["ContentSecurityPolicy"]["ContentSecurityPolicy"]["Fn::Join"][1]
    policy = dict(part.split(" ", 1) for part in parts if isinstance(part, str))
    assert policy["default-src"] == policy["script-src"] == "'self'"
    assert policy["object-src"] == policy["base-uri"] == "'none'"


def test_the_docs_have_the_headers_of_the_page() -> None:
    (docs,) = [each for each in behaviors() if each["PathPattern"] == "/docs*"]
    assert docs["ResponseHeadersPolicyId"] == {"Ref": "WebHeaders"}


def test_every_route_of_the_api_is_found_behind_the_page_and_never_kept() -> None:
    patterns = [each["PathPattern"] for each in behaviors()]
    paths = {event["Properties"]["Path"] for each in functions() for event in routes(each)}
    assert not [path for path in paths if not any(fnmatchcase(path, pattern) for pattern in patterns)]
    for each in behaviors():
        assert (each["TargetOriginId"], each["Compress"]) == ("api", False)
        assert each["CachePolicyId"] == "4135ea2d-6df8-44a3-9df3-4b5a84be39ad"  # CachingDisabled
        assert {"GET", "POST", "PUT", "PATCH", "DELETE"} <= set(each["AllowedMethods"])
    # Kept errors would be given to other users, too.
    assert {each["ErrorCachingMinTTL"] for each in distribution()["CustomErrorResponses"]} == {0}


@pytest.mark.parametrize(
    ("parameter", "refused"),
    [
        case("L10 stage", "Stage", "prod;rm"),
        ("Stage", "local"),
        case("L7 issuer", "Issuers", "http://issuer.example"),
        case("L7 keys", "JwksUrls", "http://issuer.example/jwks.json"),
        ("AllowedOrigins", "https://app.example/path"),
        ("AllowedOrigins", "*,https://app.example"),
        ("ProviderSecretArn", "my-secret"),
        case("L10 model", "IntentModel", "a model"),
        ("PageAuthority", "http://id.example"),
        ("PageSignInOrigins", "https://id.example/path"),
        ("EmbedOrigins", "https://*.example"),
        ("EmbedOrigins", "https://a.example; script-src *"),
        ("PageClientId", 'a","api":"https://evil.example'),
        ("ExistingTable", "a table"),
        ("ExistingTableStreamLabel", "latest"),
        ("KmsKeyArn", "alias/omniforge"),
        ("KmsKeyArn", "arn:aws:kms:eu-west-1:000000000000:key/*"),
    ],
)
def test_a_parameter_nothing_can_run_with_stops_the_deployment(parameter: str, refused: str) -> None:
    assert not re.fullmatch(TEMPLATE["Parameters"][parameter]["AllowedPattern"], refused)


def test_every_parameter_is_in_one_group_with_a_label() -> None:
    groups = TEMPLATE["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    assert all(group["Label"]["default"] for group in groups)
    assert sorted(name for group in groups for name in group["Parameters"]) == sorted(TEMPLATE["Parameters"])


def test_dev_and_prod_are_stacks_of_their_own_that_the_template_takes() -> None:
    config = tomllib.loads((ROOT / "samconfig.toml").read_text("utf-8"))
    stages = {}
    for environment in ("dev", "prod"):
        deploy = config[environment]["deploy"]["parameters"]
        given = dict(pair.split("=", 1) for pair in deploy["parameter_overrides"].split())
        for name, value in given.items():
            parameter = TEMPLATE["Parameters"][name]
            assert re.fullmatch(parameter.get("AllowedPattern", ".*"), value)
            assert value in map(str, parameter.get("AllowedValues", [value]))
        stages[environment] = given["Stage"]
    assert stages == {"dev": "dev", "prod": "prod"}
    assert config["prod"]["deploy"]["parameters"]["confirm_changeset"] is True
    for key in ("stack_name", "s3_prefix"):
        part = "global" if key == "stack_name" else "deploy"
        assert len({config[name][part]["parameters"][key] for name in ("default", "dev", "prod")}) == 3


def functions() -> Iterator[Mapping[str, Any]]:
    for resource in RESOURCES.values():
        if resource["Type"] == "AWS::Serverless::Function":
            yield resource["Properties"]


def api_functions() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Those that answer requests."""
    for name, resource in RESOURCES.items():
        if resource["Type"] == "AWS::Serverless::Function" and any(routes(resource["Properties"])):
            yield name, resource["Properties"]


def api_paths() -> Mapping[str, Any]:
    paths: Mapping[str, Any] = RESOURCES["Api"]["Properties"]["DefinitionBody"]["paths"]
    return paths


def routes(function: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    return (event for event in function.get("Events", {}).values() if event["Type"] == "Api")


def distribution() -> Mapping[str, Any]:
    config: Mapping[str, Any] = RESOURCES["PageDistribution"]["Properties"]["DistributionConfig"]
    return config


def behaviors() -> list[Mapping[str, Any]]:
    """Those for the API."""
    return list(distribution()["CacheBehaviors"])


def origins() -> dict[str, Mapping[str, Any]]:
    return {each["Id"]: each for each in distribution()["Origins"]}


def test_whatever_reaches_a_function_reaches_the_version_that_its_alias_names() -> None:
    translated = read_template(ROOT / "template.yaml")["Resources"]
    functions = {name for name, each in translated.items() if each["Type"] == "AWS::Lambda::Function"}
    mappings = [each["Properties"] for each in of_type(translated, "AWS::Lambda::EventSourceMapping")]
    permissions = [each["Properties"] for each in of_type(translated, "AWS::Lambda::Permission")]
    reached = {each["FunctionName"]["Ref"] for each in (*mappings, *permissions)}
    assert reached == {f"{name}Aliaslive" for name in functions}
    paths = json.dumps(translated["Api"]["Properties"]["Body"])
    assert not re.search(r"functions/\$\{\w+\.Arn\}", paths)


def test_a_release_publishes_new_versions_of_all_functions() -> None:
    source = (ROOT / "template.yaml").read_text(encoding="utf-8")
    assert source.count("RELEASE: unreleased") == 1
    released = source.replace("RELEASE: unreleased", "RELEASE: r2")
    before, after = versions(source), versions(released)
    assert len(before) == len(after) > 10
    assert before.isdisjoint(after)


def test_an_update_is_rolled_back_by_alarms_that_exist() -> None:
    translated = read_template(ROOT / "template.yaml")["Resources"]
    groups = [each["Properties"] for each in of_type(translated, "AWS::CodeDeploy::DeploymentGroup")]
    assert len(groups) > 10
    for group in groups:
        alarms = [alarm["Name"]["Ref"] for alarm in group["AlarmConfiguration"]["Alarms"]]
        assert {translated[alarm]["Type"] for alarm in alarms} == {"AWS::CloudWatch::Alarm"}
        assert "DEPLOYMENT_STOP_ON_ALARM" in group["AutoRollbackConfiguration"]["Events"]


@pytest.mark.parametrize(
    ("parameters", "is_on"),
    [
        ({}, False),
        ({"BedrockModelArns": "arn:aws:bedrock:eu-west-1::foundation-model/m"}, True),
        ({"SnapStart": "off", "BedrockModelArns": "arn:aws:bedrock:eu-west-1::foundation-model/m"}, False),
        ({"SnapStart": "on"}, True),
    ],
)
def test_functions_that_ask_models_start_from_a_snapshot_where_there_is_one(
    parameters: dict[str, str], is_on: bool
) -> None:
    functions = deployed(read_template(ROOT / "template.yaml"), parameters).functions()
    applied = {name: each.get("SnapStart", {}).get("ApplyOn") for name, each in functions.items()}
    asking = ("ChatFunction", "StreamFunction", "FinishFunction", "AgentRunsFunction")
    assert {name for name, value in applied.items() if value is not None} == set(asking)
    assert {applied[name] for name in asking} == {"PublishedVersions" if is_on else "None"}


def of_type(resources: Mapping[str, Any], kind: str) -> list[Mapping[str, Any]]:
    return [each for each in resources.values() if each["Type"] == kind]


def versions(source: str) -> set[str]:
    """The logical ids of the versions that a deployment of the template would publish."""
    translated = translate(yaml_parse(source))["Resources"]
    return {name for name, each in translated.items() if each["Type"] == "AWS::Lambda::Version"}
