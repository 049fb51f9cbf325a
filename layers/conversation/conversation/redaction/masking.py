"""Masks secrets in texts and values: a placeholder in brackets replaces each secret.

`mask` removes only what certainly is a secret. `mask_strictly` is for text that is learned from or shown
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

from conversation.redaction.kinds import SearchText, SecretKind, SecretSpan
from resilience.cache import Cache

_REMEMBERED_CHARACTERS = 2_000

# A turn searches its message about five times: before it is stored, in its decision, and in what is stored.
# Only texts without secrets are remembered, so that none stays in the memory of a process.
_without_secrets: Cache[str, bool] = Cache(128)


def find_secrets(text: str) -> tuple[SecretSpan, ...]:
    """The secrets in the text, in text order, without overlaps."""
    if not text or _without_secrets.get(text):  # a turn may read many descriptions of tasks, most empty
        return ()
    both = SearchText(text, lower_same_length(text))
    found = [span for finder in _finders() for span in finder(both)]
    if not found and len(text) <= _REMEMBERED_CHARACTERS:
        _without_secrets.put(text, True)
    return _merged(found) if found else ()


def lower_same_length(text: str) -> str:
    """The text in lower case, with the same length."""
    # The only letter whose lower case is longer.
    return text.replace("\u0130", "I").lower()


@cache
def _finders() -> Sequence[Callable[[SearchText], Iterator[SecretSpan]]]:
    # Imported with the first text that is searched: not every function searches any.
    from conversation.redaction import account_numbers, key_formats, labelled_secrets, national_ids

    return (
        key_formats.find_keys,
        labelled_secrets.find_labelled,
        account_numbers.find_numbers,
        national_ids.find_national_ids,
    )


def _merged(found: list[SecretSpan]) -> tuple[SecretSpan, ...]:
    """Merges overlapping spans into one that covers them, with the kind that was found first."""
    rank = {id(span): place for place, span in enumerate(found)}
    merged: list[tuple[int, SecretSpan]] = []
    for span in sorted(found):
        place = rank[id(span)]
        if merged and span.start < merged[-1][1].end:
            other, last = merged[-1]
            kind = last.kind if other < place else span.kind
            merged[-1] = (min(place, other), SecretSpan(last.start, max(last.end, span.end), kind))
        else:
            merged.append((place, span))
    return tuple(span for _, span in merged)


SecretKinds = tuple[SecretKind, ...]

_ADDRESS_KINDS = frozenset({SecretKind.WEBHOOK})
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


def secret_kinds_in(text: str) -> SecretKinds:
    """The kinds of secrets in the text, each once, in alphabetical order."""
    return tuple(sorted({span.kind for span in find_secrets(text)}))


def mask(text: str, *, keep: frozenset[SecretKind] = frozenset()) -> str:
    """The text with a placeholder for each secret; idempotent."""
    found = [span for span in find_secrets(text) if span.kind not in keep]
    return _with_words(text, found) if found else text


def mask_for_models(text: str) -> str:
    """Like `mask`, but keeps addresses to which something can be sent (`_ADDRESS_KINDS`)."""
    return mask(text, keep=_ADDRESS_KINDS)


def mask_strictly(text: str) -> str:
    """The text without secrets and anything that may be one; idempotent."""
    text = mask(text)
    for form, (_, instead) in zip(_compiled(), _DOUBTFUL, strict=True):
        text = form.sub(instead, text)
    return text


def mask_value(value: JsonValue) -> JsonValue:
    """A value whose texts are `mask_for_models`."""
    if isinstance(value, str):
        return mask_for_models(value)
    if isinstance(value, Mapping):
        return mask_fields(value)
    if isinstance(value, list | tuple):
        return [mask_value(each) for each in value]
    return value


def mask_texts(texts: Mapping[str, str]) -> dict[str, str]:
    """Like `mask_fields`, for a mapping whose values are all texts."""
    return {name: _clean_behind(f"{name}: ", text) for name, text in texts.items()}


def mask_fields(fields: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """A mapping whose values are `mask_value`; a field's name is taken into account, because it may be a
    secret's label.
    """
    return {name: _named(name, value) for name, value in fields.items()}


MaskedText = Annotated[str, AfterValidator(mask_for_models)]
"""A text field that is `mask_for_models` when its model is validated: secrets are masked, addresses stay."""


def masking_validator(most: int) -> AfterValidator:
    """A validator like that of `MaskedText`, for a text of at most ``most`` characters."""
    # A placeholder may be longer than the secret it replaces.
    return AfterValidator(lambda text: mask_for_models(text)[:most])


MaskedFields = Annotated[Mapping[str, JsonValue], AfterValidator(mask_fields)]
"""Like `MaskedText`, for a mapping."""


def _named(name: str, value: JsonValue) -> JsonValue:
    return _clean_behind(f"{name}: ", value) if isinstance(value, str) else mask_value(value)


def _clean_behind(lead: str, text: str) -> str:
    """The text without the parts that are secrets when it follows the lead."""
    found = [
        SecretSpan(max(0, span.start - len(lead)), span.end - len(lead), span.kind)
        for span in find_secrets(lead + text)
        if span.end > len(lead) and span.kind not in _ADDRESS_KINDS
    ]
    return _with_words(text, found) if found else text


def _with_words(text: str, found: Iterable[SecretSpan]) -> str:
    parts, at = [], 0
    for span in found:
        parts += [text[at : span.start], f"[{span.kind.value}]"]
        at = span.end
    return "".join([*parts, text[at:]])


@cache
def _compiled() -> tuple[Pattern[str], ...]:
    # Compiled on first use: few turns need them, and compiling costs more than a turn.
    return tuple(re.compile(form, re.IGNORECASE | re.DOTALL) for form, _ in _DOUBTFUL)
