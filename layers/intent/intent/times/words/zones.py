"""Time zones by name, abbreviation, city, state and country."""

from __future__ import annotations

from functools import lru_cache

from intent.dates.time_zones import zone_names
from intent.times.words.lexicon import first_words
from intent.times.words.tokens import Tokens, at, words_at

_EASTERN, _CENTRAL, _MOUNTAIN = "America/New_York", "America/Chicago", "America/Denver"
_PACIFIC, _BERLIN, _LONDON = "America/Los_Angeles", "Europe/Berlin", "Europe/London"

_ABBREVIATIONS = {
    "et": _EASTERN, "est": _EASTERN, "edt": _EASTERN, "ct": _CENTRAL, "cst": _CENTRAL, "cdt": _CENTRAL,
    "mt": _MOUNTAIN, "mst": _MOUNTAIN, "mdt": _MOUNTAIN, "pt": _PACIFIC, "pst": _PACIFIC, "pdt": _PACIFIC,
    "akst": "America/Anchorage", "akdt": "America/Anchorage", "hst": "Pacific/Honolulu", "gmt": "UTC",
    "utc": "UTC", "zulu": "UTC", "bst": _LONDON, "cet": _BERLIN, "cest": _BERLIN, "mez": _BERLIN,
    "eet": "Europe/Athens", "eest": "Europe/Athens", "wet": "Europe/Lisbon", "jst": "Asia/Tokyo",
    "kst": "Asia/Seoul", "sgt": "Asia/Singapore", "hkt": "Asia/Hong_Kong", "aest": "Australia/Sydney",
    "aedt": "Australia/Sydney", "acst": "Australia/Adelaide", "awst": "Australia/Perth",
    "nzst": "Pacific/Auckland", "nzdt": "Pacific/Auckland", "sast": "Africa/Johannesburg",
    "msk": "Europe/Moscow", "ast": "America/Halifax", "brt": "America/Sao_Paulo",
}  # fmt: skip
UNMISTAKABLE = frozenset(
    {"gmt", "utc", "edt", "cst", "cdt", "mdt", "pst", "pdt", "akst", "akdt", "cet", "cest", "eest", "aest",
     "aedt", "nzst", "nzdt", "jst", "sgt", "hkt", "zulu"}
)  # fmt: skip
"""Abbreviations that name nothing but a zone, wherever they stand."""
AMBIGUOUS = {"ist": ("Asia/Kolkata", "Asia/Jerusalem", "Europe/Dublin")}
"""India's, Israel's or Ireland's: asked, unless the person is there or names a place there."""
_NAMED = {
    "eastern": _EASTERN, "central": _CENTRAL, "mountain": _MOUNTAIN, "pacific": _PACIFIC,
    "east coast": _EASTERN, "west coast": _PACIFIC, "central european": _BERLIN,
}  # fmt: skip
_PLACES = {
    "uk": _LONDON, "british": _LONDON, "england": _LONDON, "scotland": _LONDON, "britain": _LONDON,
    "edinburgh": _LONDON, "manchester": _LONDON, "glasgow": _LONDON, "wales": _LONDON,
    "german": _BERLIN, "germany": _BERLIN, "munich": _BERLIN, "hamburg": _BERLIN, "frankfurt": _BERLIN,
    "cologne": _BERLIN, "geneva": "Europe/Zurich", "bern": "Europe/Zurich", "swiss": "Europe/Zurich",
    "france": "Europe/Paris", "french": "Europe/Paris", "lyon": "Europe/Paris", "spain": "Europe/Madrid",
    "spanish": "Europe/Madrid", "barcelona": "Europe/Madrid", "italy": "Europe/Rome", "milan": "Europe/Rome",
    "portugal": "Europe/Lisbon", "porto": "Europe/Lisbon", "netherlands": "Europe/Amsterdam",
    "dutch": "Europe/Amsterdam", "poland": "Europe/Warsaw", "krakow": "Europe/Warsaw",
    "greece": "Europe/Athens", "turkey": "Europe/Istanbul", "ireland": "Europe/Dublin",
    "irish": "Europe/Dublin", "israel": "Asia/Jerusalem", "tel aviv": "Asia/Jerusalem",
    "india": "Asia/Kolkata", "indian": "Asia/Kolkata", "mumbai": "Asia/Kolkata", "delhi": "Asia/Kolkata",
    "new delhi": "Asia/Kolkata", "bangalore": "Asia/Kolkata", "bengaluru": "Asia/Kolkata",
    "chennai": "Asia/Kolkata", "hyderabad": "Asia/Kolkata", "pune": "Asia/Kolkata", "japan": "Asia/Tokyo",
    "osaka": "Asia/Tokyo", "korea": "Asia/Seoul", "china": "Asia/Shanghai", "beijing": "Asia/Shanghai",
    "shenzhen": "Asia/Shanghai", "philippines": "Asia/Manila", "vietnam": "Asia/Ho_Chi_Minh",
    "hanoi": "Asia/Ho_Chi_Minh", "thailand": "Asia/Bangkok", "abu dhabi": "Asia/Dubai", "uae": "Asia/Dubai",
    "egypt": "Africa/Cairo", "kenya": "Africa/Nairobi", "nigeria": "Africa/Lagos",
    "cape town": "Africa/Johannesburg", "south africa": "Africa/Johannesburg",
    "wellington": "Pacific/Auckland", "new zealand": "Pacific/Auckland", "canberra": "Australia/Sydney",
    "hawaii": "Pacific/Honolulu", "arizona": "America/Phoenix", "california": _PACIFIC, "seattle": _PACIFIC,
    "portland": _PACIFIC, "san francisco": _PACIFIC, "san diego": _PACIFIC, "san jose": _PACIFIC,
    "las vegas": _PACIFIC, "vegas": _PACIFIC, "la": _PACIFIC, "sf": _PACIFIC, "oregon": _PACIFIC,
    "nevada": _PACIFIC, "oakland": _PACIFIC, "sacramento": _PACIFIC, "texas": _CENTRAL, "dallas": _CENTRAL,
    "houston": _CENTRAL, "austin": _CENTRAL, "san antonio": _CENTRAL, "minneapolis": _CENTRAL,
    "st louis": _CENTRAL, "new orleans": _CENTRAL, "nashville": _CENTRAL, "memphis": _CENTRAL,
    "milwaukee": _CENTRAL, "kansas city": _CENTRAL, "illinois": _CENTRAL, "colorado": _MOUNTAIN,
    "utah": _MOUNTAIN, "salt lake city": _MOUNTAIN, "albuquerque": _MOUNTAIN, "new york": _EASTERN,
    "ny": _EASTERN, "nyc": _EASTERN, "boston": _EASTERN, "miami": _EASTERN, "atlanta": _EASTERN,
    "philadelphia": _EASTERN, "washington": _EASTERN, "dc": _EASTERN, "charlotte": _EASTERN,
    "orlando": _EASTERN, "tampa": _EASTERN, "pittsburgh": _EASTERN, "cleveland": _EASTERN,
    "florida": _EASTERN, "georgia": _EASTERN, "ohio": _EASTERN, "michigan": "America/Detroit",
    "montreal": "America/Toronto", "ottawa": "America/Toronto", "calgary": "America/Edmonton",
    "alaska": "America/Anchorage", "brazil": "America/Sao_Paulo", "rio": "America/Sao_Paulo",
    "argentina": "America/Argentina/Buenos_Aires", "mexico": "America/Mexico_City",
    "gothenburg": "Europe/Stockholm", "sweden": "Europe/Stockholm", "denmark": "Europe/Copenhagen",
    "norway": "Europe/Oslo", "finland": "Europe/Helsinki", "austria": "Europe/Vienna",
    "rotterdam": "Europe/Amsterdam", "the hague": "Europe/Amsterdam", "utrecht": "Europe/Amsterdam",
    "eindhoven": "Europe/Amsterdam", "antwerp": "Europe/Brussels", "ghent": "Europe/Brussels",
    "dusseldorf": _BERLIN, "stuttgart": _BERLIN, "bremen": _BERLIN, "leipzig": _BERLIN, "dresden": _BERLIN,
    "nuremberg": _BERLIN, "hanover": _BERLIN, "basel": "Europe/Zurich", "lausanne": "Europe/Zurich",
    "salzburg": "Europe/Vienna", "graz": "Europe/Vienna", "marseille": "Europe/Paris",
    "lille": "Europe/Paris", "toulouse": "Europe/Paris", "bordeaux": "Europe/Paris",
    "strasbourg": "Europe/Paris", "valencia": "Europe/Madrid", "seville": "Europe/Madrid",
    "bilbao": "Europe/Madrid", "turin": "Europe/Rome", "naples": "Europe/Rome", "genoa": "Europe/Rome",
    "florence": "Europe/Rome", "venice": "Europe/Rome", "bologna": "Europe/Rome", "trieste": "Europe/Rome",
    "bergen": "Europe/Oslo", "malmo": "Europe/Stockholm", "aarhus": "Europe/Copenhagen",
    "gdansk": "Europe/Warsaw", "wroclaw": "Europe/Warsaw", "poznan": "Europe/Warsaw",
    "brno": "Europe/Prague", "thessaloniki": "Europe/Athens", "piraeus": "Europe/Athens",
    "ankara": "Europe/Istanbul", "izmir": "Europe/Istanbul", "liverpool": _LONDON, "birmingham": _LONDON,
    "leeds": _LONDON, "bristol": _LONDON, "cardiff": _LONDON, "cork": "Europe/Dublin",
    "galway": "Europe/Dublin", "yokohama": "Asia/Tokyo", "nagoya": "Asia/Tokyo", "busan": "Asia/Seoul",
    "guangzhou": "Asia/Shanghai", "ningbo": "Asia/Shanghai", "jeddah": "Asia/Riyadh",
    "alexandria": "Africa/Cairo", "durban": "Africa/Johannesburg", "auckland": "Pacific/Auckland",
    "long beach": _PACIFIC, "savannah": _EASTERN, "baltimore": _EASTERN, "newark": _EASTERN,
    "belgium": "Europe/Brussels", "czech": "Europe/Prague", "saigon": "Asia/Ho_Chi_Minh",
}  # fmt: skip
MAX_WORDS = 3


