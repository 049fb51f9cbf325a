"""Follows the stream of the table, and acts on its writes."""
