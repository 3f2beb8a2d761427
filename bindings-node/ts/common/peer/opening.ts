/**
 * What `connect` of a client begins with. Owns: the engine's options for a connection, and the words
 * of its errors. Must not know: how a connection is opened.
 */
import { causeOf } from '../../engine/cause';
import type { Failure } from '../../engine/failure';
import { CLIENT_NORM } from '../../engine/norm';
import type { Transport } from '../../protocol/transport';
import type { ClientOptions } from './client-options';

/** How the engine says that no revision is common to both. */
const UNSUPPORTED_VERSION = -32022;

/** The request that opens a connection. */
export interface Opening {
  params?: { protocolVersion?: unknown };
}

/** The official error for a server that names an unsupported revision. */
export function unspoken({ code }: Failure, named: unknown): Error | undefined {
  if (code !== UNSUPPORTED_VERSION || typeof named !== 'string') return undefined;
  return new Error(`Server's protocol version is not supported: ${named}`);
}

/** Throws if the argument of `connect` is not a transport; the error says what it takes. */
export function mustBeTransport(given: unknown): void {
  if (typeof (given as Partial<Transport> | undefined)?.start === 'function') return;
  const what = typeof given === 'string' ? JSON.stringify(given) : given === null || given === undefined ? String(given) : `an ${typeof given}`;
  const ways = 'new StreamableHTTPClientTransport(url) or new StdioClientTransport({ command, args })';
  throw new TypeError(`connect() takes a transport, such as ${ways}, not ${what.replace(/^an (?=[^aeiou])/, 'a ')}`);
}

/** Explains the error of a server process that ended before it answered, in the error's cause. */
export function endedEarly(error: Error, { kind, data }: Failure): Error {
  const { exitCode, signal } = (data ?? {}) as { exitCode?: number | null; signal?: unknown };
  if (kind !== 'closed' || (exitCode === undefined && signal === undefined)) return error;
  const how = typeof exitCode === 'number' ? `exit status: ${exitCode}` : `signal: ${signal}`;
  const remedy = exitCode === 0 ? 'did it call connect() or listen()?' : 'what it wrote to its standard error says why';
  error.cause = causeOf(`the server ended before it answered (${how}): ${remedy}`);
  return error;
}

/** The engine's options that follow from those of a client. */
export function engineOptions({ protocol, keepAlive, engine }: ClientOptions): object {
  return {
    ...CLIENT_NORM,
    protocol: protocol ?? (process.env['MCPBOLT_PROTOCOL'] || 'legacy'),
    request_max: null,
    strict_opening: true,
    // Requests without a declared capability are sent; the server refuses them.
    strict: false,
    cache: false,
    ...(keepAlive !== undefined && { keep_alive: keepAlive }),
    ...engine,
  };
}
