"""The twin's stand-ins for API Gateway and, for the chat page, CloudFront."""
