"""Text sealed with a program's own keys: AES-256-GCM, in the format of 2.x.

Owns: keys and their derivation, and the format of the text. Must not know: what is sealed.
Servers that share keys read each other's text, whichever package they run on. `cryptography`
is imported when something is sealed for the first time.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, Protocol

__all__ = ["AESGCMRequestStateCodec", "InvalidRequestState", "RequestStateCodec"]

_PREFIX = "v1."
_KEY_LABEL = b"mcp/request-state/v1/aes-256-gcm"
_ID_LABEL = b"mcp/request-state/v1/kid:"
_ID, _NONCE, _TAG = 4, 12, 16
SECRET_BYTES = 32


class InvalidRequestState(Exception):
    """Sealed text that cannot be opened. The message is for logs; clients never see it."""


class RequestStateCodec(Protocol):
    """Turns bytes into text that only the server can make, and that should be encrypted.

    Validity and binding of the bytes are checked elsewhere.
    """

    def seal(self, payload: bytes) -> str:
        """Seal some bytes. The text has only characters that are allowed in URLs."""
        ...

    def unseal(self, token: str) -> bytes:
        """Open a sealed text and return its bytes.

        Raises:
            InvalidRequestState: The text was not made by `seal`, or was changed.
        """
        ...


class AESGCMRequestStateCodec:
    """A codec for secret keys: the first one seals, all of them open.

    Raises:
        TypeError: A key is neither bytes nor text.
        ValueError: There are no keys, one is too short, or one is given twice.
        ImportError: `cryptography` is not installed.
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
        if find_spec("cryptography") is None:
            raise ImportError("keys for requestState need cryptography: install mcpbolt[auth]")
        # By the key id that the text contains.
        self._keys: dict[bytes, bytes] = {}
        self._ciphers: dict[bytes, Any] = {}
        for place, secret in enumerate(secrets):
            key = _derived(secret)
            name = hashlib.sha256(_ID_LABEL + key).digest()[:_ID]
            if name in self._keys:
                raise ValueError(f"keys[{place}] duplicates an earlier ring key")
            self._keys[name] = key
        self._first = next(iter(self._keys))

    def _cipher(self, name: bytes) -> Any:
        cipher = self._ciphers.get(name)
        if cipher is None:
            from cryptography.hazmat.primitives.ciphers.aead import AESGCM

            cipher = self._ciphers[name] = AESGCM(self._keys[name])
        return cipher

    def seal(self, payload: bytes) -> str:
        """Seal some bytes with the first key."""
        name, nonce = self._first, os.urandom(_NONCE)
        sealed: bytes = self._cipher(name).encrypt(nonce, payload, _PREFIX.encode() + name)
        return _PREFIX + to_text(name + nonce + sealed)

    def unseal(self, token: str) -> bytes:
        """Open a sealed text with the key that sealed it, and return its bytes.

        Raises:
            InvalidRequestState: None of the keys sealed it, or the text was changed.
        """
        raw = _raw(token)
        name, nonce, sealed = raw[:_ID], raw[_ID : _ID + _NONCE], raw[_ID + _NONCE :]
        if name not in self._keys:
            raise InvalidRequestState("unknown key")
        from cryptography.exceptions import InvalidTag

        try:
            opened: bytes = self._cipher(name).decrypt(nonce, sealed, _PREFIX.encode() + name)
        except InvalidTag:
            raise InvalidRequestState("seal") from None
        return opened


def _secret(place: int, key: Any) -> bytes:
    if isinstance(key, str):
        return key.encode()
    # `bytes(number)` would be that many zeros.
    if not isinstance(key, (bytes, bytearray)):
        kind = type(key).__name__
        raise TypeError(f"request-state keys must be bytes, bytearray, or str; keys[{place}] is {kind}")
    return bytes(key)


def _derived(secret: bytes) -> bytes:
    """HKDF with SHA-256 (RFC 5869), without a salt; the length is that of one digest."""
    extracted = hmac.digest(bytes(hashlib.sha256().digest_size), secret, "sha256")
    return hmac.digest(extracted, _KEY_LABEL + b"\x01", "sha256")


def _raw(token: str) -> bytes:
    raw = b""
    if token.startswith(_PREFIX):
        try:
            raw = from_text(token[len(_PREFIX) :])
        except ValueError:
            raw = b""
    if len(raw) < _ID + _NONCE + _TAG:
        raise InvalidRequestState("malformed")
    return raw


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
