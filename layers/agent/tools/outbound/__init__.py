"""The one way out to servers a user or a model names (SSRF-safe)."""
