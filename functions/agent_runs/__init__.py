"""Runs of agents, executed one at a time."""
