"""The turn protocol (admit, lease, commit), deferred turns, and proactive messages outside a turn."""
