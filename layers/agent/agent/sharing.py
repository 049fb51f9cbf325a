"""Whether words want an agent shared, and with whom. Pure; sharing it is `agent.changing`'s business."""

from __future__ import annotations

from intent.patterns import Form

_LEAD = (
    r"^\W*((please|ok|okay|now|and|also|actually|can you|could you|let's|i('d| would) like to|i want to)\W+)*"
)
_SHARED = Form(
    rf"{_LEAD}(share\b|(make|set) [^.!?]{{1,60}} (public|shared|visible|available)\b"
    r"|let (everyone|everybody|my (team|colleagues)|the (team|others)) (see|use)\b)"
)
_UNSHARED = Form(
    rf"{_LEAD}(un-?share\b|(stop|quit) sharing\b|(don'?t|do not|no longer) share\b"
    r"|(make|set|keep) [^.!?]{1,60} private\b|hide [^.!?]{1,60} from\b)"
)
_WITH = Form(r"\bwith ([^.!?]+)")
_ALL = Form(
    r"\b(team|teams|everyone|everybody|all|workspace|company|colleagues|coworkers|others|us|group|department"
    r"|office)\b"
)


def sharing_in(message: str) -> bool | None:
    """Whether the agent is to be shared; None when the words say nothing of it."""
    if _UNSHARED.search(message):
        return False
    return True if _SHARED.search(message) else None


def names_one_person(message: str) -> bool:
    """Whether it is to be shared with somebody, and not with all."""
    found = _WITH.search(message)
    return found is not None and _ALL.search(found[1]) is None
