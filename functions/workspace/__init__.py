"""Agents, runs, skills, tasks, models, usage and the tenant's policy."""
