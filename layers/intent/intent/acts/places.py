"""Where results shall go, of all the places that a clause names: those that it doesn't turn down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from intent.acts.act import ActKind, Span
from intent.acts.clauses import Clause
from intent.acts.learned.marked_tokens import SERVICES
from intent.acts.lexicon import ASKING_YOU, CORRECTIONS, LEADS, POINTERS, verb_forms
from intent.acts.polarity import corrected, is_turned_down
from intent.acts.references import find_meant
from intent.acts.scene import Scene
from intent.acts.slots import find_slots
from intent.acts.tokens import Token
from intent.acts.told_deeds import mentions
from intent.acts.unsendable_ways import find_unsendables


def wanted_places(clause: Clause, tagged: Sequence[Span], addresses: Sequence[Span]) -> list[Span]:
    """Return the places that are wanted: the addresses within the tagged words, else the tagged words.

    Without tagged words, all addresses count. Those that the clause turns down or corrects do not.
    """
    addresses = [one for one in addresses if not _is_arrived_at(clause, one)]
    if addresses:
        tagged = [one for one in tagged if one.text.lower() not in MESSAGES]
    places: list[Span] = []
    for place in tagged or addresses:
        within = [one for one in addresses if place.start < one.end and one.start < place.end]
        places += within or [place]
    places += [one for one in addresses if any(_belongs(clause, one, place) for place in tagged)]
    places = _commanded(clause, list(dict.fromkeys(places)))
    wanted = [one for one in corrected(clause, places, addresses) if not is_turned_down(clause, one)]
    alone: list[Span] = []
    for one in sorted(addresses, key=lambda one: one.start):
        goes_on = bool(alone) and _is_joined(clause, alone[-1], one)
        if (goes_on or says_alone(clause, one)) and not is_turned_down(clause, one):
            alone.append(one)
    wanted += _address_apart(clause, wanted, addresses)
    if alone and all(one.text.lower() in _SENDING for one in alone):
        alone += [one for one in wanted if "@" in one.text and one not in alone]  # ``just mail it to a@b.co``
    return alone or sorted(wanted, key=lambda one: one.start)


def _is_arrived_at(clause: Clause, place: Span) -> bool:
    """Return whether an address only says more of the mails that a job is about: ``the complaints that came
    in at help@b.co``, ``mails written to sales@b.co``.
    """
    before = [token.word for token in clause.tokens if token.end <= place.start][-_NEAR_ARRIVAL:]
    at = next((at for at, word in enumerate(before) if word in _OF_MAILS), None)
    if at is None or "@" not in place.text or not set(before[at + 1 :]) <= _INTO:
        return False
    return before[at] in _PARTICIPLES or bool({"that", "which", "who"} & set(before[:at]))


_NEAR_ARRIVAL = 5
_INTO = frozenset("in to at into through via on our my the mailbox inbox address".split())
_PARTICIPLES = frozenset({"written", "coming", "arriving"})
_OF_MAILS = _PARTICIPLES | frozenset("come comes came arrive arrives arrived land lands landed wrote".split())


def _address_apart(clause: Clause, wanted: Sequence[Span], addresses: Sequence[Span]) -> list[Span]:
    """Return the address at the end of a request whose other words only say that something is mailed: ``mail
    me the list daily at ann@b.co``; empty where there is none, or what is sent comes to it.
    """
    mails = [one for one in addresses if "@" in one.text]
    if len(mails) != 1 or any("@" in one.text or "#" in one.text for one in wanted):
        return []
    before = [token.word for token in clause.tokens if token.end <= mails[0].start][-_NEAR_ADDRESS:]
    is_led = before[-1:] in (["to"], ["at"]) and not _ARRIVING & set(before)
    is_said = any(set(one.text.lower().split()[:1]) <= _SENDING for one in wanted)
    return mails if is_led and is_said and not is_turned_down(clause, mails[0]) else []


_NEAR_ADDRESS = 5
_ARRIVING = frozenset(
    "come comes came coming arrive arrives arrived land lands landed write wrote written sent received"
    " addressed reach reached forwarded slack teams".split()
)
_SENDING = frozenset("send mail email".split())


def _commanded(clause: Clause, places: list[Span]) -> list[Span]:
    """Return the places without those of sentences that only tell where results come now, beside one that
    commands: ``it lands in my inbox. Put it in Slack``.
    """
    if len(places) < 2:
        return places
    said = list(clause.sentences())
    telling = [one for one in said if _COMING & set(one.words) and not _begins_with_command(one)]
    if not telling or not any(map(_begins_with_command, said)):
        return places
    return [one for one in places if not any(_is_in(one, told) for told in telling)] or places


_COMING = frozenset("lands goes comes arrives gets ends drowns sits".split())
"""What a sentence says that tells where results come at present."""


def _is_in(place: Span, sentence: Clause) -> bool:
    return sentence.start <= place.start < sentence.end


def _begins_with_command(sentence: Clause) -> bool:
    first = next((word for word in sentence.words if word not in LEADS | {"and", "so"}), "")
    form = verb_forms().get(first)
    return form is not None and form.is_base


def dropped_places(clause: Clause, addresses: Sequence[Span]) -> list[Span]:
    """Return the addresses that a clause turns down, where it names no place that is wanted."""
    turned_down = [one for one in addresses if is_turned_down(clause, one)]
    named = [one for one in turned_down if "@" in one.text or "#" in one.text]
    return named if len(turned_down) == len(addresses) else []


MESSAGES = frozenset({"emails", "mails", "messages"})
"""Words for what a job is about, which are no place where an address is named: ``the unread emails``."""


def redirects(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause gives the results of an agent another place for good: ``from now on show me
    what parcels finds here``, ``stop mailing me parcels, put it in the chat instead``.
    """
    line = f" {' '.join(clause.words)} "
    is_for_good = any(f" {one} " in line for one in _FOR_GOOD) or removes_place(clause)
    if scene.has_draft or not is_for_good or not _is_on_agent(clause, scene):
        return False
    found = find_slots(clause.text, clause.tokens, now=scene.now, zone=scene.zone, offset=clause.start)
    return bool(wanted_places(clause, (), found.addresses))


