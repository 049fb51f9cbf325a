"""Strangers in one deployment, each with canaries, and a great many calls that try to get at others."""
