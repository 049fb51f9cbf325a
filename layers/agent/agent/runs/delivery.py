"""Delivery of a run's result: sent to the agent's delivery targets, then posted into its conversation.

Each step is stored with the run at once, so that an execution resumed after a crash repeats as little as
possible.
"""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pydantic import JsonValue

from agent.connections.posting_links import PostingLinks
from agent.mail_recipients import MailRecipients, verification_mail
from agent.runs import prompt
from agent.runs.claims import Claim, Notices, RunClaims
from agent.runs.skill_tools import Secrets
from agent.templates.agent_texts import moment_text
from agent.templates.held_call_texts import ask_for_approval
from agent.workspace.agents import Agent, summary_line
from agent.workspace.consents import is_colleagues, may_send_to
from agent.workspace.delivery_targets import (
    SENDABLE_CHANNELS,
    AllowedTargets,
    Channel,
    DeliveryTarget,
    targets_of,
)
from agent.workspace.roster import Roster
from agent.workspace.runs import (
    NOT_VERIFIED,
    TARGET_NOT_ALLOWED,
    DeliveryOutcome,
    DeliveryStatus,
    Run,
    RunOutcome,
    Trigger,
)
from conversation.clock import Clock, Deadline, to_text
from conversation.identity import Caller, derived_id
from conversation.mailer import Mail, Mailer, MailRejected, MailUnavailable
from conversation.turns.proactive_messages import LeaseWaitTimeout, ProactiveMessage, ProactiveMessages
from resilience.trace_context import trace_headers
from tools.outbound.client import OutboundClient
from tools.outbound.urls import OutboundError, parse_url
from tools.remote.webhook import signed_headers

LOG = logging.getLogger("omniforge.runs")

MAX_TRIES = 3
PAUSES_S = (0.5, 2.0)
SEND_TIMEOUT_S = 5.0
MAX_ANSWER_BYTES = 64 * 1024
MAX_SLACK_CHARACTERS = 30_000

_COME_AGAIN = frozenset({408, 425, 429})
_PASSING = frozenset({"timeout", "unreachable"})


@dataclass(frozen=True, slots=True)
class DeliveryPayload:
    """What is delivered: the result as text for people and as a value for programs. ``key`` is the run's
    id.
    """

    key: str
    title: str
    text: str
    value: Mapping[str, JsonValue]
    secret: str | None = None
    """What webhooks are signed with; None: they are not."""


class _Failed(Exception):
    def __init__(self, code: str, *, again: bool) -> None:
        super().__init__(code)
        self.code = code
        self.again = again


class Deliverer:
    """Sends results; safe to use from several threads. Without a mailer, mail ends as not supported."""

    def __init__(self, *, outbound: OutboundClient, mailer: Mailer | None, clock: Clock) -> None:
        self._outbound = outbound
        self._mailer = mailer
        self._clock = clock

    def deliver(self, place: DeliveryTarget, parcel: DeliveryPayload, deadline: Deadline) -> DeliveryOutcome:
        """The outcome of sending the parcel to this place, after at most three tries within the deadline."""
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

    def _way(self, place: DeliveryTarget, parcel: DeliveryPayload) -> Callable[[], None] | None:
        if place.channel not in SENDABLE_CHANNELS:
            return None
        if place.channel is Channel.EMAIL:
            mailer = self._mailer
            return None if mailer is None else lambda: _mailed(mailer, place, parcel)
        if place.channel is Channel.SLACK:
            return lambda: self._post(place.address, _slack_body(parcel), parcel.key)
        return lambda: self._post(place.address, parcel.value, parcel.key, secret=parcel.secret)

    def _post(self, url: str, body: Mapping[str, JsonValue], key: str, *, secret: str | None = None) -> None:
        headers = {"Content-Type": "application/json", "Idempotency-Key": key, **trace_headers()}
        raw = json.dumps(dict(body), ensure_ascii=False).encode()
        if secret is not None:
            headers |= signed_headers(secret, raw, self._clock.now())
        try:
            # A redirect to another host would pass by what the tenant allows.
            answer = self._outbound.post(
                url,
                raw,
                headers,
                timeout_s=SEND_TIMEOUT_S,
                max_bytes=MAX_ANSWER_BYTES,
                hosts=(parse_url(url).host,),
            )
        except OutboundError as refused:
            raise _Failed(refused.code, again=refused.code in _PASSING) from None
        if answer.method != "POST":
            raise _Failed("redirected", again=False)
        if not 200 <= answer.status < 300:
            again = answer.status in _COME_AGAIN or answer.status >= 500
            raise _Failed(f"http_{answer.status}", again=again)

    def _pause(self, seconds: float, deadline: Deadline) -> None:
        self._clock.sleep(max(0.0, min(seconds * random.uniform(0.5, 1.0), deadline.remaining())))


def _mailed(mailer: Mailer, place: DeliveryTarget, parcel: DeliveryPayload) -> None:
    try:
        mailer.send(Mail(parcel.key, place.address, parcel.title, parcel.text))
    except MailRejected as refused:
        raise _Failed(refused.code, again=False) from None
    except MailUnavailable:
        raise _Failed("mail_unavailable", again=True) from None


