// Servers of 1.x as people write them.
import { McpServer, ResourceTemplate, type RegisteredTool } from 'mcpbolt/server/mcp.js';
import { Server } from 'mcpbolt/server/index.js';
import { completable } from 'mcpbolt/server/completable.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';
import { StreamableHTTPServerTransport } from 'mcpbolt/server/streamableHttp.js';
import type { RequestHandlerExtra } from 'mcpbolt/shared/protocol.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
  type ServerNotification,
  type ServerRequest,
  type Tool,
} from 'mcpbolt/types.js';
import { z } from 'zod';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <T extends true>(value?: T): T | undefined => value;

const mcp = new McpServer({ name: 'typed', version: '1.0.0' }, { capabilities: { logging: {} } });
const added: RegisteredTool = mcp.registerTool(
  'add',
  { description: 'adds', inputSchema: { a: z.number(), b: z.number().optional() }, outputSchema: { sum: z.number() } },
  async ({ a, b }, extra) => {
    same<Equal<typeof a, number>>();
    same<Equal<typeof b, number | undefined>>();
    extra.signal.throwIfAborted();
    await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data: a } });
    return { content: [{ type: 'text', text: String(a) }], structuredContent: { sum: a + (b ?? 0) } };
  },
);
added.disable();
added.update({ description: 'adds again', enabled: true });
mcp.registerTool('whole', { inputSchema: z.object({ name: z.string() }) }, ({ name }) => ({ content: [{ type: 'text', text: name.trim() }] }));
mcp.tool('old', { name: z.string() }, ({ name }): CallToolResult => ({ content: [{ type: 'text', text: name }] }));
mcp.tool('older', 'without arguments', () => ({ content: [] }));
mcp.registerResource('fixed', 'test://fixed', { mimeType: 'text/plain' }, (uri) => ({ contents: [{ uri: uri.href, text: '' }] }));
const template = new ResourceTemplate('test://{id}', { list: undefined, complete: { id: (value) => [value] } });
mcp.registerResource('items', template, {}, (uri, { id }) => ({ contents: [{ uri: uri.href, text: String(id) }] }));
mcp.registerPrompt('hello', { argsSchema: { name: completable(z.string(), (value) => [value]) } }, ({ name }) => ({
  messages: [{ role: 'user', content: { type: 'text', text: name } }],
}));

const server = new Server({ name: 'typed', version: '1.0.0' }, { capabilities: { tools: {} } });
const tools: Tool[] = [{ name: 'echo', inputSchema: { type: 'object' } }];
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
server.setRequestHandler(CallToolRequestSchema, async (request, extra: RequestHandlerExtra<ServerRequest, ServerNotification>) => {
  same<Equal<typeof request.params.name, string>>();
  if (extra.sessionId === undefined) throw new McpError(ErrorCode.InvalidParams, 'no session');
  return { content: [{ type: 'text', text: request.params.name }] };
});
// A schema of the program's own.
const Own = z.object({ method: z.literal('own/method'), params: z.object({ n: z.number() }) });
server.setRequestHandler(Own, ({ params }) => ({ twice: params.n * 2 }));

// @ts-expect-error a result of a tool has content blocks of known types
mcp.registerTool('bad', {}, () => ({ content: [{ type: 'txt', text: '' }] }));
// @ts-expect-error there is no argument c
mcp.registerTool('worse', { inputSchema: { a: z.number() } }, ({ c }) => ({ content: [{ type: 'text', text: String(c) }] }));
// @ts-expect-error a result is an object
server.setRequestHandler(ListToolsRequestSchema, () => 'none');
// @ts-expect-error a server has a name
new Server({ version: '1.0.0' });

await mcp.connect(new StdioServerTransport());
await server.connect(new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'id', enableJsonResponse: true }));
