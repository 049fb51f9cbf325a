"""The offline tier: rules and classifier together, follow-ups, and requests with rules of their own
(tasks, recall, costs)."""
