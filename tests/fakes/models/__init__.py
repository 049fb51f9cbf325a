"""Model servers that answer by script, and an MCP server."""
