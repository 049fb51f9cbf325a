"""AWS services and their local stand-ins: queues, schedules, mail, secrets, event batches."""
