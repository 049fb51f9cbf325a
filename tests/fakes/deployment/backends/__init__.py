"""Lambda functions for a gateway under test."""
