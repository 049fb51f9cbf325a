"""Checks of web addresses, which need no model: what they expect, and what changed since the last one."""
