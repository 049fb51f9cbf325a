"""Extracts the web addresses that results should go to, not those a message only mentions. Pure functions.

The rules for services and times would misread parts of an address. So each address is removed from the
message first and replaced by its channel.
"""

from __future__ import annotations

from typing import NamedTuple

from agent.wizard.answer_parsing import channels_in
from agent.workspace.delivery_targets import Channel, is_slack_url
from intent.regular_expressions import LazyPattern

MAX_URLS = 5
MAX_BARE_WORDS = 4

_URL = LazyPattern(r"https?://(?:\[[0-9a-f:.]+\])?[^\s,;<>\"'()\[\]]+")
_SENDING = LazyPattern(
    r"\b(posts?|sends?|delivers?|push(es)?|forwards?|publish(es)?|notif(y|ies)|alerts?|pings?|calls?"
    r"|reports? to|(web)?hooks?|slack|results?|output|goes? to|(and|also) to(?= https?://))\b",
)
_NAMED = LazyPattern(r"\b((web)?hook|slack)\W{0,3}((at|via|on|under|url|address)\W{1,3})*$")
_ENDS = ".,;:!?"


class DeliveryUrls(NamedTuple):
    """A message without its delivery addresses, those addresses, and the channels named along with them."""

    message: str
    urls: tuple[str, ...] = ()
    channels: tuple[Channel, ...] = ()


def extract_urls(message: str, *, is_answer: bool = False) -> DeliveryUrls:
    """Removes the delivery addresses from the message and returns both.

    With ``is_answer``, the message answers the question for them, so every address counts.
    """
    begin = _begin(message, is_answer=is_answer)
    if begin is None:
        return DeliveryUrls(message)
    found = [match for match in _URL.finditer(message) if match.start() >= begin][:MAX_URLS]
    if not found:
        return DeliveryUrls(message)
    pieces, urls, last = list[str](), list[str](), 0
    for match in found:
        url = match[0].rstrip(_ENDS)
        before = message[last : match.start()]
        pieces.append(before if _NAMED.search(before) else f"{before}a {_channel(url, message)}")
        urls.append(url)
        last = match.start() + len(url)
    text = "".join([*pieces, message[last:]])
    named = (*channels_in(text[begin:]), *(_channel(url, message) for url in urls))
    return DeliveryUrls(text, tuple(dict.fromkeys(urls)), tuple(dict.fromkeys(named)))


def _begin(message: str, *, is_answer: bool) -> int | None:
    """Returns the position from which addresses are meant for results; None: none are."""
    bare = _URL.replace_matches(message, replacement=" ").split()
    if is_answer or len(bare) <= MAX_BARE_WORDS:
        return 0
    sending = _SENDING.search(message)
    return None if sending is None else sending.start()


def _channel(url: str, message: str) -> Channel:
    """Returns Slack for Slack's own addresses, and for any address when the message names only Slack."""
    says_slack = channels_in(_URL.replace_matches(message, replacement=" ")) == (Channel.SLACK,)
    return Channel.SLACK if is_slack_url(url) or says_slack else Channel.WEBHOOK
