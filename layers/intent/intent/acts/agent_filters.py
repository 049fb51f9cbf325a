"""Which of the user's agents a question is about, by their state, days, places and sources: ``which of them
are paused?``, ``what do you send me on Mondays?`` Pure, and knows no agents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from intent.acts.hour_ranges import HourRange, read_hours
from intent.acts.learned.marked_tokens import SERVICES
from intent.acts.lexicon import (
    AGENT_NOUNS,
    ASKING_YOU,
    AUXILIARIES,
    LEADS,
    NEGATIONS,
    QUESTION_WORDS,
    TASK_NOUNS,
)
from intent.acts.tokens import Token

WEEKDAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_OFF = frozenset("paused off stopped inactive disabled suspended pause stop frozen halted".split())
_ON = frozenset("active running on enabled alive working".split())
_STATED = frozenset("paused stopped inactive disabled suspended active enabled halted".split())
_SENDING = frozenset({"send", "sends", "sending"})
_ONES = frozenset("one ones them mine thing things those anything everything something nothing".split())
_BEHIND_STATE = frozenset(
    {"switched", "turned", "still", "currently", "is", "are", "did", "have", "were", "was", "what's", "whats"}
)
_WAYS = frozenset({"slack", "teams", "email", "mail", "e-mail", "mails", "emails"})


@dataclass(frozen=True, slots=True)
class AgentFilter:
    """What the agents that are asked for have in common; empty fields say nothing."""

    is_paused: bool | None = None
    weekdays: frozenset[int] = frozenset()
    """Days on which they run, Sunday is 0."""
    places: frozenset[str] = frozenset()
    """Addresses, rooms and channels that get their results, in lower case."""
    services: frozenset[str] = frozenset()
    """What they read, or where they post, in lower case."""
    hours: HourRange | None = None
    """The part of the day in which they run."""
    is_shared: bool | None = None

    @property
    def says_something(self) -> bool:
        """Return whether it leaves any agent out."""
        return self != AgentFilter()


def read_filter(tokens: Sequence[Token]) -> AgentFilter:
    """Return what words say of the agents they ask for."""
    words = _with_plain_states([token.word for token in tokens])
    said = set(words)
    places = {token.text.lower() for token in tokens if token.text[0] == "#" or "@" in token.text}
    ways = {"email" if word in _MAILS else word for word in said & _WAYS if _follows(words, word)}
    return AgentFilter(
        is_paused=False if asks_what_goes_on(words) else _state(_state_part(words)),
        weekdays=_weekdays(said),
        places=frozenset(places | (ways if not places else set())),
        services=frozenset(said & SERVICES - _WAYS - set(WEEKDAYS)),
        hours=read_hours(words),
        is_shared=_is_shared(words),
    )


def asks_what_is_shared(words: Sequence[str]) -> bool:
    """Return whether a question is which agents others see: ``what have I shared?``, ``is anything of mine
    shared?``
    """
    said = [word for word in words if word[0].isalnum() and word not in LEADS]
    asks = bool(said) and (said[0] in _WHAT | _LISTING or bool({"any", "anything"} & set(said[:3])))
    allowed = _SHARED | _AROUND_SHARED | AGENT_NOUNS | _LISTING | NEGATIONS
    return asks and bool(_SHARED & set(said)) and set(said) <= allowed


def _is_shared(words: Sequence[str]) -> bool | None:
    return not NEGATIONS & set(words) if asks_what_is_shared(words) else None


_SHARED = frozenset({"shared", "sharing"})
_AROUND_SHARED = frozenset(
    "what what's whats which any anything is are have has i we i've we've am do did you of mine ours my our"
    " own the ones one with team others everybody everyone colleagues workspace currently still not being at"
    " moment today them all me only".split()
)


def asks_what_goes_on(words: Sequence[str]) -> bool:
    """Return whether a question is which agents still work: ``what's left running?``, ``can you confirm which
    one stays on?``
    """
    said = [word for word in words if word[0].isalnum() and word not in LEADS]
    asks = bool({"what", "what's", "whats", "which", "who", "who's"} & set(said))
    is_left = bool(_STAYING & set(said)) and bool(_GOING & set(said))
    return asks and is_left and set(said) <= _STAYING | _GOING | _AROUND_SHARED | _AROUND_GOING | AGENT_NOUNS


_STAYING = frozenset("still left stays stay staying keeps keep keeping remains remain remaining".split())
_GOING = frozenset("going running on active working alive function live enabled run works".split())
_AROUND_GOING = frozenset("who who's in can could you confirm tell then after that say me to does".split())


def asks_on_hold(words: Sequence[str]) -> bool:
    """Return whether a question is what is on hold, and of no law, workspace or chat."""
    said = set(words)
    is_asked = bool(said & (QUESTION_WORDS | {"any", "anything", "something"} | AGENT_NOUNS))
    return is_asked and bool(_HALTED & set(pairwise(words))) and not said & _OF_LAW


_HALTED = frozenset({("on", "hold"), ("on", "ice"), ("on", "pause")})
_OF_LAW = frozenset(
    "legal legally litigation workspace chat chats conversation conversations messages data deletion lawsuit"
    " sued court we're".split()
)


def _with_plain_states(words: Sequence[str]) -> list[str]:
    """Return the words, ``on hold`` and the like as ``paused``."""
    found: list[str] = []
    for before, word in pairwise(["", *words]):
        if (before, word) in _HALTED:
            found[-1] = "paused"
        else:
            found.append(word)
    return found


def asks_which(tokens: Sequence[Token]) -> bool:
    """Return whether words ask which agents, or what is sent, without naming one: ``which one is off?``"""
    words = _without_tag([token.word for token in tokens])
    said = set(words)
    if asks_in_general(tokens):
        return False
    is_any = bool({"anything", "any", "nothing", "none"} & said) and not {"it", "its", "it's"} & said
    is_any = is_any or ("one", "of") in pairwise(words)
    if not ({"which", "what", "what's", "how"} & said or is_any) or said & TASK_NOUNS:
        return False
    is_sent = "you" in said and bool(_SENDING & said)
    return bool(said & (AGENT_NOUNS | _ONES)) or is_sent or _asks_state(words)


def _without_tag(words: Sequence[str]) -> Sequence[str]:
    """Return the words without the question behind a statement: ``…, does it?``, ``…, or do they?``"""
    kept = [word for word in words if word[0].isalnum() or word == ","]
    comma = next((at for at in range(len(kept) - 1, 0, -1) if kept[at] == ","), len(kept))
    tag = [word for word in kept[comma + 1 :] if word != "or"]
    is_tag = len(tag) == _LENGTH_OF_TAG and tag[0] in AUXILIARIES and tag[1] in _PRONOUNS
    return kept[:comma] if is_tag else words


_LENGTH_OF_TAG = 2
_PRONOUNS = frozenset({"it", "they", "he", "she", "one", "any"})


def asks_for_all_first(tokens: Sequence[Token]) -> bool:
    """Return whether words ask for all agents, and behind that for some: ``which agents do we have, and is
    one of them off?``
    """
    ends = (place for place, token in enumerate(tokens) if token.word == "and" or token.word in _ENDS)
    end = next(ends, len(tokens))
    first, rest = tokens[:end], tokens[end:]
    words = {token.word for token in first}
    said = [token.word for token in first if token.is_word and token.word not in LEADS]
    said = said[2:] if tuple(said[:2]) in ASKING_YOU else said
    is_list = bool(_LISTING & set(said[:1])) and bool(AGENT_NOUNS & words) and bool(_ALL_THERE & words)
    return is_list and not read_filter(first).says_something and read_filter(rest).says_something


_ENDS = frozenset(",.;?!\n")
_LISTING = frozenset("which what what's whats list show give tell".split())
_ALL_THERE = frozenset("have got there all our my exist list".split())


def _asks_state(words: Sequence[str]) -> bool:
    """Return whether words ask for nothing but a state: ``right so what's off now?``"""
    said = [word for word in words if word[0].isalnum() and word not in LEADS]
    rest = set(said[1:]) - _AROUND_STATE
    return said[:1] != [] and said[0] in _WHAT and bool(rest) and rest <= _OFF | {"on", "active", "running"}


