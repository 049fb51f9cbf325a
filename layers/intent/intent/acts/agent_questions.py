"""What a question about an agent asks: its form, and the fields it is after. Pure, and knows no agents.

A question names what it wants to know (`which day`, `who gets it`), or it supposes something and asks
whether that is so (`it won't post on Wednesdays?`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from intent.acts.learned.marked_tokens import SERVICES
from intent.acts.lexicon import LEADS, NEGATIONS, classes_of, verb_forms
from intent.acts.question_words import (
    ACTING,
    AUTOMATIC,
    BEFORE_ASKED,
    CONFIRMING,
    DAYS,
    FIELD_WORDS,
    FINITE,
    GETTING,
    INVERTED,
    NO_FACTS,
    NOBODY,
    NOUNS,
    PAST,
    PERSONS,
    PLACE_NOUNS,
    RAN,
    READING,
    SEEING,
    SELF,
    SENTENCE_MARKS,
    SOURCE_NOUNS,
    SURE_STATES,
    TELLING,
    TIME_NOUNS,
    UNCERTAIN,
    UNCHANGED,
    WAYS,
    WH,
)
from intent.acts.readiness_words import asks_what_it_lacks, asks_whether_ready
from intent.acts.tokens import Token, stretches, tokenise


class Field(StrEnum):
    """What of an agent is asked for."""

    WHEN = "when"
    """The days and times at which it runs."""
    NEXT = "next"
    """The next time that it runs."""
    LEFT_OUT = "left_out"
    """The days on which it doesn't run."""
    WHERE = "where"
    """Where its results go, and who gets them."""
    READS = "reads"
    SHARED = "shared"
    """Who else can see it."""
    STATUS = "status"
    """Whether it is paused."""
    MANUAL = "manual"
    """Whether it runs by itself."""
    READY = "ready"
    """Whether it can work, and what it lacks."""
    RUNS = "runs"
    """Whether, when and how often it ran."""


@dataclass(frozen=True, slots=True)
class AgentQuestion:
    """A question about an agent; without ``fields`` it asks for no certain one."""

    fields: tuple[Field, ...]
    is_open: bool
    """Whether it asks what something is, and not whether it is so."""
    is_negated: bool = False
    """Whether what it supposes has a negation: ``it doesn't come on Fridays?``"""
    asks_to_confirm: bool = False
    """Whether it states what it wants confirmed: ``am I right?``, ``nobody but me can see it?``"""
    text: str = ""
    asked: tuple[str, ...] = ()
    """The words from the one that asks on; all of them where none does."""


_AFTER_WH = 5
"""How many words behind a question word say what it asks for."""


def read_question(text: str, *, is_marked: bool) -> AgentQuestion | None:
    """Return what a clause asks of an agent; None when it is no plain question.

    A request in the form of a question is none: ``could it run at 9?``, ``what about Fridays instead?``
    ``is_marked``: whether a question mark ends it.
    """
    tokens = tokenise(text)
    words = [token.word for token in tokens]
    if is_marked and (named := _named_run(words)) is not None:
        return AgentQuestion((named,), is_open=True, text=text, asked=tuple(words))
    if not words or any(_commands(part) for part in stretches(tokens, SENTENCE_MARKS)) or _wishes(words):
        return None
    if any(map(_wishes_for_it, stretches(tokens, SENTENCE_MARKS))):
        return None
    line = f" {' '.join(word for word in words if word[0].isalnum())} "
    confirms = any(f" {phrase} " in line for phrase in CONFIRMING)
    wh = _asked_place(tokens, is_marked=is_marked)
    is_yes_no = wh is None and _is_yes_no(words, tokens, is_marked=is_marked, confirms=confirms)
    is_yes_no = is_yes_no or (wh is None and text.rstrip().endswith("?") and _is_seen_by_others(words))
    if wh is None and not is_yes_no:
        return None
    is_nobody = bool(NOBODY & set(words)) or " no one " in line or " only " in line
    asked = words if wh is None else words[wh:]
    if wh is not None and asks_what_it_lacks(asked, set(words)):
        fields: tuple[Field, ...] = (Field.READY,)
    else:
        found = _open_fields(asked, words) if wh is not None else _supposed(tokens, line)
        fields = tuple(dict.fromkeys(found))
    return AgentQuestion(
        fields,
        is_open=wh is not None,
        is_negated=bool(NEGATIONS & set(words)) or is_nobody,
        asks_to_confirm=confirms or is_nobody,
        text=text,
        asked=tuple(asked),
    )


