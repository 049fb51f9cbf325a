"""Sending a run's result to where its agent's owner wants it, a few tries each, and saying what became of it.

Delivered at least once: a server or reader may see a result twice, under the same key. Posting into the
conversation is `conversation.posting`'s business.
"""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from agent.agents import Channel
from agent.places import SENDABLE, Place
from agent.runs import DeliveryOutcome, DeliveryStatus
from conversation.clock import Clock, Deadline
from conversation.mailing import Mail, Mailer, MailRefused, MailUnavailable
from tools.outbound import Outbound, OutboundRefused

LOG = logging.getLogger("omniforge.runs")

MAX_TRIES = 3
PAUSES_S = (0.5, 2.0)
SEND_TIMEOUT_S = 5.0
MAX_ANSWER_BYTES = 64 * 1024
MAX_SLACK_CHARACTERS = 30_000

_COME_AGAIN = frozenset({408, 425, 429})
_PASSING = frozenset({"timeout", "unreachable"})


@dataclass(frozen=True, slots=True)
class Parcel:
    """What is delivered: the result for people, and as a value for programs. ``key`` is the run's id."""

    key: str
    title: str
    text: str
    value: Mapping[str, JsonValue]


class _Failed(Exception):
    def __init__(self, code: str, *, again: bool) -> None:
        super().__init__(code)
        self.code = code
        self.again = again


class Deliverer:
    """Sends results; safe to use from several threads. Without a mailer no mail is sent, and it says so."""

    def __init__(self, *, outbound: Outbound, mailer: Mailer | None, clock: Clock) -> None:
        self._outbound = outbound
        self._mailer = mailer
        self._clock = clock

    def deliver(self, place: Place, parcel: Parcel, deadline: Deadline) -> DeliveryOutcome:
        """What became of the parcel on its way to this place, after at most three tries within the
        deadline."""
        send = self._way(place, parcel)
        if send is None:
            return _outcome(place, DeliveryStatus.NOT_SUPPORTED, 0, "not_supported")
        if not place.address:
            return _outcome(place, DeliveryStatus.NO_ADDRESS, 0, "no_address")
        tries, reason = 0, "out_of_time"
        while tries < MAX_TRIES and deadline.remaining() > 0:
            tries += 1
            try:
                send()
            except _Failed as failed:
                reason = failed.code
                if not failed.again:
                    break
            else:
                return _outcome(place, DeliveryStatus.DELIVERED, tries)
            if tries < MAX_TRIES:
                self._pause(PAUSES_S[tries - 1], deadline)
        LOG.warning("result not delivered", extra={"channel": place.channel.value, "reason": reason})
        return _outcome(place, DeliveryStatus.FAILED, tries, reason)

    def _way(self, place: Place, parcel: Parcel) -> Callable[[], None] | None:
        if place.channel not in SENDABLE:
            return None
        if place.channel is Channel.EMAIL:
            mailer = self._mailer
            return None if mailer is None else lambda: _mailed(mailer, place, parcel)
        body = _slack_body(parcel) if place.channel is Channel.SLACK else parcel.value
        return lambda: self._post(place.address, body, parcel.key)

    def _post(self, url: str, body: Mapping[str, JsonValue], key: str) -> None:
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        raw = json.dumps(dict(body), ensure_ascii=False).encode()
        try:
            answer = self._outbound.post(
                url, raw, headers, timeout_s=SEND_TIMEOUT_S, max_bytes=MAX_ANSWER_BYTES
            )
        except OutboundRefused as refused:
            raise _Failed(refused.code, again=refused.code in _PASSING) from None
        if answer.method != "POST":
            raise _Failed("redirected", again=False)
        if not 200 <= answer.status < 300:
            again = answer.status in _COME_AGAIN or answer.status >= 500
            raise _Failed(f"http_{answer.status}", again=again)

    def _pause(self, seconds: float, deadline: Deadline) -> None:
        self._clock.sleep(max(0.0, min(seconds * random.uniform(0.5, 1.0), deadline.remaining())))


def _mailed(mailer: Mailer, place: Place, parcel: Parcel) -> None:
    try:
        mailer.send(Mail(parcel.key, place.address, parcel.title, parcel.text))
    except MailRefused as refused:
        raise _Failed(refused.code, again=False) from None
    except MailUnavailable:
        raise _Failed("mail_unavailable", again=True) from None


def _slack_body(parcel: Parcel) -> dict[str, JsonValue]:
    text = f"*{_plain(parcel.title)}*\n{_plain(parcel.text)}"
    return {"text": text[:MAX_SLACK_CHARACTERS]}


def _plain(text: str) -> str:
    """Without what Slack reads as markup. Source: "Formatting text for app surfaces", escaping."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _outcome(place: Place, status: DeliveryStatus, tries: int, reason: str = "") -> DeliveryOutcome:
    return DeliveryOutcome(
        channel=place.channel, target=place.address, status=status, tries=tries, reason=reason
    )
