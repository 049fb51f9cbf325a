"""What a commit writes besides its turn when the message takes the place of an earlier one. Pure."""

from __future__ import annotations

from conversation.leading import Led
from conversation.paths import segments_to_text
from storage import keys
from storage.table import Append, Change, Changes, Exists, Set, Update


def path_changes(led: Led) -> Changes:
    """The head's: the replaced message, and what followed it, are not active any more."""
    return () if led.entry.replaces is None else (Set("path", led.path.to_text()),)


def version_writes(led: Led, sequence: int) -> tuple[Update, ...]:
    """The earlier versions': the first one lists all, and the one that was active keeps what was active with
    it, so that it can be returned to.
    """
    replaced = led.entry.replaces
    if replaced is None:
        return ()
    conversation = led.head.conversation
    listed: Change = Append("versions", (sequence,))
    left: Change = Set("left", segments_to_text(conversation.path.segments(conversation.count)))
    changes: dict[int, Changes] = {replaced.root: (listed,)}
    changes[replaced.sequence] = (*changes.get(replaced.sequence, ()), left)
    return tuple(
        Update(keys.message(led.tenant, conversation.id, place), changed, (Exists(),))
        for place, changed in changes.items()
    )
