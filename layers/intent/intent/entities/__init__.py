"""Entity extraction: services, subjects, qualifiers and short answers in a message."""
