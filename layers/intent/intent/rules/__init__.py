"""Hand-written rules: signals, scores, references, operations."""
