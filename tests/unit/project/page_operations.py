"""Where the chat page has the API's operations: `web/operations.json`, and the table of docs/page.md.

.venv/bin/python -m tests.unit.project.page_operations     # writes the table
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[3]
DOCUMENT = ROOT / "docs" / "page.md"
CALL = re.compile(r"\.(GET|POST|PUT|PATCH|DELETE)\(\s*\"(/[^\"]+)\"")
METHODS = ("get", "post", "put", "patch", "delete")
START, END = "<!-- operations: start -->", "<!-- operations: end -->"
INDIRECT = {
    "POST /v1/chat/stream": 'path: "/v1/chat/stream"',
    "GET /v1/turns/{turn_id}": "/v1/turns/${encodeURIComponent(turnId)}?after=",
    "POST /v1/turns/{turn_id}/stop": "/v1/turns/${encodeURIComponent(turnId)}/stop",
    "POST /v1/conversations/{conversation_id}/messages/{message_id}/edit/stream": "${message}/${kind}/stream",
    "POST /v1/conversations/{conversation_id}/messages/{message_id}/regenerate/stream": (
        "${message}/${kind}/stream"
    ),
    "GET /v1/conversations/{conversation_id}/messages/{message_id}/feedback": "api.GET(ROUTE",
    "PUT /v1/conversations/{conversation_id}/messages/{message_id}/feedback": "api.PUT(ROUTE",
}
"""Operations that the page reaches by an address of its own making, and the code that makes it."""


class PageOperations(NamedTuple):
    """Where people find the operations of the API at the page."""

    places: dict[str, list[str]]
    missing: list[str]
    """Operations that a person could want and that the page does not have."""
    not_wanted: dict[str, str]
    """Operations that no person wants, and why."""

    @property
    def at_the_page(self) -> list[str]:
        """The operations that the page has."""
        return [operation for operations in self.places.values() for operation in operations]

    @property
    def share(self) -> float:
        """The share of the wanted operations that are at the page."""
        return len(self.at_the_page) / (len(self.at_the_page) + len(self.missing))


def page_operations() -> PageOperations:
    """Reads which operations the page is said to have."""
    return PageOperations(**json.loads((ROOT / "web" / "operations.json").read_text("utf-8")))


def api_operations() -> list[str]:
    """Returns the operations of the API, such as `GET /v1/agents`, in the order of its description."""
    paths = json.loads((ROOT / "layers/edge/edge/routes/openapi.json").read_text("utf-8"))["paths"]
    return [
        f"{method.upper()} {path}" for path, found in paths.items() for method in METHODS if method in found
    ]


def called_operations() -> set[str]:
    """Returns the operations that the page's code calls."""
    sources = [path.read_text("utf-8") for path in sorted((ROOT / "web" / "src").rglob("*.ts*"))]
    direct = {f"{method} {path}" for source in sources for method, path in CALL.findall(source)}
    indirect = {name for name, code in INDIRECT.items() if any(code in source for source in sources)}
    return direct | indirect


def table() -> str:
    """Returns the table of docs/page.md, with its figure."""
    page = page_operations()
    order = {operation: place for place, operation in enumerate(api_operations())}
    wanted = len(page.at_the_page) + len(page.missing)
    rows = [(place, sorted(found, key=order.__getitem__)) for place, found in page.places.items()]
    figure = f"{len(page.at_the_page)} ({page.share:.0%})"
    lines = [
        f"The API has {len(order)} operations. A person could want {wanted}; {figure} are at the page:",
        "",
        "| place | operations |",
        "|---|---|",
        *(f"| {place} | {', '.join(f'`{each}`' for each in found)} |" for place, found in rows),
        *([f"| not yet | {', '.join(f'`{each}`' for each in page.missing)} |"] if page.missing else []),
        "",
        "No person needs these at the page:",
        "",
        "| operation | why |",
        "|---|---|",
        *(f"| `{operation}` | {reason} |" for operation, reason in page.not_wanted.items()),
    ]
    return "\n".join(lines)


def with_table(document: str) -> str:
    """Returns the document with the table as it should be."""
    before, _, rest = document.partition(START)
    return f"{before}{START}\n{table()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    DOCUMENT.write_text(with_table(DOCUMENT.read_text("utf-8")), "utf-8")
