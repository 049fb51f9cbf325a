"""A JWT becomes tenant, user and roles."""
