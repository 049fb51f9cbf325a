"""What `sam local` gives the functions, as SAM's own code works it out: nothing that reaches AWS."""

from __future__ import annotations

import json
import subprocess
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from edge.auth.authorizer import Unauthorized
from local.data.sam_local import local_environment
from local.sign_in.issuer import Issuer
from tests.built.build import ROOT, find_sam
from tests.fakes.aws.proxy_events import Context
from tests.fakes.deployment import functions
from tests.fakes.identity.authorizers import ARN

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).with_name("local_environment.py")


@pytest.mark.parametrize("command", ["local_invoke", "local_start_api"])
def test_no_function_that_runs_locally_reaches_a_table_on_aws(command: str) -> None:
    options = configured(command)

    environments = resolved(ROOT / options["env_vars"], command)

    assert len(environments) > 10
    places = {name: one["AWS_ENDPOINT_URL_DYNAMODB"] for name, one in environments.items()}
    assert set(places.values()) == {"http://host.docker.internal:8000"}
    queues = {value for one in environments.values() for name, value in one.items() if "QUEUE" in name}
    assert all(not value or value.startswith("sqlite:") for value in queues), queues


def test_the_authorizer_in_a_container_takes_the_twins_tokens_without_reaching_it(tmp_path: Path) -> None:
    variables = tmp_path / "local-env.json"
    variables.write_text(local_environment(tmp_path / "data", ROOT / "events" / "env.json"))
    told = resolved(variables, "local_start_api")["AuthorizerFunction"]
    settings = {name: str(value) for name, value in told.items() if name.startswith("OMNIFORGE_")}
    authorizer = functions.load("authorizer", {**settings, "OMNIFORGE_TABLE": f"sqlite:///{tmp_path}/t.db"})

    def caller(data: Path) -> dict[str, str]:
        token = Issuer(data).access_token(tenant="acme", user="maya", now=datetime.now(UTC))
        event = {"type": "TOKEN", "methodArn": ARN, "authorizationToken": f"Bearer {token}"}
        context: dict[str, str] = authorizer.handler(event, Context())["context"]
        return context

    assert caller(tmp_path / "data")["user"] == "maya"
    with pytest.raises(Unauthorized):
        caller(tmp_path / "another")


def configured(command: str) -> dict[str, str]:
    options: dict[str, str] = tomllib.loads((ROOT / "samconfig.toml").read_text())["default"][command][
        "parameters"
    ]
    return options


def resolved(variables: Path, command: str) -> dict[str, dict[str, str]]:
    """The environment of each function, by SAM's own resolver."""
    overrides = dict(pair.split("=", 1) for pair in configured(command)["parameter_overrides"].split())
    python = Path(find_sam()).with_name("python")
    told = subprocess.run(
        [python, SCRIPT, ROOT / "template.yaml", variables, json.dumps(overrides)],
        capture_output=True,
        check=True,
        timeout=240,
    )
    environments: dict[str, dict[str, str]] = json.loads(told.stdout)
    return environments
