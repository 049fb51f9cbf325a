"""Erasing a conversation, a user or a tenant, with a receipt."""