def _named_run(words: Sequence[str]) -> Field | None:
    """Return the field that words ask for which only name a run: ``next run?``, ``and the last one?``, ``next
    fire of stock-check, in UTC?``
    """
    said = [word for word in words if word[0].isalnum() and (word in _ORDER or word not in _BEFORE_RUN)]
    if (
        said[:1] == ["next"]
        and set(said[1:2]) <= _RUN_NAMES
        and set(said[2:3]) <= _BEHIND_RUN
        and "instead" not in said
    ):
        return Field.NEXT if len(said) > 1 else None
    is_run = len(said) == _PAIR and said[1] in {"run", "one", "time", "date"}
    return (Field.NEXT if said[0] == "next" else Field.RUNS) if is_run and said[0] in _ORDER else None


_PAIR = 2
_RUN_NAMES = frozenset("run fire firing execution trigger invocation".split())
_BEHIND_RUN = frozenset({"of", "for", "in", "at", "on"})
_BEFORE_RUN = LEADS | {"and", "the", "its", "it's"}
_ORDER = frozenset({"next", "last", "latest", "previous"})


def _commands(part: Sequence[Token]) -> bool:
    """Return whether a part of a clause begins as a command does."""
    words = [token.word for token in part if token.is_word and token.word not in LEADS]
    if len(words) < 2 or (words[0], words[1]) in TELLING or words[0] in {"do", "have", "set"}:
        return bool(words) and words[0] == "set" and len(words) > 1
    form = verb_forms().get(words[0])
    is_noun = words[1] in FINITE or (words[1:] == [part[-1].word] and words[1] in WH)
    return form is not None and form.is_base and bool(classes_of(words[0])) and not is_noun


def _wishes(words: Sequence[str]) -> bool:
    """Return whether words ask for a deed in the form of a question, or how one does it."""
    said = [word for word in words if word[0].isalnum() and word not in LEADS]
    if not said or NO_FACTS & set(said) or ("which", "means") in pairwise(said):
        return True
    if said[0] not in WH and _SHOULD & set(said[1:4]) and ("tell", "me") in pairwise(said):
        return True  # ``rota should also tell me what is open``
    if said[0] in {"could", "would", "should", "might", "may", "shall", "must", "why", "why's", "can"}:
        sees = (
            said[0] in {"can", "could"}
            and "you" not in said[:2]
            and bool({"see", "access", "view"} & set(said))
        )
        if said[:3] in (["may", "i", "ask"], ["might", "i", "ask"]):
            return False
        also = said[0] == "would" and "also" in said and "you" not in said
        asks_also = said[0] == "could" and bool({"too", "also", "well"} & set(words))
        return asks_also or not (sees or also)
    if said[0] == "how" and said[1:2] not in (["often"], ["many"], ["frequently"], ["is"]):
        return True
    if said[:2] in (["will", "you"], ["won't", "you"], ["what", "about"], ["what", "if"], ["is", "there"]):
        return True
    return any(
        (one, two) in {("i", "want"), ("i", "need"), ("i'd", "like"), ("we", "want"), ("we", "need")}
        for one, two in pairwise(said)
    ) and not any((one, two) in TELLING for one, two in pairwise(said))


_SHOULD = frozenset({"should", "must"})


def _wishes_for_it(part: Sequence[Token]) -> bool:
    """Return whether a part wishes how something should be: ``can it be in Teams``."""
    words = [token.word for token in part if token.is_word][:3]
    return words[:1] in (["can"], ["could"]) and words[1:2] in _POINTED and words[2:] in _BECOMING


_POINTED = (["it"], ["that"], ["this"], ["they"])
_BECOMING = (["be"], ["go"], ["come"], ["start"])


def _asked_place(tokens: Sequence[Token], *, is_marked: bool) -> int | None:
    """Return the place of the word that asks: of a direct question, of one within ``I can't recall which``,
    or of ``it goes to which address?``
    """
    start = 0
    for part in stretches(tokens, SENTENCE_MARKS):
        words = [token.word for token in part]
        first = next((at for at, word in enumerate(words) if word not in BEFORE_ASKED), len(words))
        if _asks_at(words, first) and (is_marked or _is_inverted(words, first)):
            return start + first
        if (last := _asked_last(words, is_marked=is_marked)) is not None:
            return start + last
        doubt = next((at for at, pair in enumerate(pairwise(("", *words))) if _is_doubt(pair)), len(words))
        for place in range(len(words)):
            is_noun_asked = is_marked and NOUNS & set(words[place + 1 : place + 3])
            # ``Tell me when it fails`` asks for something new, ``may I ask when`` does not.
            is_told = place > doubt and (words[place] != "when" or words[doubt] in UNCERTAIN | {"ask"})
            if _asks_at(words, place) and (is_told or is_noun_asked):
                return start + place
        start += len(part) + 1
    return None


