"""Tenants, and what their admins hold, oversee and have erased."""
