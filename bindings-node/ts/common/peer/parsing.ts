/**
 * Handlers that receive messages as their schema parses them. Owns: combining the two. Must not
 * know: where handlers are stored.
 */
import { ofAnyRevision, parseWith } from '../../protocol/schema/schema';
import { PLAIN, type MarkedHandler, type RequestHandler } from '../../engine/handlers';

/** Wraps a handler so that it receives the message as a schema, or the schema of a method, parses it. */
export function parsing(schema: unknown, handler: RequestHandler): RequestHandler {
  const judge = ofAnyRevision(schema);
  const parsed: MarkedHandler =
    typeof schema === 'string'
      ? (request, extra) => handler(request, extra)
      : (request, extra) => handler(parseWith(judge, request), extra);
  parsed[PLAIN] = true;
  return parsed;
}