def _asked_last(words: Sequence[str], *, is_marked: bool) -> int | None:
    """Return the place of a question word at the end of a part: ``first run when?``, ``it goes where?``"""
    last = next((at for at in range(len(words) - 1, 0, -1) if words[at] not in _AFTER_ASKED), 0)
    before = words[last - 1] if last else ""
    is_asked = last > 0 and words[last] in WH and before not in _BEFORE_INDIRECT
    return last if is_asked and (is_marked or before in {"is", "are", "was"}) else None


_AFTER_ASKED = frozenset("exactly again then precisely now".split())
_BEFORE_INDIRECT = frozenset("me say know tell since till until and or you sure idea of from".split())


def _asks_at(words: Sequence[str], place: int) -> bool:
    """Return whether the word at a place asks: ``which``, ``how often``."""
    if words[place : place + 1] == ["how"]:
        return words[place + 1 : place + 2] in (["often"], ["many"], ["frequently"])
    return words[place : place + 1] != [] and words[place] in WH


def _is_inverted(words: Sequence[str], place: int) -> bool:
    """Return whether a question without its mark is one all the same: ``when`` may begin a condition."""
    return words[place] != "when" or bool((INVERTED | {"next"}) & set(words[place + 1 : place + 2]))


def _is_doubt(pair: tuple[str, str]) -> bool:
    return pair[1] in UNCERTAIN or pair in TELLING


def _is_yes_no(words: Sequence[str], tokens: Sequence[Token], *, is_marked: bool, confirms: bool) -> bool:
    """Return whether words ask whether something is so, by their order or as a statement."""
    for part in stretches(tokens, SENTENCE_MARKS):
        said = [token.word for token in part if token.is_word and token.word not in LEADS]
        if len(said) > 1 and said[0] in FINITE and said[1] != "you":
            return True
        if len(said) > 1 and said[0] in {"do", "have", "don't", "am"} and said[1] in PERSONS and is_marked:
            return True
        if said[:1] in (["can"], ["could"], ["would"]):
            return True  # what asks for a deed was taken out before
    if not (is_marked or confirms):
        return False
    return bool(FINITE & set(words)) or _tells(words)


def _tells(words: Sequence[str]) -> bool:
    """Return whether words tell what somebody or something does: ``I get nothing``, ``nobody can see``."""
    if any(word in _ABLE and at and words[at + 1 : at + 2] not in _ASKERS for at, word in enumerate(words)):
        return True  # ``so my colleague can use it now?``
    third = {"runs", "goes", "comes", "sends", "posts", "mails", "reads", "arrives", "gets", "reports"}
    return bool(
        (third | NOBODY | {"never", "get", "only", "unchanged"}) & set(words)
    ) or "no one" in " ".join(words)


_ABLE = frozenset({"can", "may"})
_ASKERS = (["you"], ["we"], ["i"], ["u"])
_OTHERS = frozenset(
    "colleague colleagues team others anyone anybody everyone everybody someone somebody people boss they he"
    " she them nobody else others' staff crew".split()
)


def _open_fields(asked: Sequence[str], words: Sequence[str]) -> Iterator[Field]:
    """Yield the fields that the words behind a question word ask for."""
    said = set(words)
    near = asked[: _AFTER_WH + 1]
    for place, word in enumerate(asked):
        if word in {"when", "when's"}:
            yield _time_field(said)
        elif word == "how" and asked[place + 1 : place + 2] in (["often"], ["frequently"]):
            yield Field.RUNS if PAST & said and RAN & said else Field.WHEN
        elif word == "how" and asked[place + 1 : place + 3] == ["many", "times"]:
            yield Field.RUNS if PAST & said else Field.WHEN
        elif word in {"where", "where's"}:
            is_read = "from" in asked[place:] or _is_from(words) or bool(_READS & said)
            yield Field.READS if is_read else Field.WHERE
        elif word in {"who", "whom", "who's"}:
            yield from (
                [Field.SHARED] if SEEING & said else [Field.WHERE] if (GETTING | {"it"}) & said else []
            )
        elif word in {"what", "what's", "which", "whats", "whose"}:
            yield from _of_noun(asked[place + 1 : place + 1 + _AFTER_WH], said)
        elif word in TIME_NOUNS and asked[place - 1] in {"and", ","}:
            yield Field.WHEN
    if (
        near
        and {"what", "which"} & {near[0]}
        and READING & said
        and not (PLACE_NOUNS | TIME_NOUNS) & set(near)
    ):
        yield Field.READS


