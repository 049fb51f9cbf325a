"""The tools, over MCP streamable HTTP."""