@lru_cache(maxsize=1)
def places() -> dict[str, str]:
    """Returns the zones of cities, states and countries."""
    cities = {
        name.rpartition("/")[2].replace("_", " ").lower(): name
        for name in sorted(zone_names())
        if name.count("/") == 1 and not name.startswith(("Etc/", "US/", "Brazil/", "Canada/", "SystemV/"))
    }
    return {**cities, **_PLACES}


@lru_cache(maxsize=1)
def starts() -> frozenset[str]:
    """Returns the words with which zones begin."""
    return first_words(_ABBREVIATIONS, AMBIGUOUS, _NAMED, places()) | {
        "for", "her", "here", "his", "in", "local", "my", "our", "their", "your", "z"
    }  # fmt: skip


def zone_name_at(tokens: Tokens, place: int) -> tuple[str, int] | None:
    """Returns the zone of an abbreviation or a name such as ``Pacific``, and the place after it."""
    word = at(tokens, place).text
    if word in ("gmt", "utc") and (offset := _offset(tokens, place + 1)):
        return offset
    if word in _ABBREVIATIONS:
        return _ABBREVIATIONS[word], words_at(tokens, place + 1, "time") or place + 1
    for name, zone in _NAMED.items():
        if here := words_at(tokens, place, name):
            return zone, words_at(tokens, here, "standard time", "daylight time", "time", "tz") or here
    return None


def _offset(tokens: Tokens, place: int) -> tuple[str, int] | None:
    """Returns the zone of ``+2`` after ``GMT``; ``?`` for one that is not in whole hours."""
    sign, hours = at(tokens, place).text, at(tokens, place + 1)
    if sign not in ("+", "-") or not at(tokens, place).is_glued or not hours.is_number or not hours.is_glued:
        return None
    end = place + 2
    has_minutes = at(tokens, end).text == ":" and at(tokens, end).is_glued
    if has_minutes or len(hours.text) > 2 or int(hours.text) > 12:
        return "?", end + 2 * has_minutes
    # The names of these zones count westwards.
    return f"Etc/GMT{'-' if sign == '+' else '+'}{int(hours.text)}", end


def place_at(tokens: Tokens, place: int) -> tuple[str, int] | None:
    """Returns the zone of a city, state or country, and the place after its name."""
    named = places()
    for count in range(MAX_WORDS, 0, -1):
        words = [token.text for token in tokens[place : place + count]]
        if len(words) == count and (zone := named.get(" ".join(words))):
            return zone, place + count
    return None
