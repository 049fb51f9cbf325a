"""What the checks of an agent found last, and which news a further one brings. Pure.

Two things are followed separately: whether the address is up, and whether its page is as expected. Both are
told when they change, and once. The first check tells only of trouble.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from agent.checks.check import Check
from agent.checks.observation import Observation


class News(StrEnum):
    """A change that a check found."""

    DOWN = "down"
    BACK = "back"
    BROKEN = "broken"
    """The page is no longer as expected, or its certificate is about to expire."""
    RESTORED = "restored"
    CHANGED = "changed"
    """The page's text is another one."""


class CheckState(BaseModel):
    """What the checks found last."""

    model_config = ConfigDict(frozen=True)

    check: str
    """A digest of the check: another one begins anew."""
    down_since: datetime | None = None
    """When it was first found down; None: it is up."""
    holds: bool | None = None
    """Whether the page was as expected when it was last up; None: it never was up, or nothing is expected."""
    fingerprint: str = ""
    """Of the text when it was last up; empty: unknown."""


class Judgement(NamedTuple):
    """The state after a check, and what it brought."""

    state: CheckState
    news: tuple[News, ...] = ()


def judge(check: Check, before: CheckState | None, found: Observation, now: datetime) -> Judgement:
    """Returns the state after the check found this; ``before`` None: it is the first."""
    digest = hashlib.sha256(check.model_dump_json().encode()).hexdigest()[:16]
    known = before if before is not None and before.check == digest else CheckState(check=digest)
    if not found.is_up:
        if known.down_since is not None:
            return Judgement(known)
        return Judgement(known.model_copy(update={"down_since": now}), (News.DOWN,))
    back = (News.BACK,) if known.down_since is not None else ()
    holds = {"holds": found.holds} if found.holds is not None else {}
    text = {"fingerprint": found.fingerprint} if found.fingerprint else {}
    after = known.model_copy(update={"down_since": None, **holds, **text})
    return Judgement(after, (*back, *_of_page(known, after)))


def _of_page(before: CheckState, after: CheckState) -> tuple[News, ...]:
    if after.holds is False and before.holds is not False:
        return (News.BROKEN,)
    if after.holds and before.holds is False:
        return (News.RESTORED,)
    is_other = bool(before.fingerprint) and before.fingerprint != after.fingerprint
    return (News.CHANGED,) if is_other else ()
