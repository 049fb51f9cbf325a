"""Understand: what a message asks for, with a model or without."""
