/**
 * One request to an endpoint whose servers come from a factory. Owns: which server answers it, and
 * releasing that server when the response is complete. Must not know: any web server.
 */
import { INSIDE } from '../../common/peer/server-peer';
import { WebStandardStreamableHTTPServerTransport } from '../../common/server/web-standard-http';
import type { AuthInfo } from '../../protocol/auth-info';
import { MOUNT_PATH, carry } from '../../engine/http/carry';
import type { Chunk, Exchange, HeaderPairs } from '../../engine/http/exchange';
import { DEFAULT_SSE_KEEP_ALIVE_MS } from '../../engine/http/keep-alive';
import { PIPE } from '../../engine/http/pipe';
import type { NativeMount } from '../../engine/native';
import { runtime } from '../../engine/timers';
import type { ServerHost } from '../../engine/server/host';
import { McpServer } from './mcp';
import type { Server } from './server';
import type { ServerEvent, ServerEventBus } from './events';
import type { Rounds } from './rounds';

/** A server that a factory made, high-level or low-level. */
export type Product = McpServer | Server;

/** How responses are sent. */
export interface Manner {
  readonly responseMode: 'auto' | 'sse' | 'json';
  readonly keepAliveMs: number | undefined;
  readonly maxBody: number;
}

/** The low-level server of a factory's product. */
export function lowLevel(product: Product): Server {
  return product instanceof McpServer ? product.server : product;
}

const mounts = new WeakMap<ServerHost, NativeMount>();

function mountOf(host: ServerHost, { responseMode }: Manner): NativeMount {
  let mount = mounts.get(host);
  if (mount === undefined) {
    // Comments follow the program's timers, as in the official package.
    const options = { path: MOUNT_PATH, guard: false, sessions: 'none', response: responseMode, keep_alive: null };
    mount = host.engine.mount(JSON.stringify(options), host.driver.inbox);
    mounts.set(host, mount);
  }
  return mount;
}

/** Servers that have answered before. The factory returns them for many requests, so they are kept. */
const seen = new WeakSet<Server>();

/** Closes a server that was made for one request. */
function letGo(server: Server, host: ServerHost): void {
  if (seen.has(server)) return;
  seen.add(server);
  mounts.get(host)?.close();
  host.close();
  server[INSIDE].state.leave(host.driver);
}

/**
 * Wraps an exchange to call `over` when the response is complete or the client has disconnected, and
 * `atOnce` before whoever waits for the response can go on.
 */
function watched(exchange: Exchange, over: () => void, atOnce?: () => void): Exchange {
  let told = false;
  const once = (): void => {
    if (told) return;
    told = true;
    atOnce?.();
    // After the current work, which may still need the server.
    runtime.setImmediate(over);
  };
  const respond = exchange.respond.bind(exchange);
  const write = exchange.write.bind(exchange);
  exchange.respond = (status: number, headers: HeaderPairs, body: Chunk, end: boolean) => {
    respond(status, headers, body, end);
    if (end) once();
  };
  exchange.write = (chunk: Chunk, end: boolean) => {
    const room = write(chunk, end);
    if (end) once();
    return room;
  };
  exchange.onClosed(once);
  return exchange;
}

/** What is known about a request besides its bytes. */
export interface Known {
  readonly authInfo: AuthInfo | undefined;
  /** The web-standard request; created when it is first needed. */
  readonly request: () => Request;
  /** The client's answers to the questions of an earlier request. */
  readonly rounds?: Rounds;
}

/** What a request that listens needs. */
export interface Listening {
  /** Where the changes come from. */
  readonly bus: ServerEventBus;
  /** Called when it no longer listens: it was refused, has ended, or its client has disconnected. */
  over(): void;
}

/** Answers a modern request with a server; returns a function that ends it early. */
export async function serveModern(
  product: Product,
  exchange: Exchange,
  manner: Manner,
  known: Known,
  listening?: Listening,
): Promise<() => void> {
  const server = lowLevel(product);
  const host = server[INSIDE].host();
  const stop = listening?.bus.subscribe((event) => tell(host, event));
  const about = {
    authInfo: known.authInfo,
    rounds: known.rounds,
    get requestInfo() {
      return { headers: exchange.headers(), url: exchange.url() };
    },
    get request() {
      return known.request();
    },
  };
  const left = (): void => {
    stop?.();
    letGo(server, host);
  };
  const ended = watched(exchange, left, () => listening?.over());
  const { keepAliveMs = DEFAULT_SSE_KEEP_ALIVE_MS } = manner;
  await carry(host, mountOf(host, manner), ended, about, { keepAliveMs });
  return () => mounts.get(host)?.drain();
}

function tell(host: ServerHost, event: ServerEvent): void {
  switch (event.kind) {
    case 'tools_list_changed':
      return host.tell('tools');
    case 'prompts_list_changed':
      return host.tell('prompts');
    case 'resources_list_changed':
      return host.tell('resources');
    case 'resource_updated':
      return host.tell('resource', event.uri);
  }
}

/** Answers a legacy request with a server, without a session. */
export async function serveLegacy(product: Product, exchange: Exchange, manner: Manner, known: Known, parsedBody: unknown): Promise<void> {
  const server = lowLevel(product);
  const transport = new WebStandardStreamableHTTPServerTransport({
    maxRequestBodySize: manner.maxBody,
    ...(manner.keepAliveMs !== undefined && { keepAliveMs: manner.keepAliveMs }),
  });
  await product.connect(transport);
  const { driver } = server[INSIDE].host();
  driver.hold();
  const ended = watched(exchange, () => {
    driver.release();
    void transport.close().then(() => {
      if (server.transport === undefined) letGo(server, server[INSIDE].host());
    });
  });
  await transport[PIPE].handle(ended, { authInfo: known.authInfo, parsedBody });
}
