"""Reads and manages conversations, messages and turns."""
