"""Full-text search over a user's own messages."""
