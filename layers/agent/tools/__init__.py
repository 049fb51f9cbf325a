"""Tools that models and MCP clients may call, and the HTTP client for user-supplied addresses."""
