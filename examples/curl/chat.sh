#!/bin/sh
# Sends each argument as a message of one conversation; a request that is tried again counts once.
set -eu
text() { python3 -c "import json, sys; print($1)" "$2"; }
for message in "$@"; do
  body=$(text 'json.dumps({"message": sys.argv[1], "client_id": "my-chat"})' "$message")
  reply=$(curl -fsS --retry 3 --retry-all-errors "$OMNIFORGE_URL/v1/chat" -d "$body" \
    -H "Authorization: Bearer $OMNIFORGE_TOKEN" -H 'Content-Type: application/json' \
    -H "Idempotency-Key: $(text '__import__("uuid").uuid4()' '')")
  text 'json.loads(sys.argv[1])["message"]["content"]' "$reply"
done
