"""Deadlines, CPU limits, circuit breakers and caches: how a process lives with what is slow or missing."""
