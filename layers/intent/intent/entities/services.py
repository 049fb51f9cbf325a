"""Services, delivery channels and recipients in a text, with one canonical name per spelling."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from intent.regular_expressions import LowerPattern, either, lower_pattern, pattern

_MAX_RECIPIENTS = 10

_CHANNEL_NAME = re.compile(r"(?<![\w&/])#[A-Za-z][\w-]*")
ADDRESS = re.compile(r"(?<![\w.])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,5}[A-Za-z]{2,24}\b")
_READ_FROM = lower_pattern(r"\b(?:in|from|inbox|mailbox|arriv\w+ (?:at|in)|sent to our) $")
_PEOPLE = either(
    "teams?|staff|crew|group|department|committee|office|desk|boss|managers?|leads?|leaders?|owners?"
    "|directors?"
    "|heads?|nurses?|sisters?|doctors?|teachers?|parents|tenants|drivers?|engineers?|buyers?|sellers?|reps?"
    "|partners?|members|volunteers|clients?|customers?|supervisors?|coordinators?|accountants?|controllers?"
    "|planners?|admins?|secretar(?:y|ies)|assistants?|technicians?|colleagues"
)
_TELL_WHOM = either(
    "(?:send|post|e-?mail|mail|notify|notifie|alert|ping|message|text|tell|warn|inform|remind)(?:s|es)?"
)
_ROLE = pattern(
    rf"\b{_TELL_WHOM} (?:it )?(?:to )?(@\w[\w.-]*)",
    rf"\b{_TELL_WHOM} (?:(?:it|them|that) )?(?:to )?((?:the|our) (?:[\w-]+ ){{0,2}}{_PEOPLE})\b(?! (?:channel"
    rf"|chat|report))",
    rf"\b(?:to|for) ((?:the|our) (?:[\w-]+ ){{0,2}}{_PEOPLE}) (?:by|via|on|in) (?:slack|teams|e-?mail"
    rf"|mail|sms|text)\b",
)
_BARE_ROLE = pattern(
    rf"^\W*(?:by |via |on )?(?:slack|teams|e-?mail|mail|sms|text)s? (?:messages? )?to ((?:the|our)"
    rf" (?:[\w-]+ ){{0,2}}{_PEOPLE})"
)


@lru_cache(maxsize=64)
def find_recipients(text: str) -> tuple[str, ...]:
    """Return the addresses, channels and people to send results to, in order, without read addresses."""
    found = [match[0] for match in _CHANNEL_NAME.finditer(text)]
    found += [match[0] for match in ADDRESS.finditer(text) if not _is_source_address(text, match.start())]
    found += [
        next(filter(None, match.groups())) for form in (_ROLE, _BARE_ROLE) for match in form.finditer(text)
    ]
    return tuple(dict.fromkeys(found))[:_MAX_RECIPIENTS]


def _is_source_address(text: str, start: int) -> bool:
    """Return whether the address at ``start`` is one that something is read from."""
    return _READ_FROM.search(text[max(0, start - 20) : start]) is not None


_SPELLINGS = {
    "google sheets": "g(?:oogle)?[ -]?(?:spread)?sheets?|google spreadsheets?",
    "google drive": "g(?:oogle )?drive",
    "google docs": "google docs?",
    "google calendar": "g(?:oogle )?cal(?:endar)?",
    "google analytics": "google analytics|ga4",
    "gmail": "gmail|google mail",
    "outlook": "outlook|office ?365|o365|exchange online",
    "teams": "(?:microsoft|ms) teams|teams(?= (?:channel|chat|message|alert|notification|post)s?)",
    "power bi": "power ?bi",
    "monday.com": r"monday\.com",
    "github": "git ?hub",
    "gitlab": "git ?lab",
    "quickbooks": "quick ?books",
    "pagerduty": "pager ?duty",
    "hubspot": "hub ?spot",
    "sharepoint": "share ?point",
    "onedrive": "one ?drive",
    "bigquery": "big ?query",
    "postgresql": "postgres(?:ql)?",
    "servicenow": "service ?now",
    "excel": "excel|xlsx?",
    "website": "(?:our|the|my) web ?(?:site|page)s?|web ?sites?",
}
_NAMES = (
    "notion jira confluence slack asana trello linear airtable salesforce zendesk intercom freshdesk "
    "stripe xero shopify datadog grafana prometheus cloudwatch snowflake redshift databricks mysql "
    "mongodb workday bamboohr okta dropbox box figma miro clickup basecamp todoist evernote coda "
    "smartsheet tableau looker mixpanel amplitude mailchimp marketo pipedrive zoho netsuite sap "
    "dynamics sentry jenkins splunk opsgenie bitbucket wordpress webflow linkedin facebook instagram "
    "twitter youtube reddit telegram whatsapp discord zoom calendly eventbrite typeform surveymonkey "
    "woocommerce magento bigcommerce docusign kubernetes terraform s3 ftp sftp rss fivetran dbt "
    "personio greenhouse sendgrid twilio paypal datev mattermost rocketchat webex "
)
_WORDS_TOO = frozenset({"box", "linear", "greenhouse", "zoom", "dynamics"})
_IN = lower_pattern(r"\b(?:in|from|into|our|to|on|using|with|and) $")
_PLAIN = {
    "files": (
        "(?:pdf|csv|json|xml|text|log|word|uploaded|attached|shared) ?(?:files?|documents?)|csvs?|pdfs?"
        "|(?:our|my|these|local) files|^files"
    ),
    "email": "(?:(?:e-?mail|mail|shared|support|sales) )?(?:inbox(?:es)?|mailbox(?:es)?)|incoming e?-?mails?",
    "spreadsheet": "spread ?sheets?|workbooks?",
    "database": "data ?bases?|data warehouse",
    "calendar": "calendars?",
    "crm": "crm",
    "erp": "erp",
}
_CHANNELS = {
    "slack": "slack",
    "teams": "(?:(?:microsoft|ms) )?teams",
    "email": "e-?mail|mail|inbox",
    "sms": "sms|text messages?|texts?",
    "webhook": "web ?hooks?",
    "conversation": "here|(?:in )?(?:this|the|our) (?:chat|conversation)|in chat|in the app",
}


class NamedSpan(NamedTuple):
    """A service or channel that a text names, with its span."""

    name: str
    start: int
    end: int


def _group(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _table(spellings: dict[str, str]) -> LowerPattern:
    groups = (f"(?P<{_group(name)}>{spelling})" for name, spelling in spellings.items())
    return lower_pattern(rf"(?<![\w-])(?:{'|'.join(groups)})(?![\w-])")


_SERVICE_SPELLINGS = {**_SPELLINGS, **{name: re.escape(name) for name in _NAMES.split()}, **_PLAIN}
_BY_GROUP = {_group(name): name for name in (*_SERVICE_SPELLINGS, *_CHANNELS)}
_SERVICE = _table(_SERVICE_SPELLINGS)
_ANY_SERVICE = lower_pattern(rf"(?<![\w-])(?:{'|'.join(_SERVICE_SPELLINGS.values())})(?![\w-])")
"""Matches any service without telling which one; five times as fast when there is none."""
_CHANNEL = _table(_CHANNELS)

_TO = either("to|via|by|into|in|onto|on|through|over|per|as|with|using")
_TELL = either(
    r"(?:alert|notify|ping|message|tell|told|inform|warn|post|send|sent|shout|deliver|share|report|drop"
    r"|let)\w*"
)
_WISH = "(?:should|must|(?:want|need|like)s? to) (?:get|receive|have)|(?:want|need)s?"
_HAND = either("send|drop|shoot|give|deliver|show|tell|post|put")
_RESULT = either("results?|reports?|alerts?|output|it|them|digest|summary")
_NOTICE = either("(?:alert|message|notification|ping|post|update|digest|summar(?:y|ie)|dm|reminder)s?")
_SOMEBODY = either(
    r"me|us|him|her|them|everyone|everybody|the (?!(?:inbox|mailbox|board)\b)\w+|(?:my|our) \w+"
)
_SENT_BY = "e-?mail|slack|text|message|mail|sms"
_WAY = rf"(?P<channel>{'|'.join(_CHANNELS.values())})(?![\w-])"
_SAID = "slack|(?:ms |microsoft )?teams|e-?mail|sms|text|mail|webhook"
_NOT_ARRIVING = "".join(
    rf"(?<!{word}\s)" for word in ("arriving", "arrive", "come", "coming", "comes", "in", "received")
)
_FEW_WORDS = r"(?:(?:\W++\w[\w'#@-]*+){0,7}?\W++\w[\w'#@-]*?)?"
"""Up to eight words; only the last one may end before a hyphen or apostrophe."""
_DELIVERY = tuple(
    lower_pattern(form)
    for form in (
        rf"(?<![\w-])(?P<way>(?:{_TO} (?:an? )?)?(?P<channel>{_SAID}) {_NOTICE})\b",
        rf"\b{_TELL}{_FEW_WORDS}\W+(?P<way>{_TO} (?:(?:the|my|our|an?) )?{_WAY}(?! ticket))",
        rf"\b(?P<way>(?P<channel>{_SENT_BY})(?:s|ing)?) (?:(?:it|them|that) )?(?:to )?{_SOMEBODY}\b",
        rf"\b{_RESULT} (?:should )?(?:(?:goes|go|be sent) )?(?P<way>{_TO} (?:(?:the|my|our) )?{_WAY})",
        rf"\b(?:switch|chang|mov|prefer|mak|us)\w*\b[^.!?;,\n]{{0,60}}? (?P<way>(?:to|by|via|in|on) {_WAY})",
        r"\b(?P<way>(?:in|into|to) (?:my|our) (?P<channel>inbox))\b",
        rf"\b(?P<way>{_HAND}s? (?:me|us|them|it|that) (?:an? )?{_WAY})",
        rf"{_NOT_ARRIVING}\b(?P<way>(?:by|via|per) {_WAY})(?! ticket)",
        rf"\b(?:{_WISH}) (?P<way>an? (?P<channel>{_SAID}))(?= (?:when|whenever|if|as soon as)\b)",
    )
)


def find_services(text: str) -> list[NamedSpan]:
    """Return every service that a text names, in order, including channels with a service's name."""
    places = [match.start() for match in _ANY_SERVICE.finditer(text)]
    matches = filter(None, (_SERVICE.match(text, place) for place in places))
    found = [NamedSpan(_BY_GROUP[str(match.lastgroup)], *match.span()) for match in matches]
    return [named for named in found if named.name not in _WORDS_TOO or _is_a_name(text, named)]


