"""Requests for a new agent behind a greeting or a story: ``My aunt always said so. Every evening at 6 tell me
what is low``. What the sentences before the one that asks say, is no part of the job, the time or the name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise, takewhile

from agent.dialogue.agent_acts.request_parts import RequestPart, is_wish, parts_of
from agent.dialogue.agent_acts.source_words import find_place
from agent.workspace.delivery_targets import is_mail_address
from intent.acts.act import Act, Span
from intent.acts.lexicon import AGENT_NOUNS, LEADS, POINTERS, QUESTION_WORDS, verb_forms
from intent.acts.references import is_content
from intent.acts.request_frames import find_frames
from intent.acts.tokens import Token, tokenise
from intent.acts.told_jobs import chore_to_take_over
from intent.acts.told_problems import cleft_place
from intent.entities.services import find_services
from intent.regular_expressions import straighten_quotes
from intent.times.reader import read_times

_MOVED = ("job", "source", "when")
"""The slots that are read again where they reach into the preface."""


def without_preface(act: Act, *, now: datetime, zone: str) -> Act:
    """Return an act without the sentences before the one that asks, if that one says all by itself."""
    text, start = act.clause.text, act.clause.start
    if chore_to_take_over(text):
        return act
    tokens = tokenise(text)
    if cleft := cleft_place(tokens):
        return _from(act, start + tokens[cleft].start)
    parts = parts_of(text)
    for place in range(len(parts) - 1, 0, -1):
        part = parts[place]
        if _asks(text[part.start : part.end], now, zone):
            before = [text[one.start : one.end] for one in parts[:place]]
            is_told = any(_tells_part(one) for one in before)
            return act if is_told else _from(act, start + _behind_frame(text, part))
    return act


def _behind_frame(text: str, part: RequestPart) -> int:
    """Return where a sentence begins behind the words that make it polite: ``so could you``."""
    tokens = [token for token in tokenise(text) if part.start <= token.start < part.end]
    frame = next(find_frames(tokens), None)
    is_first = frame is not None and all(one.word in LEADS for one in tokens if one.start < frame.start)
    return frame.end if frame is not None and is_first else part.start


def _asks(sentence: str, now: datetime, zone: str) -> bool:
    """Return whether a sentence asks for a job again and again, and says which without pointing back."""
    times = [one for one in read_times(sentence, now=now, zone=zone) if one.is_recurring]
    tokens = tokenise(sentence)
    used = [span for one in times for span in one.spans]
    free = [one for one in tokens if not any(start <= one.start < end for start, end in used)]
    if not times or _has_one(free) or not (is_wish(sentence) or _commands(free)):
        return False
    told = takewhile(lambda token: token.word not in _POINTING, free)
    return any(
        is_content(token) and token.word not in QUESTION_WORDS and not _is_address(token) for token in told
    )


def _has_one(tokens: Sequence[Token]) -> bool:
    """Return whether words point back with ``have one``: ``tell me which residents have one``."""
    return any(verb.word in _HAVING and one.word == "one" for verb, one in pairwise(tokens))


_HAVING = frozenset("have has had got get gets need needs want wants miss misses missed".split())
_POINTING = POINTERS - {"that", "this", "one"}


def _commands(tokens: Sequence[Token]) -> bool:
    """Return whether words begin with an imperative."""
    first = next((token for token in tokens if token.is_word and token.word not in LEADS), None)
    form = verb_forms().get(first.word) if first is not None else None
    return form is not None and form.is_base


def _tells_part(sentence: str) -> bool:
    """Return whether a sentence names an agent, where data are or where results go."""
    tokens = tokenise(sentence)
    if AGENT_NOUNS & {token.word for token in tokens} or any(map(_is_address, tokens)):
        return True
    place = find_place(sentence)
    if place is None:
        return False
    words = sentence[place.start : place.end].lower().split()
    is_led = words[0] not in place.name.lower() and not {"a", "an"} & set(words)
    return is_led or bool(find_services(straighten_quotes(sentence)))


def _is_address(token: Token) -> bool:
    return is_mail_address(token.text) or token.text[0] == "#"


def _from(act: Act, start: int) -> Act:
    clause = act.clause
    kept = Span(clause.text[start - clause.start :], start, clause.end)
    return replace(act, clause=kept, slots=_slots(act.slots, clause, kept))


def _slots(slots: Mapping[str, Span], whole: Span, kept: Span) -> dict[str, Span]:
    found: dict[str, Span] = {}
    for name, span in slots.items():
        if span.start >= kept.start or name not in (*_MOVED, "where"):
            found[name] = span
        elif name == "job" and span.end > kept.start:
            told = whole.text[kept.start - whole.start : span.end - whole.start]
            found[name] = Span(told, kept.start, span.end)
        elif name == "where":
            said = [one for one in span.text.split(", ") if one in kept.text]
            found |= {name: span._replace(text=", ".join(said))} if said else {}
    found.setdefault("when", kept)
    return found
