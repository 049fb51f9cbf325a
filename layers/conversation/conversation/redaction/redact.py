"""Masks secrets in texts and values: a placeholder in brackets replaces each secret.

`masked` removes only what certainly is a secret. `without_secrets` is for text that is learned from or shown
in lists: it prefers to remove too much, including mail addresses, long numbers and long tokens. The sibling
modules find the secrets. Pure; takes time proportional to the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from re import Pattern
from typing import Annotated

from pydantic import AfterValidator, JsonValue

from conversation.redaction.kinds import SecretKind, Span, Text


def spans(text: str) -> tuple[Span, ...]:
    """The secrets in the text, in text order, without overlaps."""
    both = Text(text, lowered(text))
    found = [span for finder in _finders() for span in finder(both)]
    return _merged(found) if found else ()


def lowered(text: str) -> str:
    """The text in lower case, with the same length."""
    # The only letter whose lower case is longer.
    return text.replace("\u0130", "I").lower()


def _finders() -> Sequence[Callable[[Text], Iterator[Span]]]:
    from conversation.redaction import key_formats as key_forms
    from conversation.redaction import labelled_secrets as said_secrets
    from conversation.redaction import numbers as account_numbers

    return key_forms.found, said_secrets.found, account_numbers.found


def _merged(found: list[Span]) -> tuple[Span, ...]:
    """Merges overlapping spans into one that covers them, with the kind that was found first."""
    rank = {id(span): place for place, span in enumerate(found)}
    merged: list[tuple[int, Span]] = []
    for span in sorted(found):
        place = rank[id(span)]
        if merged and span.start < merged[-1][1].end:
            other, last = merged[-1]
            kind = last.kind if other < place else span.kind
            merged[-1] = (min(place, other), Span(last.start, max(last.end, span.end), kind))
        else:
            merged.append((place, span))
    return tuple(span for _, span in merged)


Kinds = tuple[SecretKind, ...]

ADDRESSES = frozenset({SecretKind.WEBHOOK})
"""The kinds that a user may give as a place to send something to."""

_DOUBTFUL: tuple[tuple[str, str], ...] = (
    (r"\b[A-Z]{2}\d{2}[A-Z0-9]{11,30}\b", "[number]"),
    (r"\d(?:[ \u00a0\u202f.-]?\d){12,}", "[number]"),
    (r"(?<!\w)(?=[a-z_]{0,80}\d)(?=[\d_]{0,80}[a-z])\w{32,}", "[secret]"),
    (r"(?<![\w+/])(?=[a-z+/]{0,40}\d)(?=[\d+/]{0,40}[a-z])[a-z0-9+/]{40}(?![\w+/])", "[secret]"),
    (r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}", "[email]"),
)
"""Every repetition is bounded, or its end is unambiguous: otherwise a hostile message would take quadratic
time.
"""


def kinds_in(text: str) -> Kinds:
    """The kinds of secrets in the text, each once, in alphabetical order."""
    return tuple(sorted({span.kind for span in spans(text)}))


def masked(text: str, *, keeping: frozenset[SecretKind] = frozenset()) -> str:
    """The text with a placeholder for each secret; idempotent."""
    found = [span for span in spans(text) if span.kind not in keeping]
    return _with_words(text, found) if found else text


def addressed(text: str) -> str:
    """Like `masked`, but keeps addresses to which something can be sent (`ADDRESSES`)."""
    return masked(text, keeping=ADDRESSES)


def without_secrets(text: str) -> str:
    """The text without secrets and anything that may be one; idempotent."""
    text = masked(text)
    for form, (_, instead) in zip(_compiled(), _DOUBTFUL, strict=True):
        text = form.sub(instead, text)
    return text


def cleaned(value: JsonValue) -> JsonValue:
    """A value whose texts are `addressed`."""
    if isinstance(value, str):
        return addressed(value)
    if isinstance(value, Mapping):
        return cleaned_fields(value)
    if isinstance(value, list | tuple):
        return [cleaned(each) for each in value]
    return value


def cleaned_texts(texts: Mapping[str, str]) -> dict[str, str]:
    """Like `cleaned_fields`, for a mapping whose values are all texts."""
    return {name: _clean_behind(f"{name}: ", text) for name, text in texts.items()}


def cleaned_fields(fields: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """A mapping whose values are `cleaned`; a field's name is taken into account, because it may be a
    secret's label.
    """
    return {name: _named(name, value) for name, value in fields.items()}


Clean = Annotated[str, AfterValidator(addressed)]
"""A text field that is `addressed` when its model is validated: secrets are masked, addresses stay."""


def cleaning(most: int) -> AfterValidator:
    """A validator like that of `Clean`, for a text of at most ``most`` characters."""
    # A placeholder may be longer than the secret it replaces.
    return AfterValidator(lambda text: addressed(text)[:most])


CleanFields = Annotated[Mapping[str, JsonValue], AfterValidator(cleaned_fields)]
"""Like `Clean`, for a mapping."""


def _named(name: str, value: JsonValue) -> JsonValue:
    return _clean_behind(f"{name}: ", value) if isinstance(value, str) else cleaned(value)


def _clean_behind(lead: str, text: str) -> str:
    """The text without the parts that are secrets when it follows the lead."""
    found = [
        Span(max(0, span.start - len(lead)), span.end - len(lead), span.kind)
        for span in spans(lead + text)
        if span.end > len(lead) and span.kind not in ADDRESSES
    ]
    return _with_words(text, found) if found else text


def _with_words(text: str, found: Iterable[Span]) -> str:
    parts, at = [], 0
    for span in found:
        parts += [text[at : span.start], f"[{span.kind.value}]"]
        at = span.end
    return "".join([*parts, text[at:]])


@cache
def _compiled() -> tuple[Pattern[str], ...]:
    # Compiled on first use: few turns need them, and compiling costs more than a turn.
    return tuple(re.compile(form, re.IGNORECASE | re.DOTALL) for form, _ in _DOUBTFUL)
