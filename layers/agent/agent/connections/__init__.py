"""What users and tenants signed in to, and secrets and links, sealed; their stores, and tokens for runs."""
