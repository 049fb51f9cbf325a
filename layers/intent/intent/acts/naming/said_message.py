"""A message as the forms of naming phrases are held against it: its sentences, and the agents it names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from intent.acts.act import Span, Thing
from intent.acts.clauses import Clause
from intent.acts.lexicon import verb_forms
from intent.acts.naming import forms
from intent.acts.references import find_meant, find_name_place
from intent.acts.tokens import Token, tokenise
from intent.regular_expressions import lower, lower_pattern, straighten_quotes

_SPACES = (" ", "\n")
_MOST_OF_COMPLAINT = 14
_NEW = frozenset({"new", "next", "other"})
_YOU = "you "
_MOST_OF_NOUN = 3
_STATES = frozenset(
    "stays stay keeps keep remains remain runs too also likewise instead either never always only private"
    " active off on same still please".split()
)
"""Words that tell of an agent beside another what becomes of it, and don't name it."""
_QUOTES = frozenset("\"'\u2019\u201d\u00bb`")
_JOINED = lower_pattern(r"(?:\band|,) (?:the |my |our )?$")


class Mention(NamedTuple):
    """A place where a message says the whole name of a present agent."""

    thing: Thing
    start: int
    end: int


@dataclass(frozen=True)
class SaidMessage:
    """A message with its words, and as ``text`` in small letters without the names of present agents."""

    message: str
    text: str
    tokens: tuple[Token, ...]
    mentions: tuple[Mention, ...]
    agents: tuple[Thing, ...]

    @classmethod
    def of(cls, message: str, agents: Sequence[Thing]) -> SaidMessage:
        """Return a message among the present agents."""
        tokens = tokenise(message)
        mentions = _mentions(tokens, agents)
        text = lower(straighten_quotes(message))
        for one in mentions:
            text = f"{text[: one.start]}{forms.OWN * (one.end - one.start)}{text[one.end :]}"
        return cls(message, text, tokens, tuple(mentions), tuple(agents))

    def sentence_start(self, place: int) -> int:
        """Return where the sentence begins that a place is in."""
        found = (
            at + 1
            for at in range(place)
            if self.text[at] in ".!?\n;" and self.text[at + 1 : at + 2] in _SPACES
        )
        return max(found, default=0)

    def only_asks(self, place: int) -> bool:
        """Return whether the sentence of a phrase asks or denies: ``why is it called X?``, ``don't …``."""
        begin = self.sentence_start(place)
        asks = forms.ASKING.match(self.text, begin) is not None
        return asks or forms.NEGATED.search(self.text[begin:place]) is not None

    def speaks_of_name(self, place: int) -> bool:
        """Return whether the sentence before a place, or the one before that, speaks of a name."""
        sentence = self.sentence_start(place)
        earlier = self.sentence_start(max(sentence - 1, 0))
        return forms.NAME_NOUN.search(self.text[earlier:place]) is not None

    def with_lead(self, begin: int) -> int:
        """Return where a phrase begins with the words that only lead to it: ``and please``, ``let's``."""
        you = begin + len(_YOU) if self.text.startswith(_YOU, begin) else begin  # of ``can you``
        lead = forms.LEAD.search(self.text[:you]) or forms.LEAD.search(self.text[:begin])
        begin = lead.start() if lead is not None else begin
        while begin and self.text[begin - 1] in " ,":
            begin -= 1
        return begin

    def with_complaint(self, start: int) -> int:
        """Return where a wish for a name begins with what is said against the present one just before it:
        ``the name is bad, change to …``, ``Who named it that?? …``.
        """
        sentence = self.sentence_start(start)
        for begin in (self.sentence_start(max(sentence - 1, 0)), sentence):
            before = self.text[begin:start]
            is_short = 0 < len(before.split()) <= _MOST_OF_COMPLAINT
            if is_short and forms.NAME_NOUN.search(before) is not None and forms.DEEDS.search(before) is None:
                return begin
        return start

    def with_tail(self, name: Span) -> int:
        """Return where a phrase ends behind its name: with the mark, ``please``, ``from now on``, and a
        reason that asks for nothing.
        """
        end = name.end + (self.message[name.end : name.end + 1] in _QUOTES)
        tail = forms.TAIL.match(self.text, end)
        end = end if tail is None else tail.end()
        reason = forms.REASON.match(self.text, end)
        if reason is None or forms.OWN in reason[0] or forms.ASKING_MORE.search(reason[0]) is not None:
            return end
        return reason.end()

    def stands_out(self, name: Span) -> bool:
        """Return whether a name has a capital, or stands in quotation marks."""
        return name.text[0].isupper() or self.message[name.end : name.end + 1] in _QUOTES

    def is_noun(self, name: Span) -> bool:
        """Return whether a name is short, and no word of it tells what becomes of an agent: not so ``stays
        private``, ``paused``, ``too``.
        """
        words = [one.word for one in self.tokens if name.start <= one.start and one.end <= name.end]
        is_verb = len(words) > 1 and words[0].endswith("s") and words[0] in verb_forms()
        return len(words) <= _MOST_OF_NOUN and not is_verb and not any(map(_tells_state, words))

    def owner_in(self, start: int, end: int) -> Thing | None:
        """Return the first present agent that a stretch names in full."""
        return next((one.thing for one in self.mentions if start <= one.start and one.end <= end), None)

    def last_mentioned(self, since: int, until: int) -> Thing | None:
        """Return the last present agent that a stretch names in full."""
        found = [one.thing for one in self.mentions if since <= one.start and one.end <= until]
        return found[-1] if found else None

    def described(self, start: int, end: int) -> tuple[Thing | None, bool]:
        """Return the agent that words such as ``the churn one`` describe, and whether they mean something."""
        tokens = tuple(one for one in self.tokens if start <= one.start and one.end <= end)
        meant = find_meant(Clause(self.message, tokens), self.agents)
        is_new = bool(_NEW & {one.word for one in tokens})
        return (meant.things[0] if len(meant.things) == 1 else None), bool(meant.things) or is_new

    def tokens_to_next(self, start: int) -> Sequence[Token]:
        """Return the words up to where another agent is named: ``rename a to Late Rent and B to …``."""
        others = (one.start for one in self.mentions if one.start > start)
        joined = (at for at in others if _JOINED.search(self.text[start:at]) is not None)
        end = min(joined, default=len(self.text))
        return [one for one in self.tokens if one.end <= end]


def _tells_state(word: str) -> bool:
    form = verb_forms().get(word)
    is_participle = form is not None and not form.is_base and not word.endswith("s")
    return word in _STATES or is_participle


def _mentions(tokens: Sequence[Token], agents: Sequence[Thing]) -> list[Mention]:
    words = [token.text.lower() for token in tokens]
    found: list[Mention] = []
    for thing in agents:
        at, place = 0, find_name_place(words, thing.name)
        while place is not None:
            found.append(Mention(thing, tokens[at + place[0]].start, tokens[at + place[1] - 1].end))
            at += place[1]
            place = find_name_place(words[at:], thing.name)
    whole = [one for one in found if not any(_holds(other, one) for other in found)]
    return sorted(whole, key=lambda one: one.start)


def _holds(other: Mention, one: Mention) -> bool:
    is_within = other.start <= one.start and one.end <= other.end
    return is_within and len(other.thing.name) > len(one.thing.name)
