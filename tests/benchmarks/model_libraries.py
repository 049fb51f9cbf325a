"""What reaching a model takes of a fresh process: by litellm, and by an adapter of our own.

Processor time and resident memory (Linux only) that the import adds to a process that has a DynamoDB client
already, because every function has one, and urllib3 with it. The cases take turns, so that a busy machine
slows all alike.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Mapping
from typing import NamedTuple

from tests.benchmarks.figures import SAMPLES, Figure, Report, at_most
from tests.benchmarks.imports import ROOT, function_environment

_CLIENT = """
from llm.adapters.registry import DirectAdapters
from llm.available_models import ModelServers
adapters = DirectAdapters(ModelServers(aws_region="eu-west-1"), max_connections=4)
adapters.prepare({model!r})
"""
CASES: Mapping[str, str] = {
    "litellm": "from llm.adapters.litellm_library import import_litellm\nimport_litellm()",
    "OpenAI's protocol": _CLIENT.format(model="gpt-4o-mini"),
    "Anthropic's protocol": _CLIENT.format(model="anthropic/claude-haiku-5-5"),
    "Bedrock's protocol, its signer included": _CLIENT.format(model="bedrock/amazon.nova-micro-v1:0")
    + "from llm.adapters.bedrock_converse import _signer\n_signer()",
}
MOST_MS, MOST_MIB = 150.0, 16.0

_MEASURED = """
import time
import boto3
boto3.client("dynamodb")
from llm.completion import CompletionClient

def resident_kib():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

before_kib, started = resident_kib(), time.process_time()
{code}
print(time.process_time() - started, resident_kib() - before_kib)
"""


class _Sample(NamedTuple):
    cpu_ms: float
    memory_mib: float


def measure() -> Report:
    """Each way's processor time and memory."""
    environment = function_environment()
    for code in CASES.values():
        _sample(code, environment)  # compiles, and brings the files into memory
    samples: dict[str, list[_Sample]] = {name: [] for name in CASES}
    for _ in range(SAMPLES):
        for name, code in CASES.items():
            samples[name].append(_sample(code, environment))
    for name, taken in samples.items():
        is_ours = name != "litellm"
        cpu_ms = statistics.median(sample.cpu_ms for sample in taken)
        memory_mib = statistics.median(sample.memory_mib for sample in taken)
        yield Figure(f"{name}: import", cpu_ms, "ms CPU", at_most(MOST_MS) if is_ours else None)
        yield Figure(f"{name}: memory", memory_mib, "MiB", at_most(MOST_MIB) if is_ours else None)


def _sample(code: str, environment: Mapping[str, str]) -> _Sample:
    command = [sys.executable, "-c", _MEASURED.format(code=code)]
    ended = subprocess.run(
        command, env=dict(environment), cwd=ROOT, capture_output=True, text=True, check=True
    )
    cpu_s, memory_kib = map(float, ended.stdout.split()[-2:])
    return _Sample(cpu_s * 1e3, memory_kib / 1024)
