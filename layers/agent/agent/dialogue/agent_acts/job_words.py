"""The words of a request that name the job of a new agent, without when, where to and what else is told.

Where somebody tells how they work, the job is what they look for: ``orders with no tracking number`` of
``every evening I go through Shopify looking for orders with no tracking number, takes me an hour``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent.dialogue.agent_acts import labels
from agent.dialogue.agent_acts.request_parts import RequestPart, parts_of
from agent.dialogue.agent_acts.request_times import asks_how_often
from agent.dialogue.agent_acts.source_words import MOST_PLACES, DataPlace
from intent.acts.act import Span
from intent.acts.lexicon import AGENT_NOUNS, LEADS, POINTERS, QUESTION_WORDS, verb_forms
from intent.acts.references import is_content
from intent.acts.tokens import Token, tokenise
from intent.times.reading import Kind, TimeReading

Place = tuple[int, int]
_ENDS = frozenset(".!?;\n\u2026()")
_SUBJECTS = frozenset(
    "i i'm i've i'll i'd we we're we've we'll he she it it's its they they're theyre thats that's there"
    " there's nobody someone somebody everyone my takes is are was can could would data all".split()
)
_JOINTS = frozenset({"and", "but", "so", "because", "cos", "since", "if"})
_FOR = frozenset(
    "look looking search searching hunt hunting check checking scan scanning comb combing".split()
)
_OUT = frozenset(
    "work working find finding figure figuring make making suss sussing sort sorting write writes writing"
    " note notes noting jot jotting".split()
)
_SEES = frozenset(
    "see seeing ask asking check checking know knowing notice notices noticing realise realising discover"
    " guess guessing wonder wondering remember spot spotting find finding learn learning".split()
)
_ACTS = frozenset(
    "compare comparing reconcile reconciling match matching count counting copy copying collect collecting"
    " chase chasing compile compiling gather gathering total totalling summarise summarising list listing"
    " type typing export exporting download downloading".split()
)
_ASKED = QUESTION_WORDS | {"if", "whether", "when", "that", "wich"}
_FAR = 9
_FEWEST_TELLING = 2
_HANGING = frozenset("at on from in to by for and or with of also then".split())
_LEADING = LEADS | frozenset(
    "put to in on at mornin morning down up if i could may might can have get gets receive would like want"
    " need comes come evry every each all mondays".split()
)
_THINGS = frozenset("something somethin anything one agent bot helper assistant".split())
_RELATIVES = frozenset({"that", "which", "who", "to"})


def find_job(text: str, told: str, used: Sequence[Place], source: DataPlace | None, *, name: str = "") -> str:
    """Return the words that name the job; empty when the text has none.

    ``told`` are the words of the text that are said to name it; ``used`` are the places that say how often
    and where to; ``name`` is that of the agent.
    """
    parts = parts_of(text)
    tokens = tokenise(text)
    start = text.find(told) if told else -1
    is_told = start >= 0 and not labels.is_vague(labels.label_of(told.replace(name, " ") if name else told))
    is_told = is_told and not asks_how_often(told)
    if not is_told or _is_in_story(start, parts):
        sought = _sought(tokens, parts if is_told else ())
        if sought is not None:
            return _moved(_cut(text, tokens[sought:], used, source))
    if not is_told:
        return ""
    end = _end_of_period(tokens, start + len(told))
    named = [token for token in tokens if start <= token.start < end]
    if named and named[0].word in {"with", "without"}:
        named = [*_noun_before(tokens, named[0], used), *named]
    wished = [token for token in named if not _is_in_story(token.start, parts)]
    is_wish = bool(wished) and _tells_job(_cut(text, wished, used, source), source)
    rest = _behind_opening(wished if is_wish else named, name)
    job = _cut(text, rest, used, source)
    while rest and not _tells_job(job, source):
        rest = rest[next((at + 1 for at, token in enumerate(rest) if not token.is_word), len(rest)) :]
        job = (_cut(text, rest, used, source) if rest else "") or job
    return job


def _tells_job(job: str, source: DataPlace | None) -> bool:
    """Return whether words name more than where to look: more than ``check Shopify``."""
    known = {token.word for token in tokenise(source.name)} if source is not None else set()
    told = [token for token in tokenise(job) if is_content(token) and token.word not in known]
    return not labels.is_vague(job) and bool({token.word for token in told} - verb_forms().keys() - _POINTING)


_POINTING = POINTERS | {"there", "here"}


def _end_of_period(tokens: Sequence[Token], end: int) -> int:
    """Return where words end with the period that follows them: ``which badges run out`` ``next month``."""
    behind = [token for token in tokens if token.start >= end][:2]
    is_period = len(behind) == 2 and behind[0].word in _NEXT and behind[1].word in _PERIODS
    return behind[1].end if is_period else end


_NEXT = frozenset({"next", "this", "last", "that"})
_PERIODS = frozenset({"day", "week", "month", "quarter", "year", "weekend"})


def _noun_before(tokens: Sequence[Token], first: Token, used: Sequence[Place]) -> list[Token]:
    """Return the words right before ``with no activity`` that say of what it is told."""
    found: list[Token] = []
    for token in reversed([one for one in tokens if one.end <= first.start]):
        is_free = token.is_word and is_content(token) and not _is_used(token, used)
        if not is_free or token.word in verb_forms() or len(found) == _MOST_BEFORE:
            break
        found.insert(0, token)
    return found


_MOST_BEFORE = 3


def _behind_opening(tokens: Sequence[Token], name: str) -> Sequence[Token]:
    """Return words without how a request opens: ``a helper named quote-check: it``, ``something that``."""
    words = [token.word for token in tokens]
    opening = 0
    for place, word in enumerate(words[:_FAR]):
        behind = words[place + 1] if place + 1 < len(words) else ""
        does = words[place + 2] if place + 2 < len(words) else ""
        is_thing = word in _THINGS and behind in _RELATIVES and (word != "one" or does in verb_forms())
        is_polite = word in {"please", "kindly"} and behind in verb_forms()
        is_named = bool(name) and tokens[place].text.lower() == name.lower().split()[-1]
        if (is_thing or is_polite or is_named) and place < len(words) - 1:
            opening = place + 1
    return tokens[opening:] or tokens


def passed_on(text: str, used: Sequence[Place], source: DataPlace | None) -> str:
    """Return the question that a request passes on: ``who's off`` of ``tell me who's off``; empty without."""
    tokens = tokenise(text)
    for place in range(len(tokens) - 3):
        words = [token.word for token in tokens[place : place + 4]]
        at = 2 + (words[2] == "know")
        if words[0] in _PASSING and words[1] in {"me", "us"} and words[at] in QUESTION_WORDS:
            return _cut(text, tokens[place + at :], used, source)
    return ""


_PASSING = frozenset({"tell", "show", "let", "inform"})


def left_over(text: str, used: Sequence[Place]) -> str:
    """Return the words of a request without when, where to and the lead-in; empty when too few are left.

    Of several stretches of words it is the first that tells enough.
    """
    used = used[:MOST_PLACES]
    free = [token for token in tokenise(text) if not _is_used(token, used)]
    chunks: list[list[Token]] = [[]]
    for place, token in enumerate(free):
        is_apart = place > 0 and any(free[place - 1].end <= start < token.start for start, _ in used)
        if not token.is_word or is_apart:
            chunks.append([])
        if token.is_word and (chunks[-1] or token.word not in LEADS):
            chunks[-1].append(token)
    for chunk in chunks:
        telling = [token for token in chunk if is_content(token) and token.word not in labels.VAGUE]
        if len(telling) >= _FEWEST_TELLING:
            first = chunk.index(telling[0])
            first -= first > 0 and chunk[first - 1].word in {"this", "the", "our", "my", "all"}
            return text[chunk[first].start : chunk[-1].end]
    return ""


def around_source(text: str, used: Sequence[Place], source: DataPlace | None) -> str:
    """Return the noun phrase that the name of a source is part of: ``overdue Jira tickets``; empty where
    nothing stands behind the name, or a word such as ``from`` leads to it.
    """
    held = behind_source(text, used, source)
    if (
        source is None
        or not held
        or _leads_from(Token("", "", source.start, source.start, False), source, text)
    ):
        return ""
    start = source.start
    for token in reversed([one for one in tokenise(text) if one.end <= source.start]):
        is_last = start == source.start
        is_other = token.word in verb_forms() and not is_last
        if (
            not token.word[0].isalpha()
            or _is_used(token, used)
            or token.word in _LEADING | _BESIDE
            or is_other
        ):
            break
        start = token.start
    return text[start : text.index(held, source.end) + len(held)] if start < source.start else ""


def before_source(text: str, used: Sequence[Place], source: DataPlace | None) -> str:
    """Return the words right before a source, up to a mark: ``open jobs`` of ``weekdays 7am, open jobs out of
    Jobber``; empty where a mark or other words that are used stand there.
    """
    if source is None:
        return ""
    found: list[Token] = []
    for token in reversed([one for one in tokenise(text) if one.end <= source.start]):
        is_day = found and token.word in _DAY_OF
        if not token.word[0].isalpha() or (_is_used(token, used) and not is_day):
            break
        found.insert(0, token)
    while found and (found[0].word in _LEADING | _SUBJECTS or found[0].word in verb_forms()):
        found.pop(0)
    telling = {token.word for token in found} - labels.VAGUE - AGENT_NOUNS - POINTERS - verb_forms().keys()
    return text[found[0].start : found[-1].end] if telling else ""


def behind_source(text: str, used: Sequence[Place], source: DataPlace | None) -> str:
    """Return the words right behind the name of a source, up to a mark or other words that are used, such as
    ``leads`` of ``hubspot leads every morning``; empty where a joint or a verb stands there.
    """
    found: list[Token] = []
    for token in [one for one in tokenise(text) if source is not None and one.start >= source.end]:
        if (
            not token.word[0].isalpha()
            or _is_used(token, used)
            or (not found and token.word in _BESIDE - {"for"})
        ):
            break
        found.append(token)
    if found and found[0].word == "for":
        found.pop(0)
    while found and found[-1].word in _HANGING | LEADS | _JOINTS:
        found.pop()
    telling = {token.word for token in found if is_content(token)} - labels.VAGUE - AGENT_NOUNS - POINTERS
    return text[found[0].start : found[-1].end] if telling else ""


_DAY_OF = frozenset({"today's", "todays", "tomorrow's", "tomorrows", "yesterday's", "yesterdays"})


def _is_in_story(start: int, parts: Sequence[RequestPart]) -> bool:
    return any(part.is_story and part.start <= start < part.end for part in parts)


def _sought(tokens: Sequence[Token], parts: Sequence[RequestPart]) -> int | None:
    """Return where the words begin that say what is looked for, in a story if parts are given; None when
    nothing is.
    """
    found: list[int] = []
    for place, token in enumerate(tokens[:-1]):
        if parts and not _is_in_story(token.start, parts):
            continue
        behind = tokens[place + 1 : place + _FAR]
        words = [one.word for one in behind]
        end = next((at for at, one in enumerate(behind) if one.text in _ENDS | {","}), len(words))
        if token.word in _FOR and "for" in words[:end]:
            found.append(place + 2 + words.index("for"))
        elif (token.word in _OUT and words[0] in {"out", "down"}) or token.word in _SEES:
            at = next((at for at, word in enumerate(words[:end]) if word in _ASKED), None)
            if at is not None and set(words[at + 1 : at + 2]) & POINTERS:
                continue  # ``nobody sees when one is late`` tells nothing without what goes before
            if at is not None and at <= _NEAR:
                found.append(place + 1 + at + (words[at] == "that"))
            elif words[0] == "out" and at is None and len(words) > 1:
                found.append(place + 2)
        elif token.word in _ACTS and words[0] not in _ENDS | {","}:
            found.append(place)
    found = [place for place in found if place < len(tokens)]
    return found[0] if found else None


_NEAR = 4


def _cut(text: str, tokens: Sequence[Token], used: Sequence[Place], source: DataPlace | None) -> str:
    """Return the words from the first token up to the end of its clause, without how often and where from."""
    kept = _without_lead(list(tokens), used)
    ends = (place for place in range(1, len(kept)) if _ends(kept, place) or _ends_at_used(kept, place, used))
    kept = kept[: next(ends, len(kept))]
    kept = [token for token in kept if not _is_used(token, used) and not _leads_from(token, source, text)]
    while len(kept) > 1 and (not kept[-1].is_word or kept[-1].word in _HANGING | LEADS | _SENT | {"here"}):
        kept = kept[:-1]
    words = ""
    for before, token in zip([None, *kept], kept, strict=False):
        is_apart = before is not None and before.end < token.start
        words += (" " if is_apart else "") + token.text
    return words


def _without_lead(tokens: list[Token], used: Sequence[Place]) -> list[Token]:
    """Return tokens from the first on that belongs to the job."""
    while len(tokens) > 1:
        if tokens[0].text == "(":
            skipped = next((at + 1 for at, one in enumerate(tokens) if one.text == ")"), 1)
        elif tokens[0].word in _TELLERS and tokens[1].word not in _LEADING:
            skipped = next((at + 1 for at, one in enumerate(tokens) if one.text == ","), 0)
        else:
            skipped = int(not tokens[0].is_word or _is_used(tokens[0], used) or _leads(tokens))
        if not skipped or skipped == len(tokens):
            break
        tokens = tokens[skipped:]
    return tokens


def _moved(job: str) -> str:
    """Return what is moved, of a chore told as moving it: ``tomorrow's check-ins`` of ``copying tomorrow's
    check-ins to the whiteboard``.
    """
    tokens = tokenise(job)
    if len(tokens) < _FEWEST_MOVED or tokens[0].word not in _MOVING:
        return job
    end = next((at for at, one in enumerate(tokens) if at > 1 and one.word in _INTO), len(tokens))
    kept = [token for token in tokens[1:end] if token.is_word]
    return job[tokens[1].start : tokens[end - 1].end] if any(map(is_content, kept)) else job


_FEWEST_MOVED = 3
_MOVING = frozenset("copy copying type typing export exporting download downloading".split())
_INTO = frozenset({"to", "into", "onto", "in", "on", "over"})
_TELLERS = frozenset({"i", "we", "they"})
_SENT = frozenset({"looked", "checked", "mailed", "emailed", "sent", "posted", "delivered"})


def _ends_at_used(tokens: Sequence[Token], place: int, used: Sequence[Place]) -> bool:
    """Return whether words that say how often or where to end the job: a mark stands beside them."""
    if not _is_used(tokens[place], used) or _is_used(tokens[place - 1], used):
        return False
    before = tokens[place - 1]
    before = tokens[place - 2] if before.word in _JOINTS and place > 1 else before
    rest = [token for token in tokens[place:] if not _is_used(token, used)]
    return not rest or not rest[0].is_word or not before.is_word


def _leads(tokens: Sequence[Token]) -> bool:
    """Return whether the first word only leads to the job: ``put``, ``if I could have``."""
    word, behind = tokens[0].word, tokens[1].word if len(tokens) > 1 else ""
    if word in {"make", "do", "set"}:
        return behind in {"list", "a", "the", "report", "up"}
    if word == "it":
        return behind in verb_forms()
    if word in {"hours", "hour", "time"}:
        return behind in {"the", "a", "(", ":"}
    if word in {"the", "our", "my"}:
        return behind in _LEADING and behind not in LEADS
    return word in _LEADING


def _is_used(token: Token, used: Sequence[Place]) -> bool:
    return any(start < token.end and token.start < end for start, end in used)


def _leads_from(token: Token, source: DataPlace | None, text: str) -> bool:
    """Return whether a word is part of ``out of deputy``; not so in ``Klaviyo campaigns``."""
    if source is None or not source.start <= token.start < source.end:
        return False
    first = text[source.start : source.end].split(maxsplit=1)[0].lower()
    return first in _PREPOSITIONS


_BESIDE = _HANGING | _JOINTS | _SUBJECTS | LEADS | QUESTION_WORDS | {"every", "each", "that", "not", "who"}
_PREPOSITIONS = frozenset(
    "from in on out via using through inside within it it's its is they thats that's".split()
)


def _ends(tokens: Sequence[Token], place: int) -> bool:
    """Return whether the job ends before a token: with its sentence, or where another clause begins."""
    token, before = tokens[place], tokens[place - 1]
    behind = tokens[place + 1].word if place + 1 < len(tokens) else ""
    if token.text in _ENDS:
        return True
    if before.text == "," and (
        token.word in _SUBJECTS or _sends(token.word) or (token.word in _JOINTS and behind in _SUBJECTS)
    ):
        return True
    if token.word in _JOINTS - {"and", "if", "since"} and behind in _OTHERS:
        return True
    return token.word == "and" and _sends(behind)


_OTHERS = _SUBJECTS - {"is", "are", "was"} | {"that"}


def _sends(word: str) -> bool:
    form = verb_forms().get(word)
    return form is not None and form.is_base and form.base in _SENDING


_SENDING = frozenset("send mail email post tell put text message let deliver notify drop".split())


def job_used(text: str, times: Sequence[TimeReading], addresses: Sequence[Span]) -> list[Place]:
    """Return the places of a text that say how often and where to.

    A day or a period may belong to the job: ``today's bookings``; so does ``emails`` without an address.
    """
    found = [
        (start - len(_AT) if _is_behind_at(text, start) else start, end)
        for one in times
        if one.kind is Kind.SCHEDULE
        for start, end in one.spans
        if (not text[start:end].isdigit() or _is_behind_at(text, start))
        and not _is_of_job(text[start:end].lower().split())
    ]
    for address in addresses:
        first = address.text.split()[0].lower()
        if first in _TOWARDS or any(mark in address.text for mark in "@#"):
            found.append((address.start, address.end))
    return found


def _is_of_job(words: Sequence[str]) -> bool:
    """Return whether words of time say what the job is about: ``today's bookings``, ``next month``."""
    is_period = any(
        word in _NEXT | {"past", "coming"} and (behind.rstrip("s") in _PERIODS or behind.isdigit())
        for word, behind in pairwise(words)
    )
    return is_period or any(word.partition("'")[0].removesuffix("s") in _ONE_DAY for word in words)


_AT = "at "


def _is_behind_at(text: str, start: int) -> bool:
    """Return whether a number is a time of day: ``at 7``."""
    return text[start].isdigit() and text[max(0, start - len(_AT)) : start].lower() == _AT


_ONE_DAY = frozenset("today tonight tonite yesterday overnight nightly tomorrow".split())
_TOWARDS = frozenset("to into in on via by through over slack teams here mail email".split())
