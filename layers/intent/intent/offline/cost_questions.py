"""Questions about the cost of using models, such as ``how much did we spend this month?``

Questions about other spending (``on marketing``) don't count. The dialogue has the figures.
"""

from __future__ import annotations

from datetime import date
from typing import Final

from intent.dates.past_periods import find_past_period
from intent.decision import ActionType, Verdict
from intent.entities.extraction import OPERATION, PERIOD
from intent.regular_expressions import LowerPattern, either, lower_pattern, normalise

SHOW_USAGE: Final = "show_usage"

_MOST_WORDS = 20
_LEAD = (
    r"\W*(?:(?:hey|hi|ok|okay|so|and|but|please|just|also|by the way|btw|tell me|show me"
    r"|(?:can|could) you tell me|do you know|i(?:'d| would) like to (?:know|see)"
    r"|i (?:want|need) to (?:know|see)|roughly|um|hm+)[\s,:]+)*"
)
_ALREADY = r"(?: (?:already|currently|actually|still|all))?"
_WE = either("i|we|us|my team|our team|the team|(?:my|our) workspace|(?:my|our|the) company")
_US = "(?:me|us|my team|our team|the team)"
_MODELS = either(
    "(?:the )?(?:ai|models?|llms?|tokens|assistant|platform|chats?)(?: models?| usage| tokens| calls)?"
    r"|(?:my|our|the|all)(?: \w+)? agents"
)
_THIS = either(f"this|that|it|you|all (?:of )?(?:this|that)|everything|{_MODELS}|using (?:you|this|it)")
_ON = rf"(?: (?:on|for|with|in|by)? ?(?:you|this|it|here|all (?:of )?this|everything|{_MODELS}))?"
_TO_USE = rf"(?: to (?:run|use|have|keep)(?: {_US})? (?:you|this|it|one|an? agent|agents))?"
_END = (
    r"(?:[\s,]+(?:so far|already|up to now|until now|till now|to date|in total|altogether|in all|overall"
    r"|now|right now|at the moment|currently|since then|again|actually|yet|a (?:day|month|week)"
    r"|per (?:day|month|week)|please|pls|thanks|then|roughly|approximately))*\W*"
)
_PAID = "spend|spent|spending|pay|paid|paying|owe"
_SPENT = either(f"{_PAID}|burn(?:ed|t|ing)?|use|used|using|consumed?")
_DO = either("did|do|does|have|has|had|am|are|is|will|would|was|were")
_OUR = r"(?:my|our|the)(?: (?:total|current|monthly|daily|ai|model|models|token|overall))*"


def _whole(words: str) -> LowerPattern:
    return lower_pattern(rf"{_LEAD}{words}{_END}")


_ASKS = (
    _whole(rf"how much(?: money| usd| dollars)? {_DO} {_WE}{_ALREADY} {_SPENT}{_ON}"),
    _whole(rf"what {_DO} {_WE}{_ALREADY} (?:{_PAID}){_ON}"),
    _whole(rf"(?:how much|what) {_DO} {_THIS}{_ALREADY} cost(?:s|ed|ing)?(?: {_US})?{_TO_USE}"),
    _whole(
        r"(?:what(?:'s|s| is| are| was| were)|show(?: me)?|see|how (?:high|big|much) (?:is|are|was))"
        rf" {_OUR} (?:spend|spending|costs?|bill|usage|consumption|budget)"
    ),
    _whole(
        rf"how many (?:tokens|model calls|messages|requests) {_DO} {_WE}{_ALREADY}"
        rf" (?:use|used|using|spend|spent|send|sent|consumed?){_ON}"
    ),
    _whole(
        rf"(?:how much|what(?:'s| is))(?: of)?(?: {_OUR})?(?: budget)?(?: is| {_DO} {_WE} have)?{_ALREADY}"
        rf" left(?: (?:of|in|on) {_OUR} budget)?"
    ),
    _whole(rf"{_DO} {_WE}{_ALREADY} have (?:any|some|enough)(?: model)? budget(?: left)?"),
    _whole(rf"(?:are|is) {_WE}{_ALREADY} (?:over|within|under|below|above|out of)(?: {_OUR})? budget"),
    _whole(rf"(?:is|are) {_THIS}(?: all)?(?: for)? free(?: of charge)?(?: to use)?"),
    _whole(r"how (?:much|expensive) (?:is|are) (?:you|this|(?:it|that)(?= (?:a|per) (?:day|week|month)\b))"),
    _whole(rf"(?:do|does|will|did) {_THIS} cost(?: {_US})? (?:anything|something|money|much)"),
    _whole(rf"(?:do|will|did) {_WE} (?:have to |need to )?pay(?: (?:anything|something|money))?{_ON}"),
)


def asks_about_costs(text: str, today: date) -> bool:
    """Return whether the text asks what was spent on models, in any period."""
    text = normalise(text)
    if len(text.split()) > _MOST_WORDS:
        return False
    past = find_past_period(text, today)
    plain = f"{text[: past.start]} {text[past.end :]}" if past else text
    return any(form.fullmatch(" ".join(plain.split())) for form in _ASKS)


def cost_verdict(text: str, today: date) -> Verdict | None:
    """Return the verdict on a question about model costs; None for any other text."""
    if not asks_about_costs(text, today):
        return None
    plain, past = normalise(text), find_past_period(normalise(text), today)
    period = {PERIOD: plain[past.start : past.end]} if past else {}
    return Verdict(
        action_type=ActionType.QUERY_INFO,
        confidence=0.9,
        entities={OPERATION: SHOW_USAGE, **period},
        reasoning="asks what the use of models cost",
    )
