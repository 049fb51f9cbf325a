"""Typed functions that models and clients may call, and the one way out to other servers."""
