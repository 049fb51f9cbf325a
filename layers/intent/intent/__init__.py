"""Intent analysis: what a message asks for, determined with or without a model."""
