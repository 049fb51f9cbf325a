"""Agents, runs, tenants and their policy."""
