/**
 * Extensions of a client. Owns: what one is made of, and adding it. Must not know: any extension, or
 * how a request is sent.
 */
import { INSIDE } from '../../common/peer/client-peer';
import type { Client } from './client';

/** A method of an extension that the client sends. */
export interface ClientExtensionMethod {
  /** The parameter that the `Mcp-Name` header repeats. Default: none. */
  namedBy?: 'name' | 'uri';
  /** The first revision that has the method. Default: all have it. */
  since?: string;
}

/** An extension of a client. */
export interface ClientExtension {
  /** The identifier of the extension, with a prefix: `com.example/colours`. */
  id: string;
  /** The settings that are declared to servers. Default: `{}`. */
  settings?: Record<string, unknown>;
  /** The methods of the extension, by name. They fail with -32601 if the server did not declare the extension. */
  methods?: Record<string, ClientExtensionMethod>;
  /** Functions by method: each returns the params to send; if it throws, nothing is sent. */
  requestHooks?: Record<string, (params: any) => unknown>;
  /** Functions by method: each sees results before the program does; if it throws, the request fails. */
  resultHooks?: Record<string, (result: any) => void>;
  /** Functions by `resultType`: each makes a complete result of one in the extension's own form. */
  results?: Record<string, (result: any, client: Client, method: string) => unknown>;
}

/**
 * Adds an extension to a client that is not connected yet.
 *
 * ```ts
 * extend(client, { id: 'com.example/colours', methods: { 'com.example/mix': {} } });
 * ```
 *
 * @param client - The client.
 * @param extension - The extension: its identifier, settings, methods and hooks.
 * @throws Error if the client is connected or has the extension already.
 */
export function extend(client: Client, extension: ClientExtension): void {
  const { id, settings = {}, methods = {}, requestHooks, resultHooks, results = {} } = extension;
  const inside = client[INSIDE];
  if (inside.capabilities.extensions?.[id] !== undefined) throw new Error(`the client has the extension ${id} already`);
  client.registerCapabilities({ extensions: { [id]: settings } });
  for (const [method, { namedBy, since }] of Object.entries(methods)) {
    inside.extensions.rows.push({
      extension: id,
      method,
      ...(namedBy !== undefined && { named_by: namedBy }),
      ...(since !== undefined && { since }),
    });
  }
  const resolve = Object.entries(results).map(([type, make]) => [type, (result: any, method: string) => make(result, client, method)]);
  inside.extensions.add({
    ...(requestHooks && { request: requestHooks }),
    ...(resultHooks && { result: resultHooks }),
    resolve: Object.fromEntries(resolve),
  });
}

/**
 * The settings with which the server declared an extension; `undefined` if it did not.
 *
 * @param client - A connected client.
 * @param id - The identifier of the extension.
 */
export function serverExtension(client: Client, id: string): Record<string, unknown> | undefined {
  return client.getServerCapabilities()?.extensions?.[id] as Record<string, unknown> | undefined;
}
