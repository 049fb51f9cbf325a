"""Attachments: files that users send with their messages, checked by content and kept in a bucket."""
