"""What `sam local` gives the functions, as SAM's own code works it out: nothing that reaches AWS."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.built.build import ROOT, find_sam

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).with_name("local_environment.py")


@pytest.mark.parametrize("command", ["local_invoke", "local_start_api"])
def test_no_function_that_runs_locally_reaches_a_table_on_aws(command: str) -> None:
    options = tomllib.loads((ROOT / "samconfig.toml").read_text())["default"][command]["parameters"]
    overrides = dict(pair.split("=", 1) for pair in options["parameter_overrides"].split())
    python = Path(find_sam()).with_name("python")

    told = subprocess.run(
        [python, SCRIPT, ROOT / "template.yaml", ROOT / options["env_vars"], json.dumps(overrides)],
        capture_output=True,
        check=True,
        timeout=120,
    )

    environments = json.loads(told.stdout)
    assert len(environments) > 10
    places = {name: one["AWS_ENDPOINT_URL_DYNAMODB"] for name, one in environments.items()}
    assert set(places.values()) == {"http://host.docker.internal:8000"}
    queues = {value for one in environments.values() for name, value in one.items() if "QUEUE" in name}
    assert all(not value or value.startswith("sqlite:") for value in queues), queues
