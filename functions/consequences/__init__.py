"""Follows the stream of the table, and does what must follow from a write."""
