"""What replies say of the budget for models. Pure functions."""

from __future__ import annotations


def budget_spent() -> str:
    """Returns the sentence appended to a reply made without a model because the budget is used up."""
    return (
        "\n\nYour workspace has used up its model budget for today, so I did without a model here; "
        "models are asked again after midnight UTC."
    )
