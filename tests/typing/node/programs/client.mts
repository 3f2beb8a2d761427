// Clients of 1.x as people write them.
import { Client } from 'mcpbolt/client/index.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import type { Transport } from 'mcpbolt/shared/transport.js';
import {
  CallToolResultSchema,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListToolsResultSchema,
  LoggingMessageNotificationSchema,
  type ListToolsResult,
  type Tool,
} from 'mcpbolt/types.js';
import { z } from 'zod';

const client = new Client({ name: 'typed', version: '1.0.0' }, { capabilities: { sampling: {}, elicitation: {} } });
client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => ({
  model: 'none',
  role: 'assistant',
  content: { type: 'text', text: `${params.messages.length} messages` },
}));
client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({ action: params.message === '' ? 'decline' : 'accept', content: {} }));
client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => console.error(params.level, params.data));

const transport: Transport = new StdioClientTransport({ command: 'node', args: ['server.mjs'], env: {} });
await client.connect(transport, { timeout: 1000 });
const { tools, nextCursor } = await client.listTools();
const first: Tool | undefined = tools[0];
const cursor: string | undefined = nextCursor;
const result = await client.callTool({ name: first?.name ?? '', arguments: { cursor } }, CallToolResultSchema, {
  onprogress: ({ progress, total }) => console.error(progress, total),
  resetTimeoutOnProgress: true,
});
const listed: ListToolsResult = await client.request({ method: 'tools/list' }, ListToolsResultSchema);
const own = await client.request({ method: 'own/method', params: {} }, z.object({ n: z.number() }));
const n: number = own.n;

// What zod says of our schemas.
type Call = z.infer<typeof CallToolResultSchema>;
const call: Call = { content: [] };
const checked = ListToolsResultSchema.safeParse({});
if (checked.success) checked.data.tools.length;
else checked.error.issues.length;

// @ts-expect-error a tool has a name
await client.callTool({ arguments: {} });
// @ts-expect-error an answer is an object
client.setRequestHandler(ElicitRequestSchema, () => 'yes');

await new Client({ name: 'typed', version: '1.0.0' }).connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp')));
console.log(result, listed, n, call);
