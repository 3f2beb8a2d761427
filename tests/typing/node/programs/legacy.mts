// HTTP+SSE and an authorization server beside a server of 2.x, as programs that came from 1.x have them.
import type { Request, Response } from 'express';
import express from 'express';
import { mcpAuthRouter, requireBearerAuth, InvalidTokenError, type OAuthServerProvider } from 'mcpbolt/server-legacy/auth';
import { SSEServerTransport } from 'mcpbolt/server-legacy/sse';
import { McpServer } from 'mcpbolt/v2/server';

declare const provider: OAuthServerProvider;
const app = express();
app.use(mcpAuthRouter({ provider, issuerUrl: new URL('http://localhost:3001'), scopesSupported: ['read'] }));
const verifier = {
  verifyAccessToken: async (token: string) => {
    if (token === '') throw new InvalidTokenError('empty');
    return { token, clientId: 'c', scopes: ['read'], expiresAt: 1 };
  },
};
app.use(requireBearerAuth({ verifier, requiredScopes: ['read'] }));
let transport: SSEServerTransport | undefined;
app.get('/sse', async (_req: Request, res: Response) => {
  transport = new SSEServerTransport('/messages', res);
  await new McpServer({ name: 'typed', version: '1.0.0' }).connect(transport);
});
app.post('/messages', (req: Request, res: Response) => transport?.handlePostMessage(req, res, req.body));
// @ts-expect-error an authorization server has an issuer
mcpAuthRouter({ provider });
