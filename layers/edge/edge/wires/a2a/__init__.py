"""A2A 1.0 over JSON-RPC: the agent card, messages, and tasks, which are turns and the runs they start."""
