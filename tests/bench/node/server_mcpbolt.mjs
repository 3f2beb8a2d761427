// Ours, as its users would write it; `--mount`: in an Express program of theirs.
import { McpServer } from 'mcpbolt/server/mcp.js';
import { z } from 'zod';
import { MAX_BODY, register, SETTINGS } from './settings.mjs';

const server = new McpServer({ name: 'bench', version: '1' }, { stores: SETTINGS.stores });
register(server, z);
const engine = { 'max_message_bytes.http_body': MAX_BODY };
const sessions = SETTINGS.stateless ? 'none' : 'stateful';

if (SETTINGS.mount) {
  const { default: express } = await import('express');
  const { createHttpHandler } = await import('mcpbolt/server/http.js');
  const app = express();
  if (SETTINGS.issuer) {
    const { requireBearerAuth } = await import('mcpbolt/server/auth/middleware/bearerAuth.js');
    const { ResourceServer } = await import('mcpbolt/server/auth/resource-server.js');
    const verifier = new ResourceServer({ resource: SETTINGS.resource, issuers: [SETTINGS.issuer] });
    app.use(requireBearerAuth({ verifier, requiredScopes: ['notes'] }));
  }
  app.all('/mcp', createHttpHandler(server, { sessions, engine }));
  app.listen(SETTINGS.port, SETTINGS.host);
} else if (SETTINGS.http) {
  const { host, port } = SETTINGS;
  await server.listen({ host, port, sessions, engine });
} else {
  const { StdioServerTransport } = await import('mcpbolt/server/stdio.js');
  await server.connect(new StdioServerTransport());
}
