"""What importing the chat and the MCP function costs before any message, against what they can't do without;
and what a cold environment takes for its first message.

Processor time of a fresh interpreter per sample, the cases taking turns, so that a busy machine slows all
of them alike; only their ratio means something.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from operator import truediv
from pathlib import Path

from tests.benchmarks.figures import SAMPLES, Figure, Report, at_most

ROOT = Path(__file__).resolve().parents[2]

FLOOR = """
import boto3
from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.event_handler import APIGatewayRestResolver
from pydantic import BaseModel
boto3.client('dynamodb')
"""
"""What any function of this kind imports and opens. A bare ``import pydantic`` imports next to nothing."""

CHAT = "import functions.chat.app"
MCP = "import functions.mcp.app"
AUTHORIZER = "import functions.authorizer.app"
COLD_CHAT = """
import os
from storage.factory import open_tables
open_tables(os.environ["OMNIFORGE_TABLE"])
os.environ |= {"AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand", "OMNIFORGE_TABLE": "sqlite:///:memory:"}
from functions.chat import app
from conversation.clock import Deadline
from conversation.identity import Caller
from conversation.turns.admission import IncomingMessage
from storage.keys import TenantId
*_, done = app.turns().run(
    IncomingMessage(Caller(TenantId("acme"), "maya"), "Which agents do I have?"),
    Deadline.after(app.clock, 60),
)
"""
"""With the client for DynamoDB that the function opens, the preparation that Lambda's init phase asks for,
and the first turn, on a table in memory."""

_TIMED = """
import time
started = time.process_time()
{code}
print(time.process_time() - started)
"""


def function_environment() -> dict[str, str]:
    """The environment of the chat function on AWS, as far as its import depends on it.

    There is no model; the table and the queue are AWS's, by name.
    """
    return {
        **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
        "PYTHONPATH": os.pathsep.join([str(ROOT), *map(str, sorted((ROOT / "layers").iterdir()))]),
        "AWS_DEFAULT_REGION": "eu-west-1",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_EC2_METADATA_DISABLED": "true",
        "POWERTOOLS_TRACE_DISABLED": "true",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "PYDANTIC_DISABLE_PLUGINS": "__all__",
        "OMNIFORGE_STAGE": "dev",
        "OMNIFORGE_TABLE": "omniforge",
        "OMNIFORGE_TENANTS": "open",
        "OMNIFORGE_FINISH_QUEUE": "https://sqs.eu-west-1.amazonaws.com/000000000000/finish",
        "OMNIFORGE_INTENT_MODEL": "",
        "OMNIFORGE_JWT_ISSUERS": "https://issuer.example",
        "OMNIFORGE_JWT_AUDIENCE": "omniforge",
    }


def measure() -> Report:
    """The imports, their ratios to the floor, and the first message of cold environments."""
    cases = {"floor": FLOOR, "chat": CHAT, "mcp": MCP, "authorizer": AUTHORIZER, "cold chat": COLD_CHAT}
    samples = sample(cases, function_environment(), SAMPLES)
    median = {name: statistics.median(taken) for name, taken in samples.items()}
    yield Figure(
        "import of boto3 client, Powertools event handler and pydantic", median["floor"] * 1e3, "ms CPU"
    )
    for name, most in (("chat", 1.3), ("mcp", 2.0)):
        yield Figure(f"import of the {name} function", median[name] * 1e3, "ms CPU")
        ratio = statistics.median(map(truediv, samples[name], samples["floor"]))
        yield Figure("the same against the former", ratio, "times", at_most(most))
    cold = median["authorizer"] + median["cold chat"]
    yield Figure(
        "authorizer imported; chat imported, prepared, first message answered", cold, "s CPU", at_most(2.0)
    )


def sample(
    cases: Mapping[str, str], environment: Mapping[str, str], times: int
) -> Mapping[str, Sequence[float]]:
    """The processor seconds of each case; the cases take turns."""
    for code in cases.values():
        cpu_seconds(code, environment)  # compiles, and brings the files into memory
    taken: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(times):
        for name, code in cases.items():
            taken[name].append(cpu_seconds(code, environment))
    return taken


def cpu_seconds(code: str, environment: Mapping[str, str]) -> float:
    """Processor time of running the code in an interpreter of its own."""
    command = [sys.executable, "-c", _TIMED.format(code=code)]
    ended = subprocess.run(
        command, env=dict(environment), cwd=ROOT, capture_output=True, text=True, check=False
    )
    if ended.returncode != 0:
        raise RuntimeError(ended.stderr)
    return float(ended.stdout.split()[-1])
