"""The HTTP functions of one deployment in this process. An event goes to the function that has its route."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.fakes.aws.proxy_events import Answer, Context, request
from tests.fakes.deployment import functions

NAMES = ("chat", "conversations", "workspace", "tenants")


def _streamed(app: ModuleType, event: dict[str, Any]) -> Answer:
    """Return the complete answer of the streaming function."""
    if not hasattr(app, "stream_handler"):
        return functions.invoke(app, event)
    told = app.stream_handler(event, Context())
    headers = {name.lower(): ", ".join(values) for name, values in told.headers.items()}
    return Answer(told.status, headers, b"".join(told.chunks).decode())


class Deployment:
    """The functions on one data folder."""

    def __init__(self, folder: Path, **changes: str) -> None:
        self.folder = folder
        settings = functions.settings(folder, **changes)
        self._apps = [functions.load(name, settings) for name in NAMES]

    def ask(self, method: str, path: str, **options: Any) -> Answer:
        """Send a request and return its answer. An unknown path goes to an arbitrary function."""
        place, _, _ = path.partition("?")
        app, event = self._app_for(method, place), request(method, path, **options)
        return _streamed(app, event) if place.endswith("/stream") else functions.invoke(app, event)

    def send(self, method: str, path: str, body: object = None, **options: Any) -> Any:
        """Send a request that must succeed and return its JSON."""
        answer = self.ask(method, path, body=body, **options)
        assert answer.status < 300, answer.body
        return answer.json if answer.body else None

    def written(self) -> list[str]:
        """Return everything in the table as texts."""
        with closing(sqlite3.connect(self.folder / "omniforge.db")) as connection:
            return list(connection.iterdump())

    def _app_for(self, method: str, path: str) -> ModuleType:
        for app in self._apps:
            routes = (*app.api._static_routes, *app.api._dynamic_routes)
            if any(route.method == method and route.rule.match(path) for route in routes):
                return app
        return self._apps[1]
