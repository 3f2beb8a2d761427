// Servers and clients of 2.x as people write them.
import { createServer } from 'node:http';
import { Client, StreamableHTTPClientTransport, SdkError, SdkErrorCode, type McpSubscription } from 'mcpbolt/v2/client';
import { toNodeHandler } from 'mcpbolt/v2/node';
import {
  acceptedContent,
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  Server,
  type CallToolResult,
  type ServerContext,
} from 'mcpbolt/v2/server';
import { serveStdio } from 'mcpbolt/v2/server/stdio';
import { z } from 'zod';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <T extends true>(value?: T): T | undefined => value;

function make(): McpServer {
  const mcp = new McpServer({ name: 'typed', version: '1.0.0' }, { instructions: 'none' });
  mcp.registerTool('add', { inputSchema: z.object({ a: z.number(), b: z.number().default(1) }) }, async ({ a, b }, ctx) => {
    same<Equal<typeof b, number>>();
    same<Equal<typeof ctx, ServerContext>>();
    await ctx.mcpReq.log('info', a);
    return { content: [{ type: 'text', text: String(a + b) }] };
  });
  mcp.registerTool('named', { inputSchema: fromJsonSchema<{ name: string }>({ type: 'object' }) }, ({ name }) => ({
    content: [{ type: 'text', text: name.trim() }],
  }));
  mcp.registerTool('numbers', { outputSchema: z.array(z.number()) }, () => ({ content: [], structuredContent: [1, 2] }));
  mcp.registerTool('ask', {}, (ctx) => {
    const Sure = z.object({ ok: z.boolean() });
    const sure = acceptedContent(ctx.mcpReq.inputResponses, 'sure', Sure);
    if (sure === undefined) {
      return inputRequired({ inputRequests: { sure: inputRequired.elicit({ message: '?', requestedSchema: Sure }) } });
    }
    return { content: [{ type: 'text', text: String(sure.ok) }] };
  });
  mcp.registerResource('items', new ResourceTemplate('test://{id}', { list: undefined }), {}, (uri, { id }) => ({
    contents: [{ uri: uri.href, text: String(id) }],
  }));
  mcp.registerPrompt('hello', { argsSchema: z.object({ name: z.string() }) }, ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: name } }],
  }));
  return mcp;
}

const server = new Server({ name: 'typed', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler('tools/list', () => ({ tools: [] }));
server.setRequestHandler('tools/call', (request): CallToolResult => ({ content: [{ type: 'text', text: request.params.name }] }));
server.setRequestHandler('own/method', { params: z.object({ n: z.number() }), result: z.object({ m: z.number() }) }, ({ n }) => ({ m: n }));
server.setNotificationHandler('notifications/initialized', () => undefined);
// @ts-expect-error lists of tools are lists
server.setRequestHandler('tools/list', () => ({ tools: 1 }));

const handler = createMcpHandler(({ era, authInfo }) => (era === 'modern' || authInfo ? make() : server), { legacy: 'stateless' });
createServer(toNodeHandler(handler)).listen(0);
serveStdio(make);
handler.notify.toolsChanged();

const client = new Client({ name: 'typed', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp')));
const { tools } = await client.listTools();
const listed = await client.request({ method: 'prompts/list' });
same<Equal<(typeof listed.prompts)[number]['name'], string>>();
const own = await client.request({ method: 'own/method' }, z.object({ m: z.number() }));
const subscription: McpSubscription = await client.listen({ toolsListChanged: true });
try {
  await client.callTool({ name: tools[0]!.name }, { timeout: 10 });
} catch (error) {
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) throw error;
  if (error instanceof ProtocolError && error.code === ProtocolErrorCode.InvalidParams) console.error(error.data);
}
console.log(own.m, await subscription.closed);
