"""Queues, the table's stream, schedules and rules."""
