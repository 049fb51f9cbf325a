"""AWS on loopback as a function's role sees it: what the role does not allow is refused, as IAM would.

The stand-ins for AWS let anybody do anything: a permission missing from the template would show on AWS only.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import httpx

TRANSACTION = {
    "Put": "PutItem",
    "Update": "UpdateItem",
    "Delete": "DeleteItem",
    "ConditionCheck": "ConditionCheckItem",
}


QUEUES = {"finish.fifo": "FinishQueue", "runs": "RunQueue", "retention": "RetentionQueue"}
ROLES = {"arn:aws:iam::000000000000:role/schedules": "ScheduleRole.Arn"}
IDENTITIES = "arn:${AWS::Partition}:ses:${AWS::Region}:${AWS::AccountId}:identity/*"
SCHEDULES = "arn:${AWS::Partition}:scheduler:${AWS::Region}:${AWS::AccountId}:schedule/${ScheduleGroup}/*"


class Permission(NamedTuple):
    """An action on a resource; resources are named as the template's expressions do."""

    action: str
    resource: str


def allowed(policies: list[Any], conditions: Collection[str] = ()) -> frozenset[Permission]:
    """What a function's inline policies allow where these conditions of the template hold, and no others."""
    holding = [
        policy["Fn::If"][1 if policy["Fn::If"][0] in conditions else 2]
        for policy in policies
        if "Fn::If" in policy
    ]
    statements = [statement for policy in (*policies, *holding) for statement in policy.get("Statement", ())]
    return frozenset(
        Permission(action, _resource(resource))
        for statement in statements
        for action in _listed(statement["Action"])
        for resource in _listed(statement["Resource"])
    )


def needed(target: str, body: Mapping[str, Any]) -> frozenset[Permission]:
    """The permissions a request needs; ``target`` is its X-Amz-Target."""
    service, _, operation = target.partition(".")
    if service == "AmazonSQS":
        queue = QUEUES[body["QueueUrl"].rpartition("/")[2]]
        return frozenset({Permission(f"sqs:{operation}", f"{queue}.Arn")})
    if operation == "TransactWriteItems":
        kinds = {kind for action in body["TransactItems"] for kind in action}
        return frozenset(Permission(f"dynamodb:{TRANSACTION[kind]}", "Table.Arn") for kind in kinds)
    index = body.get("IndexName")
    resource = f"${{Table.Arn}}/index/{index}" if index else "Table.Arn"
    return frozenset({Permission(f"dynamodb:{operation}", resource)})


def needed_for_schedule(method: str, body: Mapping[str, Any]) -> frozenset[Permission]:
    """The permissions a request of EventBridge Scheduler needs: who keeps a schedule also hands over the role
    it sends as.
    """
    operation = {"POST": "CreateSchedule", "PUT": "UpdateSchedule", "DELETE": "DeleteSchedule"}[method]
    keeping = frozenset({Permission(f"scheduler:{operation}", SCHEDULES)})
    if "Target" not in body:
        return keeping
    return keeping | {Permission("iam:PassRole", ROLES[body["Target"]["RoleArn"]])}


@contextmanager
def as_role(endpoint: str, permissions: frozenset[Permission]) -> Iterator[str]:
    """The address of the services behind ``endpoint`` for somebody with only these permissions."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"] or 0))
            content = json.loads(body or b"{}")
            missing = self._needed(content) - permissions
            if missing:
                refusal = {
                    "__type": "AccessDeniedException",
                    "message": f"no permission for {sorted(missing)}",
                }
                self._answer(400, json.dumps(refusal).encode(), "application/x-amz-json-1.0")
            else:
                names = ("X-Amz-Target", "Content-Type", "Authorization")
                kept = {name: self.headers[name] for name in names if name in self.headers}
                passed = httpx.request(
                    self.command, endpoint + self.path, content=body, headers=kept, trust_env=False
                )
                self._answer(passed.status_code, passed.content, passed.headers["Content-Type"])

        def _needed(self, content: Mapping[str, Any]) -> frozenset[Permission]:
            if self.path == "/v2/email/outbound-emails":
                return frozenset({Permission("ses:SendEmail", IDENTITIES)})
            if self.path.startswith("/schedules/"):
                return needed_for_schedule(self.command, content)
            return needed(self.headers["X-Amz-Target"], content)

        def do_PUT(self) -> None:
            self.do_POST()

        def do_DELETE(self) -> None:
            self.do_POST()

        def _answer(self, status: int, body: bytes, content_type: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing of it belongs into the tests' output."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def _resource(expression: Any) -> str:
    ((name, value),) = expression.items()
    if name == "Fn::If":
        return _resource(value[1])  # the stack's own table, not an adopted one
    if isinstance(value, list) and isinstance(value[-1], dict):
        text, parts = value
        for part, named in parts.items():
            text = text.replace(f"${{{part}}}", f"${{{_resource(named)}}}")
        return str(text)
    return ".".join(value) if isinstance(value, list) else str(value)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
