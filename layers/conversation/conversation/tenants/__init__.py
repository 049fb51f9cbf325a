"""A tenant's policy, its storage, and the audit log."""
