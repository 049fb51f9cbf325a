"""Tools, resources and prompts over MCP, and sign-ins at MCP servers."""
