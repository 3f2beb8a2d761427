"""A verifier as programs on the official package write it: PyJWT, and keys that are fetched once."""

import jwt
from mcp.server.auth.provider import AccessToken


class Verifier:
    def __init__(self, issuer: str, resource: str) -> None:
        self._keys = jwt.PyJWKClient(f"{issuer}/keys", cache_keys=True, lifespan=3600)
        self._rules = {"algorithms": ["ES256", "RS256"], "issuer": issuer, "audience": resource}

    async def verify_token(self, token: str) -> AccessToken | None:
        try:
            key = self._keys.get_signing_key_from_jwt(token)
            claims = jwt.decode(token, key, **self._rules)
        except jwt.PyJWTError:
            return None
        return AccessToken(
            token=token,
            client_id=claims["client_id"],
            scopes=claims["scope"].split(),
            expires_at=claims["exp"],
            resource=claims["aud"],
        )
