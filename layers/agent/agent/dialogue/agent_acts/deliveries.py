"""Where results go, read from words: channels and addresses, in place of or besides what is there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent.workspace.delivery_targets import Channel, Delivery, is_mail_address, is_url
from intent.acts.act import Act
from intent.acts.tokens import Token, tokenise
from intent.regular_expressions import lower_pattern

_ON_REQUEST = lower_pattern(
    r"\b(?:no schedule|without (?:a )?schedule|(?:only|just) when (?:i|we) (?:ask|say|tell|run|need)"
    r"|(?:only|just) on (?:request|demand)|on demand|i'?ll run it|never by itself"
    r"|not automatically|no fixed time|when(?:ever)? i ask|(?:only )?when i need it|ad hoc)\b"
)
_BY_HAND = lower_pattern(r"\b(?:by hand|manually)\b")
_HERE = frozenset({"here", "chat", "conversation", "thread"})
_CHANNELS = {
    "slack": Channel.SLACK, "teams": Channel.TEAMS, "email": Channel.EMAIL, "mail": Channel.EMAIL,
    "e-mail": Channel.EMAIL, "mailed": Channel.EMAIL, "emailed": Channel.EMAIL, "mails": Channel.EMAIL,
    "emails": Channel.EMAIL, "inbox": Channel.EMAIL, "mailbox": Channel.EMAIL, "sms": Channel.SMS,
    "text": Channel.SMS, "webhook": Channel.WEBHOOK,
}  # fmt: skip


def is_on_request(words: str, *, is_answer: bool = True) -> bool:
    """Return whether the words say that an agent works only when asked.

    Without ``is_answer`` they ask for it: ``we do it by hand`` then tells how it is done today.
    """
    return _ON_REQUEST.search(words) is not None or (is_answer and _BY_HAND.search(words) is not None)


def read_delivery(words: str) -> Delivery | None:
    """Return where results shall go; None when the words name no place."""
    channels: list[Channel] = []
    recipients: list[str] = []
    tokens = tokenise(words)
    for place, token in enumerate(tokens):
        if is_mail_address(token.text):
            recipients.append(token.text)
            channels.append(Channel.EMAIL)
        elif is_url(token.text):
            recipients.append(token.text)
            channels.append(Channel.SLACK if "slack" in token.text else Channel.WEBHOOK)
        elif token.text.startswith("#") and not token.text[1:].isdigit():
            recipients.append(token.text)
        elif token.word in _CHANNELS and not _is_reason(tokens, place):
            channels.append(_CHANNELS[token.word])
        elif token.word in _HERE:
            channels.append(Channel.CONVERSATION)
    recipients = [one for one in recipients if one not in _refused(words)]
    has_room = any(recipient.startswith("#") for recipient in recipients)
    if has_room and not {Channel.SLACK, Channel.TEAMS} & set(channels):
        channels.append(Channel.SLACK)
    if Channel.SMS in channels and has_room:
        channels.remove(Channel.SMS)
    if not channels:
        return None
    return Delivery(channels=tuple(dict.fromkeys(channels)), recipients=tuple(dict.fromkeys(recipients)))


def _refused(words: str) -> frozenset[str]:
    """Return the addresses that words turn down: ``#bug-triage, not #bugs``."""
    tokens = tokenise(words)
    return frozenset(
        token.text
        for before, token in pairwise(tokens)
        if before.word == "not" and (token.text[0] == "#" or "@" in token.text)
    )


def _is_reason(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a mailbox is spoken of but nothing is to go there: ``my mailbox is overflowing``."""
    before = {token.word for token in tokens[max(0, place - 2) : place]}
    return (
        tokens[place].word in {"mailbox", "inbox"}
        and not before & {"to", "in", "into", "by", "via"}
        and place > 1
    )


def changed_delivery(old: Delivery, act: Act) -> Delivery | None:
    """Return the delivery after an act; None when the act says nothing of it."""
    words = act.slot("where")
    found = read_delivery(_without_old(words, act.slot("old"))) if words else None
    if found is None:
        return None
    if act.removes:
        return _without(old, found)
    if act.adds:
        return Delivery(
            channels=tuple(dict.fromkeys((*old.channels, *found.channels))),
            recipients=tuple(dict.fromkeys((*old.recipients, *found.recipients))),
        )
    return found


def _without_old(words: str, old: str) -> str:
    """Return the words up to ``instead of`` and without what is replaced."""
    for mark in ("instead of", "rather than", "and not", "not ", "no longer"):
        before, found, _ = words.partition(mark)
        if found and before.strip():
            return before
    return words.replace(old, " ") if old else words


def _without(old: Delivery, gone: Delivery) -> Delivery:
    recipients = tuple(one for one in old.recipients if one not in gone.recipients)
    channels = (
        tuple(one for one in old.channels if one not in gone.channels)
        if not gone.recipients
        else old.channels
    )
    return Delivery(channels=channels or (Channel.CONVERSATION,), recipients=recipients)
