"""Questions that are asked in a roundabout way, as direct ones: ``any chance of using it from my phone`` is
``can I use it from my phone?`` Pure.

Answers are found by the words of direct questions. What only leads in to one says nothing of its subject.
"""

from __future__ import annotations

from intent.regular_expressions import pattern

_QUESTION_WORD = r"(?:what|who|how|where|when|why|which)"
_MODAL = r"(?:can|could|do|does|is|are|will|would|may|should)"
_INDIRECT = pattern(
    r"(?:(?:please )?(?:(?:can|could|would|will) you (?:please |kindly )?)?(?:tell me|explain(?: to me)?)"
    r"|do you know|i(?:'d| would) like to know|i want to know|i wonder)"
    rf" (?:please )?({_QUESTION_WORD})\b ?"
)
_HEDGED = pattern(
    rf"(?:(?:so|and|but|just|then|well|now|ok|okay|hm+|um+|say|about|[a-z]+ly),? ){{1,3}}(?={_QUESTION_WORD} "
    rf"(?:{_MODAL}|does|much|many|long|often)\b)"
)
_SUPPOSED = pattern(
    r"(?:suppose|supposing|imagine|assuming|assume|let's say|say) [^,.?!\n]{2,120}, "
    r"(?=(?:can|could|may|do|does|will|would) (?:i|we|you|it|one) )"
)
_CHANCE = pattern(
    r"(?:(?:is|are|would|might) there (?:be )?)?(?:any|a|some) (?:chance|chances|way|possibility|hope)"
    r" (?:of|to|for me to|that|i can|i could|we can|we could)\b ?(?=[a-z])"
)
_WHICH_KIND = pattern(
    r"(?:so |and |well,? )?(?:is|are) (?:this|it|you|that|omniforge) (?:more )?(?:like )?(?:a|an) "
    r"(?![^?]{0,80}\b(?:human|person|people|man|woman|somebody|someone)\b)\w+(?: \w+)? or (?:rather )?"
    r"(?:more )?(?:like )?(?:a|an)\b"
)
"""What kind of thing all this is: ``is this more like a calendar or more like a robot?``"""
_COPULAS = frozenset({"is", "are", "was", "were"})
_SUBJECTS = frozenset("my our the a an this that it he she they we i you one".split())
_DOUBLED = frozenset("bdgmnprt")


def direct(question: str) -> str:
    """Return an indirect question as a direct one: ``what is an agent?`` for ``could you tell me what an
    agent is, please?``; any other as it is.
    """
    if _WHICH_KIND.match(question) is not None:
        return "what is this?"
    if (chance := _CHANCE.match(question)) is not None:
        return _possible(question[chance.end() :])
    for lead in (_SUPPOSED, _HEDGED):
        if (found := lead.match(question)) is not None:
            return f"{question[found.end() :].rstrip(' ?.!')}?"
    found = _INDIRECT.match(question)
    if found is None:
        return question
    rest = question[found.end() :].rstrip(" ?.!").removesuffix("please").rstrip(" ,")
    *subject, last = rest.split() or [""]
    return (
        f"{found[1]} {last} {' '.join(subject)}?" if last in _COPULAS and subject else f"{found[1]} {rest}?"
    )


def _possible(rest: str) -> str:
    """Return what is asked to be possible: ``can I use it?`` of ``using it``."""
    verb, _, behind = rest.rstrip(" ?.!").partition(" ")
    if verb.lower() in _SUBJECTS:
        return f"can {verb} {behind}?"
    return f"can I {_base(verb)} {behind}?"


def _base(verb: str) -> str:
    """Return a verb without ``-ing``. Whether it has its ``e`` matters little: only its stem is compared."""
    if not verb.endswith("ing") or len(verb) < _SHORTEST:
        return verb
    stem = verb[:-3]
    if stem[-1] == stem[-2] and stem[-1] in _DOUBLED:
        return stem[:-1]
    return f"{stem}e" if stem[-1] in "svcgz" and stem[-2] in "aeiou" else stem


_SHORTEST = 5
