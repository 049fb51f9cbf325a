"""Functions for a gateway under test."""
