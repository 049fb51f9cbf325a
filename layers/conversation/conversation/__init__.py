"""The memory of the product: identity, messages, the turn protocol, context and policy."""
