"""The steps of a rehearsal, in order: from the first deployment to the teardown."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from threading import Event, Thread
from typing import Any

from tests.built.deployed_stack import deployed
from tests.rehearsal import template as templates
from tests.rehearsal.page import StepFailed, to_type
from tests.rehearsal.stack import SECOND, Caller, Stack, check, until

TENANT = "acme"
RESTORED = "omniforge-restored"
REQUEST = "Every Monday at 9, list the open tickets from Zendesk and report here"

_PAUSE_S = 2
"""How long the user waits before the next message while an update goes on."""


class Day:
    """One rehearsal of a built stack. `steps` are run one after the other; each says what it saw."""

    def __init__(self, stack: Stack, built: templates.Template, translated: Mapping[str, Any]) -> None:
        self.stack, self._reader = stack, stack.reader
        self._built, self._translated = built, translated
        self._table, self._pool = "", ""
        self._filled: list[str] = []
        self._conversation = ""
        self._said: list[str] = []

    def steps(self) -> Iterator[tuple[str, Callable[[], str]]]:
        """Yield the steps with their names."""
        yield "tools, account and a model's key", self.prepare
        yield "deploy", self.deploy
        yield "compare what was made", self.compare
        yield "operator registers the first tenant", self.register
        yield "administrator sets a budget", self.budget
        yield "user chats", self.chat
        yield "doctor and alarms", self.ask_what_is_missing
        yield "writes are followed", self.follow
        yield "schedule reaches the queue and its run", self.schedule
        yield "run by request", self.run
        yield "erasure", self.erase
        yield "update under load", self.update
        yield "roll back", self.roll_back
        yield "redrive", self.redrive
        yield "restore into a new table", self.restore
        yield "second stage, with Cognito", self.deploy_second_stage
        yield "teardown", self.tear_down
        yield "delete what stayed", self.delete
        yield "the page's commands", self.look_back

    def _as(self, user: str, *roles: str, tenant: str = TENANT) -> Caller:
        return Caller(self.stack.base(), self.stack.aws.token(tenant, user, *roles))

    def prepare(self) -> str:
        """Look who one is, where, and what the account may run; store a model's key."""
        self._reader.types("aws sts get-caller-identity")
        self._reader.types("aws configure list")
        running = self._reader.types("aws lambda get-account-settings")
        self._reader.write("keys.json", '{"openai": "sk-rehearsal"}')
        self._reader.types("SECRET=")
        return f"{running} executions at once"

    def deploy(self) -> str:
        """Deploy the first release, and fill in what the stand-in drops."""
        left_out = self._release(
            "r1", ".venv-sam/bin/sam deploy --parameter-overrides Stage", **self.stack.given()
        )
        self._reader.types("output()")
        self._reader.types("API=", f"API={self.stack.base()}")
        health = self._reader.types("curl $API/health")
        check(json.loads(health) == {"status": "ok"}, f"/health answers {health}")
        return "; ".join(
            [*(f"left out {each}" for each in left_out), f"filled in: {', '.join(self._filled)}"]
        )

    def _release(self, name: str, documented: str | None = None, **parameters: str) -> list[str]:
        template, left_out = templates.deployable(self._built, name)
        self.stack.deploy(template, documented, **parameters)
        # What later releases deploy is in the bucket already: only their names differ.
        self._built = self.stack.template()
        self._fill_in()
        return left_out

    def _fill_in(self) -> None:
        aws, deployed_stack = self.stack.aws, self.stack.deployed()
        self._filled = []
        if not self._table:
            self._table = deployed_stack.outputs["TableName"]
            described = self._translated["Resources"]["Table"]["Properties"]
            self._filled = templates.fill_in_table(aws.client("dynamodb"), self._table, described)
        urls = dict(deployed_stack.of_type("AWS::SQS::Queue"))
        letters = templates.fill_in_queues(aws.client("sqs"), urls, self._translated)
        self._filled += [f"dead letters of {name}" for name in letters]
        functions = dict(deployed_stack.of_type("AWS::Lambda::Function"))
        lost = templates.fill_in_aliases(aws.client("lambda"), functions, self._translated)
        self._filled += [f"the alias of {name}" for name in lost]
        function = aws.client("lambda").get_function(FunctionName=self.stack.function("AuthorizerFunction"))
        arn = f"{function['Configuration']['FunctionArn']}:live"
        api = self.stack.api()
        count = templates.fill_in_authorizer(aws.client("apigateway"), api, arn, self._translated)
        self._filled.append(f"the authorizer before {count} methods")

    def compare(self) -> str:
        """Compare queues, event sources, aliases and alarms with the template."""
        resources = deployed(self._translated, self.stack.parameters()).resources.values()
        counts = {}
        for kind, read in {
            "AWS::Lambda::EventSourceMapping": self._fed,
            "AWS::SQS::Queue": self._letters,
            "AWS::Lambda::Alias": self._aliases,
        }.items():
            expected = sum(_is_expected(each, kind) for each in resources)
            counts[kind] = read()
            check(counts[kind] == expected, f"{kind}: {counts[kind]} as described, {expected} expected")
        return ", ".join(f"{count} {kind.rpartition(':')[2]}" for kind, count in counts.items())

    def _fed(self) -> int:
        mappings = self.stack.aws.client("lambda").list_event_source_mappings()["EventSourceMappings"]
        streams = [each for each in mappings if "/stream/" in each["EventSourceArn"]]
        for each in streams:
            check(
                bool(each.get("FilterCriteria", {}).get("Filters")), f"{each['FunctionArn']} has no filters"
            )
            check(
                "OnFailure" in each.get("DestinationConfig", {}), f"{each['FunctionArn']} gives up silently"
            )
        return len(mappings)

    def _letters(self) -> int:
        client = self.stack.aws.client("sqs")
        urls = [url for _, url in self.stack.deployed().of_type("AWS::SQS::Queue")]
        attributes = (
            client.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"] for url in urls
        )
        return sum("RedrivePolicy" in each for each in attributes)

    def _aliases(self) -> int:
        client = self.stack.aws.client("lambda")
        functions = [name for _, name in self.stack.deployed().of_type("AWS::Lambda::Function")]
        return sum(
            each["Name"] == "live"
            for name in functions
            for each in client.list_aliases(FunctionName=name)["Aliases"]
        )

    def register(self) -> str:
        """Let an operator of a tenant that is not registered register the first one, and nothing else."""
        operator, maya = self._as("olga", "operator", tenant="operations"), self._as("maya")
        maya.send("POST", "/v1/chat", {"message": "Hello"}, expect=403)
        self._reader.types("OPERATOR=", f"OPERATOR={operator.token}")
        registered = json.loads(self._reader.types("curl -X PUT $API/v1/tenants/acme"))
        check(registered.get("name") == "Acme", f"the operator sees {registered}")
        operator.send("POST", "/v1/chat", {"message": "Hello"}, expect=403)
        return f"{TENANT}; before, its users got 403; the operator's own chat still does"

    def budget(self) -> str:
        """Set a budget as an administrator, and read it back."""
        admin = self._as("ada", "admin")
        self._reader.types("ADMIN=", f"ADMIN={admin.token}")
        self._reader.types("curl -X PATCH $API/v1/tenant/policy")
        policy = admin.send("GET", "/v1/tenant/policy")
        check(policy["budget"]["usd_per_day"] == 5, f"the policy reads {policy}")
        return "5 USD a day"

    def chat(self) -> str:
        """Set an agent up by talking, in a conversation that is remembered."""
        smoke = json.loads(self._reader.types("curl $API/v1/chat"))
        check("decision" in smoke["metadata"], f"the smoke test answers {smoke}")
        maya = self._as("maya")
        first = maya.say(REQUEST)
        self._conversation = str(first["conversation_id"])
        self._said.append(REQUEST)
        listed = self._say(maya, "List my agents")
        names = [each["name"] for each in maya.send("GET", "/v1/agents")["items"]]
        check(len(names) == 1 and names[0] in listed, f"agents {names}, and the reply was: {listed}")
        self._remembers(maya)
        return f"{names[0]}; remembered: {len(self._said)} messages"

    def ask_what_is_missing(self) -> str:
        """Ask the doctor, who misses alarms that tell somebody; make a topic for them."""
        missing = self._reader.types(".venv/bin/python -m local doctor", code=1)
        check("AlarmTopicArn" in missing, f"the doctor says: {missing}")
        self._reader.types("TOPIC=")
        self._reader.types("aws sns subscribe")
        return missing.replace("\n", " / ")

    def _say(self, caller: Caller, text: str) -> str:
        answer = caller.say(text, self._conversation)
        self._said.append(text)
        return str(answer["message"]["content"])

    def _remembers(self, caller: Caller) -> None:
        path = f"/v1/conversations/{self._conversation}/messages?limit=100"
        stored = [each["content"] for each in caller.send("GET", path)["items"] if each["role"] == "user"]
        check(stored == self._said, f"said {self._said}, and stored {stored}")

    def follow(self) -> str:
        """Wait for what follows the table's stream: the conversation's title."""
        maya = self._as("maya")
        path = f"/v1/conversations/{self._conversation}"
        found = until(lambda: maya.send("GET", path), lambda one: bool(one.get("title")), "no title")
        return f"title: {found['title']}"

    def schedule(self) -> str:
        """Wait for a reminder: a schedule fires, a message goes through the queue, and the run posts."""
        maya = self._as("maya")
        reply = self._say(maya, "Remind me in 1 minute to water the plants")
        scheduler = self.stack.aws.client("scheduler")
        until(
            lambda: [each["Name"] for each in scheduler.list_schedules()["Schedules"]],
            lambda names: len(names) > 1,
            "an agent and a reminder should have a schedule each",
        )
        path = f"/v1/conversations/{self._conversation}/messages?limit=100"
        found = until(
            lambda: [each for each in maya.send("GET", path)["items"] if each["role"] == "assistant"],
            lambda replies: "water the plants" in replies[-1]["content"] and replies[-1]["content"] != reply,
            "no reminder came",
            within_s=180,
        )
        return str(found[-1]["content"]).replace("\n", " ")

    def run(self) -> str:
        """Start a run by talking; the run reaches its function over the stream and the queue."""
        maya = self._as("maya")
        agent = maya.send("GET", "/v1/agents")["items"][0]["name"]
        self._say(maya, f"Run {agent} now")
        runs = until(
            lambda: maya.send("GET", "/v1/runs")["items"],
            lambda found: bool(found) and found[0]["status"] not in {"queued", "running"},
            "the run did not end",
        )
        return f"{agent}: {runs[0]['status']}"

    def erase(self) -> str:
        """Erase a user, and wait for the receipt."""
        noah, admin = self._as("noah"), self._as("ada", "admin")
        conversation = noah.say("My locker code is a secret")["conversation_id"]
        asked = admin.send("POST", "/v1/users/noah/erasures", expect=202)
        receipt = until(
            lambda: admin.send("GET", f"/v1/erasures/{asked['id']}"),
            lambda one: one["state"] in {"settling", "done"},
            "the erasure did not end",
            within_s=180,
        )
        noah.send("GET", f"/v1/conversations/{conversation}", expect=404)
        return f"{receipt['state']}"

    def update(self) -> str:
        """Deploy a second release while a user chats: nothing said is lost, and the aliases move on."""
        before = self._published()
        done = Event()
        failures: list[str] = []

        def talk() -> None:
            maya = self._as("maya")
            for number in itertools.count(1):
                if done.wait(_PAUSE_S):
                    return
                try:
                    maya.insist(f"Add a task: count box {number}", self._conversation)
                except StepFailed as failed:
                    failures.append(str(failed))
                    return
                self._said.append(f"Add a task: count box {number}")

        talking = Thread(target=talk)
        talking.start()
        try:
            self._release("r2", "make build && .venv-sam/bin/sam deploy")
        finally:
            done.set()
            talking.join()
        check(not failures, f"a message was refused: {failures}")
        published = self._published()
        check(not before & published, f"not published anew: {before & published}")
        self._remembers(self._as("maya"))
        return f"{len(published)} new versions; {len(self._said)} messages, none lost, none doubled"

    def _published(self) -> set[str]:
        return {name for name, _ in self.stack.deployed().of_type("AWS::Lambda::Version")}

    def roll_back(self) -> str:
        """Deploy the first release again, with alarms that tell somebody; the conversation goes on."""
        self._release(
            "r1-again",
            ".venv-sam/bin/sam deploy --parameter-overrides AlarmTopicArn",
            AlarmTopicArn=self._reader.runs("echo $TOPIC"),
        )
        check(self.stack.parameters()["Audience"] == "chat", "a parameter did not keep its value")
        maya = self._as("maya")
        reply = self._say(maya, "List my agents")
        self._remembers(maya)
        return reply.splitlines()[0]

    def redrive(self) -> str:
        """Redrive the dead letters, of which there are none."""
        found = self._reader.types(".venv/bin/python -m local redrive")
        waiting = [line for line in found.splitlines() if line.strip() and not line.endswith(": empty")]
        check(not waiting, f"there are dead letters: {waiting}")
        return f"{len(found.splitlines())} queues of dead letters, all empty"

    def restore(self) -> str:
        """Restore the table into a new one and deploy the stack with it; the conversation goes on."""
        count = templates.copy_table(self.stack.aws.client("dynamodb"), self._table, RESTORED)
        printed = self._reader.types(
            ".venv/bin/python -m local restore", f".venv/bin/python -m local restore {RESTORED}"
        )
        line = next(line for line in printed.splitlines() if "ExistingTable=" in line)
        self._table = RESTORED
        self._release("r3", **dict(part.split("=", 1) for part in line.split()))
        maya = self._as("maya")
        self._say(maya, "Did everything survive?")
        self._remembers(maya)
        return f"{count} items in {RESTORED}, on which {len(self._said)} messages go on"

    def deploy_second_stage(self) -> str:
        """Deploy a second stack with Cognito, add its operator, and take it down."""
        self._reader.types(".venv-sam/bin/sam deploy --config-env dev")
        outputs = self.stack.deployed(SECOND).outputs
        self._pool = outputs["UserPoolId"]
        self._reader.types("POOL=", f"POOL={self._pool}")
        self._reader.types("aws cognito-idp admin-create-user")
        self._reader.types("aws cognito-idp admin-add-user-to-group")
        printed = self._reader.runs(f".venv/bin/python -m local teardown {SECOND}")
        check(self._pool in printed, f"the user pool stays, and nobody says so: {printed}")
        self._pool = templates.fill_in_pool(self.stack.aws.client("cognito-idp"), self._pool)
        return f"{outputs['UserPoolId']}, with an operator"

    def tear_down(self) -> str:
        """Take the stack down; the table that it was given stays."""
        printed = self._reader.types(".venv/bin/python -m local teardown")
        check(self._table in self._tables(), f"the table is gone; tables: {self._tables()}")
        return " / ".join(printed.splitlines())

    def delete(self) -> str:
        """Delete what the stacks left: the table and the user pool."""
        self._reader.types("TABLE=", f"TABLE={self._table} POOL={self._pool}")
        self._reader.types("aws dynamodb update-table")
        self._reader.types("aws dynamodb delete-table")
        self._reader.types("aws cognito-idp update-user-pool")
        self._reader.types("aws cognito-idp delete-user-pool")
        check(self._table not in self._tables(), f"tables: {self._tables()}")
        return f"{self._table} and {self._pool} are gone"

    def _tables(self) -> list[str]:
        return list(self.stack.aws.client("dynamodb").list_tables()["TableNames"])

    def look_back(self) -> str:
        """See that every command of docs/deploy.md that can be typed here was typed."""
        left = list(self._reader.left())
        check(not left, f"nobody typed {left}")
        return f"{len(to_type())} typed, in the page's words or, where they are for AWS alone, in others"


def _is_expected(resource: Mapping[str, Any], kind: str) -> bool:
    is_queue = kind == "AWS::SQS::Queue"
    return resource["Type"] == kind and (not is_queue or "RedrivePolicy" in resource["Properties"])
