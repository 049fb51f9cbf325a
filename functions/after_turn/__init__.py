"""What follows from a write to the table."""
