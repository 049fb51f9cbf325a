"""Errors about agents, runs, skills and models, grouped by what the caller can do next.

    DomainError
    ├── NotFound   AgentNotFound, RunNotFound, HeldCallNotFound, SkillNotFound
    ├── Conflict   AgentNameTaken, AgentChanged, SharedAgentChanged, SkillNameTaken, SkillChanged,
    │              SkillLimitReached, RunNotEnded, WorkspaceContended
    └── Invalid    AgentLimitReached, ScheduleTooFrequent, AddressBlocked, CheckBlocked, SkillInvalid,
                   ModelUnknown
    Forbidden      AgentNotOwned, SkillNotOwned, TargetNotAllowed

Texts are for users and never quote what the user sent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from conversation.errors import Conflict, Forbidden, Invalid, NotFound


class AgentNotFound(NotFound):
    """The id is unknown, malformed, another tenant's, or that of another user's unshared agent.

    Callers can't tell these apart.
    """

    code = "agent_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such agent.")


class RunNotFound(NotFound):
    """The caller has no such run."""

    code = "run_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such run.")


class HeldCallNotFound(NotFound):
    """The run holds no such call."""

    code = "held_call_not_found"

    def __init__(self) -> None:
        super().__init__("The run has no such call that waits for an approval.")


class RunNotEnded(Conflict):
    """The run is still worked on: approve its calls when it has ended."""

    code = "run_not_ended"
    retry_after_s = 5

    def __init__(self) -> None:
        super().__init__("The run has not ended yet.")


class AgentNameTaken(Conflict):
    """Another agent of the owner has this name."""

    code = "agent_name_taken"

    def __init__(self) -> None:
        super().__init__("Another of your agents has this name.")


class AgentChanged(Conflict):
    """The agent was changed since it was read: read it again."""

    code = "agent_changed"

    def __init__(self) -> None:
        super().__init__("The agent was changed meanwhile.")


class SharedAgentChanged(Conflict):
    """A colleague changed the agent since the caller saw or used it: show what changed, and ask again.

    ``version`` is the agent's present version; ``changed`` names the fields that differ from what the caller
    used before.
    """

    code = "agent_changed"

    def __init__(self, version: int, changed: Sequence[str]) -> None:
        what = f" ({', '.join(changed)})" if changed else ""
        super().__init__(
            f"Its owner has changed this agent{what}. Read it, and name version {version} to run it as it is."
        )
        self.version = version
        self.changed = tuple(changed)

    @property
    def details(self) -> Mapping[str, JsonValue]:
        """The present version and the changed fields."""
        return {"version": self.version, "changed": [*self.changed]}


class AgentLimitReached(Invalid):
    """The owner, or the whole tenant, has as many agents as allowed."""

    code = "agent_limit_reached"

    def __init__(self, limit: int, *, of_user: bool = True) -> None:
        whose = "per user are allowed here" if of_user else "are allowed in a workspace"
        super().__init__(f"No more than {limit} agents {whose}.")
        self.limit = limit
        self.of_user = of_user


class ScheduleTooFrequent(Invalid):
    """The schedule fires more often than agents may run."""

    code = "schedule_too_frequent"

    def __init__(self, times_an_hour: int) -> None:
        super().__init__(f"An agent works by itself at most {times_an_hour} times an hour.")


class AddressBlocked(Invalid):
    """Results can't be sent to some of the delivery's addresses, listed in ``urls``."""

    code = "agent_invalid"

    def __init__(self, urls: Sequence[str]) -> None:
        super().__init__("Results can only be sent to public https addresses.")
        self.urls = tuple(urls)


class CheckBlocked(Invalid):
    """The address of the check is none that is requested from here."""

    code = "check_address_blocked"

    def __init__(self) -> None:
        super().__init__("Only public addresses that begin with https:// can be checked.")


class TargetNotAllowed(Forbidden):
    """The tenant lets no results be sent to some of the addresses, listed in ``addresses``."""

    code = "target_not_allowed"

    def __init__(self, addresses: Sequence[str]) -> None:
        super().__init__(
            "Your workspace doesn't let results be sent there. An administrator can allow it, in"
            " allowed_mail_domains and allowed_hook_hosts of the policy."
        )
        self.addresses = tuple(addresses)


class AgentNotOwned(Forbidden):
    """The agent is shared with the caller, and only its owner may change it."""

    code = "agent_not_owned"

    def __init__(self) -> None:
        super().__init__("Only the owner of a shared agent may change it.")


class SkillNotFound(NotFound):
    """The id is unknown, malformed, another tenant's, or that of another user's unshared skill.

    Callers can't tell these apart.
    """

    code = "skill_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such skill.")


class SkillNameTaken(Conflict):
    """Another skill of the tenant has this name, possibly one the caller can't see."""

    code = "skill_name_taken"

    def __init__(self) -> None:
        super().__init__("Another skill of your workspace has this name.")


class SkillChanged(Conflict):
    """The skill was changed since it was read: read it again."""

    code = "skill_changed"

    def __init__(self) -> None:
        super().__init__("The skill was changed meanwhile.")


class SkillLimitReached(Conflict):
    """The owner, or the whole tenant, has as many skills as allowed."""

    code = "skill_limit_reached"

    def __init__(self, limit: int, *, of_user: bool = False) -> None:
        whose = "per user are allowed here" if of_user else "are allowed in a workspace"
        super().__init__(f"No more than {limit} skills {whose}.")


class SkillInvalid(Invalid):
    """The skill's fields contradict each other, or its address is not allowed."""

    code = "skill_invalid"


class SkillNotOwned(Forbidden):
    """The skill is shared with the caller, and only its owner or an admin may change it."""

    code = "skill_not_owned"

    def __init__(self) -> None:
        super().__init__("Only the owner of a shared skill, or an admin, may change it.")


class ModelUnknown(Invalid):
    """The requested model is neither in the catalogue nor one of the deployment's own."""

    code = "model_unknown"

    def __init__(self) -> None:
        super().__init__("There is no model of this name; GET /v1/models lists those there are.")


class WorkspaceContended(Conflict):
    """Concurrent changes kept refusing the turn's writes; nothing was stored."""

    code = "workspace_contended"
    retry_after_s = 1

    def __init__(self) -> None:
        super().__init__("Somebody else is changing the same things right now.")
