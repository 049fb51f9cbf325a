"""What the acts of a message mean beside what is open, and what was said and done last."""
