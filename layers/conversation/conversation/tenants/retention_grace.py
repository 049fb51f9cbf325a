"""The grace of a shorter retention: how long the longer one before it counts on, so that it can be set back.

Pure. What this means for one conversation says `conversation.retention.expiry`.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from conversation.tenants.policy import EarlierRetention, TenantPolicy

GRACE = timedelta(days=7)
"""How long a shorter retention takes nothing that the longer one before it kept."""


def with_grace(policy: TenantPolicy, former: TenantPolicy, now: datetime) -> TenantPolicy:
    """The policy as it is to be stored in the place of ``former``.

    A retention that is shorter than before gets the grace. One that is as long as what still counts ends it.
    """
    counting = former.earlier_retention
    if counting is not None and counting.until <= now:
        counting = None
    if is_shorter(policy, former):
        return policy.with_earlier_retention(_longest(former, counting, now + GRACE))
    if counting is not None and _falls_short(policy, counting):
        return policy.with_earlier_retention(counting)
    return policy.with_earlier_retention(None)


def is_shorter(new: TenantPolicy, old: TenantPolicy) -> bool:
    """Whether some conversation may expire earlier under the new policy than under the old one."""
    if old.legal_hold or new.legal_hold:
        return old.legal_hold and not new.legal_hold
    return (
        new.retention_days < old.retention_days
        or new.archived_days < old.archived_days
        or new.deleted_days < old.deleted_days
    )


def _falls_short(policy: TenantPolicy, earlier: EarlierRetention) -> bool:
    if policy.legal_hold:
        return False
    return (
        earlier.legal_hold
        or policy.retention_days < earlier.active_days
        or policy.archived_days < earlier.archived_days
        or policy.deleted_days < earlier.deleted_days
    )


def _longest(former: TenantPolicy, counting: EarlierRetention | None, until: datetime) -> EarlierRetention:
    """The longer of two retentions, for each kind of conversation."""
    replaced = EarlierRetention(
        until=until,
        active_days=former.retention_days,
        archived_days=former.archived_days,
        deleted_days=former.deleted_days,
        legal_hold=former.legal_hold,
    )
    if counting is None:
        return replaced
    return EarlierRetention(
        until=until,
        active_days=max(replaced.active_days, counting.active_days),
        archived_days=max(replaced.archived_days, counting.archived_days),
        deleted_days=max(replaced.deleted_days, counting.deleted_days),
        legal_hold=replaced.legal_hold or counting.legal_hold,
    )
