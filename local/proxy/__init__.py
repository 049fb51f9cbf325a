"""HTTP requests as Lambda proxy events, function invocations, and Lambda results as HTTP responses."""
