"""The agent wizard, which sets up an agent in conversation; pure functions."""
