"""Conversations, messages and turns, read and managed."""
