"""Conversations, messages and summaries as values, as items, and read back."""
