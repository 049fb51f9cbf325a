"""A tenant's policy, its storage, its lessons, and the audit log."""
