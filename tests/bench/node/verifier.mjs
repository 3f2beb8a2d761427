// A verifier as programs on the official packages write it: `jose`, and keys that are fetched once.
import { createRemoteJWKSet, jwtVerify } from 'jose';

/** `refusal` makes the package's error of a token that is not good. */
export function verifier(issuer, audience, refusal) {
  const keys = createRemoteJWKSet(new URL(`${issuer}/keys`));
  return {
    async verifyAccessToken(token) {
      const found = await jwtVerify(token, keys, { issuer, audience }).catch(() => {
        throw refusal();
      });
      const { client_id: clientId, scope, exp: expiresAt } = found.payload;
      return { token, clientId, scopes: scope.split(' '), expiresAt };
    },
  };
}
