// Chapter roots.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connected, PROTOCOLS } from './support.mjs';

// [guide]
import { Client } from 'mcpbolt/client/index.js';
import { ListRootsRequestSchema } from 'mcpbolt/types.js';

/** @param {string} protocol */
function editor(protocol) {
  const capabilities = { roots: { listChanged: true } };
  const client = new Client({ name: 'editor', version: '1.0.0' }, { protocol, capabilities });
  // Asked each time: say what is open now.
  client.setRequestHandler(ListRootsRequestSchema, () => ({
    roots: [{ uri: 'file:///srv/project', name: 'The project' }],
  }));
  return client;
}
// [end]

// [guide]
import { isAbsolute, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { z } from 'zod';

const server = new McpServer({ name: 'files', version: '1.0.0' });

server.registerTool(
  'is_inside',
  { description: "Whether a path lies in one of the client's roots", inputSchema: { path: z.string() } },
  async ({ path }) => {
    const { roots } = await server.server.listRoots();
    const folders = roots.filter(({ uri }) => uri.startsWith('file:')).map(({ uri }) => fileURLToPath(uri));
    const inside = folders.some((folder) => {
      const way = relative(folder, resolve(path));
      return !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..';
    });
    return { content: [{ type: 'text', text: String(inside) }] };
  },
);
// [end]

for (const protocol of PROTOCOLS) {
  test(`a server checks its paths against the roots, ${protocol}`, async () => {
    const client = await connected(server, editor(protocol));
    const found = { '/srv/project/a.txt': 'true', '/srv/project': 'true', '/srv/project/../b.txt': 'false', '/etc': 'false' };
    for (const [path, text] of Object.entries(found)) {
      const { content } = await client.callTool({ name: 'is_inside', arguments: { path } });
      assert.deepEqual(content, [{ type: 'text', text }], path);
    }
  });
}
