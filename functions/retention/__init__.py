"""Conversations past their time, removed."""
