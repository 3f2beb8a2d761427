/**
 * Handlers that are given what their schema makes of a message. Owns: putting the two
 * together. Must not know: where handlers are kept.
 */
import { ofAnyRevision, parseWith } from './schema';
import { PLAIN, type MarkedHandler, type RequestHandler } from './server-host';

/** A handler that is given what its schema, or a method's name, makes of the message. */
export function parsing(schema: unknown, handler: RequestHandler): RequestHandler {
  const judge = ofAnyRevision(schema);
  const parsed: MarkedHandler =
    typeof schema === 'string'
      ? (request, extra) => handler(request, extra)
      : (request, extra) => handler(parseWith(judge, request), extra);
  parsed[PLAIN] = true;
  return parsed;
}
