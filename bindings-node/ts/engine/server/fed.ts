/**
 * Transports whose messages JavaScript carries. Owns: the official contract between a server and a
 * transport object, including callbacks that the program has set. Must not know: handlers.
 */
import type { ServerConnection } from './connection';
import { take } from '../transport-callbacks';
import type { ServerHost } from './host';
import type { Transport } from '../../protocol/transport';
import type { JSONRPCMessage, MessageExtraInfo } from '../../protocol/types';

/** Connects a transport, which must not be shared. */
export async function serveTransport(host: ServerHost, transport: Transport): Promise<void> {
  const connection = carryTransport(host, transport);
  const restore = take(transport, {
    onclose: () => connection.ended(),
    onerror: (error) => host.failed(error),
    onmessage: (message, extra) => receive(connection, message, extra),
  });
  connection.onEnd(restore);
  try {
    await transport.start();
  } catch (error) {
    connection.ended();
    throw error;
  }
}

/** Opens a connection whose messages a transport sends. */
export function carryTransport(host: ServerHost, transport: Transport): ServerConnection {
  const connection = host.open(false);
  connection.transport = transport;
  connection.carry(async (text, options) => {
    try {
      await transport.send(JSON.parse(text) as JSONRPCMessage, options);
    } catch (error) {
      if (options !== undefined) throw error;
      host.failed(new Error(`Failed to send response: ${String(error)}`));
    }
  });
  return connection;
}

/** Handles a message that came over a transport. */
export function receive(connection: ServerConnection, message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
  const { host } = connection;
  const given = message as { method?: unknown; id?: unknown; result?: unknown; error?: unknown };
  const isReply = given.method === undefined;
  if (isReply && given.result === undefined && given.error === undefined) {
    host.failed(new Error(`Unknown message type: ${JSON.stringify(message)}`));
    return;
  }
  if (typeof given.method === 'string' && host.server.takesEverything()) host.setSlot(given.method);
  try {
    connection.feed(JSON.stringify(message), isReply, extra);
    if (!isReply) return;
    // What the engine remarks on now is about this answer.
    connection.taking = message;
    host.driver.drain();
  } catch (error) {
    host.failed(error);
  } finally {
    connection.taking = undefined;
  }
}
