"""A client that signs in: `client.py URL SCENARIO`, the same in every language.

A line `open URL` on standard output asks for the browser; the line that comes back is where the
browser ended. The rest of standard output is one JSON object a line: what tools said.
"""

import json
import logging
import os
import sys
from typing import Any

import anyio
import httpx
from mcpbolt import ClientSession
from mcpbolt.client.auth import OAuthClientProvider
from mcpbolt.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider
from mcpbolt.client.auth.extensions.enterprise_managed import EnterpriseManagedOAuthProvider, IdentityProvider
from mcpbolt.client.streamable_http import streamable_http_client
from mcpbolt.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl

AT_ONCE = 64


class Memory:
    """Tokens and credentials that end with the program."""

    def __init__(self, client: OAuthClientInformationFull | None = None) -> None:
        self.tokens: OAuthToken | None = None
        self.client = client

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


async def line() -> str:
    return (await anyio.to_thread.run_sync(sys.stdin.readline)).strip()


async def show(url: str) -> None:
    print(f"open {url}", flush=True)


async def back() -> AuthorizationCodeResult:
    query = httpx.URL(await line()).params
    return AuthorizationCodeResult(code=query.get("code", ""), state=query.get("state"), iss=query.get("iss"))


async def id_token(kind: str) -> str:
    return os.environ["IDP_ID_TOKEN"]


def provider(url: str, scenario: str) -> httpx.Auth:
    redirect = AnyUrl(os.environ["REDIRECT_URI"])
    metadata = OAuthClientMetadata(
        client_name="Example",
        redirect_uris=[redirect],
        grant_types=["authorization_code", "refresh_token"],
        token_endpoint_auth_method="none",
        application_type="native",
    )
    if scenario == "machine":
        who = os.environ["MACHINE_ID"], os.environ["MACHINE_SECRET"]
        return ClientCredentialsOAuthProvider(url, Memory(), *who, issuer=os.environ["ISSUER"])
    if scenario == "company":
        company = IdentityProvider(os.environ["IDP_ISSUER"], os.environ["IDP_CLIENT_ID"])
        who = os.environ["COMPANY_APP_ID"], os.environ["COMPANY_APP_SECRET"]
        # Keycloak takes the grant without saying so.
        return EnterpriseManagedOAuthProvider(url, Memory(), *who, company, id_token, assume_grant=True)
    known = None
    if scenario == "registered":
        known = OAuthClientInformationFull(
            client_id=os.environ["CLIENT_ID"],
            issuer=os.environ["ISSUER"],
            redirect_uris=[redirect],
            token_endpoint_auth_method="none",
        )
    document = os.environ["DOCUMENT_URL"] if scenario == "document" else None
    return OAuthClientProvider(url, metadata, Memory(known), show, back, client_metadata_url=document)


def text(result: Any) -> str:
    return "".join(block.text for block in result.content)


async def main(url: str, scenario: str) -> None:
    auth = provider(url, scenario)
    async with (
        httpx.AsyncClient(auth=auth, timeout=60, trust_env=False) as http,
        streamable_http_client(url, http_client=http) as (reading, writing, _),
        ClientSession(reading, writing) as session,
    ):
        await session.initialize()
        print(json.dumps({"whoami": text(await session.call_tool("whoami", {}))}), flush=True)
        if "READS_ONLY" in os.environ:
            return
        if scenario != "refresh":
            print(json.dumps({"write": text(await session.call_tool("write", {}))}), flush=True)
            return
        print("ready", flush=True)
        await line()
        said: list[str] = []

        async def one() -> None:
            said.append(text(await session.call_tool("whoami", {})))

        async with anyio.create_task_group() as group:
            for _ in range(AT_ONCE):
                group.start_soon(one)
        print(json.dumps({"at_once": said}), flush=True)


if "LOG_EVERYTHING" in os.environ:
    logging.basicConfig(level=logging.DEBUG)
anyio.run(main, *sys.argv[1:])
