/**
 * Extensions of a server. Owns: what one is made of, and adding it. Must not know: any extension, or
 * how a request reaches its handler.
 */
import { INSIDE } from '../../common/peer/server-peer';
import type { Request as McpRequest, Result } from '../../protocol/types';
import { capabilitiesOf, type ServerContext } from './context';
import { ProtocolError } from './errors';
import { McpServer } from './mcp';
import type { Server } from './server';
import { VIEW } from './server-shared';
import type { OutputOf, StandardSchemaV1 } from './standard';

/** A method that an extension adds. */
export interface ExtensionMethod<P extends StandardSchemaV1 = StandardSchemaV1> {
  /** Validates the params; `answer` receives what the schema returns. */
  params: P;
  /**
   * Answers requests of the method.
   *
   * @param params - The params, as the schema converts them.
   * @param ctx - The context of the request.
   */
  answer(params: OutputOf<P>, ctx: ServerContext): Result | Promise<Result>;
  /** The parameter that the `Mcp-Name` header repeats, and that the audit and spans show. Default: none. */
  namedBy?: 'name' | 'uri';
  /** The first revision that has the method. Default: all have it. */
  since?: string;
  /** For clients that did not declare the extension: refuse with -32021 (the default), or serve. */
  undeclared?: 'refuse' | 'serve';
}

/**
 * Wraps the handler of a method: `next` calls the inner hooks and the handler, with the request as it came or
 * a changed one.
 */
export type ExtensionHook = (
  request: McpRequest,
  ctx: ServerContext,
  next: (request?: McpRequest) => Promise<Result>,
) => Result | Promise<Result>;

/** An extension of a server. */
export interface Extension {
  /** The identifier of the extension, with a prefix: `com.example/colours`. */
  id: string;
  /** The settings that are declared to clients. Default: `{}`. */
  settings?: Record<string, unknown>;
  /** The methods of the extension, by name. Default: none. */
  methods?: Record<string, ExtensionMethod<any>>;
  /** Hooks, by the method each is for. The hook of the extension added first is the outermost. */
  hooks?: Record<string, ExtensionHook>;
  /** Registers tools, prompts and resources that belong to it. */
  offer?: (server: McpServer) => void;
}

/**
 * A method of an extension, with the type of its params.
 *
 * @param method - The method; it is returned unchanged.
 */
export function extensionMethod<P extends StandardSchemaV1>(method: ExtensionMethod<P>): ExtensionMethod<P> {
  return method;
}

/**
 * Adds an extension to a server that is not connected yet.
 *
 * ```ts
 * extend(server, { id: 'com.example/colours', settings: { depth: 8 }, methods: { 'com.example/mix': mix } });
 * ```
 *
 * @param mcp - The server; must be an `McpServer` if the extension has `offer`.
 * @param extension - The extension: its identifier, settings, methods and hooks.
 * @throws Error if the server is connected, has the extension already, or one of its methods.
 */
export function extend(mcp: McpServer | Server, extension: Extension): void {
  const server = mcp instanceof McpServer ? mcp.server : mcp;
  const { id, settings = {}, methods = {}, hooks = {}, offer } = extension;
  if (server.getCapabilities().extensions?.[id] !== undefined) throw new Error(`the server has the extension ${id} already`);
  if (offer !== undefined && !(mcp instanceof McpServer)) throw new TypeError(`extension ${id} offers tools: add it to an McpServer`);
  for (const method of Object.keys(methods)) server.assertCanSetRequestHandler(method);
  server.registerCapabilities({ extensions: { [id]: settings } });
  const { extensions } = server[INSIDE];
  for (const [method, { params, answer, namedBy, since, undeclared }] of Object.entries(methods)) {
    extensions.rows.push({
      extension: id,
      method,
      ...(namedBy !== undefined && { named_by: namedBy }),
      ...(since !== undefined && { since }),
      ...(undeclared !== undefined && { undeclared }),
    });
    server.setRequestHandler(method, { params }, answer);
  }
  for (const [method, hook] of Object.entries(hooks)) {
    extensions.hook(method, (request, extra, next) =>
      hook(request, server[VIEW].contextOf(method, extra), async (changed = request) => (await next(changed)) as Result),
    );
  }
  if (mcp instanceof McpServer) offer?.(mcp);
}

/**
 * The settings with which the client of a request declared an extension; `undefined` if it did not.
 *
 * @param ctx - The context of the request.
 * @param id - The identifier of the extension.
 */
export function clientExtension(ctx: ServerContext, id: string): Record<string, unknown> | undefined {
  return capabilitiesOf(ctx)?.extensions?.[id] as Record<string, unknown> | undefined;
}

/**
 * Refuses a client that did not declare an extension.
 *
 * @param ctx - The context of the request.
 * @param id - The identifier of the extension.
 * @returns the settings with which the client declared it.
 * @throws ProtocolError with code -32021 and the extension as data.
 */
export function requireClientExtension(ctx: ServerContext, id: string): Record<string, unknown> {
  const settings = clientExtension(ctx, id);
  if (settings !== undefined) return settings;
  const data = { requiredCapabilities: { extensions: { [id]: {} } } };
  throw ProtocolError.fromError(-32021, `the client did not declare the extension ${id}`, data);
}
