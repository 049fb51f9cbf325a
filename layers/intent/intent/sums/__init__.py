"""Sums told in words: what people ask to be worked out, read and computed exactly."""
