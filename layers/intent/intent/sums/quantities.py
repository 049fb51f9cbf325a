"""The numbers of a text with what they count, and the words between them.

``12 nights at €89.50 with 15% off`` has the numbers 12 (nights), 89.50 (euros) and 15%. Numbers may be
written in digits of either custom (``1,240.50``, ``1.240,50``) or in words (``two hundred and fifty``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from conversation.search.words import stem
from intent.regular_expressions import lower, straighten_quotes
from intent.sums.arithmetic_words import as_arithmetic
from intent.sums.calendar_dates import date_end

MAX_DIGITS = 24
"""Longer numbers aren't read: nobody asks for them, and their products are no longer legible."""

_LONGEST_TEXT = 1_000
_TOKEN = re.compile(
    r"(?P<period>(?<![^\W_])(?:q[1-4]|h[12]|fy\d\d)(?![\d.,]*\d)(?![^\W\d_]))"
    r"|(?P<number>(?<!\d)(?:(?:19|20)\d\d-\d\d-\d\d|\d\d?/\d\d?/(?:19|20)\d\d)(?!\d)|\d+(?:[.,]\d+)*+|[.]\d+)"
    r"|(?P<word>[^\W\d_]+(?:['-][^\W\d_]+)*+)|(?P<sign>\*\*|[^\w\s])"
)
_CURRENCIES = {
    "€": "€", "$": "$", "£": "£", "₹": "₹", "¥": "¥", "euro": "€", "euros": "€", "eur": "€", "dollar": "$",
    "dollars": "$", "bucks": "$", "usd": "USD", "aud": "AUD", "cad": "CAD", "nzd": "NZD", "pound": "£",
    "quid": "£", "gbp": "£", "rupees": "₹", "rupee": "₹", "inr": "₹", "rs": "₹", "chf": "CHF",
    "francs": "CHF", "zl": "PLN", "zł": "PLN", "pln": "PLN", "zloty": "PLN", "kr": "kr", "sek": "SEK",
    "nok": "NOK", "dkk": "DKK", "jpy": "¥", "yen": "¥", "krona": "kr", "kroner": "kr", "rand": "ZAR",
    "zar": "ZAR", "pesos": "pesos", "peso": "pesos", "sgd": "SGD", "aed": "AED", "dirhams": "AED",
    "sterling": "£",
}  # fmt: skip
"""The sign or code of each spelling of a currency. ``pounds`` is left out: it may be a weight."""
CURRENCY_WORDS = frozenset(_CURRENCIES) | {"pounds", "cents", "pence"}
_PENCE = frozenset({"p", "pence", "penny"})
_CENTS = frozenset({"cent", "cents", "ct"})
_SMALL = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
        " sixteen seventeen eighteen nineteen".split()
    )
}
_TENS = {word: 10 * (place + 2) for place, word in enumerate(
    "twenty thirty forty fifty sixty seventy eighty ninety".split()
)}  # fmt: skip
_SCALES = {
    "hundred": 100, "thousand": 1_000, "grand": 1_000, "million": 1_000_000, "mn": 1_000_000, "dozen": 12,
    "billion": 1_000_000_000, "k": 1_000, "lakh": 100_000, "crore": 10_000_000,
}  # fmt: skip
_PARTS = {"half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5,
          "fifths": 5, "tenth": 10, "tenths": 10}  # fmt: skip
_MULTIPLES = {"double": 2, "twice": 2, "triple": 3, "thrice": 3, "treble": 3}
_BEFORE_ONE = frozenset(
    {"each", "every", "that", "this", "the", "which", "any", "no", "one", "some", "quick"}
)
_NOT_COUNTED = frozenset(
    "@ a about add added again also altogether among an and apiece are as at be because been between"
    " but buy by can charge charged charging cheers come comes cost costs could cover covering covers"
    " cubed decrease decreased did discount divided do does each equal equals every for from get gets"
    " got gst had has have he how i if in increase increased instead into is it its just left less lol"
    " long make makes many mate me minus mod modulo more much multiplied my need now of off on only or our"
    " out over paid pay paying pays pct per percent percentage person please pls plus same sell shared"
    " she so split spread squared subtract ta take taken tax than together combined thanks that the their"
    " them then there they this times tip to today too took total vat was we were what what's whats"
    " when which who why will with without work working works would x you your".split()
)
"""Words that follow a number and don't say what it counts."""
WEEKDAYS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday sat sun mon tue wed thu fri".split()
)
_NOT_COUNTED |= frozenset(
    "online offline upfront overall yesterday tonight tomorrow already should should've must shall may might"
    " ought supposed needs really actually including incl excl excluding inclusive after before net nett ex"
    " gross increased decreased doubled".split()
)
_UNIT_LEADS = frozenset({"sq", "square", "cubic", "sick", "working", "small", "big", "large", "new", "extra"})


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a text. ``unit`` is what it counts, in the person's words; empty: nothing is said."""

    value: Fraction
    text: str
    """The number as it is shown, without currency and unit."""
    currency: str = ""
    unit: str = ""
    is_percent: bool = False
    is_part: bool = False
    """Whether it is a part or multiple of something else, as ``half`` or ``double``."""
    places: int = 0
    """How many decimals it was written with."""
    start: int = 0
    end: int = 0
    """Its place among the tokens, the unit included."""

    @property
    def head(self) -> str:
        """Return the stem of the noun that says what it counts; empty without one."""
        return noun_stem(self.unit.rpartition(" ")[2])


