"""The texts of replies; pure functions."""
