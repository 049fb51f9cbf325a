"""What importing the chat function costs before any message, against what it can't do without.

Processor time of a fresh interpreter per sample, the cases taking turns, so that a busy machine slows all
of them alike; only their ratio means something.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Mapping
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
    }


def measure() -> Report:
    """Both imports and their ratio."""
    cases = {"floor": FLOOR, "chat": CHAT}
    environment = function_environment()
    for code in cases.values():
        cpu_seconds(code, environment)  # compiles, and brings the files into memory
    samples: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(SAMPLES):
        for name, code in cases.items():
            samples[name].append(cpu_seconds(code, environment))
    floor, chat = (statistics.median(samples[name]) for name in ("floor", "chat"))
    ratio = statistics.median(map(truediv, samples["chat"], samples["floor"]))
    yield Figure("import of boto3 client, Powertools event handler and pydantic", floor * 1e3, "ms CPU")
    yield Figure("import of the chat function without a model call", chat * 1e3, "ms CPU")
    yield Figure("chat function against the floor", ratio, "times", at_most(1.3))


def cpu_seconds(code: str, environment: Mapping[str, str]) -> float:
    """Processor time of running the code in an interpreter of its own."""
    command = [sys.executable, "-c", _TIMED.format(code=code)]
    ended = subprocess.run(
        command, env=dict(environment), cwd=ROOT, capture_output=True, text=True, check=False
    )
    if ended.returncode != 0:
        raise RuntimeError(ended.stderr)
    return float(ended.stdout.split()[-1])