_READS = frozenset({"read", "reads", "reading", "pull", "pulls", "fetch", "fetches", "take", "takes"})


def _is_from(words: Sequence[str]) -> bool:
    """Return whether words ask ``from where``."""
    return ("from", "where") in pairwise(words)


def _time_field(said: set[str]) -> Field:
    if PAST & said and RAN & said and "next" not in said:
        return Field.RUNS
    is_next = {"next", "first", "again", "due", "coming"} & said
    return Field.NEXT if is_next else Field.WHEN


def _of_noun(behind: Sequence[str], said: set[str]) -> Iterator[Field]:
    """Yield what is asked for by the noun behind ``what`` or ``which``, and those joined to it."""
    for place, word in enumerate(behind):
        if word in {"does", "do", "did"} or (word in {"is", "are", "was", "get", "gets"} and place > 1):
            break
        if word in TIME_NOUNS:
            left = (
                said & {"skip", "skipped", "except", "exclude", "excluded", "omit"}
                or {"leave", "out"} <= said
            )
            yield Field.LEFT_OUT if left else Field.NEXT if {"next", "first"} & said else Field.WHEN
        elif word in PLACE_NOUNS:
            yield Field.WHERE
        elif word in SOURCE_NOUNS:
            yield Field.READS
        elif word in {"state", "status"}:
            yield Field.STATUS


def _is_seen_by_others(words: Sequence[str]) -> bool:
    """Return whether words say that others see something: ``this one they see too``."""
    at = next((at for at, word in enumerate(words) if word in SEEING - {"look"}), 0)
    return bool(_OTHERS & set(words[max(0, at - 3) : at]))


def _supposed(tokens: Sequence[Token], line: str) -> Iterator[Field]:
    """Yield the fields of what a yes-or-no question supposes."""
    words = {token.word for token in tokens}
    texts = [token.text for token in tokens]
    is_used = bool({"use", "open"} & words and (_ABLE | {"able", "allowed"}) & words and _OTHERS & words)
    if is_used or (SEEING - {"look"} & words and not {"overview"} & words):
        yield Field.SHARED
    if (
        any(f" {phrase} " in line for phrase in SELF)
        or AUTOMATIC & words
        or ("myself" in words and "start" in words)
    ):
        yield Field.MANUAL
        return
    if PAST - {"was", "were", "last"} & words and RAN & words and not {"will", "won't", "changed"} & words:
        yield Field.RUNS
        return
    if "did" in words and {"anything", "something", "nothing"} & words:
        yield Field.RUNS  # ``did it do anything?``
        return
    if asks_whether_ready([token.word for token in tokens if token.is_word]):
        yield Field.READY
        return
    if (
        SURE_STATES & words
        or ({"still", "even", "currently", "now"} & words and {"running", "on", "off"} & words)
        or ({"switched", "turned"} & words and {"on", "off"} & words)
        or next((token.word for token in reversed(tokens) if token.is_word), "") in {"on", "off"}
    ):
        yield Field.STATUS
    if any(text[0] == "#" or "@" in text for text in texts) or PLACE_NOUNS & words or _names_way(tokens):
        yield Field.WHERE
    if READING - {"look", "looks"} & words and SERVICES & words:
        yield Field.READS
    is_time = bool(DAYS & words or TIME_NOUNS & words) or any(_is_clock(text) for text in texts)
    if is_time and (UNCHANGED & words or ACTING & words or FINITE & words or NOBODY & words):
        yield Field.WHEN


def _names_way(tokens: Sequence[Token]) -> bool:
    """Return whether words name a way for results: ``by mail``, ``to Slack``."""
    return any(
        one.word in {"by", "to", "via", "in", "on"} and two.word in WAYS - {"here", "chat"}
        for one, two in pairwise(tokens)
    )


def _is_clock(text: str) -> bool:
    hour, _, minute = text.partition(":")
    return hour.isdigit() and minute.isdigit() and len(minute) == 2


def is_field_word(word: str) -> bool:
    """Return whether a word of a question says what is asked, and of no thing in particular."""
    return word in FIELD_WORDS or word[0] in "#0123456789" or "@" in word
