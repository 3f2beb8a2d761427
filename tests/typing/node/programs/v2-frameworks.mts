// Programs of 2.x around a server and a client: frameworks, tokens, middleware, schemas, sessions.
import {
  applyMiddlewares,
  Client,
  ClientCredentialsProvider,
  createMiddleware,
  InMemoryTransport,
  SdkHttpError,
  specTypeSchemas,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  withLogging,
  type OAuthClientProvider,
  type OAuthTokens,
  type Transport,
} from 'mcpbolt/v2/client';
import { StdioClientTransport } from 'mcpbolt/v2/client/stdio';
import { CallToolResultSchema, ListToolsResultSchema, ToolSchema } from 'mcpbolt/v2/core';
import { createMcpExpressApp, requireBearerAuth } from 'mcpbolt/v2/express';
import { createMcpFastifyApp } from 'mcpbolt/v2/fastify';
import { createMcpHonoApp } from 'mcpbolt/v2/hono';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from 'mcpbolt/v2/node';
import {
  completable,
  createMcpHandler,
  createRequestStateCodec,
  hostHeaderValidationResponse,
  isCallToolResult,
  isInitializeRequest,
  McpServer,
  OAuthError,
  OAuthErrorCode,
  UriTemplate,
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type CallToolResult,
  type ListToolsResult,
  type McpServerFactory,
  type OAuthTokenVerifier,
  type ServerContext,
  type Tool,
} from 'mcpbolt/v2/server';
import { z } from 'zod';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <T extends true>(value?: T): T | undefined => value;

const make: McpServerFactory = ({ era, authInfo }) => {
  const mcp = new McpServer({ name: 'typed', version: '1.0.0' }, { capabilities: { logging: {} } });
  const registered = mcp.registerTool('whoami', { annotations: { readOnlyHint: true } }, (ctx: ServerContext): CallToolResult => {
    same<Equal<typeof ctx.mcpReq.signal, AbortSignal>>();
    return { content: [{ type: 'text', text: `${era} ${authInfo?.clientId ?? ctx.http?.authInfo?.clientId}` }] };
  });
  registered.update({ description: 'Says who asks.' });
  registered.disable();
  mcp.registerPrompt('greet', { argsSchema: z.object({ who: completable(z.string(), (value) => [value, `${value}!`]) }) }, ({ who }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: who } }],
  }));
  return mcp;
};

const verifier: OAuthTokenVerifier = {
  async verifyAccessToken(token): Promise<AuthInfo> {
    if (token === '') throw new OAuthError(OAuthErrorCode.InvalidToken, 'no token');
    return { token, clientId: 'a', scopes: ['read'], expiresAt: 0 };
  },
};
const handler = createMcpHandler(make);
const express = createMcpExpressApp();
express.all('/mcp', requireBearerAuth({ verifier, requiredScopes: ['read'] }), toNodeHandler(handler));
createMcpFastifyApp({ host: '0.0.0.0', allowedHosts: ['example.com'] }).get('/', async () => 'ok');
createMcpHonoApp().all('/mcp', (context) => handler.fetch(context.req.raw));
const refused: Response | undefined = hostHeaderValidationResponse(new Request('http://localhost'), ['localhost']);

const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
const older = new NodeStreamableHTTPServerTransport({
  sessionIdGenerator: () => 'id',
  onsessioninitialized: (id) => void sessions.set(id, older),
});
const web = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
const answer: Promise<Response> = web.handleRequest(new Request('http://localhost', { method: 'POST' }), { parsedBody: {} });

class Kept implements OAuthClientProvider {
  #tokens: OAuthTokens | undefined;
  readonly redirectUrl = 'http://localhost/callback';
  readonly clientMetadata = { client_name: 'typed', redirect_uris: ['http://localhost/callback'] };
  clientInformation() {
    return { client_id: 'a' };
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens: OAuthTokens) {
    this.#tokens = tokens;
  }
  redirectToAuthorization(url: URL) {
    console.error(url.href);
  }
  saveCodeVerifier() {}
  codeVerifier() {
    return '';
  }
}

const named = createMiddleware(async (next, input, init) => next(input, { ...init, headers: { ...init?.headers, 'x-from': 'typed' } }));
const transports: Transport[] = [
  new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    authProvider: new Kept(),
    fetch: applyMiddlewares(withLogging(), named)(fetch),
  }),
  new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    authProvider: new ClientCredentialsProvider({ clientId: 'a', clientSecret: 'b' }),
    reconnectionOptions: { initialReconnectionDelay: 1, maxReconnectionDelay: 2, reconnectionDelayGrowFactor: 2, maxRetries: 3 },
  }),
  new StdioClientTransport({ command: 'node', args: ['server.mjs'], stderr: 'pipe' }),
  ...InMemoryTransport.createLinkedPair(),
];

const client = new Client({ name: 'typed', version: '1.0.0' }, { capabilities: { elicitation: { form: {} }, roots: { listChanged: true } } });
client.setRequestHandler('elicitation/create', ({ params }) => ({ action: 'accept', content: { said: params.message } }));
client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///a' }] }));
client.setNotificationHandler('notifications/message', ({ params }) => console.error(params.level, params.data));
try {
  await client.connect(transports[0]!);
} catch (error) {
  if (error instanceof UnauthorizedError) console.error(error.message);
  if (error instanceof SdkHttpError) console.error(error.status);
}
const called = await client.callTool({ name: 'whoami' }, { onprogress: ({ progress }) => console.error(progress), signal: AbortSignal.timeout(1) });
for (const each of called.content) if (each.type === 'text') same<Equal<typeof each.text, string>>();

const parsed = CallToolResultSchema.safeParse({ content: [] });
if (parsed.success && isCallToolResult(parsed.data)) parsed.data.content.length;
const listed: ListToolsResult = ListToolsResultSchema.parse({ tools: [] });
const tool: Tool = ToolSchema.parse(listed.tools[0]);
const validated = await specTypeSchemas.Tool['~standard'].validate(tool);
const codec = createRequestStateCodec({ key: new Uint8Array(32) });
const variables = new UriTemplate('a://{b}').match('a://c');
// @ts-expect-error a verifier answers with what it knows of a token
const wrong: OAuthTokenVerifier = { verifyAccessToken: async () => 'a' };
// @ts-expect-error a tool is called by its name
await client.callTool({});
console.log(refused, answer, validated.issues, codec, variables, wrong, isInitializeRequest({}));
