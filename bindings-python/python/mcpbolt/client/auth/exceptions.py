"""Errors on the way to an OAuth token."""

from __future__ import annotations


class OAuthFlowError(Exception):
    """No token could be had: a server's documents contradict each other, or a step was refused."""


class OAuthTokenError(OAuthFlowError):
    """The token endpoint refused, or its answer is not a token."""


class OAuthRegistrationError(OAuthFlowError):
    """The registration endpoint refused, or its answer is not a registration."""
