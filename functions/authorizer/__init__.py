"""Turns a JWT into tenant, user and roles."""
