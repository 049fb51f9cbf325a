"""The offline tier: rules plus classifier, follow-ups, and special requests (tasks, recall, costs)."""
