// Tokens checked by the middleware of the official packages 2.4.
import { requireBearerAuth } from '@modelcontextprotocol/express';
import { OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';
import { ARGS, byMiddleware, run } from './checks.mjs';
import { verifier } from './verifier.mjs';

const theirs = verifier(ARGS.issuer, ARGS.resource, () => new OAuthError(OAuthErrorCode.InvalidToken, 'it is not good'));
await run(byMiddleware(requireBearerAuth({ verifier: theirs, requiredScopes: ['notes'] })));
