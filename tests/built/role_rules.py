"""Rules for what the roles of a deployed stack may do: only what is spelt out, on only what is named."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from tests.built.deployed_stack import Deployment

ORDINARY = frozenset(
    {
        "dynamodb:ConditionCheckItem",
        "dynamodb:DeleteItem",
        "dynamodb:GetItem",
        "dynamodb:PutItem",
        "dynamodb:Query",
        "dynamodb:UpdateItem",
        "sqs:SendMessage",
    }
)
"""What any function but the authorizer may need."""
MODELS = frozenset({"Chat", "Stream", "Finish", "Enrichment", "AgentRuns", "Mcp"})
"""Who asks models."""
FOLLOWERS = frozenset({"Consequences", "Enrichment"})
"""Who follows the table's stream."""
SESSIONS = frozenset(
    {
        "Chat",
        "Stream",
        "Conversations",
        "Workspace",
        "Tenants",
        "Finish",
        "Consequences",
        "Enrichment",
        "AgentRuns",
        "Mcp",
        "Retention",
    }
)
"""Who does something for tenants: all but the authorizer."""
HOLDERS: Mapping[str, Collection[str]] = {
    "bedrock:InvokeModel": MODELS,
    "bedrock:InvokeModelWithResponseStream": MODELS,
    "dynamodb:BatchWriteItem": {"Conversations", "Enrichment", "Retention", "TenantRole"},
    "dynamodb:DescribeStream": FOLLOWERS,
    "dynamodb:GetRecords": FOLLOWERS,
    "dynamodb:GetShardIterator": FOLLOWERS,
    "dynamodb:ListStreams": FOLLOWERS,
    "events:PutEvents": {"Chat", "Stream", "Finish", "Consequences", "AgentRuns", "Retention", "Mcp"},
    "iam:PassRole": {"Consequences"},
    "s3:DeleteObject": {"Conversations", "Consequences", "Retention"},
    "s3:GetObject": {"Chat", "Stream", "Conversations", "Enrichment", "Finish", "Mcp"},
    "s3:ListBucket": {"Retention"},
    "s3:PutObject": {"Chat", "Stream", "Conversations"},
    "scheduler:CreateSchedule": {"Consequences"},
    "scheduler:DeleteSchedule": {"Consequences"},
    "scheduler:UpdateSchedule": {"Consequences"},
    "secretsmanager:CreateSecret": {"Mcp", "Chat", "Stream", "Workspace"},
    "secretsmanager:GetSecretValue": MODELS | {"Workspace"},
    "ses:SendEmail": {"AgentRuns"},
    "sqs:DeleteMessage": {"Finish", "AgentRuns", "Retention"},
    "sqs:GetQueueAttributes": {"Finish", "AgentRuns", "Retention"},
    "sqs:ReceiveMessage": {"Finish", "AgentRuns", "Retention"},
    "sts:AssumeRole": SESSIONS,
}
"""Who may do more. An action that is neither here nor ordinary is one that nobody here needs."""
INDEX_READERS: Mapping[str, Collection[str]] = {
    # The workspace counts what a shorter retention takes.
    "by_tenant": {"Tenants", "Workspace", "Retention", "TenantRole"},
    "by_user": {"Chat", "Stream", "Conversations", "Finish", "Mcp", "Retention", "TenantRole", "Tenants"},
    # The one index without a tenant's prefix.
    "due": {"Retention"},
}
PARTITIONS: Mapping[str, Collection[str]] = {
    "Authorizer": {"T#*#W"},
    "Retention": {"RETENTION", "T#*#C#*"},
    "TenantRole": {"T#*#*"},
}
"""Where what is a tenant's is touched in sessions: who may touch which partitions all the same."""
WIDE: Mapping[str, str] = {
    "arn:aws:scheduler:local:000000000000:schedule/ScheduleGroup/*": "scheduler:",  # those of our group
    "arn:aws:secretsmanager:local:000000000000:secret:omniforge/dev/*": "secretsmanager:",  # tenants' secrets
    "arn:aws:secretsmanager:local:000000000000:secret:omniforge/dev/*/"
    "+connections-key-*": "secretsmanager:CreateSecret",
    "arn:aws:secretsmanager:local:000000000000:secret:omniforge/dev/*/"
    "+links-key-*": "secretsmanager:",  # of each tenant, by who seals links
    "arn:aws:ses:local:000000000000:identity/*": "ses:",  # only as the sender a condition names
    "AttachmentsBucket.Arn/files/*": "s3:",  # the bucket has nothing else
    "AttachmentsBucket.Arn/uploads/*": "s3:",
    "Table.Arn/stream/*": "dynamodb:ListStreams",
}
"""The few resources that are not one, with what may be done to them. Source: issue 7, deliver 8."""
CONDITIONS: Mapping[str, str] = {
    "events:PutEvents": "events:source",
    "iam:PassRole": "iam:PassedToService",
    "kms:": "kms:ViaService",
    "ses:SendEmail": "ses:FromAddress",
}
"""What is allowed only under a condition, and its key."""
MANAGED = frozenset(
    f"arn:aws:iam::aws:policy/service-role/{name}"
    for name in ("AWSLambdaBasicExecutionRole", "AWSCodeDeployRoleForLambdaLimited")
)
"""Policies of AWS: SAM gives every function the first one, to write its log; the second moves aliases."""
BOUND_SERVICES = (["scheduler.amazonaws.com"], ["codedeploy.amazonaws.com"])
"""Services that act for anybody who asks them, and so have to say for whom."""
TRACING = "arn:aws:iam::aws:policy/AWSXRayDaemonWriteAccess"
"""What SAM adds to every function's role where requests are traced."""
API_LOGS = "ApiLogsRole"
API_LOGS_POLICY = "arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs"
"""The role with which API Gateway writes logs, and its one policy."""
KEY_USES = frozenset(
    {
        "kms:Decrypt",
        "kms:DescribeKey",
        "kms:Encrypt",
        "kms:GenerateDataKey",
        "kms:ReEncryptFrom",
        "kms:ReEncryptTo",
    }
)


