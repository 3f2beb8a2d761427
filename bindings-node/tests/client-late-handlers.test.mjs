// Requests of a server for methods that are not the protocol's: the handler is looked up when they come, over
// the package's own transports as with the official packages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client as TheirClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as TheirSse } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as TheirStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as TheirHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as theirs from '@modelcontextprotocol/client';
import * as theirsOnStdio from '@modelcontextprotocol/client/stdio';
import { Client } from 'mcpbolt/client/index.js';
import { SSEClientTransport } from 'mcpbolt/client/sse.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import * as ours from 'mcpbolt/v2/client';
import * as oursOnStdio from 'mcpbolt/v2/client/stdio';
import { z } from 'zod';
import { within } from './support/bounds.mjs';
import { officialHttp, peer } from './support/start.mjs';

const params = z.object({ x: z.number() });
const given = z.object({ method: z.literal('custom/one'), params });
const LINES = {
  '1.x': {
    kits: [
      { Client: TheirClient, SSEClientTransport: TheirSse, StdioClientTransport: TheirStdio, StreamableHTTPClientTransport: TheirHttp },
      { Client, SSEClientTransport, StdioClientTransport, StreamableHTTPClientTransport },
    ],
    handle: (client) => client.setRequestHandler(given, (request) => ({ got: request.params.x })),
  },
  '2.x': {
    kits: [{ ...theirs, ...theirsOnStdio }, { ...ours, ...oursOnStdio }],
    handle: (client) => client.setRequestHandler('custom/one', { params }, ({ x }) => ({ got: x })),
  },
};
const [http, sse] = await Promise.all([officialHttp('--http'), officialHttp('--sse')]);
const TRANSPORTS = {
  stdio: (kit) => new kit.StdioClientTransport({ command: process.execPath, args: [peer('official-server.mjs')], stderr: 'ignore' }),
  http: (kit) => new kit.StreamableHTTPClientTransport(http.url),
  sse: (kit) => new kit.SSEClientTransport(sse.url),
};

/** The results and error codes that the server gets when it asks for methods before and after there are handlers. */
async function answers(kit, open, handle) {
  const client = new kit.Client({ name: 'x', version: '1' });
  await client.connect(open(kit));
  const asked = async (method) => {
    const { content } = await within(client.callTool({ name: 'ask', arguments: { method, params: { x: 1 } } }));
    const { code, ...result } = JSON.parse(content[0].text);
    return code ?? result;
  };
  const all = [await asked('custom/one'), await asked('tools/list')];
  handle(client);
  all.push(await asked('custom/one'), await asked('custom/two'));
  client.fallbackRequestHandler = async (request) => ({ method: request.method, x: request.params.x });
  all.push(await asked('custom/one'), await asked('custom/two'));
  client.fallbackRequestHandler = undefined;
  all.push(await asked('custom/two'));
  await client.close();
  return all;
}

for (const [line, { kits, handle }] of Object.entries(LINES)) {
  for (const [name, open] of Object.entries(TRANSPORTS)) {
    test(`${line}: handlers that are set while there is a connection over ${name} answer, and the fallback`, async () => {
      const expected = [-32601, -32601, { got: 1 }, -32601, { got: 1 }, { method: 'custom/two', x: 1 }, -32601];
      for (const kit of kits) assert.deepEqual(await answers(kit, open, handle), expected);
    });
  }
}
