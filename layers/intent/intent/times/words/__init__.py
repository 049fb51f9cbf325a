"""Finds the pieces of words about times in a text: times of day, days, dates, rates, zones, signs."""
