"""Dates, times and schedules in English text."""
