"""Tenants, legal holds, oversight, the audit log and erasures."""