def _slack_body(parcel: DeliveryPayload) -> dict[str, JsonValue]:
    text = f"*{_plain(parcel.title)}*\n{_plain(parcel.text)}"
    return {"text": text[:MAX_SLACK_CHARACTERS]}


def _plain(text: str) -> str:
    """The text with Slack's markup characters escaped. Source: "Formatting text for app surfaces",
    escaping.
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _outcome(place: DeliveryTarget, status: DeliveryStatus, tries: int, reason: str = "") -> DeliveryOutcome:
    return DeliveryOutcome(
        channel=place.channel, target=place.address, status=status, tries=tries, reason=reason
    )


SIGNING_KEY_NAME = "results"
"""The name of the tenant's secret that results for webhooks are signed with."""
POST_WITHIN_S = 15.0
MAX_TITLE = 200
MAX_RESULT_CONVERSATIONS = 20
"""How many of an agent's conversations may have expired while that is still remembered."""


class ResultHandover:
    """Delivers and posts the results of runs; safe to use from several threads."""

    def __init__(
        self,
        *,
        claims: RunClaims,
        notices: Notices,
        deliverer: Deliverer,
        poster: ProactiveMessages,
        clock: Clock,
        delivery_hosts: Sequence[str] = (),
        secrets: Secrets | None = None,
        recipients: MailRecipients | None = None,
        links: PostingLinks | None = None,
    ) -> None:
        """``delivery_hosts``: where the deployment lets every tenant send results.
        ``secrets`` None: nothing is signed. ``recipients`` None: no recipient can confirm. ``links`` None: no
        sealed link can be opened.
        """
        self._links = links
        self._recipients = recipients
        self._secrets = secrets
        self._delivery_hosts = tuple(delivery_hosts)
        self._claims = claims
        self._notices = notices
        self._deliverer = deliverer
        self._poster = poster
        self._clock = clock

    def hand_over(self, claim: Claim, agent: Agent | None, roster: Roster, deadline: Deadline) -> None:
        """Send and post the run's result, except for what was done before. A cancelled run is neither sent
        nor posted, nor is a check that found no change. Why a schedule can't have its agent work is posted
        once, until the reason changes.

        Raises:
            ClaimLost: another worker continues the run.
        """
        outcome = claim.run.outcome
        if outcome is None or outcome.code == "cancelled":
            return
        if claim.run.trigger is not Trigger.SCHEDULE or agent is None:
            self._send_and_post(claim, agent, roster, outcome, deadline)
            return
        told = self._notices.read(claim.tenant, agent.id)
        reason = outcome.code if outcome.code in prompt.STANDING_OUTCOMES else ""
        if reason and reason == told:
            self._claims.store_deliveries(claim, [_here(DeliveryStatus.NOT_REPEATED, reason)])
            return
        self._send_and_post(claim, agent, roster, outcome, deadline)
        if reason != told:
            self._notices.store(claim.tenant, agent.id, reason)

    def _send_and_post(
        self, claim: Claim, agent: Agent | None, roster: Roster, outcome: RunOutcome, deadline: Deadline
    ) -> None:
        if outcome.code == "no_change":
            return
        run = claim.run
        done = list(run.deliveries)
        # An approved call is not the agent's work: only the conversation in which it was approved is told.
        if agent is not None and outcome.code == "done" and run.approved_call is None:
            for place in _targets(run, agent):
                if not _is_among(place, done):
                    done.append(self._sent(place, claim, agent, roster, outcome, deadline))
                    self._claims.store_deliveries(claim, done)
        if not _is_among(_HERE, done):
            posted = self._posted(claim, agent, roster, done, deadline)
            if posted is not None:
                self._claims.store_deliveries(claim, [*done, posted])

    def _sent(
        self,
        place: DeliveryTarget,
        claim: Claim,
        agent: Agent,
        roster: Roster,
        outcome: RunOutcome,
        deadline: Deadline,
    ) -> DeliveryOutcome:
        run = claim.run
        if not may_send_to(place, run, agent):
            return _outcome(place, DeliveryStatus.NOT_ALLOWED, 0, "not_allowed")
        # The policy, or the agent, may be older than the other's last change.
        user = run.user if place.address == run.user else agent.owner
        allowed = AllowedTargets.of(roster.record.policy, user, self._delivery_hosts)
        if self._recipients is not None and allowed.needs_verification(place.address):
            owner = Caller(claim.tenant, agent.owner)
            if not self._recipients.is_verified(owner, place.address):
                return self._ask_recipient(self._recipients, owner, place, roster, deadline)
        elif not allowed.allows(place.address):
            return _outcome(place, DeliveryStatus.FAILED, 0, TARGET_NOT_ALLOWED)
        parcel = _parcel(claim, agent, outcome, self._clock.now())
        if place.channel is Channel.WEBHOOK and self._secrets is not None:
            parcel = replace(parcel, secret=self._secrets.get(claim.tenant, SIGNING_KEY_NAME))
        address = (
            self._links.opened(claim.tenant, agent.owner, place.address) if self._links else place.address
        )
        if address is None:
            return _outcome(place, DeliveryStatus.NO_ADDRESS, 0, "no_address")
        sent = self._deliverer.deliver(place._replace(address=address), parcel, deadline)
        return sent.model_copy(update={"target": place.address})

    def _ask_recipient(
        self,
        recipients: MailRecipients,
        owner: Caller,
        place: DeliveryTarget,
        roster: Roster,
        deadline: Deadline,
    ) -> DeliveryOutcome:
        """Mail the recipient a code, unless that was done lately; the result is not sent."""
        question = recipients.question(owner, place.address)
        if question is not None:
            mail = verification_mail(
                question, user=owner.user, workspace=roster.record.name or roster.record.tenant
            )
            parcel = DeliveryPayload(mail.key, mail.subject, mail.text, {})
            asked = self._deliverer.deliver(place, parcel, deadline)
            if asked.status is not DeliveryStatus.DELIVERED:
                return asked
            recipients.record_asked(owner, question)
        return _outcome(place, DeliveryStatus.UNVERIFIED, 0, NOT_VERIFIED)

    def _posted(
        self,
        claim: Claim,
        agent: Agent | None,
        roster: Roster,
        done: Sequence[DeliveryOutcome],
        deadline: Deadline,
    ) -> DeliveryOutcome | None:
        """Post the result into its conversation; None when it belongs to none."""
        run = claim.run
        when = moment_text(self._clock.now(), prompt.agent_time_zone(agent, roster.record.policy))
        undelivered = [delivery for delivery in done if delivery.status is not DeliveryStatus.DELIVERED]
        is_own = agent is None or not is_colleagues(run, agent)
        post = ProactiveMessage(
            run.id,
            prompt.render_result(
                run,
                undelivered,
                when,
                is_check=agent is not None and agent.check is not None,
                is_own=is_own,
            ),
            prompt.result_note(run, undelivered, is_own=is_own),
            prompt.result_metadata(run),
            question=ask_for_approval(run.held_calls[0]) if run.held_calls else "",
        )
        within = Deadline.after(self._clock, max(0.0, min(POST_WITHIN_S, deadline.remaining())))
        outcome = None
        for conversation_id in self._homes(claim, agent, roster):
            try:
                if self._poster.post(claim.tenant, conversation_id, post, within):
                    return _here(DeliveryStatus.DELIVERED)
            except LeaseWaitTimeout:
                return _here(DeliveryStatus.FAILED, "conversation_busy")
            outcome = _here(DeliveryStatus.FAILED, "conversation_gone")
        return outcome

    def _homes(self, claim: Claim, agent: Agent | None, roster: Roster) -> Iterator[str]:
        """Yield the conversations to try: the one in which the result was requested, then the agent's own."""
        run = claim.run
        if run.conversation_id is not None:
            yield run.conversation_id
        # Who is to approve a call has to hear of it.
        is_wanted = agent is not None and (
            Channel.CONVERSATION in agent.delivery.channels
            or is_colleagues(run, agent)
            or bool(run.held_calls)
        )
        if agent is None or not is_wanted:
            return
        days = roster.record.policy.retention_days
        owner = Caller(claim.tenant, run.user)
        # An agent that seldom runs may find that its previous conversations have expired.
        for number in range(MAX_RESULT_CONVERSATIONS):
            own = derived_id("results", claim.tenant, run.user, agent.id, *([str(number)] if number else []))
            if self._poster.ensure_conversation(owner, own, title=agent.name, retention_days=days):
                yield own
                return


