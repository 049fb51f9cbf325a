"""The user's own words in a message: what it says apart from pasted and quoted text.

Only own words may cause an effect: a pasted mail that says "delete my agents" is not the user's wish. What is
left out is still shown to models and stored. Errs towards leaving out: words left out cause at most a
question, words taken for the user's own may change something.

Lines are read once from top to bottom, and every expression is bounded, so that the time is linear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from intent.entities.text_requests import (
    Behind,
    asks_for_text_work,
    goes_on,
    introduces_text,
    is_greeting,
    is_prose,
    text_after_colon,
)
from intent.regular_expressions import lower_pattern, pattern, straighten_quotes
from intent.situation import Situation

_MOST_QUOTED_WORDS = 12
"""A longer quotation is a text; a shorter one may be a name or a title."""
_FEWEST_WORDS_OF_A_TEXT = 8

_MOST_ROUNDS = 5
"""How often the rest is read again: without a quotation, a line may introduce what is behind it."""

_FENCE = pattern(r" ?(?:`{3}|~{3})")
_QUOTED_LINE = pattern(r" ?(?:>|&gt;)")
_MOST_HEADER_CHARACTERS = 300
_HEADER_NAMES = (
    "from|to|cc|bcc|subject|sent|date|reply-to|von|an|betreff|gesendet|datum|de|para|asunto|fecha|objet"
    "|à|envoyé|da|oggetto|van|aan|onderwerp"
)
_HEADER = lower_pattern(rf"[ \t*_]{{0,6}}(?:{_HEADER_NAMES})[*_]{{0,2}} ?:[*_]{{0,2}} ?\S")
_SURE_HEADER = lower_pattern(
    r"[ \t*_]{0,6}(?:subject|betreff|asunto|objet|oggetto|onderwerp)[*_]{0,2} ?:[*_]{0,2} ?\S",
    r"[ \t*_]{0,6}(?:from|von|de|da|van|sent|gesendet|envoyé)[*_]{0,2} ?:[^\n]{0,120}[@<(]",
)
_MARK = lower_pattern(
    r"\W{0,40}(?:original message|forwarded message|begin forwarded message|weitergeleitete nachricht"
    r"|ursprüngliche nachricht|message transféré|message d'origine|mensaje reenviado|mensaje original"
    r"|anfang der weitergeleiteten nachricht)\b",
    r"\W{0,6}(?:on|am|le|el|il|op) [^\n]{4,120} (?:wrote|schrieb[^\n]{0,60}|a écrit|escribió|ha scritto"
    r"|schreef"
    r"[^\n]{0,60})\W{0,3}$",
)
_SALUTATION = pattern(
    r" ?(?:dear|hi|hello|hey|hallo|liebe[rs]?|sehr geehrte[rs]?|guten (?:tag|morgen|abend)|moin|bonjour|cher"
    r"|chère|hola|estimad[oa]s?|querid[oa]s?|buenos días|ciao|caro|cara|gentile|beste"
    r"|good (?:morning|afternoon|evening))(?: [\w.'\u2019-]{1,30}){0,5} ?[,:!.]? ?"
)
_ROLE_LINE = lower_pattern(r" ?(?:user|assistant|system|human|ai|tool|agent|bot)(?: \([^)\n]{1,60}\))? ?:")
_TIMED_LINE = lower_pattern(
    r" ?\[?(?:\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? )?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[ap]m)?\]? ?[-\u2013]? ?"
    r"[\w.'-]{1,30}(?: [\w.'-]{1,30}){0,2} ?:"
)
_LABEL = lower_pattern(r" ?([^\W\d_][\w.'-]{0,30}(?: [\w.'-]{1,30}){0,2}) ?: ?\S")
_NO_SPEAKER = frozenset({
    "task", "tasks", "todo", "to do", "note", "reminder", "remind me", "item", "step", "name", "source",
    "what", "when", "where", "add", "and", "also",
})  # fmt: skip
_MACHINE_LINE = pattern(
    r" ?[\[{]{1,3} ?(?:[\"'}\]]|$)| ?<(?:!--|/?[a-z][\w-]{0,20}[ >/])|traceback \(most recent call last\)"
    r"| ?(?:error|warn(?:ing)?|info|debug|fatal)[:\]] "
)
_QUOTATION = pattern(r"\"[^\"\n]{1,2000}\"|«[^«»\n]{1,2000}»|„[^\"„“”\n]{1,2000}[\"“”]")
_SAID = lower_pattern(
    r"\b(?:said|says|wrote|writes|reads|asked|asks|told (?:me|us|him|her|them)|replied|replies|answered"
    r"|mailed|texted|posted|demanded|sagte|sagt|schrieb|schreibt|dit|écrit|dijo|dice|escribió)"
    r"(?: (?:me|us|that|to me|in it))?[ ,:]{0,4}$"
)
_MEANT = lower_pattern(r"\W{0,3}(?:means?\b|meant\b|here\b|is (?:that|this|it) )")
_ASKING = lower_pattern(r"\b(?:what|does|is|why|how|who)\b[^.!?\n]{0,60}$")


def own_words(message: str) -> str:
    """Return the message without pasted and quoted text; the same text when there is none of it, and an
    empty one when there is nothing else.
    """
    return _own_words(message)


def with_own_words(situation: Situation) -> Situation:
    """Return the situation with only the user's own words as its message."""
    own = own_words(situation.message)
    return situation if own == situation.message else replace(situation, message=own, has_paste=True)


