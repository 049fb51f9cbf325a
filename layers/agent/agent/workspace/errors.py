"""What can be refused about agents, runs, skills and models, by what the caller does next.

    DomainError
    ├── NotFound   AgentNotFound, RunNotFound, SkillNotFound
    ├── Conflict   AgentNameTaken, AgentChanged, SkillNameTaken, SkillChanged, SkillLimitReached,
    │              WorkspaceContended
    └── Invalid    AgentLimitReached, ScheduleTooFrequent, AddressBlocked, SkillInvalid, ModelUnknown
    Forbidden      AgentNotOwned, SkillNotOwned

Texts are for users and never quote what the user sent.
"""

from __future__ import annotations

from collections.abc import Sequence

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


class ScheduleTooFrequent(Invalid):
    """The schedule comes true more often than agents may work."""

    code = "schedule_too_frequent"

    def __init__(self, times_an_hour: int) -> None:
        super().__init__(f"An agent works by itself at most {times_an_hour} times an hour.")


class AddressBlocked(Invalid):
    """Results can't be sent to one of the delivery's addresses; ``urls`` are those."""

    code = "agent_invalid"

    def __init__(self, urls: Sequence[str]) -> None:
        super().__init__("Results can only be sent to public https addresses.")
        self.urls = tuple(urls)


class AgentNotOwned(Forbidden):
    """The agent is shared with the caller, and only its owner may change it."""

    code = "agent_not_owned"

    def __init__(self) -> None:
        super().__init__("Only the owner of a shared agent may change it.")


class SkillNotFound(NotFound):
    """Unknown, malformed, another tenant's, or another user's and not shared: all the same."""

    code = "skill_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such skill.")


class SkillNameTaken(Conflict):
    """The tenant has another skill of this name, perhaps one the caller does not see."""

    code = "skill_name_taken"

    def __init__(self) -> None:
        super().__init__("Another skill of your workspace has this name.")


class SkillChanged(Conflict):
    """Somebody changed the skill since it was read: read it again."""

    code = "skill_changed"
    retry_after_s = 0

    def __init__(self) -> None:
        super().__init__("The skill was changed meanwhile.")


class SkillLimitReached(Conflict):
    """The tenant has as many skills as there may be."""

    code = "skill_limit_reached"

    def __init__(self, limit: int) -> None:
        super().__init__(f"No more than {limit} skills are allowed in a workspace.")


class SkillInvalid(Invalid):
    """What the skill says of itself does not fit together, or its address is not one to speak to."""

    code = "skill_invalid"


class SkillNotOwned(Forbidden):
    """The skill is shared with the caller, and only its owner or an admin may change it."""

    code = "skill_not_owned"

    def __init__(self) -> None:
        super().__init__("Only the owner of a shared skill, or an admin, may change it.")


class ModelUnknown(Invalid):
    """A request named a model that is neither in the catalogue nor one of the deployment's own."""

    code = "model_unknown"

    def __init__(self) -> None:
        super().__init__("There is no model of this name; GET /v1/models lists those there are.")


class WorkspaceContended(Conflict):
    """What a turn wanted to change kept changing under it; nothing was stored."""

    code = "workspace_contended"
    retry_after_s = 1

    def __init__(self) -> None:
        super().__init__("Somebody else is changing the same things right now.")
