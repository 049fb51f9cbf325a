"""The production backend, on botocore."""