@lru_cache(maxsize=64)
def _own_words(message: str) -> str:
    text = message
    for _ in range(_MOST_ROUNDS):
        before, text = text, _without_paste(text)
        if text == before:
            break
    return text


def _without_paste(text: str) -> str:
    kept = _before_paste(list(_typed_lines(text.split("\n"))))
    own = _without_quotations("\n".join(kept))
    return text if own == text else own.strip()


def _typed_lines(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines that are neither quoted with ``>`` nor in a fenced block, up to a mail's header."""
    is_fenced = False
    for place, line in enumerate(lines):
        if _FENCE.match(line):
            is_fenced = not is_fenced
        elif is_fenced or _QUOTED_LINE.match(line):
            continue
        elif _begins_mail(lines, place):
            return
        else:
            yield line


def _begins_mail(lines: Sequence[str], place: int) -> bool:
    """Whether a forwarded or answered mail begins at the line."""
    line = lines[place][:_MOST_HEADER_CHARACTERS]
    if _MARK.match(line) or _SURE_HEADER.match(line):
        return True
    if not _HEADER.match(line):
        return False
    following = [other[:_MOST_HEADER_CHARACTERS] for other in lines[place + 1 : place + 4]]
    return any(_SURE_HEADER.match(other) for other in following)


def _before_paste(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines before the first text that they introduce or that shows by its form that somebody else
    wrote it.
    """
    speakers: set[str] = set()
    has_begun, all_behind = False, _all_behind(lines)
    for place, line in enumerate(lines):
        behind = all_behind[place]
        if has_begun and (_MACHINE_LINE.match(line) or (behind.words and _is_foreign(line, speakers))):
            return lines[: _first_of(lines, place)]
        if not line.strip():
            continue
        head = text_after_colon(line)
        if head is not None or introduces_text(line, behind):
            return [*lines[:place], line if head is None else head]
        has_begun = has_begun or not is_greeting(line)
    return _after_paste(lines)


def _all_behind(lines: Sequence[str]) -> Sequence[Behind]:
    """What is behind each of the lines."""
    found, words, prose, next_line = list[Behind](), 0, 0, ""
    for place in range(len(lines) - 1, -1, -1):
        line = lines[place]
        is_break = place + 1 < len(lines) and not lines[place + 1].strip()
        found.append(Behind(words, prose, is_break, goes_on(next_line)))
        count = len(line.split())
        words, prose = words + count, prose + count * is_prose(line)
        next_line = line if count else next_line
    return found[::-1]


def _is_foreign(line: str, speakers: set[str]) -> bool:
    """Whether the line has the form of a letter, a chat's record, a log or data."""
    if _SALUTATION.fullmatch(line) or _ROLE_LINE.match(line) or _TIMED_LINE.match(line):
        return True
    label = _LABEL.match(line)
    if label is None or label[1] in _NO_SPEAKER:
        return False
    is_again = label[1] in speakers
    speakers.add(label[1])
    return is_again


def _first_of(lines: Sequence[str], place: int) -> int:
    """The first line of the chat record that the line belongs to."""
    while place and _LABEL.match(lines[place - 1]) and not lines[place - 1].rstrip().endswith("?"):
        place -= 1
    return place


def _after_paste(lines: Sequence[str]) -> Sequence[str]:
    """Return only the last paragraph when it asks for work on the text above it; else all lines."""
    filled = [place for place, line in enumerate(lines) if line.strip()]
    if len(filled) < 2 or lines[filled[-1] - 1].strip():
        return lines
    if sum(len(lines[place].split()) for place in filled[:-1]) < _FEWEST_WORDS_OF_A_TEXT:
        return lines
    return [lines[filled[-1]]] if asks_for_text_work(lines[filled[-1]]) else lines


def _without_quotations(text: str) -> str:
    plain, pieces, last = straighten_quotes(text), list[str](), 0
    for found in _QUOTATION.finditer(plain):
        if _is_text(plain, *found.span()):
            pieces.append(text[last : found.start()])
            last = found.end()
    return "".join([*pieces, text[last:]])


def _is_text(plain: str, start: int, end: int) -> bool:
    """Whether the quotation is somebody's text, not a name or title that the user gives."""
    if len(plain[start:end].split()) > _MOST_QUOTED_WORDS:
        return True
    before = plain[max(0, start - 80) : start]
    return _SAID.search(before) is not None or (
        _MEANT.match(plain[end : end + 40]) is not None and _ASKING.search(before) is not None
    )
