"""The system that a request names as the place of its data: a known service, or a name in such a place.

A place of data is what stands behind ``from``, ``out of``, ``kept in`` and the like. What stands there is a
source only if it has the shape of a name: capitals, a word that is no English one, or a container of data
such as ``rota sheet``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from intent.acts.lexicon import (
    AUXILIARIES,
    LEADS,
    NEGATIONS,
    POINTERS,
    QUESTION_WORDS,
    REPORTS,
    SUBJECTS,
    classes_of,
    verb_forms,
)
from intent.acts.slot_types import names_something
from intent.acts.tokens import Token, known_words, tokenise
from intent.entities.services import find_services
from intent.regular_expressions import LazyPattern, straighten_quotes
from intent.times.words.zones import places

Place = tuple[int, int]
_DETERMINERS = frozenset("our the my their his her your a an this that its all mostly both same".split())
_CONTAINERS = frozenset(
    "sheet spreadsheet log system database mailbox inbox calendar folder board portal website page register"
    " file account app software tool dashboard site workbook tracker sheets feed forum store crm erp drive"
    " doc document book ledger diary archive intranet wiki".split()
)
_FAMILIES = frozenset({"sap", "zoho", "dynamics"})
"""Services of many products: the name of the product belongs to that of the source."""
WEB = ("https://", "http://")
MOST_PLACES = 40
"""How many places of times and addresses in a request are looked at: no person names more."""
_RECEIVING = frozenset({"webhook", "webhooks", "hook", "endpoint"})
"""What an address that results are sent to is called."""
PLAIN = frozenset("files email spreadsheet database calendar crm erp website".split())
"""Services without a name of their own, which any name goes before."""
_CHANNELS = frozenset({"slack", "teams", "whatsapp", "telegram", "discord", "mattermost", "webex"})
"""Services that results go to more often than data come from them."""
_NOT_SYSTEMS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays"
    " thursdays fridays saturdays sundays january february march april may june july august september"
    " october november december mr mrs ms dr am pm utc gmt cet est pst ist pdf csv english german french"
    " spanish italian dutch eur usd gbp new set make agent every each mon tue wed thu fri sat sun"
    " i'd i'm i've can could".split()
)
_FUNCTION_WORDS = (
    SUBJECTS | AUXILIARIES | QUESTION_WORDS | POINTERS | NEGATIONS | LEADS
    | frozenset(
        "and or but if because so as than to for with of by at from in on out into not no the a an our my"
        " when while until till that's thats it's its me us him her them everyone they're theyre one day"
        " week month time stock date order town general total full advance case hand place touch"
        " end beginning meantime meanwhile past future fact particular person short long".split()
    )
)  # fmt: skip
_FROM = frozenset("from in on via using through inside within off use uses".split())
_KEPT = frozenset(
    "kept stored logged held recorded written saved entered listed filed tracked managed lives live sits sit"
    " keep log store record is are it's its they're theyre that's thats be was were".split()
)
_BETWEEN = frozenset("it them all mostly both everything that these those still only data".split())
_BEHIND_SEARCHED = frozenset({"for", "every", "each", "and"})
_SEARCHING = frozenset({"check", "scan", "watch", "monitor", "read", "search", "look"})
_MOST_WORDS = 4
_MOST_LOWER = 3


class DataPlace(NamedTuple):
    """A source that words name, in lower case. The span holds the words that lead to it, too."""

    name: str
    start: int
    end: int


def find_source(text: str, used: Sequence[Place] = (), *, told: str = "") -> str:
    """Return the source in lower case; empty when the words name none.

    ``used`` are the spans that say when and where to: ``to Slack`` is no source. ``told`` are words of the
    text that are said to name it.
    """
    found = find_place(text, used, told=told)
    return found.name if found is not None else ""


def find_place(text: str, used: Sequence[Place] = (), *, told: str = "") -> DataPlace | None:
    """Return the source with its place in the text; None when the words name none."""
    tokens, used = _with_numbers(tokenise(text)), used[:MOST_PLACES]
    free = [token for token in tokens if not _overlaps(token.start, token.end, used)]
    services = [
        one
        for one in find_services(straighten_quotes(text))
        if not _overlaps(one.start, one.end, used) and not _is_somebody(tokens, one.start)
    ]
    named = [one for one in services if one.name not in PLAIN | _CHANNELS]
    for service in named[:1]:
        return _with_product(DataPlace(service.name, _led(tokens, service.start), service.end), free)
    for place, token in enumerate(tokens):
        # What stands behind "to" is where results go; the address itself is no such place yet.
        is_led = any(start < token.start < end for start, end in used)
        is_led = is_led or (place > 0 and tokens[place - 1].word in _RECEIVING)
        if token.text.startswith(WEB) and not is_led:
            return DataPlace(token.text.rstrip(".,;:!?)"), _led(tokens, token.start), token.end)
    places_of_data = sorted(_in_places(free))
    if places_of_data:
        return places_of_data[0][1]
    if told and told in text and (name := named_in(told)):
        at = text.find(told)
        return DataPlace(name, _led(tokens, at), at + len(told))
    for service in services[:1]:
        return DataPlace(service.name, _led(tokens, service.start), service.end)
    others = (_containers(free), _camel_case(free), _modifiers(tokens), _searched(free), _heading(free))
    return next((place for found in others for place in found), None)


def _with_numbers(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return the tokens; a name and the figures written onto it are one: ``Cin7``."""
    joined: list[Token] = []
    for token in tokens:
        before = joined[-1] if joined else None
        is_part = before is not None and before.end == token.start and token.text.isdigit()
        if before is not None and is_part and _may_have_number(before.text):
            joined[-1] = before._replace(
                text=before.text + token.text, word=before.word + token.text, end=token.end
            )
        else:
            joined.append(token)
    return tuple(joined)


