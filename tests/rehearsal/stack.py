"""A stack on the stand-in: deployed by the SAM CLI, reached through its gateway."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import httpx
from samtranslator.yaml_helper import yaml_parse

from local.operations.stack import DeployedStack
from tests.rehearsal.page import Reader, StepFailed
from tests.rehearsal.stand_in import ISSUER, StandIn

NAME, STAGE = "omniforge", "live"
SECOND = "omniforge-dev"
"""The stack of the page's second stage."""

T = TypeVar("T")


class Stack:
    """The deployed stack of one rehearsal, which a reader of docs/deploy.md deploys."""

    def __init__(self, aws: StandIn, reader: Reader, artefacts: Path) -> None:
        self.aws, self.reader, self._artefacts = aws, reader, artefacts

    def given(self) -> dict[str, str]:
        """Return the parameters of the first deployment."""
        issuer = {"Issuers": ISSUER, "JwksUrls": self.aws.jwks_url, "Audience": "chat"}
        return {"Stage": STAGE, "Architecture": "x86_64", **issuer}

    def deploy(self, template: str, documented: str | None = None, **parameters: str) -> None:
        """Deploy a template in place of the page's command that begins so; other parameters stay."""
        self.reader.build(template, self._artefacts)
        given = [f"{name}={value}" for name, value in parameters.items()]
        overrides = f" --parameter-overrides {' '.join(given)}" if given else ""
        deploy = f".venv-sam/bin/sam deploy{overrides} <<< y"
        if documented is None:
            self.reader.runs(deploy)
        else:
            self.reader.types(documented, deploy)

    def template(self) -> dict[str, Any]:
        """Return the template that was deployed, with the addresses of what was uploaded for it."""
        described = self.aws.client("cloudformation").get_template(StackName=NAME, TemplateStage="Original")
        template: dict[str, Any] = yaml_parse(described["TemplateBody"])
        return template

    def parameters(self) -> dict[str, str]:
        """Return the values that the deployed stack was given."""
        [stack] = self.aws.client("cloudformation").describe_stacks(StackName=NAME)["Stacks"]
        return {each["ParameterKey"]: each["ParameterValue"] for each in stack["Parameters"]}

    def deployed(self, stack: str = NAME) -> DeployedStack:
        """Return a stack's resources as CloudFormation knows them."""
        for name, value in self.aws.variables.items():
            os.environ[name] = value
        return DeployedStack.find(stack)

    def api(self) -> str:
        """Return the id of the API."""
        return next(iter(self.deployed().of_type("AWS::ApiGateway::RestApi")))[1]

    def base(self) -> str:
        """Return the gateway's address on the stand-in."""
        return f"{self.aws.endpoint}/restapis/{self.api()}/{STAGE}/_user_request_"

    def function(self, logical: str) -> str:
        """Return the name of a function."""
        return self.deployed().resources[logical][1]


class Caller:
    """Somebody who speaks to the stack's gateway."""

    def __init__(self, base: str, token: str) -> None:
        self.token = token
        self._client = httpx.Client(
            base_url=base, timeout=90, trust_env=False, headers={"Authorization": f"Bearer {token}"}
        )

    def send(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, *, expect: int = 200
    ) -> Any:
        """Return the JSON of an answer with the expected status.

        Raises:
            StepFailed: it has another one.
        """
        answer = self._client.request(method, path, json=body)
        if answer.status_code != expect:
            raise StepFailed(
                f"{method} {path}: {answer.status_code} instead of {expect}: {answer.text[:500]}"
            )
        return answer.json() if answer.content else None

    def say(self, text: str, conversation_id: str | None = None) -> Any:
        """Return the answer to a message that was stored."""
        answer = self.send("POST", "/v1/chat", _message(text, conversation_id))
        check(answer["metadata"]["persisted"] is True, f"“{text}” was not stored")
        return answer

    def insist(self, text: str, conversation_id: str) -> None:
        """Send a message with a key, again and again until it is stored, as a client does that retries.

        Raises:
            StepFailed: it was refused for another reason than that something is out of reach for now.
        """
        key = {"Idempotency-Key": text}
        for _ in range(_MOST_TRIES):
            try:
                answer = self._client.post(
                    "/v1/chat", json=_message(text, conversation_id), headers=key, timeout=GATEWAY_WAITS_S
                )
            except httpx.TransportError:
                continue
            if answer.status_code == 200 and answer.json()["metadata"]["persisted"]:
                return
            if answer.status_code < 500 and answer.status_code not in _LATER:
                raise StepFailed(f"“{text}”: {answer.status_code} {answer.text[:300]}")
            time.sleep(1)
        raise StepFailed(f"“{text}” was not stored in {_MOST_TRIES} tries")


GATEWAY_WAITS_S = 29
_MOST_TRIES = 300
_LATER = (200, 202, 409, 429)


def _message(text: str, conversation_id: str | None) -> dict[str, str]:
    return {"message": text, **({"conversation_id": conversation_id} if conversation_id else {})}


def check(holds: bool, otherwise: str) -> None:
    """Go on if something holds.

    Raises:
        StepFailed: it does not; the message says what was seen.
    """
    if not holds:
        raise StepFailed(otherwise)


def until(read: Callable[[], T], holds: Callable[[T], bool], otherwise: str, *, within_s: float = 120) -> T:
    """Return what is read once it holds.

    Raises:
        StepFailed: it does not within the time.
    """
    deadline = time.monotonic() + within_s
    while not holds(found := read()):
        if time.monotonic() > deadline:
            raise StepFailed(f"{otherwise}; last seen: {str(found)[:500]}")
        time.sleep(0.5)
    return found
