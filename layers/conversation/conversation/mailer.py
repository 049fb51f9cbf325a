"""The port for mail, and the values it takes. The adapters are in `edge.adapters.mail`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class MailRejected(Exception):
    """The mail can never be sent as it is; ``code`` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class MailUnavailable(Exception):
    """Nothing was sent; a retry may succeed."""


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail to one recipient. ``key`` identifies the occasion and is the same for each retry."""

    key: str
    to: str
    subject: str
    text: str


class Mailer(Protocol):
    """Sends mail from the deployment's own address."""

    def send(self, mail: Mail) -> None:
        """Hand the mail over for sending.

        Raises:
            MailRejected, MailUnavailable: nothing was sent.
        """
