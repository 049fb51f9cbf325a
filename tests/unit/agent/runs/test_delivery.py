from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from agent.runs.delivery import Deliverer, DeliveryPayload
from agent.workspace.delivery_targets import Channel, DeliveryTarget
from agent.workspace.runs import DeliveryOutcome, DeliveryStatus
from conversation.clock import Deadline
from conversation.mailer import Mail, Mailer, MailRejected, MailUnavailable
from edge.adapters.mail import FolderMailer, SesMailer, open_mailer
from tests.fakes.http.servers import Site, answers_in_turn
from tests.fakes.run.clocks import ManualClock
from tools.outbound.client import OutboundClient

PARCEL = DeliveryPayload(
    "RUN1", "reporter: weekly <numbers>", "Sales & costs: 3 < 5", {"run_id": "RUN1", "output": "960"}
)
LOOPBACK = OutboundClient(allow_loopback=True)


class Post:
    """A mailer that fails as often as it is told."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.sent: list[Mail] = []

    def send(self, mail: Mail) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.sent.append(mail)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def receiver() -> Iterator[Site]:
    with Site(answers_in_turn()) as running:
        yield running


def deliver(
    place: DeliveryTarget,
    clock: ManualClock,
    *,
    outbound: OutboundClient = LOOPBACK,
    mailer: Mailer | None = None,
) -> DeliveryOutcome:
    deliverer = Deliverer(outbound=outbound, mailer=mailer, clock=clock)
    return deliverer.deliver(place, PARCEL, Deadline.after(clock, 60))


def test_a_webhook_gets_the_result_as_a_value_under_the_runs_key(clock: ManualClock, receiver: Site) -> None:
    outcome = deliver(DeliveryTarget(Channel.WEBHOOK, receiver.url("/hook")), clock)

    [sent] = receiver.requests
    assert (sent.path, sent.headers["idempotency-key"], sent.json) == ("/hook", "RUN1", PARCEL.value)
    assert (outcome.status, outcome.tries, outcome.reason) == (DeliveryStatus.DELIVERED, 1, "")


def test_a_receiver_in_trouble_is_tried_three_times_under_the_same_key(clock: ManualClock) -> None:
    with Site(answers_in_turn(503, 429, 200)) as receiver:
        outcome = deliver(DeliveryTarget(Channel.WEBHOOK, receiver.url()), clock)

    assert (outcome.status, outcome.tries) == (DeliveryStatus.DELIVERED, 3)
    assert {sent.headers["idempotency-key"] for sent in receiver.requests} == {"RUN1"}


def test_after_three_tries_it_is_given_up_and_said_why(clock: ManualClock) -> None:
    with Site(answers_in_turn(*[500] * 9)) as receiver:
        outcome = deliver(DeliveryTarget(Channel.WEBHOOK, receiver.url()), clock)

    assert (outcome.status, outcome.tries, outcome.reason) == (DeliveryStatus.FAILED, 3, "http_500")
    assert len(receiver.requests) == 3


def test_a_receiver_that_refuses_is_not_asked_again(clock: ManualClock) -> None:
    with Site(answers_in_turn(404)) as receiver:
        outcome = deliver(DeliveryTarget(Channel.WEBHOOK, receiver.url()), clock)

    assert (outcome.status, outcome.tries, outcome.reason) == (DeliveryStatus.FAILED, 1, "http_404")


def test_a_redirect_that_loses_the_result_is_no_delivery(clock: ManualClock, receiver: Site) -> None:
    with Site(answers_in_turn(302, location=receiver.url("/elsewhere"))) as first:
        outcome = deliver(DeliveryTarget(Channel.WEBHOOK, first.url()), clock)

    assert (outcome.status, outcome.reason) == (DeliveryStatus.FAILED, "redirected")


def test_a_redirect_to_a_private_address_is_refused(clock: ManualClock) -> None:
    with Site(answers_in_turn(307, location="http://169.254.169.254/latest/meta-data")) as receiver:
        outcome = deliver(DeliveryTarget(Channel.WEBHOOK, receiver.url()), clock)

    assert (outcome.status, outcome.tries, outcome.reason) == (DeliveryStatus.FAILED, 1, "url_blocked")


def test_a_redirect_to_another_host_is_refused(clock: ManualClock, receiver: Site) -> None:
    elsewhere = receiver.url("/elsewhere").replace("127.0.0.1", "localhost")
    with Site(answers_in_turn(307, location=elsewhere)) as first:
        outcome = deliver(DeliveryTarget(Channel.WEBHOOK, first.url()), clock)

    assert (outcome.status, outcome.reason) == (DeliveryStatus.FAILED, "url_blocked")
    assert receiver.requests == []


def test_outside_of_the_twin_nothing_is_sent_to_this_machine(clock: ManualClock, receiver: Site) -> None:
    strict = OutboundClient(allow_loopback=False)

    outcome = deliver(DeliveryTarget(Channel.WEBHOOK, receiver.url()), clock, outbound=strict)

    assert outcome.reason in ("url_blocked", "scheme_blocked")
    assert receiver.requests == []


def test_slack_gets_a_text_in_which_no_markup_is_left(clock: ManualClock, receiver: Site) -> None:
    deliver(DeliveryTarget(Channel.SLACK, receiver.url()), clock)

    [sent] = receiver.requests
    assert sent.json == {"text": "*reporter: weekly &lt;numbers&gt;*\nSales &amp; costs: 3 &lt; 5"}


@pytest.mark.parametrize(
    ("place", "status"),
    [
        (DeliveryTarget(Channel.SLACK, ""), DeliveryStatus.NO_ADDRESS),
        (DeliveryTarget(Channel.WEBHOOK, ""), DeliveryStatus.NO_ADDRESS),
        (DeliveryTarget(Channel.TEAMS, ""), DeliveryStatus.NOT_SUPPORTED),
        (DeliveryTarget(Channel.SMS, ""), DeliveryStatus.NOT_SUPPORTED),
        (DeliveryTarget(Channel.EMAIL, "maya@acme.com"), DeliveryStatus.NOT_SUPPORTED),
    ],
)
def test_what_can_not_be_sent_is_said_to_be_so(
    place: DeliveryTarget, status: DeliveryStatus, clock: ManualClock
) -> None:
    assert deliver(place, clock).status is status


def test_nothing_is_begun_behind_the_deadline(clock: ManualClock, receiver: Site) -> None:
    deliverer = Deliverer(outbound=LOOPBACK, mailer=None, clock=clock)

    outcome = deliverer.deliver(
        DeliveryTarget(Channel.WEBHOOK, receiver.url()), PARCEL, Deadline.after(clock, 0)
    )

    assert (outcome.status, outcome.reason, receiver.requests) == (DeliveryStatus.FAILED, "out_of_time", [])


def test_mail_is_tried_again_after_a_passing_fault_only(clock: ManualClock) -> None:
    place = DeliveryTarget(Channel.EMAIL, "maya@acme.com")
    passing, lasting = Post(MailUnavailable()), Post(MailRejected("mail_rejected"))

    delivered = deliver(place, clock, mailer=passing)
    refused = deliver(place, clock, mailer=lasting)

    assert (delivered.status, delivered.tries) == (DeliveryStatus.DELIVERED, 2)
    assert passing.sent == [Mail("RUN1", "maya@acme.com", PARCEL.title, PARCEL.text)]
    assert (refused.status, refused.tries, refused.reason) == (DeliveryStatus.FAILED, 1, "mail_rejected")


def test_the_twins_mail_is_a_file_that_a_second_sending_replaces(tmp_path: Path) -> None:
    mailer = FolderMailer(tmp_path / "mail")
    for text in ("first", "Grüße"):
        mailer.send(Mail("RUN1", "maya@acme.com", "Your résumé", text))

    [path] = (tmp_path / "mail").iterdir()
    message = message_from_bytes(path.read_bytes(), policy=default)
    assert (message["To"], message["Subject"], message["X-Run"]) == ("maya@acme.com", "Your résumé", "RUN1")
    assert message.get_content().strip() == "Grüße"


def test_a_subject_of_two_lines_makes_no_header_of_its_own(tmp_path: Path) -> None:
    mailer = FolderMailer(tmp_path)

    with pytest.raises(MailRejected):
        mailer.send(Mail("RUN1", "maya@acme.com", "Hello\nBcc: all@acme.com", "text"))


def test_a_setting_names_the_mailer() -> None:
    assert open_mailer(None) is None
    assert isinstance(open_mailer("file:///tmp/mail"), FolderMailer)
    assert isinstance(open_mailer("ses:robot@acme.com"), SesMailer)
