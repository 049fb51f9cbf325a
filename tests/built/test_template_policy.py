"""What no deployment may be without, over what the template becomes; and each rule sees what breaks it."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from graphlib import TopologicalSorter
from typing import Any

import pytest

from local.template.intrinsics import Resolver
from local.template.sam_translation import read_template
from tests.built.build import ROOT
from tests.built.deployed_stack import Deployment, deployed
from tests.built.role_rules import API_LOGS, ROLE_RULES
from tests.built.template_rules import RULES, own_key, told

Template = dict[str, Any]

KEY = "arn:aws:kms:eu-west-1:000000000000:key/0af3d8c2-1111-2222-3333-444455556666"
TOPIC = "arn:aws:sns:eu-west-1:000000000000:alarms"
LEAST: Mapping[str, str] = {"Issuers": "https://id.example", "Audience": "chat"}
FULL: Mapping[str, str] = {
    **LEAST,
    "AlarmTopicArn": TOPIC,
    "EventBusArn": "arn:aws:events:eu-west-1:000000000000:event-bus/others",
    "BedrockModelArns": "arn:aws:bedrock:eu-west-1::foundation-model/a,arn:aws:bedrock:eu-west-1::model/b",
    "KmsKeyArn": KEY,
    "MailSender": "reports@acme.example",
    "Page": "yes",
    "PageAuthority": "https://id.example",
    "ProviderSecretArn": "arn:aws:secretsmanager:eu-west-1:000000000000:secret:providers-Ab12",
    "TenantCredentials": "on",
}
COGNITO: Mapping[str, str] = {"Identity": "cognito", "Page": "yes", "KmsKeyArn": KEY}
TEMPLATE: Mapping[str, Any] = read_template(ROOT / "template.yaml")


def findings(template: Mapping[str, Any], parameters: Mapping[str, str]) -> list[str]:
    stack = deployed(template, parameters)
    return [finding for rule in (*RULES, *ROLE_RULES) for finding in rule(stack)]


def planted(plant: Callable[[Template], None]) -> Template:
    template = copy.deepcopy(dict(TEMPLATE))
    plant(template)
    return template


@pytest.mark.parametrize("parameters", [LEAST, FULL, COGNITO], ids=["least", "full", "cognito"])
def test_no_deployment_breaks_a_rule(parameters: Mapping[str, str]) -> None:
    stack = deployed(TEMPLATE, parameters)
    assert len(stack.functions()) > 10
    assert len(list(stack.operations())) > 100
    assert findings(TEMPLATE, parameters) == []


def test_the_stacks_own_sign_in_returns_to_the_page_of_the_same_deployment() -> None:
    stack = deployed(TEMPLATE, COGNITO)
    [client] = stack.of_type("AWS::Cognito::UserPoolClient").values()
    page = "https://PageDistribution.DomainName/"
    assert page in client["CallbackURLs"]
    assert page in client["LogoutURLs"]
    assert client["GenerateSecret"] is False
    assert client["AllowedOAuthFlows"] == ["code"]
    # A circle would need a second deployment.
    TopologicalSorter(references(stack.resources.keys())).prepare()


def references(made: Collection[str]) -> dict[str, set[str]]:
    """Which resources each resource names, in any branch of its conditions."""
    found: dict[str, set[str]] = {}
    for name in made:
        resource = TEMPLATE["Resources"][name]
        text = json.dumps(resource)
        named = {
            *re.findall(r'"(?:Ref|Fn::GetAtt|DependsOn)": \[?"(\w+)"', text),
            *re.findall(r"\$\{(\w+)", text),
        }
        found[name] = (named & set(made)) - {name}
    return found


def test_nobody_but_an_administrator_of_the_pool_names_a_users_tenant() -> None:
    [client] = deployed(TEMPLATE, COGNITO).of_type("AWS::Cognito::UserPoolClient").values()
    # Without the list a client could write everything.
    assert client["WriteAttributes"]
    assert not [name for name in client["WriteAttributes"] if name.startswith("custom:")]


@pytest.mark.parametrize(("given", "closed"), [("off", True), ("on", False)])
def test_nobody_makes_an_account_alone_unless_the_deployer_says_so(given: str, closed: bool) -> None:
    [pool] = deployed(TEMPLATE, {**COGNITO, "SelfSignUp": given}).of_type("AWS::Cognito::UserPool").values()
    assert pool["AdminCreateUserConfig"]["AllowAdminCreateUserOnly"] is closed
    assert pool["DeletionProtection"] == "ACTIVE"


def test_the_stacks_own_sign_in_is_what_the_page_asks_and_may_ask() -> None:
    resolver = Resolver(TEMPLATE, COGNITO)
    config = json.loads(resolver.resolve(TEMPLATE["Outputs"]["PageConfig"]["Value"]))
    assert config["authority"] == "https://cognito-idp.local.localhost/UserPool"
    assert (config["client_id"], config["token"]) == ("PageClient", "access_token")
    assert "omniforge/api" in config["scope"].split()
    stack = deployed(TEMPLATE, COGNITO)
    [headers] = stack.of_type("AWS::CloudFront::ResponseHeadersPolicy").values()
    security = headers["ResponseHeadersPolicyConfig"]["SecurityHeadersConfig"]
    policy = security["ContentSecurityPolicy"]["ContentSecurityPolicy"]
    [domain] = stack.of_type("AWS::Cognito::UserPoolDomain").values()
    assert "https://cognito-idp.local.localhost " in policy
    assert f"https://{domain['Domain']}.auth.local.amazoncognito.com" in policy
    assert domain["Domain"] == "omniforge-000000000000-00000000"


def test_without_cognito_there_is_nothing_of_it() -> None:
    assert "Cognito" not in str(deployed(TEMPLATE, LEAST).resources)
    assert "TokenClaimsFunction" not in deployed(TEMPLATE, LEAST).functions()


@pytest.mark.parametrize(
    ("parameters", "refused"),
    [
        (LEAST, []),
        (COGNITO, []),
        ({}, ["OwnIdentityNeedsAnIssuer", "OwnIdentityNeedsAnIssuer"]),
        ({"Issuers": "https://id.example"}, ["OwnIdentityNeedsAnIssuer"]),
        ({**LEAST, "Page": "yes"}, ["PageNeedsAnIssuer"]),
        ({**LEAST, "Identity": "cognito"}, ["CognitoIsTheOnlyIssuer"]),
    ],
)
def test_a_deployment_says_what_it_lacks_to_know_its_users(
    parameters: Mapping[str, str], refused: list[str]
) -> None:
    resolver = Resolver(TEMPLATE, parameters)
    broken = [
        name
        for name, rule in TEMPLATE["Rules"].items()
        if resolver.resolve(rule["RuleCondition"])
        for each in rule["Assertions"]
        if not resolver.resolve(each["Assert"])
    ]
    assert broken == refused


def test_a_key_of_the_deployers_own_is_what_all_that_is_kept_is_encrypted_with() -> None:
    assert list(own_key(deployed(TEMPLATE, FULL), KEY)) == []


@pytest.mark.parametrize(
    ("resource", "name"),
    [("Table", "SSESpecification"), ("RunQueue", "KmsMasterKeyId"), ("ChatLogs", "KmsKeyId")],
)
def test_what_is_encrypted_with_another_key_is_noticed(resource: str, name: str) -> None:
    template = planted(with_property(resource, name, {} if name == "SSESpecification" else None))
    assert list(own_key(deployed(template, FULL), KEY)) == [f"{resource}: another key"]


def test_without_such_a_key_no_role_may_use_any() -> None:
    assert "kms:" not in str(deployed(TEMPLATE, LEAST).resources)


def test_every_role_that_touches_what_is_encrypted_may_use_the_key() -> None:
    stack = deployed(TEMPLATE, FULL)
    without = [name for name, role in stack.of_type("AWS::IAM::Role").items() if KEY not in str(role)]
    # One moves aliases, and the other hands lines over to CloudWatch, which encrypts them itself.
    assert sorted(without) == [API_LOGS, "DeploymentRole"]


def test_every_alarm_reaches_the_topic_that_was_given() -> None:
    assert list(told(deployed(TEMPLATE, FULL), TOPIC)) == []
    template = planted(with_property("RunDeadLettersAlarm", "AlarmActions", []))
    assert list(told(deployed(template, FULL), TOPIC)) == ["RunDeadLettersAlarm: rings for nobody"]


def with_property(resource: str, name: str, value: Any) -> Callable[[Template], None]:
    """A property changed, at a path with dots; None takes it away."""

    def plant(template: Template) -> None:
        *path, last = ("Properties", *name.split("."))
        place = template["Resources"][resource]
        for part in path:
            place = place[part]
        if value is None:
            del place[last]
        else:
            place[last] = value

    return plant


def without_policy(resource: str, name: str) -> Callable[[Template], None]:
    def plant(template: Template) -> None:
        del template["Resources"][resource][name]

    return plant


def may(role: str, action: str, resource: Any = "Table.Arn", **condition: Any) -> Callable[[Template], None]:
    """A role is given one more permission."""

    def plant(template: Template) -> None:
        statement = {"Effect": "Allow", "Action": action, "Resource": resource, "Condition": condition}
        policy = {"PolicyName": "Planted", "PolicyDocument": {"Statement": [statement]}}
        template["Resources"][f"{role}FunctionRole"]["Properties"]["Policies"].append(policy)

    return plant


def has_managed(role: str, name: str) -> Callable[[Template], None]:
    def plant(template: Template) -> None:
        arns = template["Resources"][f"{role}FunctionRole"]["Properties"]["ManagedPolicyArns"]
        arns.append(f"arn:aws:iam::aws:policy/{name}")

    return plant


def trusts(role: str, principal: Any) -> Callable[[Template], None]:
    def plant(template: Template) -> None:
        [trust] = template["Resources"][role]["Properties"]["AssumeRolePolicyDocument"]["Statement"]
        trust["Principal"] = principal
        trust.pop("Condition", None)

    return plant


def has_variable(function: str, name: str, value: str) -> Callable[[Template], None]:
    return with_property(function, f"Environment.Variables.{name}", value)


def adds(name: str, kind: str, **properties: Any) -> Callable[[Template], None]:
    def plant(template: Template) -> None:
        template["Resources"][name] = {"Type": kind, "Properties": properties}

    return plant


def opens(path: str, method: str) -> Callable[[Template], None]:
    def plant(template: Template) -> None:
        body = template["Resources"]["Api"]["Properties"]["Body"]
        body["paths"][path][method]["security"] = [{"NONE": []}]

    return plant


def asks_another_authorizer(template: Template) -> None:
    schemes = template["Resources"]["Api"]["Properties"]["Body"]["components"]["securitySchemes"]
    schemes["Token"]["x-amazon-apigateway-authorizer"]["authorizerUri"] = (
        "arn:/functions/other.Arn/invocations"
    )


def settings_of_stage(change: Callable[[list[dict[str, Any]]], None]) -> Callable[[Template], None]:
    def plant(template: Template) -> None:
        change(template["Resources"]["ApiStage"]["Properties"]["MethodSettings"])

    return plant


def without_limit(path: str) -> Callable[[Template], None]:
    def change(settings: list[dict[str, Any]]) -> None:
        settings[:] = [
            each for each in settings if each["ResourcePath"].replace("~1", "/").lstrip("/") != path
        ]

    return settings_of_stage(change)


def with_limit_for_any(path: str) -> Callable[[Template], None]:
    def change(settings: list[dict[str, Any]]) -> None:
        settings.append({**settings[0], "ResourcePath": path, "HttpMethod": "ANY"})

    return settings_of_stage(change)


def of_tenants(change: Callable[[dict[str, Any]], None], place: int = 0) -> Callable[[Template], None]:
    """A statement of the tenants' role changed: that for the table, or that for its indexes."""

    def plant(template: Template) -> None:
        [policy, _] = template["Resources"]["TenantRole"]["Properties"]["Policies"]
        change(policy["PolicyDocument"]["Statement"][place])

    return plant


