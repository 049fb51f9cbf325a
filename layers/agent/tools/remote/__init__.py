"""Tools on other servers (MCP, webhooks), and our own tools served over MCP."""
