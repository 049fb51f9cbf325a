"""Arithmetic questions as expressions: ``What is 5 factorial times 8?`` becomes ``5! * 8``. Pure.

Only a message that is nothing but arithmetic counts: a date, a range of hours or a sum inside a request does
not. `tools.builtin.calculator` computes the expressions.
"""

from __future__ import annotations

import re

from intent.regular_expressions import LazyPattern

MAX_CHARACTERS = 200

_LEAD = LazyPattern(
    r"^\W*((hey|hi|hello|please|ok|so|and|now|quick question|(can|could|would) you|tell me|do you know)\W+)*"
    r"(what(?:'s|\u2019s|s)? (is |are |does |do )?|how much (is |are |does )?|calculate |compute |evaluate "
    r"|work out |solve |find )(the )?((result|value|product|sum) of )?",
)
_TAIL = LazyPattern(
    r"\s*+((is|equals?|makes?|come to|amount to|as a number|please|for me|thanks)\s*+)*+[=?.\s]*+$"
)
_WORDS = (
    (r"\b(?:the )?factorial of (\d+)", r"\1!"),
    (r"(\d+)\s*factorial\b", r"\1!"),
    (r"\b(?:the )?square root of (\d+(?:\.\d+)?)", r"sqrt(\1)"),
    (r"(\d+(?:\.\d+)?)\s*(?:%|percent|per cent) of\b", r"\1 / 100 *"),
    (r"\b(?:raised )?to the (?:power|exponent) (?:of )?", "**"),
    (r"\bsquared\b", "** 2"),
    (r"\bcubed\b", "** 3"),
    (r"\b(?:times|multiplied by)\b|(?<=\d) ?x ?(?=\d)", "*"),
    (r"\b(?:divided by|over)\b", "/"),
    (r"\bplus\b|\badded to\b", "+"),
    (r"\bminus\b|\bless\b", "-"),
    (r"\b(?:modulo|mod)\b", "%"),
    (r"(?<=\d),(?=\d{3}(?!\d))", ""),
)
_NUMBERS = tuple("zero one two three four five six seven eight nine ten eleven twelve".split())
_SUM = LazyPattern(r"(?:[\d\s.,+\-*/%!()^\u00d7\u00f7\u2212\u00b7]|(?<=\d)e[+-]?\d|sqrt\(|round\(|pi\b)+")
_SIGN = LazyPattern(r"\d\s*!|[\d)!]\s*[+\-*/%^\u00d7\u00f7\u2212\u00b7]+\s*[\d(.+spr-]|sqrt|round|pi")
_PLAIN_SIGN = LazyPattern(r"[*+^!\u00d7\u00f7]|\d % \d|sqrt|round")
_PERCENT_ADDED = LazyPattern(r"[+\-\u2212]\s*\d+(?:\.\d+)?\s*%(?!\s*[\d(])")
"""A percentage of what stands before it, which the calculator doesn't know: ``120 + 20%``."""
_DATE = LazyPattern(r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}")


def expression_in(message: str) -> str | None:
    """The expression that the message asks to compute; None for any other message."""
    if len(message) > MAX_CHARACTERS:
        return None
    asked = _LEAD.replace_matches(message.casefold(), max_count=1)
    text = _TAIL.replace_matches(_in_signs(asked), max_count=1).strip()
    is_question = asked != message.casefold() or message.rstrip().endswith(("?", "="))
    if not _SUM.fullmatch(text) or not _SIGN.search(text) or _DATE.fullmatch(text):
        return None
    if ("," in text and "round" not in text) or _PERCENT_ADDED.search(text):
        return None
    # Bare "9-5" or "24/7" is seldom a sum.
    return " ".join(text.split()) if is_question or _PLAIN_SIGN.search(text) else None


def _in_signs(text: str) -> str:
    signs = text
    for number, name in enumerate(_NUMBERS):
        signs = re.sub(rf"\b{name}\b", str(number), signs)
    for words, sign in _WORDS:
        signs = re.sub(words, sign, signs)
    return signs
