"""Where results go, read from words: channels and addresses, in place of or besides what is there."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from agent.connections.posting_links import is_reference
from agent.dialogue import texts
from agent.workspace.delivery_targets import Channel, Delivery, is_mail_address, is_url
from intent.acts.act import Act, Span
from intent.acts.clauses import Clause
from intent.acts.kept_places import kept_places
from intent.acts.lexicon import AUXILIARIES, CORRECTIONS, LEADS, verb_forms
from intent.acts.places import names_speaker, says_only_places
from intent.acts.polarity import is_turned_down
from intent.acts.tokens import Token, tokenise

_HERE = frozenset({"here", "chat", "conversation", "thread"})
_CHANNELS = {
    "slack": Channel.SLACK, "teams": Channel.TEAMS, "email": Channel.EMAIL, "mail": Channel.EMAIL,
    "e-mail": Channel.EMAIL, "mailed": Channel.EMAIL, "emailed": Channel.EMAIL, "mails": Channel.EMAIL,
    "emails": Channel.EMAIL, "inbox": Channel.EMAIL, "mailbox": Channel.EMAIL, "webhook": Channel.WEBHOOK,
}  # fmt: skip


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


def link_remarks(new: Delivery, old: Delivery | None = None) -> tuple[str, ...]:
    """Return what is to be said of the sealed links that a delivery has, and an older one had not."""
    known = old.recipients if old else ()
    is_given = any(is_reference(one) for one in new.recipients if one not in known)
    return (texts.link_kept(),) if is_given else ()


def lacks_own_address(old: Delivery, act: Act, owner: str) -> bool:
    """Return whether an act adds the owner, whose address isn't known, to other people who get mail."""
    others = any(map(is_mail_address, old.recipients))
    return others and act.adds and not is_mail_address(owner) and _names_owner_only(act)


def _names_owner_only(act: Act) -> bool:
    tokens = tokenise(act.clause.text)
    if not names_speaker(tokens) or not says_only_places(Clause(act.clause.text, tokens)):
        return False
    return not any(_is_place(token) and token.word not in _MAILING for token in tokens)


_MAILING = frozenset({"mail", "email", "e-mail"})


def changed_delivery(
    old: Delivery, act: Act, owner: str, *, said: tuple[str, str] = ("", "")
) -> Delivery | None:
    """Return the delivery after an act; None when the act says nothing of it.

    What is wanted takes the place of what was, unless the act adds it or names what alone it replaces.
    ``said`` are the user's previous message and the one that the act is a part of.
    """
    if _names_owner_only(act) and any(map(is_mail_address, old.recipients)):
        own = Delivery(channels=(Channel.EMAIL,), recipients=(owner,) if is_mail_address(owner) else ())
        return _joined(old, own) if act.adds else own
    gone = _turned_down(act)
    words = act.slot("where")
    found = read_delivery(_without_old(words, act.slot("old"))) if words else None
    if found is not None and not act.adds and (told := read_delivery(", ".join(_told_of(act, old)))):
        found = _without(found, told) or found
    if found is not None and act.removes and _is_part(found, old):
        found, gone = None, gone or found
    stays = _kept_in(act, old)
    if found is not None and stays is not None:
        found = _joined(stays, found)
        gone = None if gone is None else _without(gone, stays)
    kept = _without(old, gone) if gone is not None else old
    if found is None:
        return None if kept is old or not act.removes else kept or Delivery()
    if act.adds:
        return _joined(kept, found)
    if not found.recipients and set(found.channels) <= set(old.channels):
        return _only_by(old, found.channels)
    if (others := _beside_corrected(act, found, old, said)) is not None:
        return _joined(others, found)
    is_one_of_several = gone is not None and bool(gone.recipients) and kept is not old
    return _joined(kept, found) if is_one_of_several else found


def _beside_corrected(act: Act, found: Delivery, old: Delivery, said: tuple[str, str]) -> Delivery | None:
    """Return the present places without the one address that an act corrects: the one that was just given, or
    that is spelled most alike (``sorry, she is rachael@b.co``); None where it corrects none of several.
    """
    before, message = said
    told = tokenise(message or act.clause.text)
    words = {token.word for token in told}
    corrects = bool(words & _MISSPELT) or any(one.word in CORRECTIONS for one in told[:_OPENING])
    if len(old.recipients) < 2 or len(found.recipients) != 1 or not corrects or words & _WHOLLY:
        return None
    new = found.recipients[0]
    given = {token.text for token in tokenise(before)}
    wrong = [one for one in old.recipients if one in given] or _most_alike(new, old.recipients)
    if len(wrong) != 1 or new in old.recipients:
        return None
    return Delivery(
        channels=old.channels, recipients=tuple(one for one in old.recipients if one not in wrong)
    )


def _most_alike(new: str, recipients: Sequence[str]) -> list[str]:
    """Return the addresses that are spelled like a new one: the part before the ``@`` tells people apart."""
    return [
        one for one in recipients
        if SequenceMatcher(None, one.partition("@")[0], new.partition("@")[0]).ratio() >= _ALIKE
    ]  # fmt: skip


