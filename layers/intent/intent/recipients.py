"""Who results should go to: addresses, channels, and people by their role. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from intent.patterns import either, notice, pattern

MAX_RECIPIENTS = 10

CHANNEL_NAME = re.compile(r"(?<![\w&/])#[A-Za-z][\w-]*")
ADDRESS = re.compile(r"(?<![\w.])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,5}[A-Za-z]{2,24}\b")
_READ_FROM = notice(r"\b(?:in|from|inbox|mailbox|arriv\w+ (?:at|in)|sent to our) $")
_PEOPLE = either(
    "teams?|staff|crew|group|department|committee|office|desk|boss|managers?|leads?|leaders?|owners?"
    "|directors?"
    "|heads?|nurses?|sisters?|doctors?|teachers?|parents|tenants|drivers?|engineers?|buyers?|sellers?|reps?"
    "|partners?|members|volunteers|clients?|customers?|supervisors?|coordinators?|accountants?|controllers?"
    "|planners?|admins?|secretar(?:y|ies)|assistants?|technicians?|colleagues"
)
_TELL = either(
    "(?:send|post|e-?mail|mail|notify|notifie|alert|ping|message|text|tell|warn|inform|remind)(?:s|es)?"
)
_ROLE = pattern(
    rf"\b{_TELL} (?:it )?(?:to )?(@\w[\w.-]*)",
    rf"\b{_TELL} (?:(?:it|them|that) )?(?:to )?((?:the|our) (?:[\w-]+ ){{0,2}}{_PEOPLE})\b(?! (?:channel"
    rf"|chat|report))",
    rf"\b(?:to|for) ((?:the|our) (?:[\w-]+ ){{0,2}}{_PEOPLE}) (?:by|via|on|in) (?:slack|teams|e-?mail"
    rf"|mail|sms|text)\b",
)
_BARE_ROLE = pattern(
    rf"^\W*(?:by |via |on )?(?:slack|teams|e-?mail|mail|sms|text)s? (?:messages? )?to ((?:the|our)"
    rf" (?:[\w-]+ ){{0,2}}{_PEOPLE})"
)


@lru_cache(maxsize=64)
def recipients_in(text: str) -> tuple[str, ...]:
    """Addresses, channels and people that results should go to, in order; an address that is read is none."""
    found = [match[0] for match in CHANNEL_NAME.finditer(text)]
    found += [match[0] for match in ADDRESS.finditer(text) if not is_read(text, match.start())]
    found += [
        next(filter(None, match.groups())) for form in (_ROLE, _BARE_ROLE) for match in form.finditer(text)
    ]
    return tuple(dict.fromkeys(found))[:MAX_RECIPIENTS]


def is_read(text: str, start: int) -> bool:
    """Whether the address that starts there is where something comes from."""
    return _READ_FROM.search(text[max(0, start - 20) : start]) is not None
