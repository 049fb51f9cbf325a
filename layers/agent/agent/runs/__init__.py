"""Runs of agents: what starts them, and how they are claimed, executed and delivered."""
