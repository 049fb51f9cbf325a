"""Extractive summary: picks the sentences of messages that are worth keeping, without a model.

Those are sentences with names, numbers, dates and addresses, and sentences that decide something or leave it
open. Pure: the same messages give the same lines. Statements of the user count most: a question can be asked
again, and what the assistant said follows from what is kept or can be looked up.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, zip_longest

from conversation.messages.models import Message, Role
from conversation.messages.summaries import SummaryLine, fit_lines
from conversation.token_counts import estimate_tokens


def _any_of(alternatives: str) -> str:
    """One pattern of many alternatives, which are separated by ``/`` or line ends."""
    return "|".join(each.strip() for each in re.split(r"[/\n]", alternatives) if each.strip())


_SENTENCE = re.compile(
    r"(?<=[.!?])[\"')\]]*\s+(?=[^\sa-z])|\n+|;\s+|(?<![^\S\n])\s++[\u2013\u2014]\s+|[\u3002\uff01\uff1f]"
)
"""The separator between two sentences."""

_LEADS = _any_of(r"""
    hi / hello / hey / ok / okay / so / well / oh / and / also / but / anyway / actually / fyi / btw / right
    yes / no / sorry / please / thanks / thank you / by the way / just so you know / just to let you know
    before i forget / one more thing / for later / for the record / for your information / to be clear
    remember / as i said / as we said / as discussed(?: with [a-z ]{2,20})?
    (?:small |quick )?(?:note|update|question|correction|reminder|addition)(?: from my side)?
""")
_LEAD = re.compile(rf"(?:(?:{_LEADS})\b[\s,:;\u2013-]+)+", re.IGNORECASE)
"""Introductory words that carry no content."""

_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+\.[\w.-]+|https?://\S+|(?<!\w)[#@][A-Za-z][\w-]+")
_NUMBER = re.compile(r"(?<![\w.,:/-])[$\u20ac\u00a3#]?(?=[\w.,:/-]*\d)[\w.,:/-]*\w%?")

_DATES = _any_of(r"""
    (?:mon|tues|wednes|thurs|fri|satur|sun)days? / january / february / march / april / may \d / june / july
    august / september / october / november / december / tomorrow / tonight / next (?:week|month|year)
    \d{4}-\d\d-\d\d / \d{1,2}:\d\d / percent / euros? / dollars? / pounds / francs / yen / kron(?:or|er|e|a)
""")
_DATE = re.compile(rf"\b(?:{_DATES})\b", re.IGNORECASE)
"""Dates, and the units that make a number a fact."""

_NAME = re.compile(
    r"(?<=[^\s.!?] )(?!I\b)[A-Z][\w'\u2019-]*|\b[A-Z]{2,}\b|(?<=[\"`\u201c])[\w -]{2,40}(?=[\"`\u201d])"
)
"""A name: a capitalised word inside a sentence, a word in capitals, or a quoted phrase."""

_FIRST_NAME = re.compile(
    r"(?P<word>[A-Z][\w-]+)(?:'s)?(?: [A-Z][\w-]+)*"
    r" (?:is|was|are|were|has|had|have|will|can|can't|should|must|won't|would|owns?|[a-z]{3,}(?:ed|es|s))\b"
)
"""A possible name at the beginning of a sentence: a verb follows. The words of `_NO_NAME` are not names."""
_SMALL_WORDS = """
    the a an this that these those it its he she they we you i my our your his her their there here what which
    who when where why how if and but or so as at by for from in of on to with all any each every everything
    everybody everyone nobody nothing none some someone something somebody one two both most many more other
    another such not only also then now today tomorrow yesterday please thanks
