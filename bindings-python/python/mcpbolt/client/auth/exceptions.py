"""Errors of the client's authorization."""

from __future__ import annotations


class OAuthFlowError(Exception):
    """The authorization failed: the metadata of servers contradict each other, or the user or
    a server did not complete the flow.
    """


class OAuthTokenError(OAuthFlowError):
    """The token endpoint refused, or its answer is not a valid token."""


class OAuthRegistrationError(OAuthFlowError):
    """The registration endpoint refused, or its answer is not a valid registration."""
