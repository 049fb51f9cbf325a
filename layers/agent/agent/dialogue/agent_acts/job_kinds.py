"""The kind of job that words describe: watching for something, a report, or another task."""

from __future__ import annotations

from agent.workspace.agents import Kind
from intent.regular_expressions import LazyPattern

_MONITORING = LazyPattern(
    r"\b(monitor|watch|alert|notif|warn|ping|track|flag|detect|keeps? (an |a close )?eye|looks? out for"
    r"|checks? (for|if|whether)"
    r"|\ban? (e-?mail|mail|text|message|sms) (when|whenever|if|as soon as)"
    r"|(tells?|lets?) (me|us|you|him|her|them|everyone)( know)? (when|if|about|whenever|as soon)|shout"
    r"|remind)",
)
_REPORTING = LazyPattern(
    r"\b(report|presentation|slides|deck|analy[sz]|summar|digest|overview|recap|compil|newsletter"
    r"|dashboard|round-?up|updates?\b|status)",
)


def detect_kind(message: str) -> Kind:
    """Returns the kind of job a message describes."""
    if _MONITORING.search(message):
        return Kind.MONITOR
    return Kind.REPORT if _REPORTING.search(message) else Kind.TASK
