import asyncio
import os
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def chat(url: str, token: str, *texts: str) -> None:
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=120)
    async with http, Client(streamable_http_client(url, http_client=http)) as client:
        for text in texts:
            answer = await client.call_tool("chat", {"message": text, "client_id": "main"})
            print((answer.structured_content or {})["reply"])


asyncio.run(chat(f"{os.environ['OMNIFORGE_URL']}/mcp", os.environ["OMNIFORGE_TOKEN"], *sys.argv[1:]))
