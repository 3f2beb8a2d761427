// What programs derive from: Protocol, Server, Transport; with types of their own. It compiles
// with this package and, with its import lines changed, with the official one.
import { Server } from 'mcpbolt/server/index.js';
import { Client } from 'mcpbolt/client/index.js';
import { Protocol, mergeCapabilities, type RequestHandlerExtra, type RequestOptions } from 'mcpbolt/shared/protocol.js';
import type { Transport, TransportSendOptions } from 'mcpbolt/shared/transport.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type CallToolResult, type JSONRPCMessage, type Request, type Notification, type Result, type ServerRequest, type ServerNotification, type ServerCapabilities } from 'mcpbolt/types.js';
import { z } from 'zod';

type AppRequest = { method: 'ui/open'; params: { url: string } };
type AppNotification = { method: 'ui/changed'; params?: { a: number } };
type AppResult = { ok: boolean; [k: string]: unknown };

export class AppPeer extends Protocol<AppRequest, AppNotification, AppResult> {
  protected assertCapabilityForMethod(_method: AppRequest['method']): void {}
  protected assertNotificationCapability(_method: AppNotification['method']): void {}
  protected assertRequestHandlerCapability(_method: string): void {}
  protected assertTaskCapability(_method: string): void {}
  protected assertTaskHandlerCapability(_method: string): void {}
  async open(url: string): Promise<boolean> {
    const { ok } = await this.request({ method: 'ui/open', params: { url } }, z.object({ ok: z.boolean() }));
    return ok;
  }
  override async connect(transport: Transport): Promise<void> { await super.connect(transport); }
  override setRequestHandler: Protocol<AppRequest, AppNotification, AppResult>['setRequestHandler'] = (schema, handler) => { super.setRequestHandler(schema, handler); };
}

interface MyRequest extends Request { method: 'my/request' }
interface MyNotification extends Notification { method: 'my/notification' }
interface MyResult extends Result { mine: string }
export class MyServer extends Server<MyRequest, MyNotification, MyResult> {
  override async close(): Promise<void> { await super.close(); }
}
const server = new Server<MyRequest, MyNotification, MyResult>({ name: 'a', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler(CallToolRequestSchema, async (request, extra): Promise<CallToolResult> => {
  const name: string = request.params.name;
  const a: unknown = request.params.arguments?.a;
  extra.signal.throwIfAborted();
  await extra.sendNotification({ method: 'notifications/progress', params: { progressToken: extra._meta?.progressToken ?? 0, progress: 1 } });
  await extra.sendNotification({ method: 'my/notification' });
  return { content: [{ type: 'text', text: name + String(a) }] };
});
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: 'x', inputSchema: { type: 'object' as const } }] }));
server.setRequestHandler(z.object({ method: z.literal('my/x'), params: z.object({ n: z.number() }) }), ({ params }) => ({ mine: String(params.n) }));
function helper(extra: RequestHandlerExtra<ServerRequest, ServerNotification>): AbortSignal { return extra.signal; }
server.setRequestHandler(CallToolRequestSchema, (_r, extra) => { helper(extra as RequestHandlerExtra<ServerRequest, ServerNotification>); return { content: [] }; });
class Mine implements Transport {
  onclose?: () => void; onerror?: (error: Error) => void; onmessage?: (message: JSONRPCMessage) => void; sessionId?: string;
  async start() {} async close() {} async send(_m: JSONRPCMessage, _o?: TransportSendOptions) {}
}
await server.connect(new Mine());
const c: ServerCapabilities = mergeCapabilities({ tools: {} } as ServerCapabilities, { logging: {} });
server.oninitialized = () => { const v = server.getClientVersion()?.version; void v; };
const r = await server.createMessage({ messages: [], maxTokens: 1 }); const model: string = r.model;
const e = await server.elicitInput({ message: 'x', requestedSchema: { type: 'object', properties: { a: { type: 'string' } } } }); void e.content?.a;
const roots = await server.listRoots(); const uri: string | undefined = roots.roots[0]?.uri;
server.fallbackRequestHandler = async (request) => ({ mine: request.method });
const opts: RequestOptions = { onprogress: (p) => { const n: number = p.progress; void n; }, signal: new AbortController().signal, timeout: 5, resetTimeoutOnProgress: true, maxTotalTimeout: 5 };
void c; void model; void uri; void opts; void Client;
