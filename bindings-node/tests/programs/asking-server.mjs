// A low-level server whose tools ask the client, on standard streams.
import { fileURLToPath } from 'node:url';
import { Server } from 'mcpbolt/server/index.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';
import { CallToolRequestSchema, ElicitResultSchema, ListToolsRequestSchema } from 'mcpbolt/types.js';

const FORM = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const messages = [{ role: 'user', content: { type: 'text', text: 'say hi' } }];
const elicit = { message: 'who?', requestedSchema: FORM };

/** A server whose tools are these questions. */
export function askingServer() {
  const server = new Server({ name: 'asking', version: '1' }, { capabilities: { tools: { listChanged: true }, logging: {} }, instructions: 'ask' });
  const held = [];
  const tools = {
    echo: async (_extra, args) => args.text,
    elicit: async () => (await server.elicitInput(elicit)).content.name,
    sample: async () => (await server.createMessage({ messages, maxTokens: 10 })).content.text,
    roots: async () => (await server.listRoots()).roots[0].uri,
    extra: async (extra) => (await extra.sendRequest({ method: 'elicitation/create', params: elicit }, ElicitResultSchema)).action,
    both: async () => {
      const [{ content }, { roots }] = await Promise.all([server.elicitInput(elicit), server.listRoots()]);
      return `${content.name} ${roots.length}`;
    },
    twice: async () => `${(await server.elicitInput(elicit)).content.name} ${(await server.listRoots()).roots.length}`,
    client: async () => `${server.getClientVersion().name} ${Object.keys(server.getClientCapabilities()).sort()}`,
    hold: () => new Promise((resolve) => held.push(() => resolve('released'))),
    release: async () => `${held.splice(0).map((release) => release()).length} released`,
    fail: async () => {
      throw new Error('it broke');
    },
  };
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: Object.keys(tools).map((name) => ({ name, inputSchema })) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    await extra.sendNotification({ method: 'notifications/progress', params: { progressToken: extra._meta?.progressToken ?? 0, progress: 1, total: 1 } });
    return { content: [{ type: 'text', text: String(await tools[params.name](extra, params.arguments)) }] };
  });
  return server;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await askingServer().connect(new StdioServerTransport());
