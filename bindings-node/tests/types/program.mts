// What programs of the 1.x face write with types and schemas. It compiles with this package
// and, with its import lines changed, with the official one.
import { Client } from 'mcpbolt/client/index.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { Server } from 'mcpbolt/server/index.js';
import type { RequestHandlerExtra } from 'mcpbolt/shared/protocol.js';
import type { Transport } from 'mcpbolt/shared/transport.js';
import {
  CallToolRequestSchema,
  CallToolResultSchema,
  CompatibilityCallToolResultSchema,
  CompleteRequestSchema,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  EmptyResultSchema,
  ErrorCode,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  JSONRPCMessageSchema,
  LATEST_PROTOCOL_VERSION,
  ListResourcesRequestSchema,
  ListRootsRequestSchema,
  ListToolsRequestSchema,
  ListToolsResultSchema,
  LoggingLevelSchema,
  LoggingMessageNotificationSchema,
  McpError,
  ProgressNotificationSchema,
  ReadResourceRequestSchema,
  ResultSchema,
  ToolSchema,
  UrlElicitationRequiredError,
  assertCompleteRequestPrompt,
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type CallToolRequest,
  type CallToolResult,
  type ClientCapabilities,
  type ContentBlock,
  type CreateMessageResult,
  type GetPromptResult,
  type Implementation,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type ListToolsResult,
  type LoggingLevel,
  type Notification,
  type Prompt,
  type Request,
  type Resource,
  type Result,
  type SamplingMessage,
  type ServerNotification,
  type ServerRequest,
  type Tool,
} from 'mcpbolt/types.js';
import * as z from 'zod';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const same = <A, B>(_yes: Same<A, B>): void => undefined;

// Types of schemas

type Inferred = z.infer<typeof CallToolRequestSchema>;
same<Inferred, CallToolRequest>(true);
same<z.infer<typeof ToolSchema>['inputSchema'], Tool['inputSchema']>(true);
same<z.output<typeof LoggingLevelSchema>, LoggingLevel>(true);
type ToolInput = z.infer<typeof ToolSchema.shape.inputSchema>;
same<z.infer<typeof CallToolRequestSchema.shape.params.shape.name>, string>(true);
const input: ToolInput = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };

// Data

const tools: Tool[] = [
  {
    name: 'add',
    title: 'Add',
    description: 'Adds',
    inputSchema: input,
    outputSchema: { type: 'object', properties: { sum: { type: 'number' } } },
    annotations: { readOnlyHint: true, destructiveHint: false },
    _meta: { anything: [1] },
  },
  { name: 'other', inputSchema: { type: 'object', properties: {}, additionalProperties: false, $schema: 'http://json-schema.org/draft-07/schema#' } },
];
const prompts: Record<string, Prompt> = { one: { name: 'one', arguments: [{ name: 'a', required: true }] } };
const resources: Resource[] = [{ uri: 'file:///a', name: 'a', mimeType: 'text/plain', annotations: { audience: ['user'], priority: 0.5 } }];
const asRecord: Record<string, unknown> = tools[0]!;
const structured: CallToolResult = { content: [], structuredContent: { tool: tools[0] } };
const info: Implementation = { name: 'n', version: '1', icons: [{ src: 'data:,', sizes: ['48x48'], theme: 'dark' }] };
const declared: ClientCapabilities = { sampling: {}, roots: { listChanged: true }, elicitation: { form: {}, url: {} }, experimental: { own: {} } };
const image: ContentBlock = { type: 'image', data: 'aGk=', mimeType: 'image/png' };

function say(text: string, isError = false): CallToolResult {
  return { content: [{ type: 'text', text }, image], isError, extra: 'kept' };
}

function words(result: CallToolResult): string[] {
  return result.content.flatMap((block) => {
    switch (block.type) {
      case 'text':
        return block.text;
      case 'image':
      case 'audio':
        return block.mimeType;
      case 'resource':
        return 'text' in block.resource ? block.resource.text : block.resource.blob;
      case 'resource_link':
        return block.uri;
    }
  });
}

// A server

const server = new Server(info, { capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} }, instructions: 'be kind' });

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;
async function call(request: CallToolRequest, extra: Extra): Promise<CallToolResult> {
  const { name, arguments: args = {} } = request.params;
  const token = request.params._meta?.progressToken;
  if (token !== undefined) {
    await extra.sendNotification({ method: 'notifications/progress', params: { progressToken: token, progress: 1, total: 2 } });
  }
  if (name !== 'add') throw new McpError(ErrorCode.MethodNotFound, `no ${name}`, { name });
  const { a, b } = z.object({ a: z.number(), b: z.number() }).parse(args);
  extra.signal.throwIfAborted();
  const model = await extra.sendRequest({ method: 'roots/list' }, ResultSchema);
  same<typeof model, Result>(true);
  return say(String(a + b + Number(args['c'])));
}
server.setRequestHandler(ListToolsRequestSchema, async (request) => {
  const cursor: string | undefined = request.params?.cursor;
  return { tools, nextCursor: cursor };
});
server.setRequestHandler(CallToolRequestSchema, call);
server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args } }) => {
  same<typeof args, { [key: string]: unknown } | undefined>(true);
  return { content: [{ type: 'text', text: `${name} ${args?.['a'] as string}` }] };
});
server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources }));
server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => ({ contents: [{ uri: params.uri, text: 'a' }] }));
server.setRequestHandler(GetPromptRequestSchema, async ({ params }): Promise<GetPromptResult> => ({
  messages: [{ role: 'user', content: { type: 'text', text: params.arguments?.['a'] ?? '' } }],
}));
server.setRequestHandler(CompleteRequestSchema, (request) => {
  assertCompleteRequestPrompt(request);
  same<typeof request.params.ref.type, 'ref/prompt'>(true);
  return { completion: { values: [request.params.ref.name], hasMore: false } };
});
server.oninitialized = () => console.error(server.getClientVersion()?.name, server.getClientCapabilities()?.sampling);
server.onerror = (error) => console.error(error.message);

