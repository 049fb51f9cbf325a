"""Blanks out what a letter has around its request: salutation, good wishes, closing phrases, signature.

Places stay right. What is said of the request itself stays; a letter of nothing else stays whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from intent.acts.tokens import Token, tokenise

_SENTENCE_ENDS = frozenset(".!?;")
_SALUTING = frozenset("dear respected attn attention".split())
_GREETING = frozenset("hi hello hey hiya greetings good to".split())
_ADDRESSED = frozenset(
    "dear respected sir madam sirs ma'am mam team all everyone colleague colleagues folks friends friend"
    " support there again morning afternoon evening day concerned whom it may concern concerns hi hello hey"
    " greetings good to the my mr mrs ms dr mr. mrs. ms. dr. and or kind attention please attn".split()
)
_HOPING = frozenset("hope hoping hopefully trust wish wishing".split())
_BEFORE_HOPE = frozenset("i we i'm am we're are really also first just and so firstly".split())
_HOPED_FOR = frozenset("you you're you've this all everyone everything things your it's that".split())
_WELL = frozenset(
    "well good great fine finds find found lovely nice weekend health healthy safe day week morning evening"
    " holiday holidays christmas year easter spirits ok okay going break start".split()
)
_OF_REQUESTS = frozenset("can could will would set send run make help able arrange".split())
_ASIDES = (
    "how are you", "how are things", "how is it going", "how's it going", "hows it going", "greetings",
    "do the needful", "please do the needful", "kindly do the needful", "pls do the needful",
    "looking forward", "i look forward", "we look forward", "awaiting your", "i await", "we await",
    "thanking you", "thanks and", "many thanks", "thanks in advance", "thank you in advance",
    "thank you so much in advance", "i would be grateful", "i'd be grateful", "much obliged",
    "let me know if you need", "let me know if you have", "let me know if anything", "let me know if there's",
    "please let me know if you", "please let me know if anything", "don't hesitate", "please don't hesitate",
    "please do not hesitate", "do not hesitate", "just following up", "following up on", "just a quick note",
    "just a quick one", "a quick one from me", "quick one", "a quick request", "one quick request",
    "just circling back", "circling back", "greetings of the day", "kind attention", "your kind attention",
    "i hope it is clear", "hope that's clear", "hope that is clear", "hope this helps", "hope that helps",
    "appreciate your help", "i appreciate your help", "much appreciated", "appreciated",
    "your help is appreciated", "your cooperation is", "your prompt", "i am writing to you", "i'm new here",
)  # fmt: skip
"""How sentences begin that stand around a request and ask for nothing."""
_LONGEST_ASIDE = 14
_LEADING_IN = (
    "with reference to", "with regard to", "with regards to", "further to", "as discussed", "as per our",
    "as agreed", "following our", "following on from", "in reference to", "referring to", "re our",
    "as mentioned", "as you know",
)  # fmt: skip
"""How what leads in to a request begins, up to its comma."""
_LONGEST_LEAD = 12
_CLOSING = frozenset("regards rgds wishes sincerely faithfully truly br kr vbr yours".split())
_BEFORE_CLOSING = frozenset(
    "best kind kindest warm warmest many with thanks thank you and & yours very the kindly all my our much br"
    " cheers thx respectful".split()
)
_SIGNING = frozenset("best thanks thx cheers ta love".split())
"""Words that close a letter alone on their line, before a name."""
_LONGEST_SIGNATURE = 14
_POSTSCRIPTS = frozenset({"ps", "p.s", "pps"})


def blank_letter(message: str) -> str:
    """Return the message without what a letter has around its request; all of it if nothing else is said."""
    tokens = tokenise(message)
    end = _signature(message, tokens)
    blanked = [(end, len(message))] if end is not None else []
    kept = [token for token in tokens if end is None or token.start < end]
    begin = _salutation(message, kept)
    if begin:
        blanked.append((0, kept[begin - 1].end))
    for sentence in _sentences(message, kept[begin:]):
        if length := _around(sentence, is_letter=bool(blanked)):
            blanked.append((sentence[0].start, sentence[length - 1].end))
    text = message
    for start, stop in blanked:
        text = f"{text[:start]}{' ' * (stop - start)}{text[stop:]}"
    return text if any(mark.isalnum() for mark in text) else message


def _salutation(message: str, tokens: Sequence[Token]) -> int:
    """Return how many tokens the salutation has: up to its comma, or to the end of its line."""
    words = [token.word for token in tokens]
    first = words[0] if words else ""
    if first not in _SALUTING | _GREETING or (first == "to" and words[1:2] != ["whom"]):
        return 0
    for place, token in enumerate(tokens[1 : _MOST_SALUTING + 1], 1):
        is_line_end = "\n" in message[tokens[place - 1].end : token.start]
        if is_line_end:
            return place
        if token.text in _AFTER_SALUTATION:
            return place + 1
        is_name = first in _SALUTING or token.text[:1].isupper()
        if token.word not in _ADDRESSED and not (is_name and token.text[:1].isupper()) and token.text != "/":
            return 0
    return 0


_MOST_SALUTING = 7
_AFTER_SALUTATION = frozenset({",", ":", "!", "-", "\u2013", "\u2014"})


def _signature(message: str, tokens: Sequence[Token]) -> int | None:
    """Return where the closing of a letter begins, such as ``Kind regards, Tom``; None without one."""
    for place in range(1, len(tokens)):
        is_line = "\n" in message[tokens[place - 1].end : tokens[place].start]
        if not (is_line or tokens[place - 1].text in _SENTENCE_ENDS):
            continue
        rest = [token for token in tokens[place:] if token.is_word]
        if len(rest) > _LONGEST_SIGNATURE or _POSTSCRIPTS & {token.word for token in rest}:
            continue
        if _closes(message, tokens[place:], is_line=is_line):
            return tokens[place].start
    return None


def _closes(message: str, tokens: Sequence[Token], *, is_line: bool) -> bool:
    words = [token.word for token in tokens]
    at = next((at for at, word in enumerate(words) if word not in _BEFORE_CLOSING), len(words))
    if at < len(words) and words[at] in _CLOSING:
        return True
    if not is_line or words[0] not in _SIGNING | {"many", "thank", "all"}:
        return False
    end = next(
        (at for at in range(1, len(tokens)) if "\n" in message[tokens[at - 1].end : tokens[at].start]), 0
    )
    if not end or set(words[:end]) - _SIGNING - _BEFORE_CLOSING - {",", "!", ".", "in", "advance", "the"}:
        return False
    return all(token.text[:1].isupper() or not token.is_word for token in tokens[end:])


def _sentences(message: str, tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    begin = 0
    for place, token in enumerate(tokens):
        is_last = place + 1 == len(tokens)
        is_line_end = not is_last and "\n" in message[token.end : tokens[place + 1].start]
        if token.text in _SENTENCE_ENDS or is_line_end or is_last:
            yield tokens[begin : place + 1]
            begin = place + 1


def _around(sentence: Sequence[Token], *, is_letter: bool) -> int:
    """Return how many tokens at the beginning of a sentence stand around a request; 0 for none."""
    words = [token.word for token in sentence if token.is_word]
    line = f"{' '.join(words)} "
    if any(token.word[:1].isdigit() or "@" in token.text for token in sentence):
        is_whole = False
    else:
        is_aside = len(words) <= _LONGEST_ASIDE and any(line.startswith(f"{one} ") for one in _ASIDES)
        is_whole = _wishes_well(words) or is_aside
    if is_whole:
        return len(sentence)
    comma = next((at for at, token in enumerate(sentence) if token.text in {",", ":"}), 0)
    if not 0 < comma < len(sentence) - 2 or comma > _LONGEST_LEAD:
        return 0
    before = [token.word for token in sentence[:comma] if token.is_word]
    leads_in = any(f"{' '.join(before)} ".startswith(f"{one} ") for one in _LEADING_IN) and is_letter
    is_aside = any(" ".join(before).startswith(one) for one in _ASIDES)
    return comma + 1 if leads_in or is_aside or _wishes_well(before) else 0


def _wishes_well(words: Sequence[str]) -> bool:
    """Return whether words only wish somebody well: ``hope you are doing well``."""
    at = next((at for at, word in enumerate(words) if word not in _BEFORE_HOPE), len(words))
    if at >= len(words) or words[at] not in _HOPING or len(words) > _LONGEST_ASIDE:
        return False
    behind = set(words[at + 1 :])
    return bool(_HOPED_FOR & set(words[at + 1 : at + 4]) and _WELL & behind) and not _OF_REQUESTS & behind
