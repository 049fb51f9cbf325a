"""Acts as a message means them, after what its words alone say: which agent lacks the link that it gives,
which of two offered times it takes, what of the last change it corrects.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.dialogue import suggestions, taken_back
from agent.dialogue.administration import settings_asked
from agent.dialogue.agent_acts import dropped_recipients, exchanged_addresses, given_links, own_address
from agent.dialogue.held_acts import AskedQuestion
from agent.dialogue.meaning import (
    alternatives,
    completed_offers,
    described_options,
    draft_choices,
    named_answers,
    value_corrections,
)
from agent.dialogue.workbench import Workbench
from intent.acts.act import Act


def as_meant(
    acts: Sequence[Act], asked: AskedQuestion | None, bench: Workbench
) -> tuple[Sequence[Act], AskedQuestion | None]:
    """Return the acts as they are meant, and the question that is open still.

    Examples are offered only once.
    """
    turn = bench.turn
    for adapted in (taken_back.as_taken_back, draft_choices.as_chosen, settings_asked.as_meant):
        acts = adapted(acts, turn)
    acts = value_corrections.as_corrected(acts, turn, bench)
    for completed in (
        exchanged_addresses.as_meant,
        dropped_recipients.as_meant,
        own_address.as_meant,
        given_links.as_meant,
    ):
        acts = completed(acts, bench)
    if asked is not None and asked.is_suggestion:
        acts, asked = suggestions.as_chosen(acts, asked, turn), None
    if asked is not None and asked.is_offer:
        acts, asked = completed_offers.as_completed(acts, asked)
    return alternatives.on_settled_day(acts, turn), asked


def as_answered(acts: Sequence[Act], asked: AskedQuestion | None, bench: Workbench) -> list[Act]:
    """Return the acts, with an answer that names or describes what it means as the choice of it."""
    named = named_answers.as_named(acts, asked, bench.turn)
    return list(described_options.as_picked(named, asked, bench))
