"""What an agent still lacks, in words. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from agent.readiness import WORK_NEEDS, Missing, MissingKind
from agent.workspace.agents import join_services, join_words, service_name
from agent.workspace.delivery_targets import Channel

_LINK_NEEDED = (
    "To post to Slack I need the link that Slack gives out for a channel "
    "(“Incoming” under its apps). Paste it here: I keep it sealed."
)


def link_request(missing: Sequence[Missing]) -> str:
    """Asks for the link of a Slack channel; empty when none is missing. It is the same for every agent."""
    return _LINK_NEEDED if Channel.SLACK in _names(missing, MissingKind.ADDRESS) else ""


def missing_text(missing: Sequence[Missing]) -> str:
    """Says what to do before the agent can work and send its results, besides `link_request`; empty when
    nothing else is missing.
    """
    needs = _needs([each for each in missing if each.kind in WORK_NEEDS])
    before = f"Before it can work: {'; '.join(needs)}." if needs else ""
    addresses = _names(missing, MissingKind.ADDRESS)
    others = tuple(name for name in addresses if name != Channel.SLACK)
    asks = f"I have no address to send results to by {join_services(others)}: tell me one." if others else ""
    cannot = _names(missing, MissingKind.CHANNEL)
    unknown = [f'"{name}"' for name in _names(missing, MissingKind.SKILL)]
    skills = f"There is no skill called {join_words(unknown)} that it may use." if unknown else ""
    honest = f"I can't send results by {join_services(cannot)}." if cannot else ""
    return " ".join(filter(None, (before, skills, asks, honest)))


def _needs(missing: Sequence[Missing]) -> list[str]:
    unserved = [each for each in missing if each.kind is MissingKind.CONNECTION]
    sources = [_linked(each) for each in unserved if not _is_page(each)]
    sources += [f"something that can read {each.name}" for each in unserved if _is_page(each)]
    kinds = {each.kind for each in missing}
    return [
        *([f"connect {join_words(sources)}"] if sources else []),
        *(["no model is set up here"] if MissingKind.MODEL in kinds else []),
        *(["your workspace's budget for models is 0"] if MissingKind.BUDGET in kinds else []),
    ]


def _is_page(source: Missing) -> bool:
    return source.name.startswith(("http://", "https://"))


def _linked(source: Missing) -> str:
    name = service_name(source.name)
    return f"[{name}]({source.link})" if source.link else name


def _names(missing: Sequence[Missing], kind: MissingKind) -> tuple[str, ...]:
    return tuple(each.name for each in missing if each.kind is kind)
