"""What SES answers, as those who mail are told it."""

from __future__ import annotations

from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from conversation.mailer import Mail, MailRejected, MailUnavailable
from edge.adapters.mail import SesMailer

MAIL = Mail("RUN1", "maya@acme.com", "Your numbers", "960")


def client() -> Any:
    return boto3.client(
        "sesv2", region_name="eu-west-1", aws_access_key_id="test", aws_secret_access_key="test"
    )


def test_a_mail_goes_to_one_reader_from_the_deployments_address() -> None:
    ses = client()
    content = {
        "Simple": {
            "Subject": {"Data": "Your numbers", "Charset": "UTF-8"},
            "Body": {"Text": {"Data": "960", "Charset": "UTF-8"}},
        }
    }
    expected = {
        "FromEmailAddress": "robot@acme.com",
        "Destination": {"ToAddresses": ["maya@acme.com"]},
        "Content": content,
        "EmailTags": [{"Name": "run", "Value": "RUN1"}],
    }
    with Stubber(ses) as stub:
        stub.add_response("send_email", {"MessageId": "1"}, expected)
        SesMailer(lambda: ses, "robot@acme.com").send(MAIL)
        stub.assert_no_pending_responses()


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("MessageRejected", "mail_rejected"),
        ("MailFromDomainNotVerifiedException", "sender_not_verified"),
        ("AccountSuspendedException", "mail_suspended"),
    ],
)
def test_what_ses_never_sends_is_refused_without_its_words(answer: str, code: str) -> None:
    ses = client()
    with Stubber(ses) as stub:
        stub.add_client_error("send_email", answer, "maya@acme.com is not verified", 400)
        with pytest.raises(MailRejected) as refused:
            SesMailer(lambda: ses, "robot@acme.com").send(MAIL)

    assert refused.value.code == code
    assert "maya" not in str(refused.value)


@pytest.mark.parametrize("answer", ["TooManyRequestsException", "InternalServiceErrorException"])
def test_what_may_pass_is_worth_another_try(answer: str) -> None:
    ses = client()
    with Stubber(ses) as stub:
        stub.add_client_error("send_email", answer, "later", 429)
        with pytest.raises(MailUnavailable):
            SesMailer(lambda: ses, "robot@acme.com").send(MAIL)
