"""The texts of the assistant's replies; pure functions."""
