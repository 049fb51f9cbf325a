"""Answers turns that are pending, and stores turns that storage refused."""