@dataclass(frozen=True, slots=True)
class Quantities:
    """A text as its numbers, and the words around them."""

    words: tuple[str, ...]
    """All words and marks in lower case."""
    numbers: tuple[Quantity, ...]

    @property
    def lead(self) -> tuple[str, ...]:
        """Return the words before the first number; all words when there is none."""
        return self.words[: self.numbers[0].start] if self.numbers else self.words

    @property
    def tail(self) -> tuple[str, ...]:
        """Return the words after the last number."""
        return self.words[self.numbers[-1].end :] if self.numbers else ()

    def gap(self, place: int) -> tuple[str, ...]:
        """Return the words between a number and the next."""
        return self.words[self.numbers[place].end : self.numbers[place + 1].start]

    def after(self, place: int) -> tuple[str, ...]:
        """Return the words from a number to the next, or to the end."""
        is_last = place == len(self.numbers) - 1
        return self.tail if is_last else self.gap(place)


def noun_stem(noun: str) -> str:
    """Return the stem that a noun has in singular and plural: of ``tray`` and ``trays``."""
    return stem(stem(noun))


def read_quantities(text: str) -> Quantities:
    """Return the numbers of a text in order. What follows its first thousand characters is not read."""
    small = lower(straighten_quotes(text[:_LONGEST_TEXT]).replace("\u00a0", " ").replace("\u2009", ""))
    kinds: list[str] = []
    words: list[str] = []
    for match in _TOKEN.finditer(small):
        parts = (
            match[0].split("-") if match.lastgroup == "word" and _is_spelt_number(match[0]) else [match[0]]
        )
        words += parts
        kinds += [match.lastgroup or ""] * len(parts)
    words, kinds = as_arithmetic(words, kinds)
    numbers = tuple(_without_sizes(_without_trailing_word(tuple(_numbers(words, kinds)), words), words))
    currency = next((one.currency for one in numbers if one.currency), "")
    whole = Quantities(tuple(words), tuple(_in_whole_coins(one, currency) for one in numbers))
    whole = replace(whole, numbers=tuple(_with_left_out_units(whole)))
    return replace(whole, numbers=tuple(_without_counts_of_others(whole)))


def _without_sizes(numbers: Sequence[Quantity], words: Sequence[str]) -> Iterator[Quantity]:
    """Yield the numbers; a count and the size of what it counts as the count: ``12`` of ``12 22mm tees``."""
    place = 0
    while place < len(numbers):
        count, size = numbers[place], numbers[place + 1] if place + 1 < len(numbers) else None
        is_size = size is not None and size.start == count.end and size.unit in _SIZES
        noun = words[size.end] if size is not None and size.end < len(words) else ""
        if size is not None and is_size and not (count.unit or count.currency) and _is_counted(noun, ()):
            yield replace(count, unit=noun, end=size.end + 1)
            place += 2
        else:
            yield count
            place += 1


_SIZES = frozenset(
    "mm cm m meter meters metre metres inch inches ft foot l litre litres liter liters ml kg g gram grams"
    " watt watts w kw volt volts v amp gb tb oz lb".split()
)


def _with_left_out_units(read: Quantities) -> Iterator[Quantity]:
    """Yield the numbers; one that counts the same as the number before, and leaves the noun out, with that
    noun: ``3 nights of 10.5 hours and one of 12``.
    """
    counted = ""
    for place, number in enumerate(read.numbers):
        is_last = place == len(read.numbers) - 1
        is_count = not is_last and read.gap(place) == ("of",)
        is_bare = not (number.unit or number.currency or number.is_percent or number.is_part)
        counted = number.unit if is_count and number.unit else counted
        unit = _of_one(counted) if number.value == 1 else counted
        yield replace(number, unit=unit) if is_count and is_bare else number