const Own = z.object({ method: z.literal('own/ask'), params: z.object({ question: z.string() }) });
server.setRequestHandler(Own, ({ params }) => {
  same<typeof params.question, string>(true);
  return { answer: params.question };
});

async function ask(messages: SamplingMessage[]): Promise<string> {
  const result = await server.createMessage({ messages, maxTokens: 10, modelPreferences: { hints: [{ name: 'a' }] } });
  same<typeof result, CreateMessageResult>(true);
  const answer = await server.elicitInput({
    message: 'sure?',
    requestedSchema: { type: 'object', properties: { yes: { type: 'boolean', default: true }, how: { type: 'string', enum: ['a', 'b'] } }, required: ['yes'] },
  });
  if (answer.action === 'accept' && answer.content) console.error(answer.content['yes']);
  await server.sendLoggingMessage({ level: 'info', data: { any: 'thing' } });
  return result.content.type === 'text' ? result.content.text : result.model;
}

// A client

const client = new Client({ name: 'c', version: '1' }, { capabilities: declared });
client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => ({
  model: params.modelPreferences?.hints?.[0]?.name ?? 'm',
  role: 'assistant',
  content: { type: 'text', text: params.systemPrompt ?? '' },
  stopReason: 'endTurn',
}));
client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
  if (params.mode === 'url') return { action: 'decline' };
  return { action: 'accept', content: { fields: Object.keys(params.requestedSchema.properties) } };
});
client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///a', name: 'a' }] }));
client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => console.error(params.level, params.data));
client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => console.error(params.progress / (params.total ?? 1)));

async function use(): Promise<void> {
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  const listed: ListToolsResult = await client.listTools({ cursor: undefined });
  const names = listed.tools.map((tool) => tool.name);
  const raw = await client.request({ method: 'tools/list', params: {} }, ListToolsResultSchema);
  same<typeof raw.tools, Tool[]>(true);
  const result = (await client.callTool({ name: names[0]!, arguments: { a: 1 } })) as CallToolResult;
  const compat = await client.callTool({ name: 'a' }, CompatibilityCallToolResultSchema, { timeout: 5, onprogress: ({ progress }) => console.error(progress) });
  if ('toolResult' in compat) console.error(compat.toolResult);
  const own = await client.request({ method: 'own/ask', params: { question: 'q' } } as never, z.object({ answer: z.string() }));
  same<typeof own.answer, string>(true);
  await client.request({ method: 'ping' }, EmptyResultSchema);
  console.error(words(result), LATEST_PROTOCOL_VERSION.length, asRecord, structured, prompts, await ask([]));
}

// Errors

try {
  await use();
} catch (error) {
  if (error instanceof UrlElicitationRequiredError) console.error(error.elicitations.map((each) => each.url));
  else if (error instanceof McpError && error.code === ErrorCode.RequestTimeout) console.error(error.message, error.data);
}

// Messages

class Wire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  sessionId?: string;
  async start(): Promise<void> {}
  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message && 'id' in message) console.error(message.method, message.id);
  }
  async close(): Promise<void> {
    this.onclose?.();
  }
  take(line: string): void {
    const message = JSONRPCMessageSchema.parse(JSON.parse(line));
    if (isJSONRPCRequest(message)) console.error(message.params?._meta?.progressToken);
    else if (isJSONRPCNotification(message)) console.error(message.method);
    else if (isJSONRPCResultResponse(message)) console.error(message.result['any']);
    else if (isJSONRPCErrorResponse(message)) console.error(message.error.code);
    this.onmessage?.(message);
  }
}
await server.connect(new Wire());

const body: unknown = { jsonrpc: '2.0' };
if (isInitializeRequest(body)) console.error(body.params.clientInfo.name);
const opening: JSONRPCRequest = { jsonrpc: '2.0', id: 1, method: InitializeRequestSchema.shape.method.value, params: {} };
const parsed = CallToolResultSchema.safeParse({ content: [] });
if (parsed.success) console.error(parsed.data.content.length, opening);
else console.error(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`));

// Generics of the classes

type Asked = Request & { method: 'own/ask' };
class Special extends Server<Asked, Notification, Result> {
  constructor() {
    super({ name: 's', version: '1' }, { capabilities: {} });
  }
}
console.error(new Special(), new Client<Asked, Notification, Result>({ name: 'c', version: '1' }));
