"""Tools of other servers (MCP, webhooks), and ours served over MCP."""
