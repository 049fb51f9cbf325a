"""What the assistant says about the workspace's settings. Pure texts."""

from __future__ import annotations

from conversation.tenants.policy import Budget, TenantPolicy


def confirm_retention(days: int, now_days: int) -> str:
    """Before the retention changes."""
    shorter = " Older conversations than that would no longer be kept." if days < now_days else ""
    return (
        f"I would set your workspace to keep chats for {plural_days(days)} after their last activity; it "
        f"is {plural_days(now_days)} now.{shorter} Shall I?"
    )


def retention_changed(days: int) -> str:
    """The retention is changed."""
    return f"Done. Your workspace's policy now keeps chats for {plural_days(days)} after their last activity."


def retention_same(days: int) -> str:
    """The retention is what was asked for."""
    return (
        f"Chats are already kept for {plural_days(days)} after their last activity, so there is nothing "
        "to change."
    )


def retention_range() -> str:
    """A number of days that isn't allowed, or none."""
    return "For how many days should chats be kept? It can be anything from 1 to 3650."


def admins_only() -> str:
    """A setting that the user may not change."""
    return (
        "Only an administrator of your workspace can change that, so I've left it as it is. Please ask "
        "one of them."
    )


def policy_shown(policy: TenantPolicy) -> str:
    """What the workspace has decided."""
    models = (
        ", ".join(policy.allowed_models) if policy.allowed_models is not None else "all that are available"
    )
    return (
        f"These are your workspace's settings:\n- Chats are kept {_kept(policy)}\n- Agents per user: "
        f"{policy.limits.agents_per_user}\n- Time zone: {policy.time_zone}\n- Language: "
        f"{policy.language}\n- Models: {models}\n- Model budget: {budget(policy.budget)}\n- Assistant: "
        f"{policy.assistant_name}, {policy.tone}"
    )


def _kept(policy: TenantPolicy) -> str:
    if policy.legal_hold:
        return "until the legal hold on them is lifted"
    archived, plain = policy.archived_retention_days, plural_days(policy.retention_days)
    others = f", archived ones {plural_days(archived)}" if archived else ""
    return f"for: {plain} after their last activity{others}"


def budget(decided: Budget) -> str:
    """What models may cost."""
    cap = decided.usd_per_day
    return "not limited" if cap is None else f"{usd(cap)} a day (UTC)"


def usd(amount: float) -> str:
    """``2.5 USD``, ``0.0001 USD``."""
    return f"{_plain(amount)} USD"


def budget_spent() -> str:
    """Behind a reply for which a model was not asked."""
    return (
        "\n\nYour workspace has used up its model budget for today, so I did without a model here; "
        "models are asked again after midnight UTC."
    )


def platform_unknown() -> str:
    """A setting that the chat doesn't have."""
    return (
        "That isn't something I can set up from this chat. Here I can show your workspace's settings, "
        "and an administrator can change how "
        'long chats are kept ("keep our chats for 90 days"); the other settings are changed through '
        "the policy API."
    )


def _plain(usd: float) -> str:
    """``2.5``, ``1000``, ``0.0001``."""
    return f"{usd:.6f}".rstrip("0").rstrip(".")


def plural_days(days: int) -> str:
    """``1 day``, ``90 days``."""
    return f"{days} day" if days == 1 else f"{days} days"
