"""Verifiers and tokens of the OAuth client by themselves."""

import asyncio
import time
from typing import Any

import httpx
import pytest
from mcpbolt.client.auth.utils import handle_token_response_scopes
from test_client_auth_official import Storage, User, package, with_user


def test_verifiers_are_fresh_and_long_enough():
    make = package("mcpbolt").oauth.PKCEParameters.generate
    one, other = make(), make()
    assert one.code_verifier != other.code_verifier
    assert 43 <= len(one.code_verifier) <= 128


def test_tokens_that_have_ended_are_not_valid():
    of = package("mcpbolt")
    provider = with_user(of, Storage(), User())
    provider.context.current_tokens = of.auth.OAuthToken(access_token="x")
    provider.context.token_expiry_time = time.time() + 60
    assert provider.context.is_token_valid()
    provider.context.token_expiry_time = time.time() - 1
    assert not provider.context.is_token_valid()


@pytest.mark.parametrize("sent", [None, ("code", "verifier"), httpx.Request("POST", "https://a.test/token")])
def test_a_token_is_read_whatever_the_response_says_it_answers(sent: Any):
    response = httpx.Response(200, json={"access_token": "x", "token_type": "Bearer"}, request=sent)
    token = asyncio.run(handle_token_response_scopes(response))
    assert token.access_token == "x"
