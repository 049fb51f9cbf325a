"""Reminders of tasks: scheduled after a write, and posted and mailed when they are due."""
