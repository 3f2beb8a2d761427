// The server that is attacked, on Node: `node served.mjs stdio | http PORT | express PORT`.
// `ATTACKED` holds what it is told, as in served.py.

import http from 'node:http';
import express from 'express';
import { createHttpHandler } from 'mcpbolt/server/http.js';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { SSEServerTransport } from 'mcpbolt/server/sse.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';
import { z } from 'zod';

const { limits = {}, sessions, trusted_proxies: trustedProxies, half_open: halfOpen } = JSON.parse(process.env.ATTACKED ?? '{}');
const counts = { now: 0, most: 0, confirmed: 0 };
const ms = (seconds) => seconds && seconds * 1000;
const text = (words) => ({ content: [{ type: 'text', text: words }] });

function attacked() {
  const mcp = new McpServer({ name: 'attacked', version: '1.0.0' }, { engine: limits });
  const tool = (name, inputSchema, run) => mcp.registerTool(name, { description: name, inputSchema }, run);
  tool('echo', { text: z.string() }, ({ text: words }) => text(words));
  tool('big', { size: z.number() }, ({ size }) => text('x'.repeat(size)));
  tool('hold', { seconds: z.number() }, async ({ seconds }) => {
    counts.now += 1;
    counts.most = Math.max(counts.most, counts.now);
    await new Promise((done) => setTimeout(done, seconds * 1000));
    counts.now -= 1;
    return text('held');
  });
  tool('counted', {}, () => text(JSON.stringify(counts)));
  tool('confirm', {}, (_, extra) => {
    if (Object.keys(extra.inputResponses ?? {}).length > 0) {
      counts.confirmed += 1;
      return text('done');
    }
    const requestedSchema = { type: 'object', properties: { ok: { type: 'boolean' } } };
    const pay = { method: 'elicitation/create', params: { message: 'Pay?', requestedSchema } };
    return { resultType: 'input_required', inputRequests: { pay }, requestState: 'asked' };
  });
  tool('nan', {}, () => ({ ...text('NaN'), structuredContent: { value: NaN } }));
  tool('surrogate', {}, () => {
    throw new Error('not text: \ud800');
  });
  return mcp;
}

const [how, port] = process.argv.slice(2);
const mcp = attacked();
const options = { sessions, trustedProxies, halfOpen, sse: true };
if (how === 'stdio') {
  await mcp.connect(new StdioServerTransport());
} else if (how === 'http') {
  await mcp.listen({ ...options, port: Number(port) });
} else {
  const app = express();
  app.all('/mcp', createHttpHandler(mcp, { sessions, halfOpen, trustedProxies }));
  const streams = new Map();
  app.get('/sse', async (request, response) => {
    const transport = new SSEServerTransport('/messages', response);
    streams.set(transport.sessionId, transport);
    await attacked().connect(transport);
  });
  app.post('/messages', (request, response) => streams.get(request.query.sessionId).handlePostMessage(request, response));
  // What docs/guide/deploy.md tells a program that has its own web server.
  const times = { headersTimeout: ms(limits.head_timeout), requestTimeout: ms(limits.body_deadline), connectionsCheckingInterval: 200 };
  http.createServer(times, app).listen(Number(port), '127.0.0.1');
}
