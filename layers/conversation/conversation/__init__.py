"""Remember: identity, messages, the turn protocol, context and policy."""