def _targets(run: Run, agent: Agent) -> Iterator[DeliveryTarget]:
    """Yield the targets outside the conversation. Without named recipients, mail goes to the run's user.

    A channel without an address is only the owner's to complete, so it is not reported to a colleague.
    """
    for place in targets_of(agent.delivery, run.user):
        if place.channel is not Channel.CONVERSATION and (place.address or not is_colleagues(run, agent)):
            yield place


_HERE = DeliveryTarget(Channel.CONVERSATION, "")


def _is_among(place: DeliveryTarget, done: Sequence[DeliveryOutcome]) -> bool:
    return any((delivery.channel, delivery.target) == place for delivery in done)


def _here(status: DeliveryStatus, reason: str = "") -> DeliveryOutcome:
    return DeliveryOutcome(channel=Channel.CONVERSATION, status=status, tries=1, reason=reason)


def _parcel(claim: Claim, agent: Agent, outcome: RunOutcome, now: datetime) -> DeliveryPayload:
    run = claim.run
    value: dict[str, JsonValue] = {
        "run_id": run.id,
        "agent": {"id": agent.id, "name": agent.name},
        "trigger": run.trigger.value,
        "scheduled_at": to_text(run.scheduled_at) if run.scheduled_at else None,
        "parameters": dict(run.parameters),
        "outcome": outcome.code,
        "output": run.output,
        "sent_at": to_text(now),
    }
    return DeliveryPayload(run.id, f"{agent.name}: {summary_line(agent)}"[:MAX_TITLE], run.output, value)
