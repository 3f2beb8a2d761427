"""Text sealed with a program's own keys: AES-256-GCM, in the format of 2.x.

Owns: which keys are accepted, in the official words. Must not know: what is sealed, or the
format, which the engine has. Servers that share keys read each other's text, whichever package
they run on.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any, Protocol

from .._mcpbolt import KeyRing

__all__ = ["AESGCMRequestStateCodec", "InvalidRequestState", "RequestStateCodec"]

SECRET_BYTES = 32


class InvalidRequestState(Exception):
    """Sealed text that cannot be opened. The message is for logs; clients never see it."""


class RequestStateCodec(Protocol):
    """Turns bytes into text that only the server can make, and that should be encrypted.

    Validity and binding of the bytes are checked elsewhere.
    """

    def seal(self, payload: bytes) -> str:
        """Seal some bytes. The text has only characters that are allowed in URLs.

        Args:
            payload: The bytes.
        """
        ...

    def unseal(self, token: str) -> bytes:
        """Open a sealed text and return its bytes.

        Args:
            token: The sealed text.

        Raises:
            InvalidRequestState: The text was not made by `seal`, or was changed.
        """
        ...


class AESGCMRequestStateCodec:
    """A codec for secret keys: the first one seals, all of them open.

    Args:
        keys: Secrets of at least 32 bytes, as bytes or text.

    Raises:
        TypeError: A key is neither bytes nor text.
        ValueError: There are no keys, one is too short, or one is given twice.
    """

    def __init__(self, keys: Sequence[bytes | bytearray | str]) -> None:
        secrets = [_secret(place, key) for place, key in enumerate(keys)]
        if not secrets:
            raise ValueError("AESGCMRequestStateCodec requires at least one key")
        for place, secret in enumerate(secrets):
            if len(secret) < SECRET_BYTES:
                raise ValueError(
                    f"request-state keys must be at least {SECRET_BYTES} bytes of secret randomness; "
                    f"keys[{place}] is {len(secret)} bytes. "
                    'Generate one with: python -c "import secrets; print(secrets.token_hex(32))"'
                )
        self._ring = KeyRing(secrets)

    def seal(self, payload: bytes) -> str:
        """Seal some bytes with the first key.

        Args:
            payload: The bytes.
        """
        return self._ring.seal(payload)

    def unseal(self, token: str) -> bytes:
        """Open a sealed text with the key that sealed it, and return its bytes.

        Args:
            token: The sealed text.

        Raises:
            InvalidRequestState: None of the keys sealed it, or the text was changed.
        """
        try:
            return self._ring.open(token)
        except UnicodeEncodeError:
            raise InvalidRequestState("malformed") from None
        except ValueError as error:
            raise InvalidRequestState(str(error)) from None


def _secret(place: int, key: Any) -> bytes:
    if isinstance(key, str):
        return key.encode()
    # `bytes(number)` would be that many zeros.
    if not isinstance(key, (bytes, bytearray)):
        kind = type(key).__name__
        raise TypeError(f"request-state keys must be bytes, bytearray, or str; keys[{place}] is {kind}")
    return bytes(key)


def to_text(raw: bytes) -> str:
    """Encode bytes as base64url without padding."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def from_text(text: str) -> bytes:
    """Decode base64url text without padding.

    Raises:
        ValueError: The text is not what `to_text` writes.
    """
    raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if to_text(raw) != text:
        raise ValueError("not as it is written")
    return raw
