"""Executes runs of agents, one at a time, checks skills, and reminds of tasks."""
