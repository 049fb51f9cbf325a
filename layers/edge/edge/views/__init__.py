"""Response bodies."""
