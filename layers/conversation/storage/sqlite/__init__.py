"""The local backend: one WAL file."""
