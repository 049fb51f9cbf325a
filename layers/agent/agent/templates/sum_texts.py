"""What replies say of a sum that was worked out. Pure functions."""

from __future__ import annotations


def equation(expression: str, value: str, *, is_rounded: bool) -> str:
    """Shows the expression with its value, and says so where the value had to be rounded."""
    return f"{expression} ≈ {value} (rounded)" if is_rounded else f"{expression} = {value}"
