// A server that offers more once it knows the client: who asks in the same breath sees it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { createInterface } from 'node:readline';

const PROGRAM = `
  import { McpServer } from 'mcpbolt/server/mcp.js';
  import { StdioServerTransport } from 'mcpbolt/server/stdio.js';
  const server = new McpServer({ name: 'greeter', version: '1' });
  server.registerTool('always', {}, () => ({ content: [] }));
  server.server.oninitialized = () => {
    if (server.server.getClientCapabilities().roots) server.registerTool('with-roots', {}, () => ({ content: [] }));
  };
  await server.connect(new StdioServerTransport());
`;

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo: { name: 'hasty', version: '1' } },
};

test('tools of the handshake are listed to a client that does not wait', { timeout: 60_000 }, async () => {
  const server = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    cwd: import.meta.dirname,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said = [
    initialize,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  ];
  server.stdin.write(said.map((message) => `${JSON.stringify(message)}\n`).join(''));
  for await (const line of createInterface(server.stdout)) {
    const { id, result } = JSON.parse(line);
    if (id !== 2) continue;
    assert.deepEqual(result.tools.map(({ name }) => name), ['always', 'with-roots']);
    break;
  }
  server.stdin.end();
});
