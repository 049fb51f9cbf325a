"""Talking to models: which there are, and one call with a deadline."""
