"""Token issuers, authorizer events and forged tokens."""
