"""Services and channels people name: how they say them, and the one word we use for each."""

from __future__ import annotations

import re
from dataclasses import dataclass

from intent.patterns import Form, either, pattern

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


@dataclass(frozen=True, slots=True)
class Named:
    """A service or channel a text names, and where."""

    name: str
    start: int
    end: int


def _group(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _table(spellings: dict[str, str]) -> Form:
    groups = (f"(?P<{_group(name)}>{spelling})" for name, spelling in spellings.items())
    return pattern(rf"(?<![\w-])(?:{'|'.join(groups)})(?![\w-])")


_SERVICE_SPELLINGS = {**_SPELLINGS, **{name: re.escape(name) for name in _NAMES.split()}, **_PLAIN}
_BY_GROUP = {_group(name): name for name in (*_SERVICE_SPELLINGS, *_CHANNELS)}
_SERVICE = _table(_SERVICE_SPELLINGS)
_CHANNEL = _table(_CHANNELS)

_TO = either("to|via|by|into|in|onto|on|through|over|per|as|with|using")
_TELL = either(
    r"(?:alert|notify|ping|message|tell|inform|warn|post|send|shout|deliver|share|report|drop|let)\w*"
)
_RESULT = either("results?|reports?|alerts?|output|it|them|digest|summary")
_NOTICE = either("(?:alert|message|notification|ping|post|update|digest|summar(?:y|ie)|dm|reminder)s?")
_SOMEBODY = either(
    r"me|us|him|her|them|everyone|everybody|the (?!(?:inbox|mailbox|board)\b)\w+|(?:my|our) \w+"
)
_SENT_BY = "e-?mail|slack|text|message|mail|sms"
_WAY = rf"(?P<channel>{'|'.join(_CHANNELS.values())})(?![\w-])"
_DELIVERY = tuple(
    pattern(form)
    for form in (
        rf"(?<![\w-])(?P<channel>slack|(?:ms |microsoft )?teams|e-?mail|sms|text|mail|webhook) {_NOTICE}\b",
        rf"\b{_TELL}(?:\W+[\w'#@-]+){{0,8}}?\W+{_TO} (?:(?:the|my|our|an?) )?{_WAY}(?! ticket)",
        rf"\b(?P<channel>{_SENT_BY})(?:s|ing)? (?:(?:it|them|that) )?(?:to )?{_SOMEBODY}\b",
        rf"\b{_RESULT} (?:should )?(?:(?:goes|go|be sent) )?{_TO} (?:(?:the|my|our) )?{_WAY}",
        r"\b(?:in|into|to) (?:my|our) (?P<channel>inbox)\b",
        rf"\b(?:send|drop|shoot|give|deliver|show|tell) (?:me|us|them|it|that) (?:an? )?{_WAY}",
    )
)
_CHANNEL_NAME = re.compile(r"(?<![\w&/])#[A-Za-z][\w-]*")
_ADDRESS = re.compile(r"(?<![\w.])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,5}[A-Za-z]{2,24}\b")
_TEAM = pattern(
    r"\b(?:send|post|e-?mail|mail|notify|alert|ping|message|text|tell)\w* "
    r"(?:it )?(?:to )?(the \w+ team|@\w[\w.-]*)"
)
MAX_RECIPIENTS = 10


def services_in(text: str) -> list[Named]:
    """Every service a text names, in order; a channel of the same name counts too."""
    return [Named(_BY_GROUP[str(match.lastgroup)], *match.span()) for match in _SERVICE.finditer(text)]


def channel_in(text: str) -> str | None:
    """The channel that a bare answer such as ``Slack please`` names."""
    match = _CHANNEL.search(text)
    return _BY_GROUP[str(match.lastgroup)] if match else None


def delivery_in(text: str) -> Named | None:
    """Where a text wants results to go; a mere mention of a service is no wish."""
    for form in _DELIVERY:
        if match := form.search(text):
            said = match["channel"].lower()
            return Named("email" if said == "message" else str(channel_in(said)), *match.span())
    for mark, channel in ((_CHANNEL_NAME, "slack"), (_ADDRESS, "email")):
        if match := mark.search(text):
            return Named(channel, *match.span())
    return None


def recipients_in(text: str) -> list[str]:
    """Addresses, channels and teams that results should go to."""
    found = [match[0] for form in (_CHANNEL_NAME, _ADDRESS) for match in form.finditer(text)]
    found += [match[1] for match in _TEAM.finditer(text)]
    return list(dict.fromkeys(found))[:MAX_RECIPIENTS]
