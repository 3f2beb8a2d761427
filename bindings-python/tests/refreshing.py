"""A program that asks a server once, with the tokens of a folder: `refreshing.py URL FOLDER`.

It says `asking` when it has read a line from its standard input, and then the status of the answer.
"""

from __future__ import annotations

import asyncio
import sys

import httpx

from mcpbolt.client.auth import OAuth


async def main(url: str, folder: str) -> None:
    provider = OAuth("Example", folder=folder).provider(url)
    async with httpx.AsyncClient(auth=provider, trust_env=False) as http:
        print("ready", flush=True)
        sys.stdin.readline()
        print("asking", flush=True)
        answer = await http.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        print(answer.status_code, flush=True)


asyncio.run(main(*sys.argv[1:]))
