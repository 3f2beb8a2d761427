// A server of the official 1.x package, for clients to talk to. Over stdio, or over HTTP:
// `--http` (sessions), `--stateless`, `--sse`; it prints its URL on stderr then.
import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as types from '@modelcontextprotocol/sdk/types.js';
import express from 'express';

const text = (value) => ({ content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }] });
const empty = { type: 'object' };
const TOOLS = [
  { name: 'echo', description: 'Says it again', inputSchema: { type: 'object', properties: { text: { type: 'string' } } }, annotations: { readOnlyHint: true } },
  { name: 'sum', inputSchema: empty, outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] } },
  { name: 'wrong', inputSchema: empty, outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] } },
  { name: 'missing', inputSchema: empty, outputSchema: { type: 'object' } },
  { name: 'task', inputSchema: empty, execution: { taskSupport: 'required' } },
  { name: 'hang', inputSchema: empty },
  { name: 'slow', inputSchema: empty },
  { name: 'fail', inputSchema: empty },
  { name: 'ask', inputSchema: empty },
  { name: 'exit', inputSchema: empty },
];

/** One server; each connection has its own. */
function makeServer() {
  let more = 0;
  const server = new Server(
    { name: 'official', version: '1.2.3', title: 'Official' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
        ...(process.argv.includes('--tasks') && { tasks: {} }),
      },
      instructions: 'Be kind.',
    },
  );
  const calls = {
    echo: ({ text: said }) => text(said),
    sum: () => ({ ...text('3'), structuredContent: { sum: 3 } }),
    wrong: () => ({ ...text('no'), structuredContent: { sum: 'three' } }),
    missing: () => text('nothing'),
    fail: ({ code = -32000, message = 'no', data }) => {
      throw new types.McpError(code, message, data);
    },
    hang: (_, extra) =>
      new Promise((resolve) => {
        process.stderr.write('hanging\n');
        extra.signal.addEventListener('abort', () => {
          process.stderr.write(`aborted ${extra.signal.reason}\n`);
          resolve(text('aborted'));
        });
      }),
    // Answers after `steps` reports of progress, `wait` milliseconds apart.
    slow: async ({ steps = 3, wait = 10 }, extra) => {
      for (let step = 1; step <= steps; step++) {
        await new Promise((resolve) => setTimeout(resolve, wait));
        const progressToken = extra._meta?.progressToken;
        if (progressToken === undefined) continue;
        const params = { progressToken, progress: step, total: steps, message: `step ${step}` };
        await extra.sendNotification({ method: 'notifications/progress', params });
      }
      return text('done');
    },
    ask: async ({ method, params, schema = 'ResultSchema' }, extra) => {
      try {
        return text(await extra.sendRequest({ method, params }, types[schema] ?? types.ResultSchema));
      } catch (error) {
        return text({ code: error.code, message: error.message, data: error.data });
      }
    },
    exit: ({ code = 7 }) => process.exit(code),
    more: () => text('more'),
    async grow() {
      more += 1;
      await server.sendToolListChanged();
      return text(String(more));
    },
    async say({ method, params }) {
      await server.notification({ method, params });
      return text('said');
    },
    // A message of any kind, as it is.
    async raw({ message }) {
      await server.transport.send(message);
      return text('sent');
    },
    async session(_, extra) {
      return text({ sessionId: extra.sessionId ?? null, headers: extra.requestInfo?.headers ?? null });
    },
  };
  server.setRequestHandler(types.ListToolsRequestSchema, ({ params }) => {
    if (params?.cursor === 'second') return { tools: [{ name: 'last', inputSchema: empty }] };
    const grown = Array.from({ length: more }, (_, at) => ({ name: `more${at}`, inputSchema: empty }));
    return { tools: [...TOOLS, ...grown], ...(process.argv.includes('--pages') && { nextCursor: 'second' }) };
  });
  server.setRequestHandler(types.CallToolRequestSchema, ({ params }, extra) => {
    const call = calls[params.name];
    if (call === undefined) throw new types.McpError(types.ErrorCode.InvalidParams, `Tool ${params.name} not found`);
    return call(params.arguments ?? {}, extra);
  });
  server.setRequestHandler(types.ListResourcesRequestSchema, () => ({ resources: [{ uri: 'note://one', name: 'one' }] }));
  server.setRequestHandler(types.ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [{ uriTemplate: 'note://{id}', name: 'note' }] }));
  server.setRequestHandler(types.ReadResourceRequestSchema, ({ params }) => {
    if (params.uri !== 'note://one') throw new types.McpError(-32002, 'Resource not found', { uri: params.uri });
    return { contents: [{ uri: params.uri, mimeType: 'text/plain', text: 'first' }] };
  });
  server.setRequestHandler(types.SubscribeRequestSchema, async ({ params }) => {
    setImmediate(() => void server.sendResourceUpdated({ uri: params.uri }));
    return {};
  });
  server.setRequestHandler(types.UnsubscribeRequestSchema, () => ({}));
  server.setRequestHandler(types.ListPromptsRequestSchema, () => ({ prompts: [{ name: 'greet', arguments: [{ name: 'name', required: true }] }] }));
  server.setRequestHandler(types.GetPromptRequestSchema, ({ params }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Hello ${params.arguments?.name}` } }],
  }));
  server.setRequestHandler(types.CompleteRequestSchema, ({ params }) => ({ completion: { values: [`${params.argument.value}!`] } }));
  return server;
}

async function listen(app) {
  const listener = app.listen(0, '127.0.0.1', () => process.stderr.write(`http://127.0.0.1:${listener.address().port}/mcp\n`));
}

/** Streamable HTTP; `DELETE /sessions` makes the server forget them, without a word. */
async function serveHttp(stateful) {
  const sessions = new Map();
  const app = express();
  const seen = [];
  app.use(express.json());
  app.get('/seen', (_, res) => res.json(seen));
  app.delete('/sessions', (_, res) => {
    sessions.clear();
    res.end();
  });
  app.all('/mcp', async (req, res) => {
    seen.push(`${req.method} ${req.body?.method ?? ''}`.trim());
    const id = req.headers['mcp-session-id'];
    let transport = sessions.get(id);
    if (transport === undefined && stateful && id !== undefined) {
      return void res.status(404).json({ jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } });
    }
    if (transport === undefined) {
      const sessionIdGenerator = stateful ? randomUUID : undefined;
      transport = new StreamableHTTPServerTransport({ sessionIdGenerator, onsessioninitialized: (made) => void sessions.set(made, transport) });
      await makeServer().connect(transport);
    }
    await transport.handleRequest(req, res, req.body);
  });
  await listen(app);
}

async function serveSse() {
  const sessions = new Map();
  const app = express();
  app.get('/mcp', async (_, res) => {
    const transport = new SSEServerTransport('/messages', res);
    sessions.set(transport.sessionId, transport);
    await makeServer().connect(transport);
  });
  app.post('/messages', (req, res) => sessions.get(req.query.sessionId).handlePostMessage(req, res));
  await listen(app);
}

if (process.argv.includes('--http')) await serveHttp(true);
else if (process.argv.includes('--stateless')) await serveHttp(false);
else if (process.argv.includes('--sse')) await serveSse();
else await makeServer().connect(new StdioServerTransport());