def _may_have_number(word: str) -> bool:
    """Return whether figures behind a word may belong to a name: not so in ``q4`` and ``fy26``."""
    return word.isalpha() and (not word.islower() or len(word) >= _FEWEST_BEFORE_NUMBER)


_FEWEST_BEFORE_NUMBER = 4


def named_in(words: str) -> str:
    """Return the source that a phrase is: a known service, or its first words that have the shape of a name
    or of a noun; empty when it has other words there.

    Of a sentence that says what something is, that is the name behind its verb: ``she says the till is
    Square``.
    """
    services = find_services(straighten_quotes(words))
    if services:
        return services[0].name
    if not names_something(words):
        return ""
    tokens = list(_with_numbers(tokenise(words)))
    verbs = [at for at, token in enumerate(tokens) if token.word in _EQUATING and at > 1]
    if verbs and (name := _name_at(tokens, verbs[-1] + 1)):
        return name.lower()
    if any(token.word in REPORTS for token in tokens[1:3]):
        return ""  # who said it is no system
    while tokens and (
        tokens[0].word in _DETERMINERS | _FROM | _KEPT | {"out", "of"} or not tokens[0].is_word
    ):
        tokens = tokens[1:]
    name = _name_at(tokens, 0) or _noun_at(tokens, 0, most=_MOST_WORDS)
    return name.lower()


_EQUATING = frozenset({"is", "are", "was", "called", "named"})


def begins_with_no_system(words: str) -> bool:
    """Return whether words begin with what is never a source: ``Tuesday's useless, the bank file``."""
    first = next((token.word for token in tokenise(words) if token.word not in _DETERMINERS), "")
    return first.removesuffix("'s") in _NOT_SYSTEMS


def _overlaps(start: int, end: int, spans: Sequence[Place]) -> bool:
    return any(first < end and start < last for first, last in spans)


def _with_product(place: DataPlace, tokens: Sequence[Token]) -> DataPlace:
    """Return the place with the product that follows the name of a family: ``SAP Ariba``."""
    if place.name not in _FAMILIES:
        return place
    behind = next((at for at, token in enumerate(tokens) if token.start == place.end + 1), None)
    product = _name_at(tokens, behind) if behind is not None else ""
    if not product or product.lower() in known_words():
        return place
    return DataPlace(f"{place.name} {product.lower()}", place.start, place.end + 1 + len(product))


def _led(tokens: Sequence[Token], start: int) -> int:
    """Return where the words begin that lead to a name at ``start``: ``they are all in our``."""
    at = next((place for place, token in enumerate(tokens) if token.start >= start), len(tokens))
    begin = at
    while begin and tokens[begin - 1].word in _DETERMINERS:
        begin -= 1
    if not begin or tokens[begin - 1].word not in _FROM | {"of"}:
        return start
    begin -= 1
    if tokens[begin].word == "of":
        if not begin or tokens[begin - 1].word != "out":
            return start
        begin -= 1
    is_kept, before = _kept_before(tokens, begin)
    return tokens[before if is_kept else begin].start


def _kept_before(tokens: Sequence[Token], place: int) -> tuple[bool, int]:
    """Return whether words such as ``it is all kept`` stand before a place, and where they begin."""
    begin = place
    while begin and place - begin < _MOST_LEADING and tokens[begin - 1].word in _KEPT | _BETWEEN | SUBJECTS:
        begin -= 1
    return any(token.word in _KEPT for token in tokens[begin:place]), begin


_MOST_LEADING = 5


