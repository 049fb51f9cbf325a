"""Mail to recipients outside a tenant's domains, over the twin: asked, confirmed by a code, then served."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest

from conversation.clock import open_clock
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.models.model_script import Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer

pytestmark = pytest.mark.e2e

NOON = datetime(2026, 1, 30, 12, 0, tzinfo=UTC)
ZOE = "zoe@partner.com"
SECRET_RESULT = "The margin is 12 percent."


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    work = Script([Rule("", Reply(content=SECRET_RESULT), prompt="You carry out one run")])
    with ModelServer(work) as model:
        environ = {
            "OPENAI_BASE_URL": model.base_url,
            "OPENAI_API_KEY": "test",
            "OMNIFORGE_INTENT_MODEL": "gpt-4o-mini",
            "OMNIFORGE_STRONG_MODELS": "openai/deep-thinker",
        }
        with Twin(tmp_path_factory.mktemp("twin"), environ=environ, clock=NOON) as running:
            yield running


class Owner:
    """Maya of a tenant that allows its own domain, and an agent of hers that mails Zoe."""

    def __init__(self, twin: Twin, tenant: str, **policy: object) -> None:
        self.twin, self.tenant = twin, tenant
        self.token = twin.token(tenant, f"maya@{tenant}.com")
        admin = twin.token(tenant, "root", roles=["admin"])
        body = {"allowed_mail_domains": [f"{tenant}.com"], **policy}
        answer = twin.request("PUT", "/v1/tenant/policy", token=admin, json=body)
        assert answer.status_code == 200, answer.text

    def send(self, method: str, path: str, body: object = None) -> Any:
        return self.twin.request(method, path, token=self.token, json=body)

    def agent(self, *recipients: str) -> Any:
        delivery = {"channels": ["email", "conversation"], "recipients": recipients or (ZOE,)}
        return self.send("POST", "/v1/agents", {"what": f"the {self.tenant}-margin", "delivery": delivery})

    def run(self, agent: Any) -> Any:
        path = f"/v1/agents/{agent['id']}/runs"
        run = self.send("POST", path, {}).json()

        def look() -> Any:
            now = self.send("GET", f"/v1/runs/{run['id']}").json()
            is_over = now["status"] == "succeeded" and len(now["deliveries"]) == 2
            return now["deliveries"][0] if is_over else None

        return eventually(look, within_s=60)

    def verify(self, code: str, address: str = ZOE) -> Any:
        return self.send("POST", "/v1/mail-recipients/verify", {"address": address, "code": code})

    def mails(self) -> list[EmailMessage]:
        """The mails to Zoe that are about this tenant, oldest first."""
        files = sorted((self.twin.data / "mail").glob("*.eml"), key=lambda file: file.stat().st_mtime_ns)
        read = [message_from_bytes(file.read_bytes(), policy=default) for file in files]
        mails = [mail for mail in read if isinstance(mail, EmailMessage) and mail["To"] == ZOE]
        own = (f"@{self.tenant}.com", f"{self.tenant}-margin")
        return [mail for mail in mails if any(word in f"{mail['Subject']} {text(mail)}" for word in own)]


def text(mail: EmailMessage) -> str:
    return str(mail.get_content())


def code_in(mail: EmailMessage) -> str:
    found = re.search(r"code: (\d{8})\b", text(mail))
    assert found, text(mail)
    return found[1]


def test_a_recipient_outside_the_domains_gets_results_once_it_confirmed_and_nothing_before(
    twin: Twin,
) -> None:
    maya = Owner(twin, "acme")
    made = maya.agent()
    assert made.status_code == 201, made.text
    agent = made.json()

    first = maya.run(agent)
    assert (first["target"], first["status"], first["reason"]) == (
        ZOE,
        "unverified",
        "recipient_not_verified",
    )
    [asked] = maya.mails()
    assert SECRET_RESULT not in text(asked)
    assert "maya@acme.com" in text(asked)
    assert maya.run(agent)["status"] == "unverified"
    assert len(maya.mails()) == 1  # it is not asked twice a day

    [pending] = maya.send("GET", "/v1/mail-recipients").json()["items"]
    assert (pending["address"], pending["status"], pending["verified_at"]) == (ZOE, "pending", None)
    wrong = maya.verify("00000000" if code_in(asked) != "00000000" else "11111111")
    assert (wrong.status_code, wrong.json()["code"]) == (409, "code_not_valid")
    confirmed = maya.verify(code_in(asked))
    assert (confirmed.status_code, confirmed.json()["status"]) == (200, "verified")

    assert maya.run(agent)["status"] == "delivered"
    assert [SECRET_RESULT in text(mail) for mail in maya.mails()] == [False, True]
    inside = maya.agent("noah@acme.com").json()
    assert maya.run(inside)["status"] == "delivered"


def test_a_code_expires_after_a_week_and_five_wrong_tries_and_a_new_one_is_mailed(twin: Twin) -> None:
    maya = Owner(twin, "initech")
    agent = maya.agent().json()
    maya.run(agent)
    [asked] = maya.mails()
    for number in range(5):
        assert maya.verify(f"{(int(code_in(asked)) + 1 + number) % 10**8:08d}").status_code == 409
    assert maya.verify(code_in(asked)).json()["code"] == "code_not_valid"

    twin.set_clock(open_clock(twin.data / "clock").now() + timedelta(days=1, minutes=1))
    maya = Owner(twin, "initech")
    assert maya.run(agent)["status"] == "unverified"
    _, again = maya.mails()
    twin.set_clock(open_clock(twin.data / "clock").now() + timedelta(days=7, minutes=1))
    maya = Owner(twin, "initech")
    assert maya.verify(code_in(again)).status_code == 409


def test_a_code_that_is_typed_below_the_result_confirms_the_recipient_and_no_other_message_does(
    twin: Twin,
) -> None:
    maya = Owner(twin, "globex")
    agent = maya.agent().json()
    maya.run(agent)
    [asked] = maya.mails()
    [conversation] = maya.send("GET", "/v1/conversations").json()["items"]

    def say(message: str, conversation_id: str | None) -> Any:
        said = twin.chat(message, token=maya.token, conversation_id=conversation_id)
        assert said.status_code == 200, said.text
        return said.json()

    def status() -> Any:
        return maya.send("GET", "/v1/mail-recipients").json()["items"][0]["status"]

    code = code_in(asked)
    say(f"The code is {code}", None)
    assert status() == "pending"  # nothing waits for a code there
    wrong = say(f"the code is {(int(code) + 1) % 10**8:08d}", conversation["id"])
    assert wrong["message"]["content"].startswith(f"That code is wrong for {ZOE}")
    assert not wrong["metadata"]["asks_yes_or_no"]
    right = say(f"sorry, {code[:4]} {code[4:]}", conversation["id"])
    assert right["message"]["content"] == f"Confirmed: {ZOE} gets the results from now on."
    assert status() == "verified"
    assert maya.run(agent)["status"] == "delivered"


def test_another_user_and_another_tenant_confirm_for_themselves(twin: Twin) -> None:
    maya, other = Owner(twin, "hooli"), Owner(twin, "hooli-eu")
    maya.run(maya.agent().json())
    [asked] = maya.mails()
    assert other.send("GET", "/v1/mail-recipients").json()["items"] == []
    refused = other.verify(code_in(asked))
    assert (refused.status_code, refused.json()["code"]) == (409, "code_not_valid")


def test_a_tenant_may_refuse_all_other_recipients(twin: Twin) -> None:
    for tenant, policy in (
        ("umbrella", {"other_mail_recipients": "refused"}),
        ("wonka", {"allowed_mail_domains": []}),
    ):
        refused = Owner(twin, tenant, **policy).agent()
        assert (refused.status_code, refused.json()["code"]) == (403, "target_not_allowed")
