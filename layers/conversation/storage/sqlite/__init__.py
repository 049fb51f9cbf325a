"""The local backend: one SQLite file with a write-ahead log."""