def _in_places(tokens: Sequence[Token]) -> Iterator[tuple[int, DataPlace]]:
    """Yield the names behind words that lead to data, each with its rank: the lower, the surer."""
    for place, token in enumerate(tokens):
        is_out = token.word == "out" and [one.word for one in tokens[place + 1 : place + 2]] == ["of"]
        is_out = is_out and not (place and tokens[place - 1].word in _RUNNING_OUT)
        if token.word not in _FROM and not is_out:
            continue
        at = place + 1 + is_out
        while at < len(tokens) and tokens[at].word in _DETERMINERS:
            at += 1
        if at > place + 1 and token.word == "in" and place and tokens[place - 1].word in _HANDING:
            continue  # who ``sent in their form`` keeps nothing there
        is_kept, begin = _kept_before(tokens, place)
        name, rank = _name_at(tokens, at), 1
        if is_out:
            is_kept = any(_is_fetching(one.word) for one in tokens[:place])
        if not name and token.word not in {"use", "uses"}:
            name, rank = _unknown_at(tokens, at), 2
        if not name and is_kept:
            name, rank = _noun_at(tokens, at, most=_MOST_LOWER), 3
        if name and name.lower() not in places() and tokens[at].word not in _NOT_SYSTEMS:
            found = DataPlace(name.lower(), tokens[begin if is_kept and not is_out else place].start,
                              tokens[at].start + len(name))  # fmt: skip
            yield (0 if is_kept and rank < _LOWEST_RANK else rank), found


_LOWEST_RANK = 3
_HANDING = frozenset(
    "send sends sent sending hand hands handed handing turn turns turned turning fill fills filled filling"
    " give gave given bring brought".split()
)
"""Verbs whose ``in`` leads to no place: ``hand in``, ``fill in``."""
_RUNNING_OUT = frozenset("run runs ran running sold falling fell grow growing are is was were be".split())
"""The words before ``out of`` that tell what is no longer there."""


def _is_fetching(word: str) -> bool:
    form = verb_forms().get(word)
    return form is not None and form.base in {
        "get",
        "pull",
        "take",
        "fetch",
        "read",
        "extract",
        "copy",
        "list",
    }


def _is_somebody(tokens: Sequence[Token], start: int) -> bool:
    """Return whether a name is a person's, or where results go: behind ``customer``, ``send on``."""
    before = [token.word for token in tokens if token.end <= start][-2:]
    goes_there = (before[-1:] == ["to"] and any(_delivers(token.word) for token in tokens)) or (
        before[-1:] in (["on"], ["via"], ["over"], ["by"]) and _delivers(before[0])
    )
    return goes_there or before[-1:] in ([title] for title in _PERSONS)


_PERSONS = ("mr", "mrs", "ms", "dr", "miss", "sir", "customer", "client", "called", "named")


def _delivers(word: str) -> bool:
    return "deliver" in classes_of(word)


def _name_at(tokens: Sequence[Token], place: int) -> str:
    """Return the capitalised words at a place."""
    words: list[str] = []
    end = 0
    for token in tokens[place : place + _MOST_WORDS]:
        is_joined = not words or token.start - end <= 1
        if not (is_joined and token.text[0].isalpha() and _is_proper(token)):
            break
        words.append(token.text)
        end = token.end
    return " ".join(words)


def _is_proper(token: Token) -> bool:
    is_capital = any(mark.isupper() for mark in token.text)
    return is_capital and token.word not in _NOT_SYSTEMS | _FUNCTION_WORDS and names_something(token.text)


def _unknown_at(tokens: Sequence[Token], place: int) -> str:
    """Return the word at a place when it is no English one: ``icabbi``."""
    token = tokens[place] if place < len(tokens) else None
    is_word = token is not None and token.text.isalnum() and token.text[0].isalpha() and len(token.text) > 2
    is_known = token is not None and (token.word in known_words() or token.word in _FUNCTION_WORDS)
    is_name = token is not None and not is_known and names_something(token.text)
    return token.text if token is not None and is_word and is_name else ""


def _noun_at(tokens: Sequence[Token], place: int, *, most: int) -> str:
    """Return the words at a place up to a mark or to a word that no name has."""
    words: list[str] = []
    for before, token in zip([None, *tokens[place:]], tokens[place : place + most], strict=False):
        is_apart = before is not None and token.start - before.end > 1
        if is_apart or not token.text[0].isalnum() or token.word in _FUNCTION_WORDS | _NOT_SYSTEMS:
            break
        words.append(token.text)
    name = " ".join(words)
    return name if any(word[0].isalpha() for word in words) and names_something(name) else ""


