"""What the retention function is asked to do besides by its schedule, as it lies in its queue."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TypeAlias

from conversation.redating import Redating
from storage.keys import TenantId, parse_tenant


@dataclass(frozen=True, slots=True)
class SweepOn:
    """Go on with the sweep: a run ended before everything was dealt with."""

    def to_body(self) -> str:
        """As it lies in a queue."""
        return json.dumps({"do": "sweep"})


@dataclass(frozen=True, slots=True)
class Redate:
    """Give a tenant's conversations earlier days, or go on with it."""

    redating: Redating

    def to_body(self) -> str:
        """As it lies in a queue."""
        after = self.redating.after
        request = {"do": "redate", "tenant": self.redating.tenant, "after": dict(after) if after else None}
        return json.dumps(request)


@dataclass(frozen=True, slots=True)
class Erase:
    """Carry out an erasure, or go on with it."""

    tenant: TenantId
    erasure_id: str

    def to_body(self) -> str:
        """As it lies in a queue."""
        return json.dumps({"do": "erase", "tenant": self.tenant, "erasure": self.erasure_id})


RetentionRequest: TypeAlias = SweepOn | Redate | Erase


def request_from(body: str) -> RetentionRequest:
    """What `to_body` wrote.

    Raises:
        ValueError, KeyError: for anything else.
    """
    members = json.loads(body)
    match members["do"]:
        case "sweep":
            return SweepOn()
        case "redate":
            return Redate(Redating(parse_tenant(members["tenant"]), members["after"]))
        case "erase":
            return Erase(parse_tenant(members["tenant"]), str(members["erasure"]))
        case unknown:
            raise ValueError(f"there is no work called {unknown!r}")
