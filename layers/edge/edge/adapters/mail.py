"""Results by mail: through SES on AWS, as files in a folder in the local twin."""

from __future__ import annotations

import functools
from collections.abc import Callable
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Any, Protocol

from conversation.identity import derived_id
from conversation.mailer import Mail, Mailer, MailRejected, MailUnavailable

SES_SCHEME = "ses:"
FILE_SCHEME = "file://"
LOCAL_SENDER = "omniforge@localhost"

_PERMANENT = {
    "MessageRejected": "mail_rejected",
    "MailFromDomainNotVerifiedException": "sender_not_verified",
    "BadRequestException": "mail_rejected",
    "NotFoundException": "sender_not_verified",
    "AccountSuspendedException": "mail_suspended",
}
"""SES errors for a mail that it will never send, with our codes. Source: SES API v2, SendEmail, errors."""


class SesClient(Protocol):
    """The part of boto3's SES client that is used."""

    def send_email(self, **arguments: Any) -> Any:
        """Source: SES API v2, SendEmail."""


class SesMailer:
    """Sends mail through Amazon SES, from one verified address."""

    def __init__(self, connect: Callable[[], SesClient], sender: str) -> None:
        self._client = functools.cache(connect)
        self._sender = sender

    def send(self, mail: Mail) -> None:
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            self._client().send_email(
                FromEmailAddress=self._sender,
                Destination={"ToAddresses": [mail.to]},
                Content={
                    "Simple": {
                        "Subject": {"Data": mail.subject, "Charset": "UTF-8"},
                        "Body": {"Text": {"Data": mail.text, "Charset": "UTF-8"}},
                    }
                },
                EmailTags=[{"Name": "run", "Value": mail.key}],
            )
        except ClientError as error:
            code = _PERMANENT.get(error.response.get("Error", {}).get("Code", ""))
            if code is not None:
                raise MailRejected(code) from None  # the error's text quotes addresses
            raise MailUnavailable from None
        except BotoCoreError:
            raise MailUnavailable from None


class FolderMailer:
    """Writes one ``.eml`` file per mail to a folder; a mail that is sent again replaces its file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def send(self, mail: Mail) -> None:
        message = _message(mail)
        path = self._folder / f"{mail.key}-{derived_id(mail.to)[:8]}.eml"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            written = path.with_suffix(".part")
            written.write_bytes(message.as_bytes())
            written.replace(path)
        except OSError:
            raise MailUnavailable from None


def _message(mail: Mail) -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    headers = {"From": LOCAL_SENDER, "To": mail.to, "Subject": mail.subject, "X-Run": mail.key}
    try:
        for name, value in headers.items():
            message[name] = value
    except ValueError:
        raise MailRejected("mail_rejected") from None  # a line break in a header
    message.set_content(mail.text)
    return message


def open_mailer(setting: str | None) -> Mailer | None:
    """The mailer of a setting: ``ses:`` and the sender's address, or ``file://`` and a folder; None: none."""
    if setting is None:
        return None
    if setting.startswith(FILE_SCHEME):
        return FolderMailer(Path(setting.removeprefix(FILE_SCHEME)))
    return SesMailer(_connect, setting.removeprefix(SES_SCHEME))


def _connect() -> SesClient:
    import boto3

    client: SesClient = boto3.client("sesv2")
    return client
