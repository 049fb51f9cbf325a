"""The SSRF-safe HTTP client for servers whose address comes from a user or a model."""