def asks_to_send(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause asks for the results of the agent just talked of to be sent to an address, too,
    in the form of a question: ``can you also mail it to ana@b.co, she is new``.
    """
    if scene.question is not None or scene.has_draft or scene.focus_kind != "agent":
        return False
    words = clause.words
    place = next((at + 2 for at, pair in enumerate(pairwise(words)) if pair in ASKING_YOU), len(words))
    behind = [word for word in words[place:] if word not in LEADS]
    if not any("@" in word or (word[0] == "#" and len(word) > 1) for word in behind):
        return False
    return behind[1:2] != [] and behind[1] in _RESULTS and behind[0] not in _TELLING


_RESULTS = frozenset({"it", "that", "this", "them", "those"})
_TELLING = frozenset("tell say show explain check confirm see remember remind know look find".split())


def amends_place(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause only says where else the results of the agent just talked of shall go, such as
    ``ok here then``, ``no, slack``, ``and to me as well``, ``text me instead``.
    """
    if scene.question is not None or scene.has_draft or scene.focus is None or scene.focus_kind != "agent":
        return False
    words = [word for word in clause.words if word[0].isalnum() or word[0] == "#"]
    is_after_deed = scene.did in _SETTING or bool(_CHOOSING & set(words))
    if not is_after_deed or (clause.is_question and words[:1] != [] and words[0] not in _ASKING):
        return False
    return says_only_places(clause)


def says_only_places(clause: Clause) -> bool:
    """Return whether a clause has no words but those that say where results shall go."""
    words = [word for word in clause.words if word[0].isalnum() or word[0] == "#"]
    ways = [(way.start + clause.start, way.end + clause.start) for way in find_unsendables(clause.text)]
    rest = [
        token.word
        for token in clause.tokens
        if token.is_word
        and not _is_plain_place(token)
        and not any(start <= token.start < end for start, end in ways)
    ]
    is_said = bool(ways) or len(rest) < len(words) or names_speaker(clause.tokens)
    return is_said and bool(words) and set(rest) <= _AROUND_PLACES


def names_speaker(tokens: Sequence[Token]) -> bool:
    """Return whether words name the speaker as one who gets something: ``and me``, ``cc me``."""
    words = ["", *(token.word for token in tokens if token.is_word)]
    return any(word in {"me", "myself"} and before in _BEFORE_SPEAKER for before, word in pairwise(words))


def _is_plain_place(token: Token) -> bool:
    is_address = ("@" in token.text and "." in token.text) or token.text.startswith(("http", "#"))
    return is_address or token.word in _PLAIN_PLACES


_SETTING = frozenset({ActKind.CREATE_AGENT, ActKind.CHANGE_AGENT, ActKind.COPY_AGENT})
_ASKING = frozenset({"can", "could", "would", "will"})
_CHOOSING = frozenset("instead rather too also cc well".split()) | CORRECTIONS
_PLAIN_PLACES = frozenset("webhook slack teams mail email e-mail here chat inbox mailbox".split())
_BEFORE_SPEAKER = frozenset(
    {"", "to", "cc", "and", "also", "just", "only", "copy", "include", "add", "actually"}
)
_AROUND_PLACES = (LEADS | CORRECTIONS | POINTERS) - {"thanks", "thank", "cheers"} | frozenset(
    "to by via on in into at as for send mail email post put drop deliver forward go come have get make let's"
    " let the a my our me us myself results result report instead rather too also well only just both cc"
    " copy include add can could would will should you be i we want i'd like prefer better fine whatever"
    " guess ok case then than this thing channel address with through over not".split()
)
"""Words that say nothing but that results shall go somewhere."""


def moves_source(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause says that the data of an agent are in another system than before: ``they aren't
    in Drive any more, they're in Dropbox now``.
    """
    is_open = scene.has_draft or scene.question is not None
    if is_open or clause.is_question or any(True for _ in mentions(clause)):
        return False
    spans = list(_services(clause))
    gone = [one for one in spans if is_turned_down(clause, one)]
    return 0 < len(gone) < len(spans) and _is_on_agent(clause, scene)


def _services(clause: Clause) -> Iterator[Span]:
    """Yield the names of known systems, of one word or several."""
    for is_service, tokens in groupby(clause.tokens, lambda token: token.word in _SYSTEMS):
        said = list(tokens)
        if is_service:
            yield Span(said[0].text, said[0].start, said[-1].end)


_SYSTEMS = SERVICES - frozenset(
    "monday box square notion canvas lever mews toast exact sage slack teams".split()
)
"""Systems whose names are no plain words and no places for results."""


def _is_on_agent(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause names agents, or may mean the one that was talked about."""
    meant = find_meant(clause, scene.agents)
    return (bool(meant.things) and not meant.is_all) or scene.focus_kind == "agent"


_FOR_GOOD = (
    "from now on", "in future", "in the future", "going forward", "from today", "henceforth", "instead",
    "from here on", "any more", "anymore", "no longer", "rather than",
)  # fmt: skip
"""Words by which something is to be otherwise from now on."""


def _is_joined(clause: Clause, one: Span, other: Span) -> bool:
    """Return whether two places stand in a row: ``only a@b.co and c@b.co``."""
    between = {token.word for token in clause.tokens_within(one.end, other.start)}
    return between <= _OBJECTS | {",", "and", "&", "in", "to", "at"}


_OBJECTS = frozenset("it them that this me us".split())
"""What is sent, or to whom, between a way and its address: ``email it to bo@b.co``."""


def _belongs(clause: Clause, address: Span, place: Span) -> bool:
    """Return whether an address tells a place more closely that stands before it: ``to Slack, #dock``."""
    between = [one.word for one in clause.tokens_within(place.end, address.start)]
    return place.end <= address.start and len(between) <= _NEAR and set(between) <= _BEFORE_CLOSER


_NEAR = 3
_BEFORE_CLOSER = _OBJECTS | frozenset({",", ":", "(", "-", "in", "the", "channel", "to", "at", "into"})


def says_alone(clause: Clause, place: Span) -> bool:
    """Return whether a clause says that one place only is to get the results: ``only ops@b.co gets it``."""
    tokens = clause.tokens
    within = clause.places_within(place.start, place.end)
    if not within:
        return False
    first, last = within[0], within[-1]
    while first and tokens[first].word in _LEADING:
        first += 1  # an address is found with the words that lead to it
    at = min(first, last)
    while at and tokens[at - 1].word in _LEADING:
        at -= 1
    before = [one.word for one in tokens[max(0, at - 2) : at]]
    behind = tokens[last + 1].word if last + 1 < len(tokens) else ""
    is_before = before[-1:] != [] and before[-1] in _ALONE and before[:1] != ["not"]
    return is_before or behind in {"only", "alone"}


_ALONE = frozenset({"only", "just", "solely", "exclusively"})
_LEADING = frozenset("to into in on via by for through".split())


def adds_place(clause: Clause) -> bool:
    """Return whether a clause names a place besides those there are: ``to ops@b.co as well``."""
    words = set(clause.words)
    text = f" {' '.join(clause.words)} "
    if " nobody else " in text or " no one else " in text:
        return False
    if _adds_by_and(clause):
        return True
    if any(one == "too" and not two.isalpha() for one, two in pairwise((*clause.words, ""))):
        return True  # ``to me too``, and not ``general is too noisy``
    return bool(words & {"also", "additionally", "add", "plus", "copy", "cc"}) or any(
        phrase in text for phrase in (" as well ", " in addition ", " on top ")
    )


def _adds_by_and(clause: Clause) -> bool:
    """Return whether a clause begins with ``and`` and a place, without a command: ``and to me``."""
    words = [word for word in clause.words if word[0].isalnum() or word[0] == "#"]
    rest = [token for token in clause.tokens if token.is_word][1:]
    is_bare = words[:1] == ["and"] and not {"instead", "rather", "not"} & set(words)
    begins = next((token for token in rest if token.word not in _LEADING), None)
    return is_bare and begins is not None and (begins.word == "me" or _is_plain_place(begins))


def removes_place(clause: Clause) -> bool:
    """Return whether a clause takes a place away: ``no more mail``."""
    text = f" {' '.join(clause.words)} "
    phrases = (
        "no more",
        "no longer",
        "stop sending",
        "stop mailing",
        "take off",
        "don't send",
        "stop emailing",
        "stop posting",
        "don't mail",
        "don't email",
        "don't post",
        "quit mailing",
        "quit emailing",
    )
    return any(f" {phrase} " in text for phrase in phrases)
