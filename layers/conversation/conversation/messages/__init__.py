"""Conversations, messages and summaries: their values, their stored form, and reading them."""
