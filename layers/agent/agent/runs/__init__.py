"""Runs executed: claimed, worked on, delivered; what starts them."""
