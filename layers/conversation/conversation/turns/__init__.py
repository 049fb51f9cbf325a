"""The turn protocol: admit, lease, commit; and messages that come outside of one."""
