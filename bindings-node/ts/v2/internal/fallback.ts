/**
 * Handlers of requests without a handler of their own. Owns: giving them the context of this face.
 * Must not know: who calls them.
 */
import type { RequestHandler } from '../../engine/handlers';
import type { JSONRPCRequest, Request as McpRequest } from '../../protocol/types';
import { extraOf } from './context';
import { withoutEnvelope } from './envelope';

type Fallback = (request: JSONRPCRequest, ctx: never) => unknown;
type ContextOf = (method: string, extra: object) => object;

/** A fallback handler as the peer calls it, with its own context. */
export function adaptedFallback(handler: Fallback | undefined, contextOf: ContextOf): RequestHandler | undefined {
  if (!handler) return undefined;
  return (request: McpRequest, extra: object) =>
    // A program that wraps the handler it finds passes on a context of this face.
    handler(withoutEnvelope(request) as JSONRPCRequest, contextOf(request.method, extraOf(extra)) as never);
}

/** Adapts each fallback handler that a program sets. */
export function adaptFallback(peer: object, contextOf: ContextOf): void {
  let adapted: RequestHandler | undefined;
  Object.defineProperty(peer, 'fallbackRequestHandler', {
    get: () => adapted,
    set: (handler: Fallback | undefined) => void (adapted = adaptedFallback(handler, contextOf)),
    configurable: true,
  });
}
