"""Compares the tools a skill's server offers with those its owner accepted. Pure.

What a server says of a tool decides when and how models use it, so a server could turn an accepted tool into
another one. A tool that is new or differs from its pin waits for the owner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.workspace.skills import MAX_QUOTED_CHARACTERS, ToolPin, WaitingTool
from conversation.redaction.masking import mask
from tools.remote.foreign_text import clean_text
from tools.remote.tool_definition import PARTS, ToolDefinition


@dataclass(frozen=True, slots=True)
class ToolReview:
    """The names of the tools that are as accepted, and the tools that wait."""

    accepted: frozenset[str] = frozenset()
    changed: tuple[WaitingTool, ...] = ()
    new: tuple[WaitingTool, ...] = ()


def pin_of(definition: ToolDefinition) -> ToolPin:
    """Returns the pin of a tool as it is now; its description is masked and cut."""
    # Masked before it is cut: half a secret is not recognised.
    quoted = mask(clean_text(definition.description, 4 * MAX_QUOTED_CHARACTERS))[:MAX_QUOTED_CHARACTERS]
    return ToolPin(name=definition.name, hash=definition.hash, description=quoted, parts=definition.parts)


def review_tools(pinned: Sequence[ToolPin], offered: Sequence[ToolDefinition]) -> ToolReview:
    """Compares each offered tool with its pin."""
    pins = {pin.name: pin for pin in pinned}
    accepted, changed, new = set[str](), list[WaitingTool](), list[WaitingTool]()
    for definition in offered:
        pin = pins.get(definition.name)
        if pin is None:
            new.append(WaitingTool(**pin_of(definition).model_dump()))
        elif pin.hash != definition.hash:
            changed.append(_changed(pin, pin_of(definition)))
        else:
            accepted.add(definition.name)
    return ToolReview(frozenset(accepted), tuple(changed), tuple(new))


def _changed(pin: ToolPin, now: ToolPin) -> WaitingTool:
    return WaitingTool(
        **now.model_dump(),
        accepted_description=pin.description,
        changed=tuple(part for part in PARTS if pin.parts.get(part) != now.parts.get(part)),
    )
