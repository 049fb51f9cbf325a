"""Finds numbers by which a state knows a person: social security, identity and tax numbers.

A form that nothing else has is enough, and so is a check digit for a form that is rare. A plain run of digits
counts only with its check digit and where it is called such a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from re import Pattern
from typing import NamedTuple

from conversation.redaction import check_digits as check
from conversation.redaction.kinds import SearchText, SecretKind, SecretSpan

_SEEN = 48
"""The characters before and behind a number in which its name is searched for."""
_SEPARATORS = re.compile(r"[ .+-]")
_LONGEST_RUN = 18
"""The most characters of a number that no blank interrupts, a dot and the digit behind it as one."""
_BEGINNING = re.compile(
    rf"(?<![\w.-])(?=\d|[A-Z]{{1,6}}[ -]?\d)(?!(?:[\w-]|\.\d){{{_LONGEST_RUN + 1}}})", re.IGNORECASE
)
"""Where a number may begin: at no long id, such as a UUID."""
_DIGITS = re.compile(r"\d{2}[ .-]?\d")
_OTHER = re.compile(
    r"order|invoice|bestell|rechnung|ticket|tracking|commande|pedido|serial|part (?:no|number)|isbn|phone"
    r"|\btel\b|fax"
)
"""What a number of an unmistakable form is called that is another one all the same."""


class _Form(NamedTuple):
    """A kind of number: its form, its check, and what it is called where the form alone is not enough."""

    pattern: str
    is_valid: Callable[[str], bool]
    """Gets the number in upper case without separators."""
    names: str = ""
    """Empty: it counts without a name."""


_NINO = r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]"
_SOCIAL = r"\bssn\b|\bss ?#|social ?security|sozialversicherung"
_TAX = r"\btin\b|tax|steuer|\bidnr\b|identifikationsnummer|fiscal|\bitin\b"
_BELGIAN = r"rijksregister|registre national|national ?number|\bnrn\b|\bniss\b|\binsz\b"
_FORMS: Sequence[_Form] = (
    # United States: social security number, and the taxpayer number that looks like it
    _Form(r"(?!000|666)[0-8]\d\d-(?!00)\d\d-(?!0000)\d{4}", check.any_number),
    _Form(r"9\d\d-[5-9]\d-\d{4}", check.any_number),
    _Form(r"(?!000|666)\d{3} ?(?!00)\d\d ?(?!0000)\d{4}", check.any_number, _SOCIAL + r"|\bitin\b"),
    # Canada
    _Form(r"\d{3}[ -]?\d{3}[ -]?\d{3}", check.luhn, r"\bsin\b|\bnas\b|social insurance|assurance sociale"),
    # United Kingdom, Ireland
    _Form(rf"{_NINO} ?\d\d ?\d\d ?\d\d ?[A-D]", check.any_number),
    _Form(r"\d{7}[A-W][A-IW]?", check.irish, r"\bpps|personal public"),
    # Germany: tax and pension numbers; Austria, Switzerland
    _Form(r"[1-9]\d ?\d{3} ?\d{3} ?\d{3}", check.german_tax, _TAX),
    _Form(r"\d\d ?\d{6} ?[A-Z] ?\d{3}", check.german_pension),
    _Form(r"\d{4} ?\d{6}", check.austrian, _SOCIAL + r"|\bsvnr\b|\bsv-n"),
    _Form(r"756\.?\d{4}\.?\d{4}\.?\d\d", check.ean),
    # France, Belgium, Netherlands
    _Form(r"[12] ?\d\d ?\d\d ?\d[\dAB] ?\d{3} ?\d{3} ?\d\d", check.french),
    _Form(r"\d\d\.\d\d\.\d\d[- ]\d{3}[-. ]\d\d", check.belgian),
    _Form(r"\d{11}", check.belgian, _BELGIAN),
    _Form(r"\d{9}", check.dutch, r"\bbsn\b|burgerservice|\bsofi"),
    # Spain, Portugal, Italy
    _Form(r"(?:[XYZ]-?\d{7}|\d{8})-?[A-HJ-NP-TV-Z]", check.spanish),
    _Form(r"\d{3} ?\d{3} ?\d{3}", check.portuguese, r"\bnif\b|contribuinte"),
    _Form(r"[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]", check.italian),
    # Poland, the north
    _Form(r"\d{11}", check.polish, r"pesel"),
    _Form(r"(?:19|20)?\d\d[01]\d[0-3]\d[-+]\d{4}", check.swedish),
    _Form(r"[0-3]\d[01]\d{3} ?\d{5}", check.norwegian, r"f[øo]dselsn|personnummer|national id"),
    _Form(r"[0-3]\d[01]\d{3}-?\d{4}", check.any_number, r"\bcpr\b|personnummer"),
    _Form(r"[0-3]\d[01]\d{3}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]", check.finnish),
    # The Americas
    _Form(r"\d{3}\.\d{3}\.\d{3}-\d\d", check.brazilian),
    _Form(r"\d{11}", check.brazilian, r"\bcpf\b"),
    _Form(r"[A-Z]{4}\d\d[01]\d[0-3]\d[HMX][A-Z]{5}[A-Z0-9]\d", check.mexican),
    # Asia, Australia, Africa
    _Form(r"[2-9]\d{3} \d{4} \d{4}|[2-9]\d{11}", check.verhoeff, r"aadh?aar|\buid(?:ai)?\b"),
    _Form(r"[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]", check.any_number, r"\bpan\b|permanent account"),
    _Form(r"\d{6}(?:19|20)\d\d[01]\d[0-3]\d{4}[\dX]", check.chinese),
    _Form(r"\d{6}-[1-8]\d{6}", check.any_number, r"resident|\brrn\b|주민"),
    _Form(r"\d{4} ?\d{4} ?\d{4}", check.japanese, r"my number|個人番号|マイナンバー"),
    _Form(r"[STFGM]\d{7}[A-Z]", check.singaporean),
    _Form(r"\d{3} ?\d{3} ?\d{3}", check.australian, r"\btfn\b|tax file"),
    _Form(r"[1-9]\d{10}", check.turkish, r"kimlik|\btckn?\b"),
    _Form(r"\d\d[01]\d[0-3]\d{8}", check.luhn, r"\bid (?:no|number)|identity|south african"),
)


def find_national_ids(text: SearchText) -> Iterator[SecretSpan]:
    """All numbers of persons in the text."""
    if not _DIGITS.search(text.original) or not _BEGINNING.search(text.original):
        return
    for form in _FORMS:
        if form.names and not _compiled(form.names).search(text.lower):
            continue
        for found in _number_of(form.pattern).finditer(text.original):
            number = _SEPARATORS.sub("", found[0]).upper()
            if form.is_valid(number) and _is_called_so(text, found.start(), found.end(), form.names):
                yield SecretSpan(found.start(), found.end(), SecretKind.NATIONAL_ID)


def _is_called_so(text: SearchText, start: int, end: int, names: str) -> bool:
    before = text.lower[max(0, start - _SEEN) : start]
    if names:
        return _compiled(names).search(before + " " + text.lower[end : end + _SEEN]) is not None
    return _OTHER.search(before) is None


@cache
def _number_of(pattern: str) -> Pattern[str]:
    # The letters of ASCII only: the check digits know no others.
    return re.compile(rf"(?<![\w.-])(?:{pattern})(?![\w-])(?!\.\d)", re.IGNORECASE)


@cache
def _compiled(form: str) -> Pattern[str]:
    # Compiled on first use: most texts have no number of such a form.
    return re.compile(form)
