"""A tenant's policy, where it is kept, and the audit log."""
