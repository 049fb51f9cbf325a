"""Erasure of a conversation, a user or a tenant, with a receipt."""
