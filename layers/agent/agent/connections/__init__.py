"""What users and tenants signed in to: sealed tokens, their store, and tokens for runs."""
