"""The titles of the tasks that a clause adds: its words without the request, the list and the due time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from intent.acts.act import Span
from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS, LIST_NOUNS, NUDGES, TASK_NOUNS
from intent.acts.task_reading.feared import title_feared
from intent.acts.tokens import Token
from intent.regular_expressions import either, pattern
from intent.times.reading import TimeReading

_LIST = (
    r"(?:(?:my|the|our|your|that|a) )?(?:[\w-]++ )?"
    r"(?:to-?do|todo|task|shopping|tasks|todos|to do|reminder)?s? ?lists?"
)
_THING = (
    r"(?:(?:\d++|another|an|also|as|a|one more|new|these|the|following|this|my|me|two|three|four|five|six"
    r"|several|some|more|quick) ?)*+"
    r"(?:tasks?|to-?dos?|todos?|to dos?|reminders?|items?|notes?|entry|entries|things?)\b(?! lists? )"
)
_VERB = either(
    "make sure (?:that )?(?:i|we) (?:don't|dont|do not) forget"
    "|add|put|note|jot|stick|write|pop|record|create|make|set up|set|new|remind|remember|don't let me forget"
    "|dont let me forget|don't forget|dont forget|log|include|i need|we need|i'd like|i want|give me|chuck"
    "|throw|track|save|schedule|need|ad|pls|please|open"
)
_LEADING = pattern(
    r"[\s,:;.\u2013\u2014-]+",
    r"(?:please|pls|plz|kindly|just|now|so|ok|okay|hey|hi|hello|then|and|also|actually|oh|ah|right|well|but|or"
    r"|plus|again|first|next|btw|fyi|quickly|yes|yeah|yep|yup|sure|n|really|definitely)\b(?!')",
    r"(?:can|could|would|will) (?:you|u|we|i|someone)\b",
    r"(?:i|we)(?:'d| would| want| need) (?:like )?(?:you )?(?:to )?"
    r"(?=(?:add|put|note|remind|remember|create|make)\b)",
    rf"(?:give|send|drop) (?:me|us) (?:a|an|another) (?:\w+ )?(?:{'|'.join(sorted(NUDGES))})\b",
    rf"{_VERB}\b",
    rf"(?:to|on|onto|in|into|for) {_LIST}\b",
    r"(?:me|us|down|in|on|up)\b(?= )",
    _THING,
    rf"{_LIST} that\b",
    r"(?:my|our) (?:(?:to-?do|todo|task) )?lists? (?=\w)"
    r"(?!(?:of|for|with|from|to|is|are|as|in|on|at|by|and|or)\b)",
    r"(?:called|titled|named|saying|that says|which says|with the title|to say|that reads)\b",
    r"(?:that|to|about|of) (?:(?:i|we) (?:need|have|must|should|ought)(?: to)?\b)?",
    r"(?:i|we) (?:need to|have to|must|should|ought to|mustn't forget to|can't forget to|gotta|need)\b",
    r"(?:i've|ive|we've|weve|i have|we have|i|we|someone|somebody)(?: still| also| really| has| has got)?"
    r" (?:got to|have to|need to|still need to|to|gotta)\b",
    r"(?:got|have|need|still need) to\b",
    r"for (?:me|myself|us)\b",
    r"(?:for|by|on|due|at|until)\b(?=\s*[:,]|\s*$)",
    r"[\"'\u201c\u201d]",
    r"(?:no (?:due )?dates?|without (?:a )?dates?|no deadline|another one|and one|one for|one)\b"
    r"(?=\s*[:,]| for\b)",
)  # fmt: skip
_BLANKS = pattern(r"[\s,:;.\u2013\u2014-]+")
_TAILS = pattern(
    r"(?<![\s,:;.!?\"'\u201c\u201d\u2013\u2014-])[\s,:;.!?\"'\u201c\u201d\u2013\u2014-]++$",
    rf"(?<=\s)(?!\s)(?:to|on|onto|in|into|for) {_LIST}$",
    r"(?<=,) (?:it's|its|it is|that's|thats|that is|they're|theyre|they are|which is)$",
    r"(?:(?<=\s)|(?<=,))(?:no (?:due )?dates?|without (?:a )?dates?|no deadline)$",
    r"(?<=[,:\u2013\u2014-]) (?:all|both)(?: (?:two|three|four|five|of (?:them|these|those)))?"
    r"(?: (?:for|by|on|due|are due|is due))?$",
    r"(?<=\s)(?:please|pls|plz|thanks|thank you|thx|cheers|ta|too|as well|for me|somewhere|again|now)$",
    r"(?<=\s)(?:as|is|are|by|due|on|at|before|until|till|for|and|then|,)$",
    r"(?<=\s)(?:by|on|before|until|till|for) (?:the|this|next)$",
    r"(?<=\s)(?:to|on|as) (?:a|my|the|an) (?:task|to-?do|todo|reminder)s?$",
    r"(?<=[,.;(\u2013-])(?: (?:and|then|please|pls|can you|could you|so))* ?"
    rf"(?:remind|warn|alert|notify|{'|'.join(sorted(NUDGES))}) (?:me|us)$",
    r"(?<=[,.;(\u2013-])(?: (?:and|then|please|pls|can you|could you|so))* ?"
    rf"(?:give|send) (?:me|us) an? (?:{'|'.join(sorted(NUDGES))})$",
)
_MANY = frozenset(
    "tasks todos to-dos things items reminders all three both these following four five two".split()
)


def find_titles(
    clause: Clause,
    quoted: Sequence[Span],
    times: Sequence[TimeReading],
    *,
    begins_at: int | None = None,
    starts: frozenset[int] = frozenset(),
) -> tuple[Span, ...]:
    """Return the titles of the tasks to add, in order; empty when the clause has none.

    ``begins_at`` is where the request begins, when the clause holds the titles only: ``two tasks:`` before it
    says that there are several. ``starts`` are places where titles are known to begin.
    """
    if quoted:
        return tuple(quoted)
    if (known := _deed_there_is(clause) or title_feared(clause)) is not None:
        return (known,)
    message = clause.message
    start, end = _without_times(clause, times)
    start, end = _trimmed(message, start, end, times)
    end = min(end, _list_place(clause, start, end))
    heading = start
    if (behind := _behind_colon(clause, start)) != start and _heads_task(message[clause.start : behind]):
        start, end = _trimmed(message, behind, end, times, is_titled=True)
    else:
        start, end = _trimmed(message, behind, end, times)
    if start >= end:
        return ()
    start = _with_put(message, start, end)
    tokens = [token for token in clause.tokens if start <= token.start and token.end <= end]
    if len(timed := _with_times_of_their_own(message, tokens, times)) > 1:
        return timed
    parts = tuple(_parts(clause, tokens))
    before = message[clause.start if begins_at is None else begins_at : start]
    if len(parts) > 1 and (len(starts) > 1 or _all_begin_with_verbs(parts) or _says_many(before)):
        return tuple(
            Span(message[first:last], first, last)
            for part in parts
            if (bounds := _trimmed(message, part[0].start, part[-1].end, times))[0] < bounds[1]
            for first, last in [bounds]
            if _tells(message[first:last])
        )
    if behind > heading:
        start = _subject_place(clause, heading, behind, start)
    return (Span(message[start:end], start, end),) if _tells(message[start:end]) else ()


def _with_put(message: str, start: int, end: int) -> int:
    """Return where a title begins with the ``put`` that is its own verb: ``put the bins out``."""
    before = message[:start].rstrip()
    words = message[start:end].lower().split()
    is_put = before.lower().split()[-1:] == ["put"] and len(words) > 1 and words[-1] in _PUT_WHERE
    return len(before) - len("put") if is_put else start


_PUT_WHERE = frozenset({"out", "away", "back", "together", "up"})


def _deed_there_is(clause: Clause) -> Span | None:
    """Return the title of ``there's the van to book``: ``book the van``; None for any other words."""
    tokens = [token for token in clause.tokens if token.is_word]
    while tokens and tokens[0].word in LEADS:
        tokens = tokens[1:]
    words = [token.word for token in tokens]
    begin = 1 if words[:1] == ["there's"] else 2 if words[:2] in (["there", "is"], ["there", "are"]) else 0
    verb = next((at + 1 for at in range(begin, len(words) - 1) if words[at] == "to"), 0)
    if not begin or not begin + 1 < verb <= begin + _MOST_OF_THING or words[verb] not in DEEDS:
        return None
    thing = clause.message[tokens[begin].start : tokens[verb - 2].end]
    return Span(f"{words[verb]} {thing}", tokens[begin].start, tokens[verb].end)