_WHAT = frozenset({"what", "what's", "whats", "which"})
_AROUND_STATE = frozenset("is are 's still currently now right at the moment again then else".split())


def _state_part(words: Sequence[str]) -> set[str]:
    """Return the words of the last part that names a state: a proverb before it negates nothing."""
    parts: list[set[str]] = [set()]
    for word in words:
        if word in _MARKS:
            parts.append(set())
        parts[-1].add(word)
    return next((part for part in reversed(parts) if part & (_OFF | _ON)), parts[-1])


_MARKS = frozenset(":;.!?\n")


def asks_in_general(tokens: Sequence[Token]) -> bool:
    """Return whether words ask of agents in general, and of none there is: ``does a paused agent count?``"""
    words = [token.word for token in tokens if token.is_word and token.word not in LEADS]
    if words[:1] == [] or words[0] not in _GENERAL:
        return False
    noun = next((at for at, word in enumerate(words[: _FARTHEST + 1]) if word in AGENT_NOUNS), 0)
    before = words[1:noun]
    is_plural = words[noun].endswith("s") and not set(before) & _OF_SOME
    return bool(noun) and len(before) < _FARTHEST and (before[:1] in (["a"], ["an"]) or is_plural)


_GENERAL = frozenset({"does", "do", "can", "could", "will", "would", "must"})
_OF_SOME = frozenset("my our your the any all some these those which both you i we he she they it".split())
_FARTHEST = 4


def _follows(words: Sequence[str], way: str) -> bool:
    """Return whether a way for results is one: ``by mail``, ``to Slack``, and no verb or source."""
    place = words.index(way)
    place -= words[place - 1 : place] in (["my"], ["our"], ["the"])
    before = "".join(words[place - 1 : place])
    return before in {"by", "to", "via", "in", "on", "with", "use"} or (before in _SENDING and way in _MAILS)


_MAILS = frozenset({"mail", "email", "e-mail", "mails", "emails"})


def _state(said: set[str]) -> bool | None:
    off, on = said & _OFF, said & _ON
    if not (off | on) & _STATED and not (said & _BEHIND_STATE and said & QUESTION_WORDS):
        return None
    if off and not on - {"on"}:
        return not (NEGATIONS & said)
    if on - {"on", "running", "working"} or ("still" in said and on):
        return bool(NEGATIONS & said)
    return None


def _weekdays(said: set[str]) -> frozenset[int]:
    found = {place for place, day in enumerate(WEEKDAYS) if said & {day, f"{day}s"}}
    if said & {"weekend", "weekends"}:
        found |= {0, 6}
    return frozenset(found)