class Grant(NamedTuple):
    """A statement that lets a role do something."""

    role: str
    actions: tuple[str, ...]
    resources: tuple[str, ...]
    condition: Mapping[str, Mapping[str, Any]]

    @property
    def holder(self) -> str:
        """The function's name, without what CloudFormation adds to it."""
        return self.role.removesuffix("FunctionRole")


def grants(stack: Deployment) -> Iterator[Grant]:
    """All a stack's roles may do by policies of its own."""
    for name, policy in _policies(stack):
        for statement in policy["PolicyDocument"]["Statement"]:
            yield Grant(
                name,
                tuple(_listed(statement.get("Action", "*"))),
                tuple(map(str, _listed(statement.get("Resource", "*")))),
                statement.get("Condition", {}),
            )


def _policies(stack: Deployment) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, role in stack.of_type("AWS::IAM::Role").items():
        yield from ((name, policy) for policy in role.get("Policies", ()))
    for policy in stack.of_type("AWS::IAM::Policy").values():
        yield from ((name, policy) for name in policy["Roles"])


def actions(stack: Deployment) -> Iterator[str]:
    """Every action is spelt out, and held by whom needs it."""
    for grant in grants(stack):
        for action in grant.actions:
            is_for_authorizer = grant.holder != "Authorizer" or action == "dynamodb:GetItem"
            is_ordinary = action in ORDINARY and is_for_authorizer
            if not (is_ordinary or action in KEY_USES or grant.holder in HOLDERS.get(action, ())):
                yield f"{grant.role}: may {action}"


def resources(stack: Deployment) -> Iterator[str]:
    """Every resource is one of the stack's or one the deployer named, but for `WIDE`."""
    for grant in grants(stack):
        for resource in grant.resources:
            wide = WIDE.get(resource)
            is_wide = wide is not None and all(action.startswith(wide) for action in grant.actions)
            if not (is_wide or resource in stack.given or _is_own(stack, resource)):
                yield f"{grant.role}: may touch {resource}"