_MOST_OF_THING = 8


def _list_place(clause: Clause, start: int, end: int) -> int:
    """Return where ``to my list`` stands within the title's words; their end when nothing names the list."""
    tokens = clause.tokens
    for place, token in enumerate(tokens):
        if token.word not in LIST_NOUNS or not start < token.start < end:
            continue
        for at in range(place - 1, max(-1, place - _MOST_BEFORE_LIST), -1):
            if tokens[at].word in {"to", "on", "onto"} and tokens[at].start > start:
                return tokens[at].start if {one.word for one in tokens[at:place]} & _OWN else end
    return end


def _with_times_of_their_own(
    message: str, tokens: Sequence[Token], times: Sequence[TimeReading]
) -> tuple[Span, ...]:
    """Return the titles of ``Monday to send the order and Wednesday to call Ana``."""
    spans = [span for reading in times for span in reading.spans]
    bounds: list[tuple[int, int]] = []
    begin = 0
    for place, token in enumerate(tokens):
        at = place + 1 + (place + 1 < len(tokens) and tokens[place + 1].word == "on")
        if token.word not in {"and", ",", "then", ";"} or at >= len(tokens):
            continue
        end = max((last for first, last in spans if first <= tokens[at].start < last), default=0)
        behind = next((there for there in range(at, len(tokens)) if tokens[there].start >= end), len(tokens))
        if end and behind + 1 < len(tokens) and tokens[behind].word == "to":
            bounds.append((begin, place))
            begin = behind + 1
    bounds.append((begin, len(tokens)))
    found = (tokens[first:last] for first, last in bounds if first < last)
    return tuple(Span(message[one[0].start : one[-1].end], one[0].start, one[-1].end) for one in found)