"""
_NO_NAME = frozenset(_SMALL_WORDS.split())

_DECISIONS = _any_of(r"""
    decid\w+ / agree[ds]? / chose\w* / settled / opted / picked / sign(?:ed)? off / approv\w+ / reject\w+
    (?:end(?:ed)? up|went|going|stick(?:ing)?|stays?|stayed) (?:at|with) / confirm\w+ / promis\w+ / insist\w+
    deadline / due / budget / owner / owns / responsible / in charge / (?:moved|changed) (?:to|from)
    instead of / never / always / must / prefer\w* / favou?rites? / allergic / can't (?:eat|stand) / hates?
    loves? / call me / my name / named / called / keep in mind / important / from now on / no longer / born
    married / lives? in / works? (?:at|for|as)
""")
_DECIDED = re.compile(rf"\b(?:{_DECISIONS})\b", re.IGNORECASE)
"""Decisions, duties and preferences."""

_STATING = _any_of(r"""
    is / are / was / will be / has / have / comes? / costs? / needs? / stays? / starts? / ends? / got / became
    becomes / means? / went / moved
""")
_STATES = re.compile(
    r"(?:the|our|my|his|her|their|its?|this|that|we|i|they|[A-Z][\w'-]{1,60})\b"
    rf"(?:'s|[^.?!]{{0,60}}?\b(?:{_STATING}))\b",
    re.IGNORECASE,
)
"""Statements of how something is or has become."""

_UNDECIDED = _any_of(r"""
    open question / still (?:open|unclear|need to (?:decide|find out|know)) / undecided / tb[dc]
    not (?:yet )?(?:decided|sure|clear) / to be (?:decided|confirmed|clarified) / waiting (?:for|on)
    nobody knows
""")
_OPEN = re.compile(rf"\b(?:{_UNDECIDED})\b", re.IGNORECASE)
"""Matters that are still open."""

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
_ASKS = re.compile(rf"(?:{_ASKING}|(?:{_WANTED})\b)", re.IGNORECASE)
"""The beginning of a question or a request."""


MAX_LINE_TOKENS = 48
_MAX_READ = 6_000
"""Characters read of one message."""
_WORTH_KEEPING = 1.0
_ASSISTANT, _ASKED, _EXCLAIMED, _DEALT_WITH = 0.2, 0.3, 0.5, 0.5
"""Weights of sentences that are by the assistant, that ask for something, that are exclamations or fragments,
and that were understood as a request: the request was done then, and the reply's note says so."""
_SURE = 0.7
_FEW_WORDS = 3
_ALIKE = 0.7
_BULLET_TOKENS = 2
_SHORT_WORDS = 7

_WORD = re.compile(r"\w+(?:[.,@'-]\w+)*")


def extract_lines(messages: Sequence[Message]) -> Iterator[SummaryLine]:
    """The lines worth keeping of each message, in the order of the messages.

    ``messages`` should include the reply to each user message: it tells how the message was understood.
    """
    question = ""
    for message, following in zip_longest(messages, messages[1:]):
        text = message.content[:_MAX_READ]
        counts_for = _counts_for(message, following)
        for sentence in _sentences(text, question):
            worth = _worth(sentence) * counts_for
            if worth >= _WORTH_KEEPING:
                line = sentence if message.role is Role.USER else f"(assistant) {sentence}"
                yield SummaryLine(
                    message.sequence, line, estimate_tokens(line) + _BULLET_TOKENS, round(10 * worth)
                )
        question = _last_question(text) if message.role is Role.ASSISTANT else ""


def _counts_for(message: Message, reply: Message | None) -> float:
    if message.role is not Role.USER:
        return _ASSISTANT
    decision = reply.metadata.get("decision") if reply and reply.turn_id == message.turn_id else None
    if not isinstance(decision, dict):
        return 1.0
    confidence = decision.get("confidence", 0.0)
    is_sure = isinstance(confidence, float) and confidence >= _SURE
    return _DEALT_WITH if is_sure and decision.get("action_type") != "unknown" else 1.0


