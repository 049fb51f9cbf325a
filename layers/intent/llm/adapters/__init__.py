"""The ways to reach a model: one adapter per vendor protocol, and litellm for all other vendors."""