_MOST_BEFORE_LIST = 4
_OWN = frozenset({"my", "the", "our", "that"})


def _without_times(clause: Clause, times: Sequence[TimeReading]) -> tuple[int, int]:
    start, end = clause.start, clause.end
    for reading in sorted(times, key=lambda reading: -reading.span[1]):
        for first, last in sorted(reading.spans, reverse=True):
            if first < end and not clause.message[last:end].strip(" .,!?;:)\"'"):
                end = first
    return start, end


def _heads_task(heading: str) -> bool:
    """Return whether a heading names a task, so that what follows it is the title: ``new task:``."""
    return bool(_ONE_TASK & set(heading.lower().strip(" :").split()[-1:]))


_ONE_TASK = frozenset({"task", "todo", "to-do", "reminder"})


def _trimmed(
    message: str, start: int, end: int, times: Sequence[TimeReading], *, is_titled: bool = False
) -> tuple[int, int]:
    """Return the span without what leads in to it and what follows it; ``is_titled``: whether its first word
    surely is the title's.
    """
    moved = True
    while moved and start < end:
        moved = False
        for reading in times:
            for bare, last in reading.spans:
                first = _with_preposition(message, bare)
                if first <= start < last <= end:
                    start, moved = last, True
                elif start < first and last >= end > first:
                    end, moved = first, True
        lead = (_BLANKS if is_titled else _LEADING).match(message[start:end])
        behind = message[start + lead.end() : end] if lead is not None else ""
        if lead is not None and lead.end() and not _is_reminded(message[:start], lead[0], behind):
            start, moved = start + lead.end(), True
        if (tail := _TAILS.search(message[start:end])) is not None and tail.start() < end - start:
            end, moved = start + tail.start(), True
    return start, end


def _with_preposition(message: str, place: int) -> int:
    """Return where a time begins with the preposition before it: ``at 6``."""
    before = message[:place].rstrip()
    word = before.rpartition(" ")[2].lower()
    return len(before) - len(word) if word in {"at", "on", "by", "around", "about", "before"} else place


def _is_reminded(before: str, lead: str, behind: str) -> bool:
    """Return whether the title begins: behind ``remind me … to``, ``a task to``, a colon or another title a
    verb is what is to be done, but not ``remind me``.
    """
    words = before.lower().split()
    if not any(letter.isalpha() for letter in lead):
        return False
    is_led = bool(({"remind", "remember", "forget"} | NUDGES) & set(words)) or words[-2:-1] in _THINGS
    is_further = words[-1:] in (["and"], ["&"]) and words[-2:-1] != [] and words[-2][-1] not in ".?!"
    is_listed = is_further or before.rstrip().endswith((":", ","))
    verb = lead.split(maxsplit=1)[0].lower()
    is_deed = verb in DEEDS - {"put"} and not (verb == "remind" and behind.lower().split()[:1] in _SPEAKER)
    return (is_led and words[-1:] == ["to"]) or (is_listed and is_deed)


