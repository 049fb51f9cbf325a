"""Amounts with their labels, as people list or paste them, and the questions about them."""
