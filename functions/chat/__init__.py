"""One turn, answered in one piece."""