def _containers(tokens: Sequence[Token]) -> Iterator[DataPlace]:
    """Yield ``rota sheet``, ``fall log``: the words that say where data are kept."""
    for place, token in enumerate(tokens):
        if token.word not in _CONTAINERS or not place:
            continue
        begin = place
        while begin and place - begin < 2 and tokens[begin - 1].word not in _DETERMINERS | _FUNCTION_WORDS:
            if not tokens[begin - 1].is_word or tokens[begin - 1].end + 1 < tokens[begin].start:
                break
            begin -= 1
        lead = begin - 1
        while (
            lead > 0 and tokens[lead].word in _DETERMINERS and tokens[lead - 1].word in _DETERMINERS | _FROM
        ):
            lead -= 1
        led_by = tokens[lead].word if lead >= 0 else ""
        if led_by in _FROM | _DETERMINERS - {"same"} and begin:
            name = " ".join(one.text for one in tokens[begin : place + 1])
            yield DataPlace(name.lower(), tokens[lead].start, token.end)


def _camel_case(tokens: Sequence[Token]) -> Iterator[DataPlace]:
    """Yield names with capitals within: ``ezyVet``."""
    for token in tokens:
        has_capital = any(mark.isupper() for mark in token.text[1:])
        if has_capital and not token.text.isupper() and token.text.isalpha():
            yield DataPlace(token.text.lower(), token.start, token.end)


def _modifiers(tokens: Sequence[Token]) -> Iterator[DataPlace]:
    """Yield names that stand before what they hold: ``failed Airflow runs``, ``Airflow DAG runs``."""
    for place, token in enumerate(tokens):
        before = tokens[place - 1] if place else None
        begins = before is None or before.text in ".!?:;\n(" or before.end + 1 < token.start
        is_name = _is_proper(token) and not token.text.isupper() and not token.text.endswith("'s")
        if not is_name or (begins and token.word in known_words()) or _is_given(before):
            continue
        at = place + 1
        while at < len(tokens) and tokens[at].text.isupper() and tokens[at].text.isalpha():
            at += 1
        if _is_held(tokens[at - 1 : at + 1]):
            first = _first_of_name(tokens, place)
            name = " ".join(one.text for one in tokens[first : place + 1])
            yield DataPlace(name.lower(), tokens[first].start, token.end)


def _first_of_name(tokens: Sequence[Token], last: int) -> int:
    """Return where the name begins that ends at a place: ``App Store``. The first word of a sentence has its
    capital from there.
    """
    first = last
    while first > 1:
        token, before = tokens[first - 1], tokens[first - 2]
        is_next = token.end + 1 == tokens[first].start and before.end + 1 == token.start
        if not (is_next and token.text.istitle() and token.word not in _NOT_SYSTEMS | _FUNCTION_WORDS):
            break
        first -= 1
    return first


def _is_held(pair: Sequence[Token]) -> bool:
    """Return whether the second of two words names several things, and stands next to the first."""
    if len(pair) < 2:
        return False
    name, held = pair
    is_plural = held.text.isalpha() and held.text.islower() and held.word.endswith("s")
    return is_plural and held.word not in _FUNCTION_WORDS and name.end + 1 == held.start


def _is_given(before: Token | None) -> bool:
    """Return whether the word before a name makes it somebody's: ``Mr``, ``send``."""
    if before is None:
        return False
    return before.word in _GIVEN or bool(classes_of(before.word) & {"deliver", "remind"})


_GIVEN = frozenset({*_PERSONS, "for", "ask", "tell", "with", "by", "of"})


def _searched(tokens: Sequence[Token]) -> Iterator[DataPlace]:
    """Yield names in lower case that something is looked for in: ``checks lightspeed for refunds``."""
    for verb, token, behind in zip(tokens, tokens[1:], tokens[2:], strict=False):
        form = verb_forms().get(verb.word)
        is_search = form is not None and form.base in _SEARCHING and behind.word in _BEHIND_SEARCHED
        is_name = token.text[:1].isupper() or token.text.lower() not in known_words()
        if is_search and is_name and token.word.isalpha() and token.word not in _NOT_SYSTEMS | {"i"}:
            yield DataPlace(token.text.lower(), token.start, token.end)


def _heading(tokens: Sequence[Token]) -> Iterator[DataPlace]:
    """Yield the name that a request begins with before a colon: ``Ironclad: expiring contracts, daily``."""
    name = _name_at(tokens, 0) if tokens else ""
    size = len(name.split())
    is_heading = bool(name) and [one.text for one in tokens[size : size + 1]] == [":"]
    if is_heading and not {word.lower() for word in name.split()} & (known_words() | _NOT_SYSTEMS):
        yield DataPlace(name.lower(), tokens[0].start, tokens[size].end)


def says_no_source(words: str) -> bool:
    """Return whether words say that an agent needs no source."""
    return _NO_SOURCE.search(words) is not None


_NO_SOURCE = LazyPattern(r"^\W*(none|nowhere|no (source|app|service|data)|it (needs|has) no|nothing)\b")
