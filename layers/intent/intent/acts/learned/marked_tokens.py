"""The tokens of a message as the learned models see them: names and figures masked, words classed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from intent.acts import lexicon
from intent.acts.act import Thing
from intent.acts.references import name_parts, stem
from intent.acts.tokens import Token, tokenise

_WEEKDAYS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays"
    " saturdays sundays mon tue tues wed weds thu thur thurs fri sat sun weekday weekdays weekend weekends"
    " workday workdays".split()
)
_MONTHS = frozenset(
    "january february march april may june july august september october november december jan feb"
    " mar apr jun"
    " jul aug sep sept oct nov dec".split()
)
_RATES = frozenset("daily weekly monthly hourly nightly yearly quarterly fortnightly annually".split())
_DAY_PARTS = frozenset(
    "morning mornings afternoon afternoons evening evenings night nights noon midday midnight lunchtime lunch"
    " breakfast dawn dusk nightfall am pm a.m p.m o'clock oclock noonish"
    " teatime sunrise sunset bedtime".split()
)
_UNITS = frozenset(
    "minute minutes min mins hour hours hr hrs hourly day days week weeks month months quarter quarters year"
    " years fortnight second seconds".split()
)
_RELATIVE = frozenset("today tomorrow tonight yesterday tmrw tomoz now later overnight".split())
_RATE_WORDS = frozenset("every each".split())
_CHANNELS = frozenset(
    "slack teams email emails e-mail e-mails mail mails mailed emailed sms text inbox mailbox chat channel"
    " whatsapp telegram outlook gmail here dm post".split()
)
_SOURCE_NOUNS = frozenset(
    "sheet sheets spreadsheet spreadsheets calendar inbox website site page portal folder database"
    " drive board"
    " system app dashboard feed register mailbox list tracker form crm pos till"
    " file files log logs export".split()
)
_NUMBER_WORDS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty"
    " thirty half quarter dozen".split()
)
_PEOPLE = frozenset(
    "everyone everybody team teams group manager boss staff crew colleagues people anyone anybody".split()
)
SERVICES = frozenset(
    "slack teams notion jira confluence asana trello linear airtable salesforce hubspot zendesk"
    " intercom freshdesk"
    " xero sage quickbooks stripe square paypal shopify woocommerce magento etsy ebay amazon github"
    " gitlab bitbucket"
    " outlook gmail excel sharepoint onedrive dropbox box google drive sheets docs calendar sap"
    " oracle workday"
    " bamboohr personio deel harvest toggl clockify mailchimp sendgrid klaviyo typeform calendly"
    " zoom webex discord"
    " telegram whatsapp facebook instagram linkedin twitter youtube tiktok booking.com airbnb"
    " tripadvisor opentable"
    " mews guesty eventbrite canvas moodle blackboard servicenow pagerduty datadog grafana sentry"
    " postgres mysql"
    " snowflake bigquery tableau looker monday basecamp clickup evernote todoist figma miro"
    " netsuite dynamics pipedrive"
    " exact lightspeed toast clover tally procore autocad salesloft greenhouse"
    " lever bullhorn docusign".split()
)
_TELLING: Mapping[str, str] = {
    "unplug": "unplug unlink unhook disconnect detach unpair revoke withdraw logout uncouple",
    "plug": "plug hook link connect pair attach integrate authorise authorize login sign access",
    "grant": "grant allow let invite permit entitle viewer visible reader share shared open",
    "erase": "erase wipe purge forget scrub destroy forgotten trace gdpr clear empty",
    "export": "export download backup archive dump zip csv file copy pdf",
    "calculate": "calculate compute split divide divided times plus minus percent sum total"
    " multiply vat average off",
    "remember": "remember fyi mind memory memorise note btw store",
    "said": "say said told tell mention mentioned recall noted remember discussed talked know",
    "own data": "data account records history everything stuff profile personal",
    "chat noun": "chat conversation thread discussion talk messages history",
    "policy noun": "retention limit limits policy policies rule rules hold budget cap quota allowed"
    " maximum max legal",
    "cost noun": "cost costs costing spent spend bill usage price tokens money charge charges"
    " expensive runs",
    "private": "private secret confidential mine only alone myself nobody",
    "mistake": "wrong mistake accident accidentally oops error slip",
    "gone": "bin trash deleted removed gone lost recycle wastebasket undelete retrieve recover",
    "finished": "done finished sorted bought paid complete completed settled ticked off",
    "still open": "undone unfinished untick reopen open outstanding",
    "go on": "again continue carry resume back",
    "rest": "pause quiet silence silent rest sleep mute hush break dormant idle still hold"
    " hibernate standby",
    "fail": "fail failed failure failures broken broke error errors wrong stuck crashed problem",
    "greeting": "hello hi hey morning afternoon evening thanks thank cheers bye goodbye goodnight ta",
    "later word": "later tomorrow busy meeting wait lunch check ask boss moment",
}  # fmt: skip
"""Words that tell what an act is about, by subject."""
_TIME_MARK = re.compile(r"\d{1,2}(?:[:.h]\d\d)?(?:am|pm)?|\d{1,2}(?:st|nd|rd|th)")
_GROUPS: tuple[tuple[str, frozenset[str]], ...] = (
    ("weekday", _WEEKDAYS), ("month", _MONTHS), ("rate", _RATES), ("day part", _DAY_PARTS), ("unit", _UNITS),
    ("relative", _RELATIVE), ("every", _RATE_WORDS), ("channel", _CHANNELS), ("source noun", _SOURCE_NOUNS),
    ("number word", _NUMBER_WORDS), ("people", _PEOPLE), ("pointer", lexicon.POINTERS),
    ("negation", lexicon.NEGATIONS), ("exception", lexicon.EXCEPTIONS), ("agent noun", lexicon.AGENT_NOUNS),
    ("task noun", lexicon.TASK_NOUNS), ("list noun", lexicon.LIST_NOUNS), ("run noun", lexicon.RUN_NOUNS),
    ("question word", lexicon.QUESTION_WORDS), ("auxiliary", lexicon.AUXILIARIES),
    ("subject", lexicon.SUBJECTS), ("lead", lexicon.LEADS), ("service", SERVICES),
    *((name, frozenset(words.split())) for name, words in _TELLING.items()),
)  # fmt: skip
_TIME_CLASSES = frozenset({"weekday", "month", "rate", "day part", "relative"})
_FEWEST_LETTERS = 3


class MarkedToken(NamedTuple):
    """A token, the word or mask that stands for it, and the classes it belongs to."""

    token: Token
    mask: str
    """AGENT, TASK, TIME, NUM, ADDR, LINK or the word itself."""
    classes: tuple[str, ...]
    verb: str = ""
    """The class of its verb, if it is a verb of the lexicon; several are joined."""


@dataclass(frozen=True, slots=True)
class MarkedMessage:
    """A message with its marked tokens and the places where it quotes something."""

    text: str
    tokens: tuple[MarkedToken, ...]


def mark_message(text: str, agents: Sequence[Thing], tasks: Sequence[Thing]) -> MarkedMessage:
    """Return a message's marked tokens; ``agents`` and ``tasks`` are the user's own."""
    names = frozenset(part for thing in (*agents, *tasks) for part in name_parts(thing.name))
    return mark_tokens(text, tokenise(text, names), agents, tasks)


def mark_tokens(
    text: str, tokens: Sequence[Token], agents: Sequence[Thing], tasks: Sequence[Thing]
) -> MarkedMessage:
    """Return the marks of tokens that are at hand."""
    in_agent = _named_places(tokens, [thing.name for thing in agents])
    in_task = _named_places(tokens, [thing.name for thing in tasks])
    stems = (
        ("agent word", _stems(thing.name for thing in agents)),
        ("agent about", _stems(thing.words for thing in agents)),
        ("task word", _stems(thing.name for thing in tasks)),
    )
    marked, is_quoted = [], False
    for place, token in enumerate(tokens):
        if token.text in '"“”«»':
            is_quoted = not is_quoted and token.text != "”"
        extra = [name for name, known in stems if _is_telling(token) and stem(token.word) in known]
        if place in in_agent:
            extra.append("agent name")
        if place in in_task:
            extra.append("task title")
        if is_quoted:
            extra.append("quoted")
        marked.append(_mark(token, place in in_agent, place in in_task, extra))
    return MarkedMessage(text, tuple(marked))


def _mark(token: Token, is_agent: bool, is_task: bool, extra: Sequence[str]) -> MarkedToken:
    base, verb = word_classes(token.word)
    classes = (*base, *extra, *_shape(token))
    if is_agent:
        mask = "AGENT"
    elif is_task:
        mask = "TASK"
    else:
        mask = _mask(token, classes)
    return MarkedToken(token, mask, classes, "" if is_agent else verb)


def _mask(token: Token, classes: Collection[str]) -> str:
    if "address" in classes:
        return "ADDR"
    if "link" in classes:
        return "LINK"
    if "clock" in classes or _TIME_CLASSES & set(classes):
        return "TIME" if token.word not in {"may", "now", "later", "sun", "sat", "mar"} else token.word
    if "number" in classes:
        return "NUM"
    return token.word


@lru_cache(maxsize=4096)
def word_classes(word: str) -> tuple[tuple[str, ...], str]:
    """Return the classes of a word, and the class of its verb."""
    found = [name for name, words in _GROUPS if word in words]
    form = lexicon.verb_forms().get(word)
    if form is None:
        return tuple(found), ""
    names = sorted(lexicon.classes_of(form.base))
    verb = "+".join(names) or form.base
    found += [f"verb {name}" for name in names]
    found.append("base verb" if form.is_base else "verb form")
    return tuple(found), verb


def _shape(token: Token) -> tuple[str, ...]:
    text = token.text
    if text.startswith(("http", "www.")):
        return ("link",)
    if "@" in text or (text[0] == "#" and len(text) > 1):
        return ("address",)
    if text[0].isdigit():
        is_clock = _TIME_MARK.fullmatch(text) is not None
        return ("number", "clock") if is_clock and (":" in text or not text.isdigit()) else ("number",)
    if not text[0].isalnum():
        return ("mark",)
    if text.isupper() and len(text) > 1:
        return ("upper",)
    if text[0].isupper():
        return ("capital",)
    return ("joined",) if "-" in text or "_" in text or "." in text else ()


def _is_telling(token: Token) -> bool:
    word = token.word
    return len(word) >= _FEWEST_LETTERS and word not in lexicon.LEADS and not _is_function_word(word)


def _is_function_word(word: str) -> bool:
    return word in _FUNCTION or word in lexicon.POINTERS or word in lexicon.AUXILIARIES


_FUNCTION = frozenset(
    "the and for from with into about out off over under all any are was has have had not you your"
    " our their his"
    " her its who what when where why how that this those these each every".split()
)


def _stems(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(
        stem(part)
        for text in texts
        for part in name_parts(text)
        if len(part) >= _FEWEST_LETTERS and not _is_function_word(part)
    )


def _named_places(tokens: Sequence[Token], names: Sequence[str]) -> frozenset[int]:
    """Return the places of the tokens that say one of the names in full."""
    if not names:
        return frozenset()
    flat = [(place, part) for place, token in enumerate(tokens) for part in _runs(token.word)]
    parts_at: dict[str, list[int]] = {}
    for at, (_, part) in enumerate(flat):
        parts_at.setdefault(part, []).append(at)
    found: set[int] = set()
    for name in names:
        parts = _runs(name)
        for at in parts_at.get(parts[0], ()) if parts else ():
            window = flat[at : at + len(parts)]
            if tuple(part for _, part in window) == parts:
                found.update(place for place, _ in window)
    return frozenset(found)


def _runs(name: str) -> tuple[str, ...]:
    """Return the parts of a name, each of letters or of digits alone: a message's tokens are cut there."""
    return tuple(run for part in name_parts(name) for run in _RUN.findall(part))


_RUN = re.compile(r"\d+|\D+")
