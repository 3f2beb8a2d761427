// Tokens checked by the middleware of the official package 1.32.
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import { ARGS, byMiddleware, run } from './checks.mjs';
import { verifier } from './verifier.mjs';

const theirs = verifier(ARGS.issuer, ARGS.resource, () => new InvalidTokenError('it is not good'));
await run(byMiddleware(requireBearerAuth({ verifier: theirs, requiredScopes: ['notes'] })));
