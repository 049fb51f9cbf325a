"""Worker processes that run the template's functions behind the gateway, on all processors."""
