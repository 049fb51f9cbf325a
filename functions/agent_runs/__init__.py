"""Executes runs of agents, one at a time, and checks skills."""
