"""The check digits of numbers of persons, of the right form and without separators."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_HETU_LETTERS = "0123456789ABCDEFHJKLMNPRSTUVWXY"
_CURP_LETTERS = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ"
_ITALIAN_ODD = (
    1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
)  # fmt: skip
_VERHOEFF = (
    "0123456789", "1234067895", "2340178956", "3401289567", "4012395678",
    "5987604321", "6598710432", "7659821043", "8765932104", "9876543210",
)  # fmt: skip
_VERHOEFF_ORDER = (
    "0123456789", "1576283094", "5803796142", "8916043527",
    "9453126870", "4286573901", "2793806415", "7046913258",
)  # fmt: skip
_NRIC_LETTERS = {
    "S": "JZIHGFEDCBA",
    "T": "JZIHGFEDCBA",
    "F": "XWUTRQPNMLK",
    "G": "XWUTRQPNMLK",
    "M": "KLJNPQRTUWX",
}


def any_number(_number: str) -> bool:
    """Numbers without a check digit."""
    return True


def luhn(number: str) -> bool:
    """Canada, South Africa; also the numbers of cards."""
    digits = _digits(reversed(number))
    return sum(digits[::2] + [2 * digit - 9 * (digit > 4) for digit in digits[1::2]]) % 10 == 0


def swedish(number: str) -> bool:
    """Sweden: Luhn's formula over the last ten digits."""
    return luhn(number[-10:])


def irish(number: str) -> bool:
    """Ireland."""
    extra = 9 * (ord(number[8]) - 64) if len(number) == 9 and number[8] != "W" else 0
    value = (_weighted(number[:7], (8, 7, 6, 5, 4, 3, 2)) + extra) % 23
    return number[7] == ("W" if value == 0 else chr(64 + value))


def german_tax(number: str) -> bool:
    """Germany, taxpayers: ISO 7064, mod 11,10; one digit comes two or three times."""
    if len(set(number[:10])) not in {8, 9}:
        return False
    product = 10
    for digit in _digits(number[:10]):
        total = (digit + product) % 10 or 10
        product = 2 * total % 11
    return (11 - product) % 10 == int(number[10])


def german_pension(number: str) -> bool:
    """Germany, pension insurance: the letter counts as its place in the alphabet, in two digits."""
    expanded = f"{number[:8]}{ord(number[8]) - 64:02}{number[9:11]}"
    weights = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    sums = [weight * digit for weight, digit in zip(weights, _digits(expanded), strict=True)]
    return 1 <= int(number[2:4]) % 50 <= 31 and sum(sum(divmod(each, 10)) for each in sums) % 10 == int(
        number[11]
    )


def austrian(number: str) -> bool:
    """Austria: the fourth digit checks the others."""
    return _weighted(number[:3] + number[4:], (3, 7, 9, 5, 8, 4, 2, 1, 6)) % 11 == int(number[3])


def ean(number: str) -> bool:
    """Switzerland: as a bar code."""
    return _weighted(number, (1, 3) * 6 + (1,)) % 10 == 0


def french(number: str) -> bool:
    """France; the departments of Corsica have a letter."""
    month = int(number[3:5])
    digits = number[:13].replace("2A", "19").replace("2B", "18")
    is_month = 1 <= month <= 12 or month >= 20
    return is_month and digits.isdigit() and 97 - int(digits) % 97 == int(number[13:])


def belgian(number: str) -> bool:
    """Belgium, born before and since 2000."""
    return int(number[9:]) in {97 - int(century + number[:9]) % 97 for century in ("", "2")}


def dutch(number: str) -> bool:
    """The Netherlands."""
    return int(number) > 0 and _weighted(number, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def spanish(number: str) -> bool:
    """Spain, citizens and foreigners."""
    first = "XYZ".find(number[0])
    digits = number[:-1] if first < 0 else f"{first}{number[1:-1]}"
    return _DNI_LETTERS[int(digits) % 23] == number[-1]


def portuguese(number: str) -> bool:
    """Portugal."""
    value = 11 - _weighted(number[:8], (9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return (0 if value > 9 else value) == int(number[8])


def italian(number: str) -> bool:
    """Italy."""
    values = [int(character, 36) - (0 if character.isdigit() else 10) for character in number[:15]]
    total = sum(_ITALIAN_ODD[value] for value in values[::2]) + sum(values[1::2])
    return chr(65 + total % 26) == number[15]


def polish(number: str) -> bool:
    """Poland."""
    return _weighted(number, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)) % 10 == 0 and int(number) > 0


def norwegian(number: str) -> bool:
    """Norway, with two check digits."""
    first = _weighted(number[:10], (3, 7, 6, 1, 8, 9, 4, 5, 2, 1))
    second = _weighted(number, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1))
    return first % 11 == 0 and second % 11 == 0


def finnish(number: str) -> bool:
    """Finland; a minus as the century may have been taken away as a separator."""
    return _HETU_LETTERS[int(number[:6] + number[-4:-1]) % 31] == number[-1]


def brazilian(number: str) -> bool:
    """Brazil, with two check digits."""
    if len(set(number)) == 1:
        return False
    return all(
        _weighted(number[:length], range(length + 1, 1, -1)) * 10 % 11 % 10 == int(number[length])
        for length in (9, 10)
    )


def mexican(number: str) -> bool:
    """Mexico."""
    values = [_CURP_LETTERS.index(character) for character in number[:17]]
    return -sum(value * (18 - place) for place, value in enumerate(values)) % 10 == int(number[17])


def verhoeff(number: str) -> bool:
    """India."""
    value = 0
    for place, digit in enumerate(_digits(reversed(number))):
        value = int(_VERHOEFF[value][int(_VERHOEFF_ORDER[place % 8][digit])])
    return value == 0


def chinese(number: str) -> bool:
    """China: ISO 7064, mod 11-2."""
    weights = [2 ** (17 - place) % 11 for place in range(17)]
    return "10X98765432"[_weighted(number[:17], weights) % 11] == number[17]


def japanese(number: str) -> bool:
    """Japan."""
    value = _weighted(number[:11], (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return (0 if value <= 1 else 11 - value) == int(number[11])


def singaporean(number: str) -> bool:
    """Singapore, citizens and foreigners."""
    offset = {"T": 4, "G": 4, "M": 3}.get(number[0], 0)
    value = (_weighted(number[1:8], (2, 7, 6, 5, 4, 3, 2)) + offset) % 11
    return _NRIC_LETTERS[number[0]][10 - value if number[0] == "M" else value] == number[8]


def australian(number: str) -> bool:
    """Australia."""
    return _weighted(number, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0


def turkish(number: str) -> bool:
    """Türkiye, with two check digits."""
    digits = _digits(number)
    tenth = (7 * sum(digits[0:9:2]) - sum(digits[1:8:2])) % 10
    return tenth == digits[9] and sum(digits[:10]) % 10 == digits[10]


def _digits(number: Iterable[str]) -> list[int]:
    return [int(digit) for digit in number]


def _weighted(number: str, weights: Sequence[int]) -> int:
    return sum(weight * digit for weight, digit in zip(weights, _digits(number), strict=True))
