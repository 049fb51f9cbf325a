"""Finds payment card numbers and bank account numbers (IBAN) by length, prefix and check digits.

A card number that is labelled as something else, such as an order or a device ("order 4539…"), is not
reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate

from conversation.redaction.check_digits import luhn
from conversation.redaction.kinds import SearchText, SecretKind, SecretSpan

_RUN = re.compile(r"\d(?:[ \u00a0\u202f.-]?\d){11,}")
_GROUP = re.compile(r"\d+")
_LAYOUTS = (
    (4, 4, 4, 4),
    (4, 6, 5),
    (4, 6, 4),
    (4, 4, 4, 4, 3),
    (4, 4, 4, 4, 2),
    (4, 4, 4, 4, 1),
    (4, 4, 4, 1),
)
_NETWORKS = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|3[47]\d{13}"
    r"|(?:30[0-5]|3[689]\d)\d{11}|3[689]\d{14}|(?:6011|64[4-9]\d|65\d\d)\d{12,15}|35(?:2[89]|[3-8]\d)\d{12,15}"
    r"|62\d{14,17}|(?:50|5[6-8]|6[0-9])\d{10,17}"
)
_DOUBTFUL = re.compile(r"4\d{12}|(?:50|5[6-8]|6[0-9])\d{10,17}|62\d{14,17}|3[689]\d{11,14}|30\d{12}")
"""Numbers that resemble many others: they count only when labelled as a card."""
_OTHER = re.compile(
    r"order|invoice|bestell|auftrag|rechnung|ticket|track|sendung|suivi|commande|pedido|ordine|encomenda|serial"
    r"|seri|imei|isbn|ean\b|gtin|barcode|upc|phone|tel\b|fax|fedex|ups\b|usps|dhl|parcel|shipment|reference"
    r"|\bref\b|\bcase\b|account|konto|user|tweet|snowflake|\bid\b|\bids\b|timestamp|epoch|\bsku\b"
    r"|customer (?:no|num|id|#)|kundennu"
    r"|number of|factura|facture|fattura|fatura|booking|meeting"
)
_CARD = re.compile(
    r"card|visa|mastercard|amex|american express|maestro|discover|diners|jcb|unionpay|karte|carte|tarjeta"
    r"|cart[ãa]o|carta|credit|debit|charge|pay\b|kort|\bcb\b|\bcvv|\bcvc|\bexp\b"
)
_MAX_SAME_DIGIT = 7
"""The maximum count of one digit in an unlabelled card number: round numbers have more."""

_SEEN = 32
"""The characters before and after a number in which labels are searched for."""

_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}[ \u00a0\u202f-]?[A-Za-z0-9]")
_IBAN_LENGTHS = (
    "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27"
    "GB22GE22GI23GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22"
    "MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28"
    "TL23TN24TR26UA29VA22VG24XK20YE30"
)
_LENGTHS = {
    _IBAN_LENGTHS[at : at + 2]: int(_IBAN_LENGTHS[at + 2 : at + 4]) for at in range(0, len(_IBAN_LENGTHS), 4)
}
_SPACES = " \u00a0\u202f-"


def find_numbers(text: SearchText) -> Iterator[SecretSpan]:
    """All card and account numbers in the text."""
    for run in _RUN.finditer(text.original):
        yield from _cards(text, run)
    for begins in _IBAN.finditer(text.original):
        span = _iban(text.original, begins.start())
        if span is not None:
            yield span


def _cards(text: SearchText, run: re.Match[str]) -> Iterator[SecretSpan]:
    if _is_part_of_a_word(text.original, run):
        return
    groups = [group.span() for group in _GROUP.finditer(text.original, run.start(), run.end())]
    at = 0
    while at < len(groups):
        count = _card_at(text, groups, at)
        if count:
            yield SecretSpan(groups[at][0], groups[at + count - 1][1], SecretKind.CARD)
        at += count or 1


def _is_part_of_a_word(text: str, run: re.Match[str]) -> bool:
    before, after = text[run.start() - 1 : run.start()], text[run.end() : run.end() + 1]
    return before.isalnum() or before in ("_", "+", "#", "/") or after.isalnum() or after == "_"


def _card_at(text: SearchText, groups: list[tuple[int, int]], at: int) -> int:
    """How many groups from there on make up a card number; 0: it is none."""
    start, end = groups[at]
    if at > 0 and text.original[groups[at - 1][1] : start] == "." and end - start > _LAYOUTS[0][0]:
        return 0  # digits after a decimal point
    sizes = [end - start for start, end in groups[at : at + 5]]
    counts = [len(layout) for layout in _LAYOUTS if tuple(sizes[: len(layout)]) == layout]
    for count in [1] if 13 <= sizes[0] <= 19 else sorted(counts, reverse=True):
        number = "".join(text.original[start:end] for start, end in groups[at : at + count])
        if _is_card(number) and _is_called_so(text, groups[at][0], number, is_grouped=count > 1):
            return count
    return 0


def _is_card(number: str) -> bool:
    return _NETWORKS.fullmatch(number) is not None and len(set(number)) > 1 and luhn(number)


def _is_called_so(text: SearchText, start: int, number: str, *, is_grouped: bool) -> bool:
    before = text.lower[max(0, start - _SEEN) : start]
    behind = text.lower[start + len(number) : start + len(number) + _SEEN]
    card = max((match.start() for match in _CARD.finditer(before)), default=-1)
    other = max((match.start() for match in _OTHER.finditer(before)), default=-1)
    if card != other:
        return card > other
    if max(map(number.count, set(number))) > _MAX_SAME_DIGIT:
        return False
    return is_grouped or _CARD.search(behind) is not None or _DOUBTFUL.fullmatch(number) is None


def _iban(text: str, start: int) -> SecretSpan | None:
    length = _LENGTHS.get(text[start : start + 2].upper())
    if length is None:
        return None
    window = text[start : start + 2 * length]
    counts = list(accumulate(character.isascii() and character.isalnum() for character in window))
    end = next((at + 1 for at, count in enumerate(counts) if count == length), None)
    if end is None or any(not c.isalnum() and c not in _SPACES for c in window[:end]):
        return None
    if window[end : end + 1].isalnum():
        return None
    number = "".join(character for character in window[:end] if character.isalnum()).upper()
    value = int("".join(str(int(character, 36)) for character in number[4:] + number[:4]))
    return SecretSpan(start, start + end, SecretKind.IBAN) if value % 97 == 1 else None
