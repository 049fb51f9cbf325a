"""The units that a conversation takes on AWS, counted: requests, units, invocations and lines of the log.

Measured are the chat function and every function that follows the table's stream, as their modules compose
them. The stream's records come from the writes that the chat function really made, through the filters of the
template. The clock stands still and the workspace stays cached, so that the counts do not depend on the
machine.
"""

from __future__ import annotations

import io
import json
import math
import os
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any
from unittest.mock import patch

from agent.workspace.roster import RosterCache
from conversation.identity import Caller
from local.template import interpreter, sam_translation
from local.template.event_filters import matches
from local.template.resources import StreamConsumer
from storage.dynamodb.attribute_values import to_wire
from storage.dynamodb.table import DynamoTable, create_table
from storage.items import item_bytes
from storage.keys import TenantId
from storage.table import StreamRecord
from tests.benchmarks.metered import AGENTS_QUESTION, WHICH_AGENTS, aws_environment, furnish, script
from tests.fakes.aws.dynamodb import dynamo_client
from tests.fakes.aws.dynamodb_meter import Meter, Totals
from tests.fakes.aws.proxy_events import Context, request
from tests.fakes.deployment.functions import LONG_STORAGE_DEADLINE, invoke, load
from tests.fakes.models.model_server import ModelServer

TURNS = 20
"""The turns of the measured conversation, its first one included."""

TEMPLATE = Path(__file__).resolve().parents[2] / "template.yaml"
MODEL = "gpt-4o-mini"
_NOON = "2026-03-02T12:00:00+00:00"
_FAR_AWAY = 4_102_444_800
_BATCHES = 10
_CALLER = Caller(TenantId("acme"), "maya")


@dataclass
class Units:
    """What some invocations took. Times are processor milliseconds of each invocation."""

    invocations: int = 0
    requests: int = 0
    """Requests to DynamoDB."""
    write_units: float = 0.0
    read_units: float = 0.0
    other_requests: int = 0
    """Requests to other services, such as SQS."""
    log_lines: int = 0
    log_bytes: int = 0
    stored_bytes: int = 0
    cpu_ms: list[float] = field(default_factory=list)
    metrics: set[str] = field(default_factory=set)
    """The custom metrics that the log has: names with the values of their dimensions."""

    def add(self, totals: Totals, log: str, cpu_ms: float) -> None:
        """Add one invocation."""
        self.invocations += 1
        self.requests += len(totals.requests)
        self.write_units += totals.write_units
        self.read_units += totals.read_units
        self.other_requests += len(totals.other_requests)
        self.log_lines += len(log.splitlines())
        self.log_bytes += len(log.encode())
        self.metrics |= {name for line in log.splitlines() for name in _metrics_in(line)}
        self.stored_bytes += sum(
            item_bytes(change.new or {}) - item_bytes(change.old or {}) for change in totals.changes
        )
        self.cpu_ms.append(cpu_ms)

    def to_json(self) -> dict[str, float]:
        """The counts, and the median of the times."""
        counts = {name: value for name, value in vars(self).items() if name not in ("cpu_ms", "metrics")}
        return {**counts, "cpu_ms": round(statistics.median(self.cpu_ms or [0.0]), 1)}


@dataclass
class ConversationUnits:
    """What one conversation of `TURNS` turns took: in the turns, and after them."""

    turn: Units = field(default_factory=Units)
    after: Units = field(default_factory=Units)

    def to_json(self) -> dict[str, dict[str, float]]:
        """Both parts."""
        return {"turn": self.turn.to_json(), "after": self.after.to_json()}


def measure_conversation(endpoint: str, *, model: bool) -> ConversationUnits:
    """The units of a conversation on a DynamoDB endpoint; every answer has about 1,000 characters.

    With ``model`` each message has 500 characters and is understood by a scripted model, else it is a plain
    request that is understood offline.
    """
    found = ConversationUnits()
    with _deployment(endpoint, model=model) as (chat, followers, meter, log):
        conversation_id: str | None = None
        for _ in range(TURNS):
            body = {"message": AGENTS_QUESTION if model else WHICH_AGENTS}
            if conversation_id:
                body["conversation_id"] = conversation_id
            event = request("POST", "/v1/chat", body=body, tenant=_CALLER.tenant, user=_CALLER.user)
            reply = _invoked(found.turn, meter, log, chat, partial(invoke, chat, event))
            assert reply.status == 200, reply.body
            assert (reply.json["metadata"]["decision"]["source"] == "model") == model
            conversation_id = reply.json["conversation_id"]
            _follow(found.after, followers, meter, log)
    return found


def _invoked(
    units: Units, meter: Meter, log: io.StringIO, function: ModuleType, call: Callable[[], Any]
) -> Any:
    # One process has one set of loggers: they are the invoked function's.
    function.request_log.configure("INFO")
    meter.reset()
    log.truncate(log.seek(0))
    started = time.process_time()
    returned = call()
    units.add(meter.totals, log.getvalue(), (time.process_time() - started) * 1e3)
    return returned


