"""Messages that repeat a few words many times: what an attacker, a paste or a stuck key would send."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.expressions.pumps import ENDINGS, SEPARATORS

KNOWN = ("ok," * 50 + "x", "please," * 40 + "x", "told-the-Wednesday-" * 12)
"""Messages that were once never answered."""
_WORDS = """
    ok okay yes please thanks no not now later never mind cancel stop that this it its do so then just well
    um good great let's i'd like want would you can the a my our agent agents bot skill task tasks reminder
    add mark done delete remove move to by until due friday every monday weekly daily morning at 9 9:30am on
    in list hm for from with about send post alert tell told notify slack e-mail teams text me us when
    whenever if and or report digest tickets jira board project called named rename change make instead of
    rather than how much did we spend last month q1 2024 what which who is are why ? ! . : ; " ' ( ) # @
    @maya a@b.c https://a.b/c order-bot told-the-wednesday the-daily 1) 2. $5 50% \u2014 \u00e9 \u4e2d
    \U0001f600
"""
_LONGEST = (60, 200, 500, 1_000, 8_000)


def repetitive_messages(count: int, *, seed: int = 14) -> Iterator[str]:
    """Yield so many different messages of up to 8,000 characters, always the same for the same seed."""
    chance = Random(seed)
    words = _WORDS.split()
    for _ in range(count):
        phrases = [
            " ".join(chance.choices(words, k=chance.randint(1, 3))) for _ in range(chance.randint(1, 3))
        ]
        body = "".join(phrase + chance.choice(SEPARATORS) for phrase in phrases)
        lead = " ".join(chance.choices(words, k=chance.randint(0, 4)))
        longest, times = chance.choice(_LONGEST), chance.randint(8, 400)
        yield f"{lead} {body * times}"[: longest - 1].rstrip("\x00") + chance.choice(("x", "?", *ENDINGS[2:]))
