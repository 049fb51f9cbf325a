"""The API Gateway stand-in and the page."""
