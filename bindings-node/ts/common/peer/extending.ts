/**
 * What extensions add to a server or a client. Owns: their rows for the engine, and the order of
 * their hooks. Must not know: any extension, or how messages travel.
 */
import type { RequestHandler } from '../../engine/handlers';

/** A method of an extension, as the engine reads it. */
export interface ExtensionRow {
  extension: string;
  method: string;
  named_by?: 'name' | 'uri';
  since?: string;
  undeclared?: 'refuse' | 'serve';
}

/** Whether a method is one of these extensions. */
export function declares(extensions: { rows: readonly ExtensionRow[] } | undefined, method: string): boolean {
  return extensions?.rows.some((row) => row.method === method) === true;
}

/** Stands around the handler of a method; `next` calls the rest. */
export type ServerHook = (request: any, extra: any, next: (request: any) => unknown) => unknown;

/** The extensions of a server. */
export class ServerExtensions {
  readonly rows: ExtensionRow[] = [];
  readonly #hooks = new Map<string, ServerHook[]>();

  /** The methods that have hooks. */
  get hooked(): Iterable<string> {
    return this.#hooks.keys();
  }

  /** Whether a method has hooks. */
  has(method: string): boolean {
    return this.#hooks.has(method);
  }

  /** Adds a hook inside those of its method that are there. */
  hook(method: string, hook: ServerHook): void {
    this.#hooks.set(method, [...(this.#hooks.get(method) ?? []), hook]);
  }

  /** A handler with the hooks of its method around it. */
  around(method: string, handler: RequestHandler | undefined): RequestHandler | undefined {
    const hooks = this.#hooks.get(method);
    if (hooks === undefined || handler === undefined) return handler;
    return hooks.reduceRight<RequestHandler>((next, hook) => (request, extra) => hook(request, extra, (given) => next(given, extra)), handler);
  }
}

/** Sends a request; the schema parses the result. */
export type Sending = (request: { method: string; params?: unknown }, schema: unknown) => Promise<unknown>;

/** What an extension of a client does with requests and results. */
export interface ClientHooks {
  request?: Record<string, (params: any) => unknown>;
  result?: Record<string, (result: any) => void>;
  /** By `resultType`. */
  resolve?: Record<string, (result: any, method: string) => unknown>;
}

const ANYTHING = { parse: (value: unknown): unknown => value };

/** The extensions of a client. */
export class ClientExtensions {
  readonly rows: ExtensionRow[] = [];
  readonly #all: ClientHooks[] = [];

  /** Options of the engine. */
  options(): Record<string, unknown> {
    const types = this.#all.flatMap(({ resolve = {} }) => Object.keys(resolve));
    return { extension_methods: this.rows, ...(types.length > 0 && { result_types: types }) };
  }

  /** Adds the hooks of an extension, inside those that are there. */
  add(hooks: ClientHooks): void {
    this.#all.push(hooks);
  }

  /** Sends a request with all hooks around it. */
  async around(
    request: { method: string; params?: unknown },
    schema: unknown,
    send: Sending,
    parse: (schema: unknown, value: unknown) => unknown,
  ): Promise<unknown> {
    const { method } = request;
    let { params } = request;
    for (const { request: hooks } of this.#all) params = hooks?.[method] === undefined ? params : await hooks[method](params);
    let result = await send(params === undefined ? { method } : { method, params }, ANYTHING);
    const { resultType } = (result ?? {}) as { resultType?: string };
    const resolve = this.#all.map(({ resolve }) => resolve?.[String(resultType)]).find((found) => found !== undefined);
    // What it comes from has lost its kind where it was complete.
    if (resolve !== undefined) result = { resultType: 'complete', ...((await resolve(result, method)) as object) };
    for (const { result: hooks } of this.#all) hooks?.[method]?.(result);
    return schema === undefined ? result : parse(schema, result);
  }
}
