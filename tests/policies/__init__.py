"""What IAM lets sessions of tenants do, decided by a simulator of it."""