_SPEAKER = (["me"], ["us"])
_THINGS = tuple([one] for one in "task tasks todo to-do reminder item note".split())


def _parts(clause: Clause, tokens: Sequence[Token]) -> Iterator[list[Token]]:
    part: list[Token] = []
    for token in tokens:
        if token.word in {",", "and", "&", ";", "plus", "•", "*", "/", ".", "!"} or _is_new_line(
            clause, part, token
        ):
            if part:
                yield part
            part = [token] if token.is_word and token.word not in {"and", "plus"} else []
        else:
            part.append(token)
    if part:
        yield part


def _is_new_line(clause: Clause, part: Sequence[Token], token: Token) -> bool:
    return bool(part) and "\n" in clause.message[part[-1].end : token.start]


def _all_begin_with_verbs(parts: Sequence[Sequence[Token]]) -> bool:
    return all(len(part) > 1 and part[0].word in DEEDS for part in parts)


_MOST_BEFORE_COLON = 7


def _behind_colon(clause: Clause, start: int) -> int:
    """Return where titles begin behind a heading: ``for the bake sale: order flour``."""
    tokens = [token for token in clause.tokens if token.start >= start]
    colon = next(
        (place for place, token in enumerate(tokens[:_MOST_BEFORE_COLON]) if token.text == ":"), None
    )
    return start if colon is None or colon + 1 == len(tokens) else tokens[colon].end


def _subject_place(clause: Clause, heading: int, behind: int, start: int) -> int:
    """Return where a title begins that says what it is about before a colon, and what to do behind it:
    ``flour: order 25 kg``; any other begins at ``start``.
    """
    before = [token for token in clause.tokens if heading <= token.start and token.end < behind]
    while before and before[0].word in LEADS:
        before = before[1:]
    said = {token.word for token in before}
    is_subject = 0 < len(before) <= _MOST_OF_SUBJECT and all(word.isalpha() for word in said)
    is_plain = not said & (_NO_TITLES | TASK_NOUNS | DEEDS | _NO_SUBJECTS)
    first = next((token.word for token in clause.tokens if token.start >= start), "")
    return before[0].start if is_subject and is_plain and first in DEEDS else start


_MOST_OF_SUBJECT = 2
_NO_SUBJECTS = frozenset("list lists reminder reminders note notes job jobs today tomorrow new add".split())

_NO_TITLES = frozenset(
    "a an the task tasks todo todos to-do something me us it that them this these those down one ones for"
    " on by at due and my list another all both three two things thing please no date dates"
    " quite rather then remind that's day".split()
)


def _tells(title: str) -> bool:
    """Return whether a title has a word that says what to do, and doesn't go on about another: ``it has to be
    there``.
    """
    words = title.lower().replace(",", " ").split()
    if words[:1] and words[0] in _PRONOUNS and set(words[1:2]) <= _STATING:
        return False
    return any(word not in _NO_TITLES and not word.endswith("ly") for word in words)


_PRONOUNS = frozenset("it that this they he she it's that's they're".split())
_STATING = frozenset("has have must needs need should is was are were will can due".split())


def _says_many(before: str) -> bool:
    return bool(_MANY & set(before.lower().replace(":", " ").split()))


DEEDS = frozenset(
    "order book ring call buy get send pay write mail email fix clean pick collect bring take renew check"
    " ask tell cancel make cook bake paint print prepare file finish return wash move update review sign"
    " post fetch find schedule arrange invite organise organize rent hire phone text visit meet read submit"
    " draft confirm chase sort pack plan feed water drop replace repair install test measure invoice remind"
    " talk speak do set put upload download copy scan register apply choose wrap decorate empty mow cut"
    " sweep vacuum deliver answer reply".split()
)


def names_deed(clause: Clause) -> bool:
    """Return whether a clause begins with what is to be done: ``and get printer toner``."""
    first = next((word for word in clause.words if word[0].isalnum() and word not in LEADS), "")
    return first in DEEDS
