// Servers on streams and transports that the program brings, beside the official packages.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import * as theirMcp from '@modelcontextprotocol/sdk/server/mcp.js';
import * as theirStdio from '@modelcontextprotocol/sdk/server/stdio.js';
import * as theirServer from '@modelcontextprotocol/server';
import * as theirServing from '@modelcontextprotocol/server/stdio';
import * as ourMcp from 'mcpbolt/server/mcp.js';
import * as ourStdio from 'mcpbolt/server/stdio.js';
import * as ourServer from 'mcpbolt/v2/server';
import * as ourServing from 'mcpbolt/v2/server/stdio';
import { within } from './support/peer.mjs';
import { Played } from './support/played.mjs';

const self = { name: 'x', version: '1' };
const KEY = 'io.modelcontextprotocol/';
const modern = { [`${KEY}protocolVersion`]: '2026-07-28', [`${KEY}clientInfo`]: self, [`${KEY}clientCapabilities`]: {} };
const MODERN_FIRST = ['server/discover', { _meta: modern }];
const LEGACY_FIRST = ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: self }];

test('streams of the program have the bound of their transport', async () => {
  const run = async ({ McpServer }, { StdioServerTransport }) => {
    const seen = [];
    const [input, output] = [new PassThrough(), new PassThrough()];
    const server = new McpServer(self);
    server.server.onerror = (error) => seen.push(error.message);
    const closed = new Promise((done) => (server.server.onclose = done));
    await server.connect(new StdioServerTransport(input, output, { maxBufferSize: 300 }));
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: LEGACY_FIRST[0], params: LEGACY_FIRST[1] })}\n`);
    const [answer] = await within(once(output, 'data'));
    seen.push(JSON.parse(answer).id);
    input.write(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"${'x'.repeat(400)}"}}\n`);
    await within(closed);
    return seen;
  };
  const theirs = await run(theirMcp, theirStdio);
  assert.deepEqual(theirs, [0, 'ReadBuffer exceeded maximum size of 300 bytes']);
  assert.deepEqual(await run(ourMcp, ourStdio), theirs);
});

/** Which eras a factory is told for a first message over a transport of the program. */
async function eras({ McpServer }, { serveStdio }, [method, params]) {
  const seen = [];
  const played = new Played();
  const started = new Promise((done) => (played.start = async () => done()));
  const factory = ({ era }) => {
    seen.push(era);
    return new McpServer(self);
  };
  const serving = serveStdio(factory, { transport: played });
  await within(started);
  seen.push('started');
  const { result } = await played.ask(method, params);
  seen.push(result.protocolVersion ?? result.supportedVersions[0]);
  await serving.close();
  return seen;
}

test('over a transport of the program, the first message says for which era the server is', async () => {
  for (const [first, era, revision] of [
    [MODERN_FIRST, 'modern', '2026-07-28'],
    [LEGACY_FIRST, 'legacy', '2025-11-25'],
  ]) {
    const theirs = await eras(theirServer, theirServing, first);
    assert.deepEqual(theirs, ['started', era, revision]);
    assert.deepEqual(await eras(ourServer, ourServing, first), theirs);
  }
});

test('a transport that is closed before its first message needs no server', async () => {
  const made = async ({ serveStdio }) => {
    let count = 0;
    const played = new Played();
    const started = new Promise((done) => (played.start = async () => done()));
    const ended = new Promise((done) => (played.close = async () => done(played.onclose?.())));
    const serving = serveStdio((context) => count++ || context, { transport: played });
    await within(started);
    await serving.close();
    await within(ended);
    return count;
  };
  assert.deepEqual(await made(ourServing), await made(theirServing));
});
