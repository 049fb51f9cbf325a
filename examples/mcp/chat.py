"""Says something to OmniForge over MCP: `python examples/mcp/chat.py URL TOKEN MESSAGE`."""

import asyncio
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def main(url: str, token: str, message: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=120) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        answer = await client.call_tool("chat", {"message": message})
        print((answer.structured_content or {})["reply"])


asyncio.run(main(*sys.argv[1:]))
