"""Puts the tenant of a Cognito user into the access token."""
