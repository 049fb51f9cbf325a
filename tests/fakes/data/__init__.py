"""Conversations, situations and tenants with known contents."""
