"""Deadlines, circuit breakers and caches: how a process lives with what is slow, missing or costly to ask."""
