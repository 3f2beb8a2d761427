/**
 * HTTP without transport objects: the engine's own listener, and one handler for the program's web
 * server. Both serve both eras on one address, to any number of clients. Owns: the public
 * functions. Must not know: how requests are answered.
 */
import { createHandler, type HttpHandler } from '../engine/http/handler';
import { listenHttp, type HttpListener } from '../engine/http/listen';
import type { HttpHandlerOptions, ListenOptions } from '../engine/http/options';
import type { Served } from '../engine/http/endpoint';

export type { FastifyLikeReply, FastifyLikeRequest, FetchOptions, HonoLikeContext, HttpHandler, NodeRequest } from '../engine/http/handler';
export type { HttpListener } from '../engine/http/listen';
export type { Denied, HttpHandlerOptions, ListenOptions, RequestHead } from '../engine/http/options';
export type { ServerStats } from '../engine/http/endpoint';

/** A `Server` or `McpServer`. */
export type HttpServed = object;

function servedBy(server: HttpServed): Served {
  const { server: inner = server } = server as { server?: object };
  if (typeof (inner as Partial<Served>).attach !== 'function') throw new TypeError('this is no server');
  return inner as Served;
}

/**
 * Creates a handler that answers HTTP requests with a server.
 *
 * @param server - The server.
 * @param options - Sessions, form of responses, limits, authorization and so on. Default: none.
 * @example
 * app.all('/mcp', createHttpHandler(server));                    // Express, Fastify, Hono
 * http.createServer(createHttpHandler(server)).listen(3000);     // node:http
 * export default createHttpHandler(server);                      // anything with fetch
 */
export function createHttpHandler(server: HttpServed, options?: HttpHandlerOptions): HttpHandler {
  return createHandler(servedBy(server), options);
}

/**
 * Serves a server over HTTP; same as the server's `listen`.
 * @param server - The server.
 * @param options - Port, host, limits, authorization and so on. Default: a free port of 127.0.0.1.
 */
export function listen(server: HttpServed, options?: ListenOptions): Promise<HttpListener> {
  return listenHttp(servedBy(server), options);
}
