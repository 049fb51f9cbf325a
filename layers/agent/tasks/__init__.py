"""The users' to-do tasks: their models and their store."""