_OPENING = 3
_WHOLLY = frozenset({"only", "just", "instead", "nobody", "everyone"})
_MISSPELT = frozenset("wrong misspelt misspelled spelt spelled typo mistyped correctly meant mean".split())
_ALIKE = 0.6


def _told_of(act: Act, old: Delivery) -> tuple[str, ...]:
    """Return the present addresses that an act only tells of, before it names another one: ``it goes to
    a@b.co and nobody reads that, send it to c@b.co``.
    """
    tokens = tokenise(act.clause.text)
    places = [at for at, token in enumerate(tokens) if is_mail_address(token.text) or token.text[0] == "#"]
    if not places or tokens[places[-1]].text in old.recipients:
        return ()
    first = next((at for at in places if tokens[at].text not in old.recipients), 0)
    known = [at for at in places if at < first]
    if not known:
        return ()
    before = [token.word for token in tokens[: known[0]] if token.is_word]
    between = tokens[known[-1] + 1 : first]
    is_told = (
        not _ASKING & set(before)
        and not _is_command(before)
        and not _KEEPING & {token.word for token in tokens}
    )
    is_apart = any(token.text in _ENDS or _is_verb(token.word) for token in between)
    return tuple(tokens[at].text for at in known) if is_told and is_apart else ()


def _kept_in(act: Act, old: Delivery) -> Delivery | None:
    """Return the present places that an act says shall stay: ``keep it at a@b.co and send it to c@b.co``."""
    stays = read_delivery(", ".join(token.text for token in kept_places(tokenise(act.clause.text))))
    if stays is None or not _is_part(stays, old):
        return None
    return stays if stays.recipients else _only_by(old, stays.channels)


def _is_command(words: Sequence[str]) -> bool:
    first = next((word for word in words if word not in LEADS), "")
    form = verb_forms().get(first)
    return form is not None and form.is_base


def _is_verb(word: str) -> bool:
    return word in AUXILIARIES or word in verb_forms()


_ASKING = frozenset("can could would should shall will want need let like must please".split())
_KEEPING = frozenset("keep keeps keeping leave leaves both besides beside continue too also".split())
_ENDS = frozenset(".;!?")


def _only_by(old: Delivery, channels: Sequence[Channel]) -> Delivery:
    """Return the delivery by those of its channels alone, with the addresses that it has there."""
    recipients = tuple(one for one in old.recipients if _channel_of(one) in channels)
    is_elsewhere = old.recipients and not recipients
    return old if is_elsewhere else Delivery(channels=tuple(channels), recipients=recipients)


def _turned_down(act: Act) -> Delivery | None:
    """Return the places that the words of an act turn down; None when they turn none down."""
    text = act.clause.text
    tokens = tokenise(text)
    if not tokens:
        return None
    clause = Clause(text, tokens)
    spans = [Span(token.text, token.start, token.end) for token in tokens if _is_place(token)]
    refused = [one.text for one in spans if is_turned_down(clause, one)]
    return read_delivery(", ".join(refused)) if refused else None


def _is_place(token: Token) -> bool:
    return (
        token.word in _CHANNELS or token.text[0] == "#" or is_mail_address(token.text) or is_url(token.text)
    )


def _is_part(places: Delivery, of: Delivery) -> bool:
    if places.recipients:
        return set(places.recipients) <= set(of.recipients)
    return set(places.channels) <= set(of.channels)


def _joined(one: Delivery | None, other: Delivery) -> Delivery:
    if one is None:
        return other
    return Delivery(
        channels=tuple(dict.fromkeys((*one.channels, *other.channels))),
        recipients=tuple(dict.fromkeys((*one.recipients, *other.recipients))),
    )


def _without_old(words: str, old: str) -> str:
    """Return the words up to ``instead of`` and without what is replaced."""
    for mark in ("instead of", "rather than", "and not", "not ", "no longer"):
        before, found, _ = words.partition(mark)
        if found and before.strip():
            return before
    return words.replace(old, " ") if old else words


def _without(old: Delivery, gone: Delivery) -> Delivery | None:
    """Return the places without those that are gone: an address, or a channel with all its addresses.

    The same object when none of them is; None when all of them are.
    """
    if not _is_part(gone, old):
        return old
    recipients = tuple(one for one in old.recipients if one not in gone.recipients)
    channels = old.channels
    if not gone.recipients:
        recipients = tuple(one for one in recipients if _channel_of(one) not in gone.channels)
        channels = tuple(one for one in channels if one not in gone.channels)
    elif old.recipients and not any(_channel_of(one) in gone.channels for one in recipients):
        channels = tuple(one for one in channels if one not in gone.channels)
    return Delivery(channels=channels, recipients=recipients) if channels else None


def _channel_of(recipient: str) -> Channel:
    return (read_delivery(recipient) or Delivery()).channels[0]
