"""Lessons: what users corrected, as the tenant keeps it for its next messages."""
