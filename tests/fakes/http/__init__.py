"""HTTP servers that record what they receive, and a client of server-sent events."""