def bound_to(*partitions: str) -> Callable[[dict[str, Any]], None]:
    """A statement that holds for these partitions."""

    def change(statement: dict[str, Any]) -> None:
        statement["Condition"] = {
            "ForAllValues:StringLike": {"dynamodb:LeadingKeys": list(partitions)},
            "Null": {"dynamodb:LeadingKeys": "false"},
        }

    return change


def scans(statement: dict[str, Any]) -> None:
    statement["Action"].append("dynamodb:Scan")


def unbound(statement: dict[str, Any]) -> None:
    del statement["Condition"]["Null"]


def rule_without_dead_letters(template: Template) -> None:
    del template["Resources"]["RetentionFunctionSweep"]["Properties"]["Targets"][0]["DeadLetterConfig"]


def stage_logs_bodies(template: Template) -> None:
    template["Resources"]["ApiStage"]["Properties"]["MethodSettings"][0]["DataTraceEnabled"] = True


def queue_lets_anybody_in(template: Template) -> None:
    document = template["Resources"]["RetentionDeadLettersPolicy"]["Properties"]["PolicyDocument"]
    document["Statement"][0]["Principal"] = "*"


PLANTS: list[tuple[str, Callable[[Template], None]]] = [
    ("TenantsFunctionRole: may *", may("Tenants", "*")),
    ("ChatFunctionRole: may dynamodb:*", may("Chat", "dynamodb:*")),
    ("ChatFunctionRole: may dynamodb:Scan", may("Chat", "dynamodb:Scan")),
    ("ChatFunctionRole: may dynamodb:PartiQLSelect", may("Chat", "dynamodb:PartiQLSelect")),
    ("AuthorizerFunctionRole: may dynamodb:PutItem", may("Authorizer", "dynamodb:PutItem")),
    (
        "WorkspaceFunctionRole: may ses:SendEmail",
        may("Workspace", "ses:SendEmail", StringEquals={"ses:FromAddress": "a@b"}),
    ),
    ("McpFunctionRole: may sqs:ReceiveMessage", may("Mcp", "sqs:ReceiveMessage", "RunQueue.Arn")),
    ("ChatFunctionRole: may touch *", may("Chat", "dynamodb:GetItem", "*")),
    ("ChatFunctionRole: may touch Table.Arn*", may("Chat", "dynamodb:GetItem", "Table.Arn*")),
    ("ChatFunctionRole: may touch Table.Arn/index/*", may("Chat", "dynamodb:Query", "Table.Arn/index/*")),
    (
        "ChatFunctionRole: may touch arn:aws:dynamodb:eu-west-1:000000000000:table/other",
        may("Chat", "dynamodb:GetItem", "arn:aws:dynamodb:eu-west-1:000000000000:table/other"),
    ),
    ("ChatFunctionRole: may read index due", may("Chat", "dynamodb:Query", "Table.Arn/index/due")),
    (
        "RetentionFunctionRole: may read index due",
        may("Retention", "dynamodb:GetItem", "Table.Arn/index/due"),
    ),
    (
        "ConsequencesFunctionRole: may iam:PassRole without iam:PassedToService",
        may("Consequences", "iam:PassRole", "ScheduleRole.Arn"),
    ),
    ("ChatFunctionRole: may kms:Decrypt without kms:ViaService", may("Chat", "kms:Decrypt", KEY)),
    (
        "FinishFunctionRole: has AWSLambdaSQSQueueExecutionRole",
        has_managed("Finish", "service-role/AWSLambdaSQSQueueExecutionRole"),
    ),
    ("ChatFunctionRole: has AdministratorAccess", has_managed("Chat", "AdministratorAccess")),
    ("AuthorizerFunctionRole: may sts:AssumeRole", may("Authorizer", "sts:AssumeRole", "TenantRole.Arn")),
    ("TenantRole: may dynamodb:Scan", of_tenants(scans)),
    ("TenantRole: may touch any tenant's items", of_tenants(unbound)),
    ("TenantRole: may touch any tenant's items", of_tenants(unbound, place=1)),
    ("TenantRole: may touch any tenant's items", of_tenants(bound_to("T#*#*", "*"))),
    ("ChatFunctionRole: may touch any tenant's items", may("Chat", "dynamodb:GetItem")),
    (
        "ConversationsFunctionRole: may touch any tenant's items",
        may("Conversations", "dynamodb:Query", "Table.Arn/index/by_user"),
    ),
    ("RetentionFunctionRole: may touch any tenant's items", may("Retention", "dynamodb:GetItem")),
    ("TenantRole: anybody may become it", trusts("TenantRole", {"AWS": "arn:aws:iam::000000000000:root"})),
    ("TenantRole: anybody may become it", trusts("TenantRole", {"AWS": ["AuthorizerFunctionRole.Arn"]})),
    ("ChatFunctionRole: anybody may become it", trusts("ChatFunctionRole", "*")),
    ("ChatFunctionRole: anybody may become it", trusts("ChatFunctionRole", {"AWS": "*"})),
    ("ScheduleRole: anybody may become it", trusts("ScheduleRole", {"Service": "scheduler.amazonaws.com"})),
    ("ChatFunction: OPENAI_API_KEY may hold a secret", has_variable("ChatFunction", "OPENAI_API_KEY", "x")),
    ("ChatFunction: SETTING may hold a secret", has_variable("ChatFunction", "SETTING", "sk-" + "a1B2" * 8)),
    (
        "ChatFunction: SETTING may hold a secret",
        has_variable("ChatFunction", "SETTING", "{{resolve:secretsmanager:providers:SecretString:openai}}"),
    ),
    ("Table: no point-in-time recovery", with_property("Table", "PointInTimeRecoverySpecification", None)),
    ("Table: not encrypted", with_property("Table", "SSESpecification.SSEEnabled", False)),
    ("Table: can be deleted", with_property("Table", "DeletionProtectionEnabled", False)),
    ("Table: goes with the stack", without_policy("Table", "DeletionPolicy")),
    ("RunQueue: no dead-letter queue", with_property("RunQueue", "RedrivePolicy", None)),
    ("RunDeadLetters: forgets too soon", with_property("RunDeadLetters", "MessageRetentionPeriod", None)),
    ("RunDeadLetters: no alarm", with_property("RunDeadLettersAlarm", "Threshold", 10)),
    ("RunDeadLetters: no alarm", with_property("RunDeadLettersAlarm", "MetricName", "NumberOfMessagesSent")),
    ("Planted: no dead-letter queue", adds("Planted", "AWS::SQS::Queue", SqsManagedSseEnabled=True)),
    ("RetentionDeadLettersPolicy: lets anybody in", queue_lets_anybody_in),
    (
        "FinishFunctionUnfinished: one failure repeats its whole batch",
        with_property("FinishFunctionUnfinished", "FunctionResponseTypes", None),
    ),
    (
        "ConsequencesFunctionWrites: what it gives up is lost",
        with_property("ConsequencesFunctionWrites", "DestinationConfig", None),
    ),
    (
        "ConsequencesFunctionWrites: gives nothing up until it is lost",
        with_property("ConsequencesFunctionWrites", "MaximumRecordAgeInSeconds", -1),
    ),
    ("RetentionFunctionSweep: what it can't deliver is lost", rule_without_dead_letters),
    (
        "RetentionFunctionSweep: its function may fail unheard",
        with_property("RetentionFunctionEventInvokeConfig", "DestinationConfig", None),
    ),
    (
        "ConsequencesFunction: what its schedules can't send is lost",
        with_property(
            "ConsequencesFunction", "Environment.Variables.OMNIFORGE_SCHEDULE_DEAD_LETTERS_ARN", None
        ),
    ),
    ("ChatFunction: no log group", with_property("ChatFunction", "LoggingConfig", None)),
    ("ChatFunction: its log is kept for ever", with_property("ChatLogs", "RetentionInDays", None)),
    ("ApiStage: bodies are logged", stage_logs_bodies),
    ("POST /v1/chat: no authorizer", opens("/v1/chat", "post")),
    ("X-AMAZON-APIGATEWAY-ANY-METHOD /mcp: no authorizer", opens("/mcp", "x-amazon-apigateway-any-method")),
    ("Token: not our authorizer", asks_another_authorizer),
    ("Planted: a way round the API", adds("Planted", "AWS::Lambda::Url", AuthType="NONE")),
    (
        "Planted: lets anybody invoke",
        adds("Planted", "AWS::Lambda::Permission", Principal="*", SourceArn="arn:"),
    ),
    (
        "Planted: lets anybody invoke",
        adds("Planted", "AWS::Lambda::Permission", Principal="apigateway.amazonaws.com"),
    ),
    ("ApiStage: no throttle", without_limit("*")),
    ("ApiStage: GET /health can use up what others need", without_limit("health")),
    ("ApiStage: POST /docs can use up what others need", without_limit("docs")),
    ("ApiStage: the gateway takes no limit for any method of /mcp", with_limit_for_any("/mcp")),
]


def ids() -> Iterator[str]:
    return (f"{number}-{finding}" for number, (finding, _) in enumerate(PLANTS))


@pytest.mark.parametrize(("finding", "plant"), PLANTS, ids=ids())
def test_a_planted_fault_is_found(finding: str, plant: Callable[[Template], None]) -> None:
    assert finding in findings(planted(plant), FULL)


def test_a_queue_that_nobody_encrypts_is_found() -> None:
    template = planted(with_property("RunQueue", "SqsManagedSseEnabled", False))
    assert findings(template, LEAST) == ["RunQueue: not encrypted"]


def test_every_rule_was_seen_to_find_something() -> None:
    stack: list[Deployment] = [deployed(planted(plant), FULL) for _, plant in PLANTS]
    silent = [rule.__name__ for rule in (*RULES, *ROLE_RULES) if not any(list(rule(each)) for each in stack)]
    assert silent == []
