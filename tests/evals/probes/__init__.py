"""Generated probes over HTTP: whether every command works however it is worded, combined and undone."""
