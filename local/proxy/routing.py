"""The routing of an API Gateway REST API: it finds a request's route and path parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from local.template.resources import Route


@dataclass(frozen=True, slots=True)
class Match:
    """A route and its path parameters, which stay percent-encoded, as in a REST API."""

    route: Route
    parameters: Mapping[str, str]


class Router:
    """The routes of one API. Fixed segments take precedence over ``{name}``, and those over ``{name+}``."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._resources: dict[tuple[str, ...], dict[str, Route]] = {}
        for route in routes:
            self._resources.setdefault(_segments(route.path), {})[route.method] = route
        self._order = sorted(self._resources, key=_specificity)

    def find(self, method: str, path: str) -> Match | None:
        """Return the route for the path, or None. A trailing slash is ignored here, but kept in the event."""
        segments = _segments(path.removesuffix("/")) if path != "/" else ()
        for resource in self._order:
            parameters = _matched(resource, segments)
            if parameters is not None:
                methods = self._resources[resource]
                route = methods.get(method) or methods.get("ANY")
                return Match(route, parameters) if route else None
        return None


def _segments(path: str) -> tuple[str, ...]:
    return tuple(path[1:].split("/")) if path != "/" else ()


def _specificity(resource: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(2 if part.endswith("+}") else 1 if part.startswith("{") else 0 for part in resource)


def _matched(resource: tuple[str, ...], segments: tuple[str, ...]) -> dict[str, str] | None:
    greedy = bool(resource) and resource[-1].endswith("+}")
    if len(segments) != len(resource) and not (greedy and len(segments) > len(resource)):
        return None
    parameters = {}
    for place, part in enumerate(resource):
        if part.endswith("+}"):
            parameters[part[1:-2]] = "/".join(segments[place:])
        elif part.startswith("{") and segments[place]:
            parameters[part[1:-1]] = segments[place]
        elif part != segments[place]:
            return None
    return parameters