def _of_one(noun: str) -> str:
    """Return the singular of a noun as it is shown behind ``1``."""
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    if noun.endswith(("xes", "ches", "shes", "sses")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


def _without_counts_of_others(read: Quantities) -> Sequence[Quantity]:
    """Return the numbers without one that only says how many of the others there are: ``what do the two cost
    us``, ``my last six deliveries took 4, 7, 5, 9, 6 and 8 days``.
    """
    if len(read.numbers) <= _PAIR:
        return read.numbers
    count, is_shared = len(read.numbers) - 1, bool(_SHARING & set(read.words))
    counts = {count, count - 1} if read.numbers[0].value == count - 1 else {count}
    plain = [
        one for place, one in enumerate(read.numbers)
        if not place or one.value not in counts or is_shared or not _points_at_all(one, read)
    ]  # fmt: skip
    first, *rest = plain
    is_count = first.value == len(rest) >= _PAIR
    if is_count and (_points_at_all(first, read) or _counts_list(replace(read, numbers=tuple(plain)))):
        return plain if is_shared and _points_at_all(first, read) else rest
    return plain


_PAIR = 2
_SHARING = frozenset("each apiece split share shared divide divided between among".split())


def _points_at_all(number: Quantity, read: Quantities) -> bool:
    """Return whether a number in words stands for the things told: ``the two of them``, ``these three``."""
    before, word = read.words[max(0, number.start - 1) : number.start], read.words[number.start]
    behind = read.words[number.start + 1 : number.start + 2]
    if not _POINTING_AT & set(before) or word not in _SMALL or _TAKING_COUNT & set(behind):
        return False
    nouns = number.unit.split()[-1:]
    return not any(noun.endswith("s") or noun in _PLURALS for noun in nouns)


_POINTING_AT = frozenset({"the", "these", "those", "all"})
_TAKING_COUNT = frozenset("at for with x times @ * \u00d7".split())
_PLURALS = frozenset("people children men women".split())


def _counts_list(read: Quantities) -> bool:
    """Return whether the first number counts the things of which the others are told, one behind another."""
    first, *rest = read.numbers
    if (
        not first.unit
        or first.currency
        or first.is_part
        or any(one.is_percent or one.is_part for one in rest)
    ):
        return False
    between = read.gap(0)
    is_told = bool(between) and between != ("and",)
    listed = all(set(read.gap(place)) <= _LISTING for place in range(1, len(rest)))
    is_alike = len({one.head for one in rest} - {""}) <= 1 and not any(one.unit for one in rest[:-1])
    return is_told and listed and is_alike and not _OPERATING & set(between)


_LISTING = frozenset({",", "and", "&", ";", "or"})
_OPERATING = frozenset("at x * \u00d7 times plus + minus less - \u2212 @ by each apiece".split())


def _without_trailing_word(numbers: tuple[Quantity, ...], words: Sequence[str]) -> tuple[Quantity, ...]:
    """Return the numbers; the word behind an expression of bare numbers counts nothing: ``2 + 3 quick``."""
    ends = [one.end for one in numbers[:-1]]
    joined = [words[end : one.start] for end, one in zip(ends, numbers[1:], strict=True)]
    is_expression = bool(joined) and all(len(gap) == 1 and gap[0] in _SIGNS for gap in joined)
    if not is_expression or not numbers[-1].unit or any(one.unit or one.currency for one in numbers[:-1]):
        return numbers
    return (*numbers[:-1], replace(numbers[-1], unit=""))


_SIGNS = frozenset("+*×÷-−")


def _in_whole_coins(number: Quantity, currency: str) -> Quantity:
    """Return a number of cents as part of the currency that the text names."""
    if number.unit not in _CENTS or not currency:
        return number
    value = number.value / 100
    return replace(number, value=value, text=shown(value, 2), currency=currency, unit="", places=2)


def _is_spelt_number(word: str) -> bool:
    first, mark, last = word.partition("-")
    is_number = first in _TENS and last in _SMALL
    return bool(mark) and (is_number or (first in _SMALL and last in _PARTS))


def _numbers(words: Sequence[str], kinds: Sequence[str]) -> Iterator[Quantity]:
    place = 0
    while place < len(words):
        if kinds[place] == "number" and (end := date_end(words, place)):
            place = end
            continue
        found = _written(words, kinds, place) or _spelt(words, place)
        if found is None:
            place += 1
            continue
        found = _with_unit(_with_part(found, words), words, kinds)
        yield found
        place = max(found.end, place + 1)


def _with_part(found: Quantity, words: Sequence[str]) -> Quantity:
    """Return a whole number with the part of one behind it: ``two and a half``, ``2 1/2``."""
    if found.is_part or found.value.denominator != 1:
        return found
    end = found.end
    if tuple(words[end : end + 2]) == ("and", "a") and words[end + 2 : end + 3] and words[end + 2] in _PARTS:
        added, end = Fraction(1, _PARTS[words[end + 2]]), end + 3
        if words[end : end + 1] == ["of"]:
            return found
    elif words[end + 1 : end + 2] == ["/"] and "".join(words[end : end + 3 : 2]) in _FRACTIONS:
        added, end = Fraction(int(words[end]), int(words[end + 2])), end + 3
    else:
        return found
    value = found.value + added
    return replace(found, value=value, text=shown(value), end=end)


_FRACTIONS = frozenset("12 13 23 14 34 15 25 35 45 18 38 58 78".split())
"""The digits above and below the line of the parts that people write behind a whole number."""


def _written(words: Sequence[str], kinds: Sequence[str], place: int) -> Quantity | None:
    if kinds[place] != "number":
        return None
    text, end = _in_english(words[place]), place + 1
    while (
        len(text) <= 3 * (end - place)
        and end < len(words)
        and kinds[end] == "number"
        and _is_group(words[end])
    ):
        text, end = text + words[end], end + 1
    if len(text) > MAX_DIGITS:
        return None
    if words[end : end + 1] == ["/"] and words[end + 2 : end + 3] == ["of"] and words[end + 1].isdigit():
        below = int(words[end + 1])
        return _part(Fraction(text) / below, place, end + 2) if below else None
    value = Fraction(text)
    places = len(text.partition(".")[2])
    while end < len(words) and (scale := _SCALES.get(words[end])):
        value, end, places = value * scale, end + 1, 0
    return Quantity(value, shown(value, places), places=places, start=place, end=end)


def _is_group(digits: str) -> bool:
    """Return whether digits may be thousands behind a space: ``18 000``."""
    return len(digits) == 3 and digits.isdigit()


def _in_english(digits: str) -> str:
    """Return digits of either custom with a decimal point and no other mark."""
    mark = max(digits.rfind("."), digits.rfind(","))
    if mark < 0:
        return digits
    groups = digits.replace(",", ".").split(".")
    has_both = "." in digits and "," in digits
    is_grouped = len(groups[0]) <= 3 and groups[0] != "0" and all(len(group) == 3 for group in groups[1:])
    if not has_both and is_grouped and (digits[mark] == "," or len(groups) > 2):
        return "".join(groups)
    return f"{''.join(groups[:-1]) or '0'}.{groups[-1]}"


def _spelt(words: Sequence[str], place: int) -> Quantity | None:
    """Return the number that words spell from here: ``two hundred and fifty``, ``a third``, ``half``."""
    word = words[place]
    if word in _MULTIPLES:
        return _part(Fraction(_MULTIPLES[word]), place, place + 1)
    if word == "half":
        return _part(Fraction(1, 2), place, place + 1)
    is_article = word in {"a", "an"} and place + 1 < len(words)
    if is_article and words[place + 1] in _PARTS and words[place + 2 : place + 3] == ["of"]:
        return _part(Fraction(1, _PARTS[words[place + 1]]), place, place + 2)
    value, end = _spelt_value(words, place + (1 if is_article and words[place + 1] in _SCALES else 0))
    if value is None or end == place:
        return None
    if end < len(words) and words[end] in _PARTS and value < 10:
        return _part(Fraction(value, _PARTS[words[end]]), place, end + 1)
    is_mixed = tuple(words[end : end + 2]) == ("and", "a")
    is_first = not place or words[place - 1] in _BEFORE_ONE
    is_single = end - place == 1 and word == "one" and not is_mixed and words[end : end + 1] != ["more"]
    is_pronoun = is_first or _is_described(words, place) or _stands_for_thing(words, place)
    is_pronoun = (is_single and is_pronoun) or words[place : end + 2] in _ONE_MORE
    return None if is_pronoun else Quantity(Fraction(value), shown(Fraction(value)), start=place, end=end)


_ONE_MORE = (["one", "more", ","], ["one", "more", ":"])


def _is_described(words: Sequence[str], place: int) -> bool:
    """Return whether ``one`` stands for a thing that was named before: ``at the new one``."""
    before = words[max(0, place - 2) : place]
    counts = place + 1 < len(words) and words[place + 1][0].isalpha() and words[place + 1] not in _NOT_COUNTED
    return before[:1] != [] and before[0] in _DETERMINERS and before[-1] not in _NUMBERING and not counts


def _stands_for_thing(words: Sequence[str], place: int) -> bool:
    """Return whether ``one`` behind a verb counts nothing: ``I missed one, 5.50``, ``forgot one of 60``."""
    before, behind = words[place - 1], words[place + 1 : place + 3]
    is_of_number = behind[:1] == ["of"] and behind[1:] != [] and behind[1][0].isdigit()
    return before.isalpha() and before not in _NUMBERING and (behind[:1] == [","] or is_of_number)


_DETERMINERS = frozenset("the this that my our your their his her".split())
_NUMBERING = frozenset("number plus minus times x + - * / and or by".split())


def _part(value: Fraction, start: int, end: int) -> Quantity:
    return Quantity(value, shown(value), is_part=True, start=start, end=end)


def _spelt_value(words: Sequence[str], place: int) -> tuple[int | None, int]:
    total, current, end = 0, None, place
    while end < len(words):
        word = words[end]
        if _extends(current, word):
            current = (current or 0) + (_SMALL.get(word) or _TENS.get(word) or 0)
        elif word in _SCALES and word not in {"k", "mn"}:
            current = (1 if current is None else current) * _SCALES[word]
            if _SCALES[word] >= 1_000:
                total, current = total + current, 0
        elif not (word == "and" and current and end + 1 < len(words) and _extends(current, words[end + 1])):
            break
        end += 1
    return (None if current is None else total + current), end


def _extends(current: int | None, word: str) -> bool:
    """Return whether a number goes on with a word: ``twenty`` with ``five``, ``two hundred`` with ``ten``."""
    if word in _TENS:
        return current is None or current % 100 == 0
    if word not in _SMALL:
        return False
    return current is None or current % 100 == 0 or (current % 10 == 0 and _SMALL[word] < 10)


def _with_unit(found: Quantity, words: Sequence[str], kinds: Sequence[str]) -> Quantity:
    """Return the number with the currency, percent sign or noun that stands at it."""
    start, end = found.start, found.end
    before = words[start - 1] if start else ""
    if before in _CURRENCIES:
        return replace(found, currency=_CURRENCIES[before], start=start - 1)
    after = words[end] if end < len(words) else ""
    if after in _PENCE:
        value = found.value / 100
        return replace(found, value=value, text=shown(value, 2), currency="£", places=2, end=end + 1)
    if after in {"%", "percent", "pct"}:
        return replace(found, is_percent=True, end=end + 1)
    if after == "per" and words[end + 1 : end + 2] == ["cent"]:
        return replace(found, is_percent=True, end=end + 2)
    if after in _CURRENCIES:
        return replace(found, currency=_CURRENCIES[after], end=end + 1)
    if found.is_part:
        return found
    unit: list[str] = []
    while end < len(words) and kinds[end] == "word" and _is_counted(words[end], unit):
        unit.append(words[end])
        end += 1
    return replace(found, unit=" ".join(unit), end=end)


def _is_counted(word: str, unit: Sequence[str]) -> bool:
    if word in _NOT_COUNTED | WEEKDAYS or word in _SMALL or word in _TENS:
        return False
    return not unit or (len(unit) == 1 and (unit[0] in _UNIT_LEADS or unit[0].endswith("ed")))


def shown(value: Fraction, places: int = 0) -> str:
    """Return a number for people: ``1,074.00``; rounded where its decimals don't end or are too many."""
    for count in range(places, 7):
        if (value * 10**count).denominator == 1:
            return _fixed(value, count)
    count = 2 if abs(value) >= 1 else 4
    return _fixed(value, count)


def is_exact(value: Fraction) -> bool:
    """Return whether `shown` shows all of a number."""
    return (value * 10**6).denominator == 1


def _fixed(value: Fraction, count: int) -> str:
    scaled = abs(value) * 10**count
    whole = int(scaled + Fraction(1, 2))
    sign = "-" if value < 0 and whole else ""
    text = f"{whole // 10**count:,}"
    return f"{sign}{text}.{whole % 10**count:0{count}d}" if count else f"{sign}{text}"