def indexes(stack: Deployment) -> Iterator[str]:
    """Indexes are queried, by those who need them; the table itself is what items are changed in."""
    for grant in grants(stack):
        for resource in grant.resources:
            index = re.search(r"/index/(.*)$", resource)
            if index and (
                grant.actions != ("dynamodb:Query",) or grant.holder not in INDEX_READERS.get(index[1], ())
            ):
                yield f"{grant.role}: may read index {index[1]}"


def conditions(stack: Deployment) -> Iterator[str]:
    """What is only allowed in a certain way says in which."""
    for grant in grants(stack):
        keys = {
            key for operator, pairs in grant.condition.items() if operator == "StringEquals" for key in pairs
        }
        for action in grant.actions:
            needed = next((key for prefix, key in CONDITIONS.items() if action.startswith(prefix)), None)
            if needed is not None and needed not in keys:
                yield f"{grant.role}: may {action} without {needed}"


def sessions(stack: Deployment) -> Iterator[str]:
    """Where there are sessions of tenants, no role touches items of tenants it is not bound to."""
    for grant in grants(stack) if "TenantRole" in stack.resources else ():
        for resource in grant.resources:
            is_sweeps = (grant.holder, resource) == ("Retention", "Table.Arn/index/due")
            if re.fullmatch(r"Table\.Arn(/index/.*)?", resource) and not is_sweeps and not _is_bound(grant):
                yield f"{grant.role}: may touch any tenant's items"


def _is_bound(grant: Grant) -> bool:
    """Whether it holds for requests alone that name partitions, all of them the holder's."""
    named = grant.condition.get("Null", {}).get("dynamodb:LeadingKeys") == "false"
    bounds = [
        partition
        for operator in ("ForAllValues:StringLike", "ForAllValues:StringEquals")
        for partition in _listed(grant.condition.get(operator, {}).get("dynamodb:LeadingKeys", []))
    ]
    return named and bool(bounds) and set(bounds) <= set(PARTITIONS.get(grant.holder, ()))


def roles(stack: Deployment) -> Iterator[str]:
    """Policies of AWS are named here, and only whom a role was made for becomes it."""
    for name, role in stack.of_type("AWS::IAM::Role").items():
        known = {API_LOGS_POLICY} if name == API_LOGS else MANAGED
        if "Active" in stack.given and name.endswith("FunctionRole"):
            known |= {TRACING}
        for managed in set(role.get("ManagedPolicyArns", ())) - known:
            yield f"{name}: has {managed.rpartition('/')[2]}"
        for trust in role["AssumeRolePolicyDocument"]["Statement"]:
            if name == "TenantRole" and _is_for_sessions(trust["Principal"]):
                continue
            service = _listed(
                trust["Principal"].get("Service") if isinstance(trust["Principal"], dict) else None
            )
            if name == API_LOGS and service == ["apigateway.amazonaws.com"]:
                continue
            if service != ["lambda.amazonaws.com"] and not (
                service in BOUND_SERVICES and "aws:SourceArn" in str(trust.get("Condition"))
            ):
                yield f"{name}: anybody may become it"


ROLE_RULES = (actions, resources, indexes, conditions, sessions, roles)


def _is_for_sessions(principal: Any) -> bool:
    """Whether it is the roles of functions that have sessions, and nobody else."""
    if not isinstance(principal, dict) or set(principal) != {"AWS"}:
        return False
    return set(_listed(principal["AWS"])) <= {f"{name}FunctionRole.Arn" for name in SESSIONS}


def _is_own(stack: Deployment, resource: str) -> bool:
    name, dot, attribute = resource.partition(".")
    indexes = (f"Arn/index/{index}" for index in INDEX_READERS)
    return bool(dot) and name in stack.resources and attribute in {"Arn", "StreamArn", *indexes}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
