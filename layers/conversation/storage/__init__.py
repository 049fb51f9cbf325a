"""The table: one port, its keys, its two backends."""
