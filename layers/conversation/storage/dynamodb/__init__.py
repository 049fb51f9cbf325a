"""The production backend; the only package that imports boto3."""
