"""What a month on AWS costs: counted units times list prices. Nothing here measures anything.

`docs/costs.html` has the same arithmetic; a test holds both together.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

FIGURES = Path(__file__).with_name("turn_units.json")
PRICES = Path(__file__).with_name("aws_prices.json")

CORE_MB = 1769
"""The memory with which a Lambda function has one processor."""
STORAGE_MS = 5
"""What a request to DynamoDB takes, assumed."""
PLATFORM_LOG_BYTES = 350
"""START, END and REPORT of one invocation, about."""
TURNS_PER_AUTHORIZATION = 10
"""Turns for which API Gateway asks the authorizer once, assumed."""
AUTHORIZER_S = 0.02
FRAMES_EVERY_S = 2.0
"""How often a running stream stores its frames, with one write unit as long as they have less than 1 KB."""
BYTES_OUT = 6_000
"""What a turn sends to its client, about."""
GB = 1e9


@dataclass(frozen=True, slots=True)
class Month:
    """What is asked of a deployment in a month."""

    turns: int
    model_share: float
    """The share of turns that a model understands; the others are understood offline."""
    model_seconds: float
    """How long such a turn waits for models."""
    memory_mb: int
    """The memory of the chat function."""
    is_streamed: bool = False
    input_tokens: int = 0
    """Of a turn that asks a model; all calls together."""
    output_tokens: int = 0
    usd_per_million_input: float = 0.0
    usd_per_million_output: float = 0.0
    snapstart_gb: float = 0.0
    """The memory of all functions with SnapStart."""
    has_secret: bool = True
    has_own_key: bool = False


def read_figures() -> Any:
    """The committed units."""
    return json.loads(FIGURES.read_text())


def read_prices() -> dict[str, float]:
    """The committed list prices, in USD."""
    return {name: entry["price"] for name, entry in json.loads(PRICES.read_text())["usd"].items()}


def month_costs(month: Month, figures: Mapping[str, Any], usd: Mapping[str, float]) -> dict[str, float]:
    """USD by line. The lines of the turns first, then those of the month."""
    tiers = ((1 - month.model_share, figures["offline"]), (month.model_share, figures["model"]))
    memory, turns = figures["memory_mb"], month.turns / figures["turns"]

    def total(part: str, name: str) -> float:
        return float(sum(turns * share * tier[part][name] for share, tier in tiers))

    def gb_seconds(part: str, megabytes: int) -> float:
        milliseconds: float = sum(
            turns
            * share
            * (
                tier[part]["cpu_ms"] * tier[part]["invocations"] * max(1.0, CORE_MB / megabytes)
                + tier[part]["requests"] * STORAGE_MS
            )
            for share, tier in tiers
        )
        return milliseconds / 1e3 * megabytes / 1024

    def units(part: str) -> float:
        return (
            total(part, "write_units") * usd["dynamodb_write_unit"]
            + total(part, "read_units") * usd["dynamodb_read_unit"]
        )

    authorized = month.turns / TURNS_PER_AUTHORIZATION
    invoked = total("turn", "invocations") + total("after", "invocations") + authorized
    model_turns = month.turns * month.model_share
    waited = model_turns * month.model_seconds * month.memory_mb / 1024
    frames = model_turns * (month.model_seconds // FRAMES_EVERY_S) if month.is_streamed else 0.0
    logged = total("turn", "log_bytes") + total("after", "log_bytes") + invoked * PLATFORM_LOG_BYTES
    stored = total("turn", "stored_bytes") + total("after", "stored_bytes")
    tokens = (
        month.input_tokens * month.usd_per_million_input + month.output_tokens * month.usd_per_million_output
    )
    other = total("turn", "other_requests") + total("after", "other_requests")
    authorizing = authorized * AUTHORIZER_S * memory["authorizer"] / 1024
    return {
        "API Gateway": month.turns * usd["api_request"],
        "Lambda requests": invoked * usd["lambda_request"],
        "Lambda time of turns": (gb_seconds("turn", month.memory_mb) + authorizing) * usd["lambda_gb_second"],
        "Lambda time while models answer": waited * usd["lambda_gb_second"],
        "Lambda time after turns": gb_seconds("after", memory["after"]) * usd["lambda_gb_second"],
        "Table, turns": units("turn"),
        "Table, stream frames": frames * usd["dynamodb_write_unit"],
        "Table, index and titles": units("after"),
        "Queues": other * usd["sqs_request"],
        "Logs": logged / GB * (usd["logs_gb"] + usd["logs_gb_month"]),
        "Stored data and its backup": stored
        / GB
        * (usd["dynamodb_gb_month"] + usd["dynamodb_recovery_gb_month"]),
        "Data out": month.turns * BYTES_OUT / GB * usd["data_out_gb"],
        "Models": model_turns * tokens / 1e6,
        **_fixed(month, figures["month"], usd),
    }


def _fixed(month: Month, counts: Mapping[str, float], usd: Mapping[str, float]) -> dict[str, float]:
    return {
        "Month: alarms and dashboards": counts["alarms"] * usd["alarm_month"]
        + counts["dashboards"] * usd["dashboard_month"],
        "Month: metrics": counts["metrics"] * usd["metric_month"] if month.turns else 0.0,
        "Month: polling of queues": counts["standard_polls"] * usd["sqs_request"]
        + counts["fifo_polls"] * usd["sqs_fifo_request"],
        "Month: hourly sweeps": counts["sweeps"]
        * (usd["lambda_request"] + counts["sweep_gb_seconds"] * usd["lambda_gb_second"])
        + counts["sweeps"]
        * (
            counts["sweep_read_units"] * usd["dynamodb_read_unit"]
            + counts["sweep_write_units"] * usd["dynamodb_write_unit"]
        ),
        "Month: secret": usd["secret_month"] if month.has_secret else 0.0,
        "Month: own key": usd["key_month"] if month.has_own_key else 0.0,
        "Month: SnapStart": month.snapstart_gb * counts["seconds"] * usd["snapstart_cache_gb_second"],
    }


def is_monthly(line: str) -> bool:
    """Whether a line is paid per month, whatever is asked."""
    return line.startswith("Month: ")


def calculator_data(figures: Mapping[str, Any], usd: Mapping[str, float]) -> dict[str, Any]:
    """What the calculator page computes with."""
    constants = {
        "core_mb": CORE_MB,
        "storage_ms": STORAGE_MS,
        "platform_log_bytes": PLATFORM_LOG_BYTES,
        "turns_per_authorization": TURNS_PER_AUTHORIZATION,
        "authorizer_s": AUTHORIZER_S,
        "frames_every_s": FRAMES_EVERY_S,
        "bytes_out": BYTES_OUT,
        "gb": GB,
    }
    return {"figures": figures, "usd": dict(usd), "constants": constants}


def month_json(month: Month) -> dict[str, Any]:
    """The month as the calculator takes it."""
    return asdict(month)
