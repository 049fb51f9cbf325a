"""What replies say of the budgets for models. Pure functions."""

from __future__ import annotations

from conversation.usage.budget_scope import BudgetScope, Period


def budget_spent(scope: BudgetScope) -> str:
    """Returns the sentence appended to a reply made without a model because that budget is used up."""
    whose = "Your workspace has used up its" if scope.user is None else "You have used up your own"
    period, ends = {
        Period.DAY: ("today", "midnight UTC"),
        Period.MONTH: ("this month", "the month ends (UTC)"),
    }[scope.period]
    return (
        f"\n\n{whose} model budget for {period}, so I did without a model here; "
        f"models are asked again after {ends}."
    )
