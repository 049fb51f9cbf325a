"""The agent wizard: sets an agent up in conversation; pure functions."""
