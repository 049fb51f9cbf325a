"""One handler per kind of chat request."""