def select_lines(lines: Iterable[SummaryLine], budget_tokens: int) -> tuple[SummaryLine, ...]:
    """The best lines that fit the budget, best first; of similar lines only the latest one."""
    kept: list[SummaryLine] = []
    seen: list[frozenset[str]] = []
    for line in sorted(lines, key=lambda line: (-_density(line), -line.sequence)):
        words = frozenset(_WORD.findall(line.text.lower()))
        place = next((place for place, other in enumerate(seen) if _alike(words, other)), None)
        if place is None:
            kept.append(line)
            seen.append(words)
        elif line.sequence > kept[place].sequence:
            kept[place] = line
    return fit_lines(kept, budget_tokens)


def shorten_text(text: str, tokens: int) -> str:
    """The text as one line of about ``tokens`` tokens: its beginning and its end."""
    line = " ".join(text.split())
    count = estimate_tokens(line)
    if count <= tokens:
        return line
    room = len(line) * max(1, tokens - 2) // count
    return f"{line[: room - room // 3].rstrip()} … {line[len(line) - room // 3 :].lstrip()}"


def _sentences(text: str, question: str) -> Iterator[str]:
    """The sentences without introductory words; a short answer is joined to its question."""
    parts = [" ".join(part.split()) for part in _SENTENCE.split(text)]
    parts = [part for part in parts if part]
    if question and parts and _is_short(parts[0]):
        parts[0] = f"{question.rstrip('?')}: {parts[0]}"
    joined = ""
    for part, following in pairwise([*parts, ""]):
        if part.endswith("?") and following and _is_short(following) and not joined:
            joined = f"{_without_lead(part).rstrip('?')}: "
            continue
        sentence = joined + (part if joined else _without_lead(part))
        joined = ""
        yield shorten_text(sentence, MAX_LINE_TOKENS)


def _is_short(sentence: str) -> bool:
    return not sentence.endswith("?") and len(sentence.split()) <= _SHORT_WORDS


def _without_lead(sentence: str) -> str:
    lead = _LEAD.match(sentence)
    rest = sentence[lead.end() :] if lead else sentence
    return rest[:1].upper() + rest[1:] if rest else sentence


def _last_question(text: str) -> str:
    last = [part for part in _SENTENCE.split(text) if part.strip()][-1:]
    return " ".join(last[0].split()) if last and last[0].rstrip().endswith("?") else ""


def _worth(sentence: str) -> float:
    """How much a sentence of the user is worth keeping."""
    specifics = _specifics(sentence)
    worth = (
        specifics + 1.5 * bool(_DECIDED.search(sentence)) + 1.0 * bool(specifics and _STATES.match(sentence))
    )
    if _asks(sentence):
        worth *= _ASKED
    elif sentence.endswith("!") or len(_WORD.findall(sentence)) < _FEW_WORDS:
        worth *= _EXCLAIMED
    return worth + 2.0 * bool(_OPEN.search(sentence))


def _specifics(sentence: str) -> float:
    """How many specifics a sentence has that can't be guessed: names, numbers, dates, addresses."""
    addresses = _ADDRESS.findall(sentence)
    rest = _ADDRESS.sub(" ", sentence)
    numbers, names = (
        len(_NUMBER.findall(rest)),
        len(_NAME.findall(rest)) + _begins_with_name(rest),
    )
    dates = len(_DATE.findall(rest))
    return 2.0 * min(len(addresses), 2) + 1.5 * min(numbers, 3) + 1.5 * min(names, 3) + 1.0 * min(dates, 2)


def _begins_with_name(sentence: str) -> bool:
    match = _FIRST_NAME.match(sentence)
    return match is not None and match["word"].lower() not in _NO_NAME


def _asks(sentence: str) -> bool:
    # A question followed by its answer is a statement.
    return sentence.endswith("?") or (": " not in sentence and _ASKS.match(sentence) is not None)


def _density(line: SummaryLine) -> float:
    return line.weight / math.sqrt(line.tokens)


def _alike(words: frozenset[str], other: frozenset[str]) -> bool:
    return len(words & other) >= _ALIKE * len(words | other)
