"""The twin's event sources: queues, the table's stream, schedules and rules."""
