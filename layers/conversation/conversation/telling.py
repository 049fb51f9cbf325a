"""The signs by which `conversation.extracts` tells what is worth keeping: patterns, and English words where
no pattern will do. What a sign counts for is decided there.
"""

from __future__ import annotations

import re


def _any_of(alternatives: str) -> str:
    """One pattern of many, which are given one by one with ``/`` or a line end between."""
    return "|".join(each.strip() for each in re.split(r"[/\n]", alternatives) if each.strip())


SENTENCE = re.compile(
    r"(?<=[.!?])[\"')\]]*\s+(?=[^\sa-z])|\n+|;\s+|\s+[\u2013\u2014]\s+|[\u3002\uff01\uff1f]"
)
"""What is between two sentences."""

_LEADS = _any_of(r"""
    hi / hello / hey / ok / okay / so / well / oh / and / also / but / anyway / actually / fyi / btw / right
    yes / no / sorry / please / thanks / thank you / by the way / just so you know / just to let you know
    before i forget / one more thing / for later / for the record / for your information / to be clear
    remember / as i said / as we said / as discussed(?: with [a-z ]{2,20})?
    (?:small |quick )?(?:note|update|question|correction|reminder|addition)(?: from my side)?
""")
LEAD = re.compile(rf"(?:(?:{_LEADS})\b[\s,:;\u2013-]+)+", re.IGNORECASE)
"""What only leads up to what is said."""

ADDRESS = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+|https?://\S+|(?<!\w)[#@][A-Za-z][\w-]+")
NUMBER = re.compile(r"(?<![\w.])[$\u20ac\u00a3#]?(?=[\w.,:/-]*\d)[\w.,:/-]*\w%?")

_DATES = _any_of(r"""
    (?:mon|tues|wednes|thurs|fri|satur|sun)days? / january / february / march / april / may \d / june / july
    august / september / october / november / december / tomorrow / tonight / next (?:week|month|year)
    \d{4}-\d\d-\d\d / \d{1,2}:\d\d / percent / euros? / dollars? / pounds / francs / yen / kron(?:or|er|e|a)
""")
DATE = re.compile(rf"\b(?:{_DATES})\b", re.IGNORECASE)
"""Dates, and the units that make a number a fact."""

NAME = re.compile(
    r"(?<=[^\s.!?] )(?!I\b)[A-Z][\w'\u2019-]*|\b[A-Z]{2,}\b|(?<=[\"`\u201c])[\w -]{2,40}(?=[\"`\u201d])"
)
"""A name by its capital where no sentence begins, by its capitals, or by its quotes."""

FIRST_NAME = re.compile(
    r"(?P<word>[A-Z][\w-]+)(?:'s)?(?: [A-Z][\w-]+)*"
    r" (?:is|was|are|were|has|had|have|will|can|can't|should|must|won't|would|owns?|[a-z]{3,}(?:ed|es|s))\b"
)
"""What may be a name that begins a sentence: a verb follows. It is none if it is one of the next words."""
_SMALL_WORDS = """
    the a an this that these those it its he she they we you i my our your his her their there here what which
    who when where why how if and but or so as at by for from in of on to with all any each every everything
    everybody everyone nobody nothing none some someone something somebody one two both most many more other
    another such not only also then now today tomorrow yesterday please thanks
"""
NO_NAME = frozenset(_SMALL_WORDS.split())

_DECISIONS = _any_of(r"""
    decid\w+ / agree[ds]? / chose\w* / settled / opted / picked / sign(?:ed)? off / approv\w+ / reject\w+
    (?:end(?:ed)? up|went|going|stick(?:ing)?|stays?|stayed) (?:at|with) / confirm\w+ / promis\w+ / insist\w+
    deadline / due / budget / owner / owns / responsible / in charge / (?:moved|changed) (?:to|from)
    instead of / never / always / must / prefer\w* / favou?rites? / allergic / can't (?:eat|stand) / hates?
    loves? / call me / my name / named / called / keep in mind / important / from now on / no longer / born
    married / lives? in / works? (?:at|for|as)
""")
DECIDED = re.compile(rf"\b(?:{_DECISIONS})\b", re.IGNORECASE)
"""Decisions, duties and preferences."""

_STATING = _any_of(r"""
    is / are / was / will be / has / have / comes? / costs? / needs? / stays? / starts? / ends? / got / became
    becomes / means? / went / moved
""")
STATES = re.compile(
    r"(?:the|our|my|his|her|their|its?|this|that|we|i|they|[A-Z][\w'-]+)\b"
    rf"(?:'s|[^.?!]{{0,60}}?\b(?:{_STATING}))\b",
    re.IGNORECASE,
)
"""How something is, or has become."""

_UNDECIDED = _any_of(r"""
    open question / still (?:open|unclear|need to (?:decide|find out|know)) / undecided / tb[dc]
    not (?:yet )?(?:decided|sure|clear) / to be (?:decided|confirmed|clarified) / waiting (?:for|on)
    nobody knows
""")
OPEN = re.compile(rf"\b(?:{_UNDECIDED})\b", re.IGNORECASE)
"""What is still to be settled."""

_ASKING = _any_of(r"""
    (?:can|could|would|will|do|does|did|is|are|was|were|has|have|should|may|might)\b(?! i )
    (?:what|which|who|whose|why|how)\b(?! i ) / (?:when|where|if)\b(?![^?]*,)
    i(?:'d| would) (?:like|love)\b / (?:i|we) (?:want|need)\b / i was wondering\b
""")
_WANTED = _any_of(r"""
    add / analy[sz]e / arrange / ask / book / build / bring / calculate / cancel / change / chase / check
    clean / compare / compile / compute / convert / count / create / debug / define / delete / describe
    design / draft / email / explain / export / fetch / find / fix / forward / generate / get / give
    go through / google / grab / help / import / improve / launch / let / list / look / mail / make / mark
    move / open / order / pause / plan / prepare / print / proofread / pull / put together / read / recommend
    remind / remove / rename / rephrase / reply / resend / resume / revoke / rewrite / run / say / schedule
    search / send / set up / share / shorten / show / sing / solve / sort / split / start / stop / suggest
    sum / summari[sz]e / switch / take / teach / tell / test / translate / try / turn / update / upload / use
    watch / write
""")
ASKS = re.compile(rf"(?:{_ASKING}|(?:{_WANTED})\b)", re.IGNORECASE)
"""How a question or a request begins."""
