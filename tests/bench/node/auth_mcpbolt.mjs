// Tokens checked by ours.
import { requireBearerAuth } from 'mcpbolt/server/auth/middleware/bearerAuth.js';
import { ResourceServer } from 'mcpbolt/server/auth/resource-server.js';
import { ARGS, byMiddleware, run } from './checks.mjs';

const verifier = new ResourceServer({ resource: ARGS.resource, issuers: [ARGS.issuer] });
await run(byMiddleware(requireBearerAuth({ verifier, requiredScopes: ['notes'] })));
