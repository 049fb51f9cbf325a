"""Tools, resources and prompts, over MCP streamable HTTP."""
