"""What the variables of our answers stand for in one workspace. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from agent.answers.budget_caps import say_caps
from conversation.tenants.policy import TenantPolicy


def answer_variables(
    policy: TenantPolicy, *, connected: Iterable[str], has_models: bool
) -> Mapping[str, str]:
    """Returns the text of each variable. ``connected``: the services that agents can use."""
    services = ", ".join(sorted(connected))
    can_use_models = has_models and policy.model_allowlist != frozenset()
    return {
        "assistant_name": policy.assistant_name,
        "retention": _retention(policy),
        "retention_sentence": _retention_sentence(policy),
        "deleted_grace": _when_gone(policy),
        "restore_conversation": _restore(policy),
        "agents_per_user": str(policy.limits.agents_per_user),
        "time_zone": policy.time_zone,
        "budget": _budget(policy),
        "model_note": f"A language model is {'' if can_use_models else 'not '}set up here.",
        "models": _models(policy, has_models=can_use_models),
        "connected": f"Connected now: {services}." if services else "Nothing is connected yet.",
        "admin_reading": _admin_reading(policy),
        "secrets": _secrets(policy),
        "files_sentence": _files_sentence(policy),
        "legal_hold": (
            "Your workspace is on legal hold now."
            if policy.legal_hold
            else "Your workspace as a whole is not on hold."
        ),
    }


def _days(days: int) -> str:
    return f"{days} day" if days == 1 else f"{days} days"


def _retention(policy: TenantPolicy) -> str:
    if policy.history == "off":
        return "not at all, as messages aren't stored here"
    if policy.legal_hold:
        return "until the legal hold ends"
    return f"{_days(policy.retention_days)} after the last activity"


def _retention_sentence(policy: TenantPolicy) -> str:
    if policy.history == "off":
        return "Messages aren't stored in your workspace."
    if policy.legal_hold:
        return "Your workspace is on legal hold, so chats are kept until that ends."
    archived = policy.archived_retention_days
    others = f"; archived ones for {_days(archived)}" if archived else ""
    return f"Chats are kept for {_days(policy.retention_days)} after their last activity{others}."


def _when_gone(policy: TenantPolicy) -> str:
    if policy.legal_hold:
        return "when the legal hold ends"
    return (
        f"after {_days(policy.deleted_grace_days)}" if policy.deleted_grace_days else "within an hour or so"
    )


def _restore(policy: TenantPolicy) -> str:
    days = policy.deleted_grace_days
    return f"can be restored within {_days(days)}" if days else "can't be restored here"


def _budget(policy: TenantPolicy) -> str:
    return say_caps(policy.budget, lambda usd: f"{usd:g} US dollars") or "none"


def _models(policy: TenantPolicy, *, has_models: bool) -> str:
    if not has_models:
        return f"No language model is set up here; {policy.assistant_name} answers by fixed rules."
    if policy.allowed_models is None:
        return "Your workspace may use every model that this service offers."
    return f"Allowed in your workspace: {', '.join(policy.allowed_models)}."


def _admin_reading(policy: TenantPolicy) -> str:
    if policy.admin_content_access:
        return "Administrators of your workspace can read them; each time is recorded."
    return (
        "Administrators can see who chatted and when, not the words. If they ever allowed themselves to read"
        " them, that and each reading would be recorded."
    )


def _secrets(policy: TenantPolicy) -> str:
    if policy.masks_secrets:
        return "They are taken out before your message is stored or sent to a model."
    return "They stay in the message itself, which is marked."


def _files_sentence(policy: TenantPolicy) -> str:
    allowed = _FILE_KINDS if policy.attachment_types is None else policy.attachment_types
    kinds = [name for media_type, name in _FILE_KINDS.items() if media_type in allowed]
    if not kinds or policy.history == "off":
        return "No, your workspace takes no files. Paste the text instead."
    *others, last = kinds
    listed = f"{', '.join(others)} and {last}" if others else last
    return f"Yes, {listed} files: use the paperclip, or drop or paste them into the chat."


_FILE_KINDS = {
    "image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WebP",
    "application/pdf": "PDF", "text/plain": "plain text", "text/markdown": "Markdown", "text/csv": "CSV",
    "application/json": "JSON",
}  # fmt: skip
