"""The phrases by which a message gives a name to an agent, new or present, each with its place.

One list of forms serves making, renaming and copying: ``an agent called X``, ``call it X``, ``its name should
be X``, ``X goes by Y``, ``X, that's the name I want``. Which act gets the name is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from re import Match

from intent.acts.act import Span, Thing
from intent.acts.naming import forms
from intent.acts.naming.extent import find_extent, is_name
from intent.acts.naming.labels import find_labels
from intent.acts.naming.name_edits import EDITS, Edit
from intent.acts.naming.said_message import SaidMessage
from intent.acts.naming.told_name import Form, ToldName
from intent.acts.respelled_names import respelled
from intent.acts.tokens import Token, tokenise
from intent.regular_expressions import MAX_CHARACTERS, lower

_MAY_GIVE = (
    *("name", "call", "dub", "title", "label", "->", "=>", "\u2192", "becom", "christen", " by ", " is now "),
    *("known as", "copy", "clone", "duplicat", "twin"),
)
"""Pieces without one of which no form gives a name."""
_MARKS = " .,;:!?)(\n\u2013\u2014-"
_MOST_WORDS = 5
_BEFORE_NAME = frozenset(
    "with use take put just only say maybe pick choose think want like about having".split()
)
_NOT_BEFORE = frozenset(
    "that this it which what who when where why how here the i we you and he she they there same".split()
)


def find_told_names(message: str, agents: Sequence[Thing]) -> list[ToldName]:
    """Return the names that a message gives, in order, none within another.

    Of a text that is longer than a request none are read: it is pasted, or a brief.
    """
    if len(message) > MAX_CHARACTERS:
        return []
    labels = find_labels(message, tokenise(message))
    small = lower(message)
    if not any(piece in small for piece in _MAY_GIVE):
        return labels
    said = SaidMessage.of(message, agents)
    told = [*_all_told(said), *labels]
    of_new = {one.name for one in told if one.form is Form.NEW}
    told = [one for one in told if one.form is not Form.CHANGED or one.name not in of_new]
    found: list[ToldName] = []
    for one in sorted(told, key=lambda one: (one.name.start, one.start, -one.end)):
        since = found[-1].end if found else 0
        if one.name.start >= since:
            found.append(one._replace(start=max(one.start, since)))
    return [*found[:-1], *(_as_respelled(one, said) for one in found[-1:])]


def _as_respelled(told: ToldName, said: SaidMessage) -> ToldName:
    """Return the last name of a message, as what follows spells it anew: ``name it old-tikets. old-tickets I
    mean``.
    """
    behind = [one for one in said.tokens if one.start >= told.end]
    name = respelled(behind, told.name.text) if told.edit is Edit.WHOLE else None
    return told if name is None else told._replace(name=name, end=behind[-1].end)


def _all_told(said: SaidMessage) -> Iterator[ToldName]:
    given = [
        told
        for form, pattern in forms.FORMS
        for match in pattern.finditer(said.text)
        for told in _told_behind(said, form, match)
    ]
    yield from given
    names_new = any(told.form is Form.NEW for told in given)  # ``called rent-watch. It should read Buildium``
    for match in forms.CHANGES.finditer(said.text):
        if not names_new and said.speaks_of_name(match.start()):
            yield from _told_behind(said, Form.CHANGED, match)
    for match in forms.PREFERRED.finditer(said.text):
        if said.speaks_of_name(match.start()):
            yield from _told_before(said, match)
    for match in forms.BEHIND.finditer(said.text):
        yield from _told_before(said, match)
    for edit, pattern in EDITS:
        for match in pattern.finditer(said.text):
            yield _told_edit(said, edit, match)


def _told_behind(said: SaidMessage, form: Form, match: Match[str]) -> Iterator[ToldName]:
    """Yield the name behind a phrase, and those of further agents that go on from there; none where the
    phrase only asks or denies.
    """
    told = _one_behind(said, form, match)
    if told is None:
        return
    yield told
    if told.owner is None:
        return
    if (following := forms.NEXT.match(said.text, told.end)) is not None:
        yield from _told_behind(said, Form.CHANGED, following)
    elif (following := forms.NEXT_BARE.match(said.text, told.end)) is not None:
        further = list(_told_behind(said, Form.CHANGED, following))
        is_other = bool(further) and further[0].owner != told.owner
        yield from further if is_other and _is_named(said, further[0]) else ()


def _is_named(said: SaidMessage, further: ToldName) -> bool:
    """Return whether an agent gets a name that stands right behind it: ``and report-2 payslips``."""
    is_noun = further.owner is not None and said.is_noun(further.name)
    return said.stands_out(further.name) or is_noun


def _one_behind(said: SaidMessage, form: Form, match: Match[str]) -> ToldName | None:
    group = next((at for at, words in enumerate(match.groups(), 1) if words), 0)
    subject = match[group] if group and form is not Form.NEW else ""
    begin = match.start(group) if form is Form.NEW else match.start()
    phrase = said.text[begin : match.end()]
    begin += len(phrase) - len(phrase.lstrip(_MARKS))
    if said.only_asks(begin):
        return None
    tokens = said.tokens_to_next(match.end())
    place = next((at for at, one in enumerate(tokens) if one.start >= match.end()), len(tokens))
    name = find_extent(said.message, tokens, place, is_last=form is not Form.NEW)
    if name is None or (subject in {"this", "that"} and not said.stands_out(name)):
        return None
    owner = None if form is Form.NEW else said.owner_in(*match.span())
    if owner is None and subject and forms.DESCRIBING.fullmatch(subject) is not None:
        owner, is_meant = said.described(*match.span(group))
        if not is_meant:
            return None
    start = begin if form is Form.NEW else said.with_lead(begin)
    start = said.with_complaint(start) if form in {Form.WISHED, Form.CHANGED} else start
    before = said.last_mentioned(min(start, said.sentence_start(begin)), begin)
    return ToldName(form, name, start, said.with_tail(name), owner, before)


def _told_before(said: SaidMessage, match: Match[str]) -> Iterator[ToldName]:
    """Yield the name before ``…, that's the name I want``: what a part of its sentence begins with."""
    sentence = said.sentence_start(match.start())
    own = [one for one in said.tokens if sentence <= one.start and one.end <= match.start()]
    cut = next((at for at in range(len(own), 0, -1) if _leads_to_name(own[at - 1])), 0)
    words = [one for one in own[cut:] if one.is_word]
    if not words or len(words) > _MOST_WORDS or not is_name([one.text for one in words]):
        return
    is_title = len(words) > 1 and all(one.text[0].isupper() for one in words)
    if not is_title and (words[0].word in _NOT_BEFORE or said.only_asks(sentence)):
        return
    name = Span(said.message[words[0].start : words[-1].end], words[0].start, words[-1].end)
    led = own[cut - 1] if cut and own[cut - 1].is_word else own[cut]
    start = said.with_complaint(said.with_lead(led.start))
    mentioned = said.last_mentioned(min(start, sentence), led.start)
    yield ToldName(Form.WISHED, name, start, match.end(), None, mentioned)


def _leads_to_name(token: Token) -> bool:
    return token.word in _BEFORE_NAME or token.text in {",", ":"}


def _told_edit(said: SaidMessage, edit: Edit, match: Match[str]) -> ToldName:
    """Return a change of a part of a name, with the reason that its sentence begins with."""
    sentence = said.sentence_start(match.start())
    is_reason = forms.DEEDS.search(said.text[sentence : match.start()]) is None
    start = sentence if is_reason else said.with_lead(match.start())
    words = Span(said.message[slice(*match.span("words"))], *match.span("words"))
    owner = said.owner_in(*match.span())
    mentioned = said.last_mentioned(sentence, match.start())
    return ToldName(Form.CHANGED, words, start, match.end(), owner, mentioned, edit=edit)
