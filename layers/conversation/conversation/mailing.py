"""Mail as a port: one text to one reader, from the deployment's own address.

What is mailed is decided elsewhere; the adapters are in `edge.mail`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class MailRefused(Exception):
    """The mail will never be sent like this; ``code`` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class MailUnavailable(Exception):
    """Nothing was sent; a later try may succeed."""


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail to one reader. ``key`` names the occasion: the same for each try."""

    key: str
    to: str
    subject: str
    text: str


class Mailer(Protocol):
    """Sends mail from the deployment's own address."""

    def send(self, mail: Mail) -> None:
        """Hand the mail over to whoever sends it.

        Raises:
            MailRefused, MailUnavailable: nothing was sent.
        """