def _is_a_name(text: str, named: NamedSpan) -> bool:
    """Whether a service name that is also a word means the service: ``Box``, ``in box``, not ``a box``."""
    before = text[: named.start]
    return text[named.start].isupper() or not before.strip() or _IN.search(before) is not None


def find_channel(text: str) -> str | None:
    """Return the channel that a bare answer such as ``Slack please`` names; else None."""
    match = _CHANNEL.search(text)
    return _BY_GROUP[str(match.lastgroup)] if match else None


def names_channel(text: str, channel: str) -> bool:
    """Return whether a text names this channel, by its canonical name."""
    spelling = _CHANNELS.get(channel)
    return (
        spelling is not None and lower_pattern(rf"(?<![\w-])(?:{spelling})(?![\w-])").search(text) is not None
    )


def is_known_service(name: str) -> bool:
    """Return whether this is the canonical name of a known service."""
    return name in _SERVICE_SPELLINGS


@lru_cache(maxsize=64)
def find_delivery(text: str) -> NamedSpan | None:
    """Return the requested delivery channel with its span; a mere mention of a service doesn't count."""
    for form in _DELIVERY:
        if match := form.search(text):
            channel = match["channel"].lower()
            return NamedSpan(
                "email" if channel == "message" else str(find_channel(channel)), *match.span("way")
            )
    if match := _CHANNEL_NAME.search(text):
        return NamedSpan("slack", *match.span())
    for match in ADDRESS.finditer(text):
        if not _is_source_address(text, match.start()):
            return NamedSpan("email", *match.span())
    return None
