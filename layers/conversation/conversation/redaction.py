"""Texts without what nobody should keep: keys, passwords, tokens, numbers of cards and accounts, addresses.

It knows the usual forms of secrets, not all secrets, and takes rather too much than too little: a long number
that is no card goes, too. Pure; takes time in proportion to the text, whatever is in it.
"""

from __future__ import annotations

import re
from functools import cache
from re import Pattern

SECRET, NUMBER, EMAIL = "[secret]", "[number]", "[email]"

_LABEL = (
    r"(?<![a-z])(?:pass(?:words?|wd|codes?|phrases?)?|pwd?|pin(?: code)?|credentials?|secret|tokens?"
    r"|(?:api|access|secret|private|client|auth)(?:[ _-]?(?:access|api))?[ _-]?(?:keys?|tokens?|secret))"
    r"(?![a-z])"
)
_ASSIGNED = r"(?:\s{1,5}(?:is|was)\s{1,5}|\s{0,5}[:=]\s{0,5})"
_STATE = (
    r"(?:not|no|never|now|still|too|in|on|at|the|a|an|about|being|expired|expiring|invalid|wrong|missing"
    r"|broken|revoked|required|needed|stored|leaked|lost|old|new|unknown|weak|ok|fine|correct)\b"
)
_VALUE = r"(?:\[secret\]|\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'|\S+)"
_PROVIDER = (
    r"(?:[spr]k[-_]|gh[pousr]_|github_pat_|glpat-|xox[a-z]-|xapp-|hf_|gsk_|npm_|pypi-|dop_v1_|shp[a-z]{2}_"
    r"|ya29\.|SG\.|whsec_|AIza|lin_api_|ntn_|pat-)"
)
_FORMS: tuple[tuple[str, str], ...] = (
    (r"-----BEGIN[^-\n]{0,40}PRIVATE KEY-----.*?(?:-----END[^-\n]{0,40}-----|\Z)", SECRET),
    (r"(?<=://)[^\s/:@]{1,100}:[^\s/@]{1,200}(?=@)", SECRET),
    (r"(?<=hooks\.slack\.com/services/)[\w/]{8,200}", SECRET),
    (r"(?<![a-z])(authorization[\"']?\s{0,5}[:=]\s{0,5})[\"']?(?:\w{1,20}\s{1,5})?[^\s\"']+", rf"\1{SECRET}"),
    (r"\b(bearer\s{1,5})(?=[^\s\d]{0,200}\d)[\w.~+/=-]{8,}", rf"\1{SECRET}"),
    (r"\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?", SECRET),
    (rf"\b{_PROVIDER}[\w.-]{{16,}}", SECRET),
    (r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b", SECRET),
    (rf"({_LABEL}[\"']?[^\n:=?!;]{{0,40}}?{_ASSIGNED})(?!{_STATE}){_VALUE}", rf"\1{SECRET}"),
    (rf"({_LABEL}\s{{1,5}})(?=[^\s\d]{{0,80}}\d)(?=[^\sa-z]{{0,80}}[a-z])\S{{6,}}", rf"\1{SECRET}"),
    (r"\b[A-Z]{2}\d{2}[A-Z0-9]{11,30}\b", NUMBER),
    (r"\b(?-i:[A-Z]{2}\d{2}(?:[ -][A-Z0-9]{4}){2,7}(?:[ -][A-Z0-9]{1,3})?)\b", NUMBER),
    (r"\d(?:[ \u00a0\u202f.-]?\d){12,}", NUMBER),
    (r"(?<!\w)(?=[a-z_]{0,80}\d)(?=[\d_]{0,80}[a-z])\w{32,}", SECRET),
    (r"(?<![\w+/])(?=[a-z+/]{0,40}\d)(?=[\d+/]{0,40}[a-z])[a-z0-9+/]{40}(?![\w+/])", SECRET),
    (r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}", EMAIL),
)
"""What is looked for, in this order, and what stands there instead. Every repetition is bounded, or what may
follow it can't be part of it: else a hostile message would cost the square of its length."""


def without_secrets(text: str) -> str:
    """The text with a word in brackets for everything that looks like a secret; a second time changes
    nothing.
    """
    for form, (_, instead) in zip(_compiled(), _FORMS, strict=True):
        text = form.sub(instead, text)
    return text


@cache
def _compiled() -> tuple[Pattern[str], ...]:
    # Few turns need them, and compiling costs more than a turn.
    return tuple(re.compile(form, re.IGNORECASE | re.DOTALL) for form, _ in _FORMS)