def _follow(
    units: Units,
    followers: Sequence[tuple[StreamConsumer, ModuleType]],
    meter: Meter,
    log: io.StringIO,
) -> None:
    """Invoke what follows the stream with the writes just made, and again with its own."""
    waiting = [(follower, list(meter.totals.changes)) for follower in followers]
    for _ in range(_BATCHES):
        made: list[StreamRecord] = []
        for (consumer, function), changes in waiting:
            records = [_record(number, change) for number, change in enumerate(changes)]
            passing = [
                one for one in records if any(matches(each, one) for each in consumer.filters or ({},))
            ]
            if passing:
                event = {"Records": passing}
                failed = _invoked(units, meter, log, function, partial(function.handler, event, Context()))
                assert not failed["batchItemFailures"]
                made += meter.totals.changes
        if not made:
            return
        waiting = [(follower, made) for follower in followers]
    raise AssertionError("the functions that follow the stream do not come to rest")


def _metrics_in(line: str) -> Iterator[str]:
    """Yield the metrics of a line of the log; most lines have none (CloudWatch's embedded metric format)."""
    event = json.loads(line)
    for directive in event.get("_aws", {}).get("CloudWatchMetrics", ()):
        for dimensions in directive["Dimensions"]:
            where = [f"{name}={event[name]}" for name in sorted(dimensions)]
            yield from (" ".join([metric["Name"], *where]) for metric in directive["Metrics"])


def _record(number: int, change: StreamRecord) -> dict[str, Any]:
    images = {"OldImage": change.old, "NewImage": change.new}
    wired = {name: to_wire(item) for name, item in images.items() if item is not None}
    return {
        "eventID": str(number),
        "eventName": "INSERT" if change.old is None else "REMOVE" if change.new is None else "MODIFY",
        "eventSource": "aws:dynamodb",
        "eventSourceARN": "arn:aws:dynamodb:us-east-1:000000000000:table/omniforge/stream/1",
        "dynamodb": {
            "ApproximateCreationDateTime": 1_772_452_800,
            "Keys": to_wire({"pk": change.key.partition, "sk": change.key.sort}),
            "SequenceNumber": str(number).zfill(21),
            **wired,
        },
    }


@contextmanager
def _deployment(
    endpoint: str, *, model: bool
) -> Iterator[tuple[ModuleType, list[tuple[StreamConsumer, ModuleType]], Meter, io.StringIO]]:
    """The chat function, the functions that follow the stream, their meter and their log."""
    stack = interpreter.interpret(sam_translation.read_template(TEMPLATE), {})
    with _metered(endpoint, model=model) as (meter, log):
        environ = dict(os.environ)
        chat = load("chat", environ)
        followers = [
            (consumer, load(Path(stack.functions[consumer.function].folder).name, environ))
            for consumer in stack.streams
        ]
        if model:
            _wait_for_model(chat)
        yield chat, followers, meter, log


@contextmanager
def _metered(endpoint: str, *, model: bool) -> Iterator[tuple[Meter, io.StringIO]]:
    """A new table with a user's workspace, the settings of a deployment, and what counts."""
    client, name = dynamo_client(endpoint), f"units-{time.monotonic_ns()}"
    create_table(client, name)
    furnish(DynamoTable(client, name), _CALLER)
    meter, log = Meter(), io.StringIO()
    with ExitStack() as stack:
        server = stack.enter_context(ModelServer(script())) if model else None
        folder = Path(stack.enter_context(TemporaryDirectory()))
        (folder / "clock").write_text(_NOON)
        os.utime(folder / "clock", (_FAR_AWAY, _FAR_AWAY))  # it stands still
        settings = _settings(endpoint, name, folder, model=model)
        stack.enter_context(patch.dict(os.environ, {**aws_environment(endpoint, server), **settings}))
        stack.enter_context(patch.dict(RosterCache.__init__.__kwdefaults__, max_age_s=math.inf))
        stack.enter_context(meter.watch_new_clients())
        stack.enter_context(redirect_stdout(log))
        yield meter, log


def _settings(endpoint: str, table: str, folder: Path, *, model: bool) -> Mapping[str, str]:
    queue = f"{endpoint}/000000000000"
    return {
        "OMNIFORGE_STAGE": "dev",
        "OMNIFORGE_TABLE": table,
        "OMNIFORGE_TENANTS": "open",
        "OMNIFORGE_CLOCK_FILE": str(folder / "clock"),
        "OMNIFORGE_INTENT_MODEL": MODEL if model else "",
        "OMNIFORGE_INTENT_DEADLINE_MS": "20000",
        "OMNIFORGE_FINISH_QUEUE": f"{queue}/finish.fifo",
        "OMNIFORGE_RUN_QUEUE": f"{queue}/runs",
        "OMNIFORGE_RETENTION_QUEUE": f"{queue}/retention",
        "OMNIFORGE_SCHEDULES": "omniforge",
        "OMNIFORGE_SCHEDULE_TARGET_ARN": "arn:aws:sqs:us-east-1:000000000000:runs",
        "OMNIFORGE_SCHEDULE_ROLE_ARN": "arn:aws:iam::000000000000:role/schedules",
        **LONG_STORAGE_DEADLINE,
    }


def _wait_for_model(chat: ModuleType) -> None:
    """Send messages of another user until the model understands one: meanwhile its library is imported."""
    deadline = time.monotonic() + 300.0
    event = request("POST", "/v1/chat", body={"message": AGENTS_QUESTION}, tenant="other", user="noor")
    while invoke(chat, event).json["metadata"]["decision"]["source"] != "model":
        assert time.monotonic() < deadline, "no message was understood by the model"
        time.sleep(0.1)
