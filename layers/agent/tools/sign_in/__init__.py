"""Signing in to MCP servers: the known servers, discovery, and OAuth 2.1 with PKCE."""
