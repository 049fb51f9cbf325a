"""The HTML pages for signing in to the twin: plain forms without scripts."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from string import Template

from local.proxy.gateway_responses import HttpResponse
from local.sign_in.grants import AuthorizationRequest, Destination
from local.sign_in.user_names import PATTERN, RULE

STYLE_PATH = "/.local/style.css"
FIELDS = ("tenant", "user")
ROLES = {"": "none", "admin": "admin", "operator": "operator"}
_HTML = Path(__file__).parent / "html"
_HINT = ("acme", "maya")
_CANCEL = '<button name="answer" value="cancel" formnovalidate class="second">Cancel</button>'


def sign_in_form(
    request: AuthorizationRequest,
    action: str,
    *,
    submitted: Mapping[str, str] | None = None,
    invalid_field: str | None = None,
    problem: str = "",
) -> HttpResponse:
    """Return the sign-in form.

    It names a client that registered itself, and where it wants the browser to go. After a rejected
    submission, ``submitted`` holds its values, ``invalid_field`` names the field and ``problem`` is why.
    """
    tenant, _, user = (request.hint or "").partition("/")
    values = submitted or (
        {"tenant": tenant, "user": user} if user else dict(zip(FIELDS, _HINT, strict=True))
    )
    problem_html = f'<p class="problem" id="problem" role="alert">{escape(problem)}</p>' if problem else ""
    states = {
        f"{name}_state": ' aria-invalid="true" aria-describedby="problem"' if name == invalid_field else ""
        for name in FIELDS
    }
    chosen = values.get("role", "")
    roles = "\n".join(
        f'<option value="{role}"{" selected" if role == chosen else ""}>{label}</option>'
        for role, label in ROLES.items()
    )
    fields = {name: escape(values.get(name, "")) for name in FIELDS}
    page = _page(
        "form.html",
        action=escape(action),
        client=_client_notice(request.destination),
        cancel=_CANCEL if request.destination.client.is_registered else "",
        problem=problem_html,
        user_pattern=escape(PATTERN),
        user_rule=escape(RULE),
        roles=roles,
        **fields,
        **states,
    )
    # A browser applies `form-action` to the redirect after the form, too.
    return _html(400 if problem else 200, page, form_action=f"'self' {request.destination.origin}")


def _client_notice(to: Destination) -> str:
    if to.client.name is None:
        return ""
    name, place = (f"<strong>{escape(text)}</strong>" for text in (to.client.name, to.origin))
    return (
        f"<p>A program that calls itself {name} asks to use OmniForge as the user below."
        f" Afterwards your browser goes to {place}.</p>"
    )


def notice_page(status: int, title: str, text: str) -> HttpResponse:
    """Return a page with one short message."""
    return _html(status, _page("notice.html", title=escape(title), text=escape(text)), form_action="'none'")


def style_sheet() -> HttpResponse:
    """Return the style sheet of these pages."""
    headers = (("content-type", "text/css; charset=utf-8"), ("cache-control", "no-cache"))
    return HttpResponse(200, headers, (_HTML / "style.css").read_bytes())


def _page(name: str, **values: str) -> str:
    return Template((_HTML / name).read_text(encoding="utf-8")).substitute(values)


def _html(status: int, page: str, *, form_action: str) -> HttpResponse:
    policy = (
        "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
        f"form-action {form_action}"
    )
    headers = (
        ("content-type", "text/html; charset=utf-8"),
        ("content-security-policy", policy),
        ("cache-control", "no-store"),
        ("referrer-policy", "same-origin"),
        ("x-content-type-options", "nosniff"),
    )
    return HttpResponse(status, headers, page.encode())
