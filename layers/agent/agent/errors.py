"""What can be refused about agents and runs, by what the caller does next.

    DomainError
    ├── NotFound   AgentNotFound, RunNotFound
    ├── Conflict   AgentNameTaken, AgentChanged
    └── Invalid    AgentLimitReached
    Forbidden      AgentNotOwned

Texts are for users and never quote what the user sent.
"""

from __future__ import annotations

from conversation.errors import Conflict, Forbidden, Invalid, NotFound


class AgentNotFound(NotFound):
    """Unknown, malformed, another tenant's, or another user's and not shared: all the same."""

    code = "agent_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such agent.")


class RunNotFound(NotFound):
    """No such run of this caller."""

    code = "run_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such run.")


class AgentNameTaken(Conflict):
    """The owner has another agent of this name."""

    code = "agent_name_taken"

    def __init__(self) -> None:
        super().__init__("Another of your agents has this name.")


class AgentChanged(Conflict):
    """Somebody changed the agent since it was read: read it again."""

    code = "agent_changed"
    retry_after_s = 0

    def __init__(self) -> None:
        super().__init__("The agent was changed meanwhile.")


class AgentLimitReached(Invalid):
    """The owner has as many agents as the tenant's policy allows."""

    code = "agent_limit_reached"

    def __init__(self, limit: int) -> None:
        super().__init__(f"No more than {limit} agents per user are allowed here.")
        self.limit = limit


class AgentNotOwned(Forbidden):
    """The agent is shared with the caller, and only its owner may change it."""

    code = "agent_not_owned"

    def __init__(self) -> None:
        super().__init__("Only the owner of a shared agent may change it.")
