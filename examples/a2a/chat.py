import asyncio
import os
import sys

import httpx
from a2a.client import ClientConfig, create_client
from a2a.helpers import get_stream_response_text, new_text_message
from a2a.types import Role, SendMessageRequest


async def chat(url: str, token: str, *texts: str) -> None:
    http = httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60)
    client = await create_client(url, ClientConfig(httpx_client=http, streaming=False))
    for text in texts:
        message = new_text_message(text, context_id="main", role=Role.ROLE_USER)
        async for event in client.send_message(SendMessageRequest(message=message)):
            print(get_stream_response_text(event))


asyncio.run(chat(os.environ["OMNIFORGE_URL"], os.environ["OMNIFORGE_TOKEN"], *sys.argv[1:]))
