"""Replies about the workspace's settings. Pure functions."""

from __future__ import annotations

from conversation.tenants.policy import Budget, TenantPolicy


def confirm_retention(days: int, now_days: int) -> str:
    """Asks for confirmation before the retention changes."""
    shorter = " Older conversations than that would no longer be kept." if days < now_days else ""
    return (
        f"I would set your workspace to keep chats for {plural_days(days)} after their last activity; it "
        f"is {plural_days(now_days)} now.{shorter} Shall I?"
    )


def retention_changed(days: int) -> str:
    """Confirms the new retention."""
    return f"Done. Your workspace's policy now keeps chats for {plural_days(days)} after their last activity."


def retention_same(days: int) -> str:
    """Says that the retention has the requested value already."""
    return (
        f"Chats are already kept for {plural_days(days)} after their last activity, so there is nothing "
        "to change."
    )


def retention_range() -> str:
    """Asks for a valid number of days, when none was given or it isn't allowed."""
    return "For how many days should chats be kept? It can be anything from 1 to 3650."


def admins_only() -> str:
    """Says that only an administrator may change this setting."""
    return (
        "Only an administrator of your workspace can change that, so I've left it as it is. Please ask "
        "one of them."
    )


def policy_shown(policy: TenantPolicy) -> str:
    """Lists the workspace's settings."""
    models = (
        ", ".join(policy.allowed_models) if policy.allowed_models is not None else "all that are available"
    )
    return (
        f"These are your workspace's settings:\n- Chats are kept {_kept(policy)}\n- Agents per user: "
        f"{policy.limits.agents_per_user}\n- Time zone: {policy.time_zone}\n- Language: "
        f"{policy.language}\n- Models: {models}\n- Model budget: {budget_text(policy.budget)}\n- Assistant: "
        f"{policy.assistant_name}, {policy.tone}"
    )


def _kept(policy: TenantPolicy) -> str:
    if policy.legal_hold:
        return "until the legal hold on them is lifted"
    archived, plain = policy.archived_retention_days, plural_days(policy.retention_days)
    others = f", archived ones {plural_days(archived)}" if archived else ""
    return f"for: {plain} after their last activity{others}"


def budget_text(decided: Budget) -> str:
    """Returns the daily model budget as text."""
    cap = decided.usd_per_day
    return "none of its own" if cap is None else f"{usd_text(cap)} a day (UTC)"


def usd_text(amount: float) -> str:
    """Formats an amount: ``2.5 USD``, ``0.0001 USD``."""
    return f"{_plain(amount)} USD"


def budget_spent() -> str:
    """Returns the sentence appended to a reply made without a model because the budget is used up."""
    return (
        "\n\nYour workspace has used up its model budget for today, so I did without a model here; "
        "models are asked again after midnight UTC."
    )


def platform_unknown() -> str:
    """Says that the chat doesn't offer this setting."""
    return (
        "That isn't something I can set up from this chat. Here I can show your workspace's settings, "
        "and an administrator can change how "
        'long chats are kept ("keep our chats for 90 days"); the other settings are changed through '
        "the policy API."
    )


def _plain(usd: float) -> str:
    """Formats a number: ``2.5``, ``1000``, ``0.0001``."""
    return f"{usd:.6f}".rstrip("0").rstrip(".")


def plural_days(days: int) -> str:
    """Formats a number of days: ``1 day``, ``90 days``."""
    return f"{days} day" if days == 1 else f"{days} days"
