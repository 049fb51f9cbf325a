"""The page that a browser ends at after a sign-in at another service: no script, no parameter repeated."""

from __future__ import annotations

from html import escape

from aws_lambda_powertools.event_handler import Response

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    # The address of this page has the code in it.
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def sign_in_page(status: int, title: str, text: str, *, cookie: str | None) -> Response[str]:
    """The page with this title and sentence, and the cookie to set, if any."""
    body = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"></head>'
        f"<body><main><h1>{escape(title)}</h1><p>{escape(text)}</p></main></body></html>"
    )
    headers = HEADERS if cookie is None else {**HEADERS, "Set-Cookie": cookie}
    return Response(
        status_code=status, content_type="text/html; charset=utf-8", headers=dict(headers), body=body
    )
