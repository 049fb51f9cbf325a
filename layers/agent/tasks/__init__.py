"""What users want to get done: tasks as values, and where they are kept."""
