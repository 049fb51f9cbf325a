"""Lessons: what the corrections of a tenant's users teach about the tenant's own wording."""
