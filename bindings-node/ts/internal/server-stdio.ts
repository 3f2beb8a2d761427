/**
 * How the engine serves standard streams. Owns: reading them itself, or being fed the lines
 * of streams that a program gave. Must not know: messages.
 */
import type { Readable, Writable } from 'node:stream';
import type { ServerConnection } from './server-connection';
import type { ServerHost } from './server-host';
import type { NativeWay } from './server-native';
import * as input from './standard-input';
import type { JSONRPCMessage } from '../types';

/** What the transport's object has to be told. */
export interface Told {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

/** A way into standard streams, and back out. */
export interface StreamWay extends NativeWay {
  close(): Promise<void>;
  send(message: JSONRPCMessage): Promise<void>;
}

/** The engine reads and writes the process's streams; `undefined` if a program does. */
export function standard(told: Told): StreamWay | undefined {
  if (input.isUsed()) return undefined;
  let connection: ServerConnection | undefined;
  return {
    serve(host) {
      connection = host.openStdio();
      connection.transport = told as never;
      input.take();
      // As long as somebody may still write, the program goes on.
      host.driver.hold();
      connection.onEnd(() => {
        host.driver.release();
        input.ended();
        told.onclose?.();
      });
    },
    async close() {
      if (connection !== undefined) end(connection);
    },
    send: (message) => say(connection, message),
  };
}

function end(connection: ServerConnection): void {
  connection.host.driver.flush();
  connection.host.driver.inbox.closeConnection(connection.number);
  connection.finish();
}

/** A message that a program sends past its server. */
async function say(connection: ServerConnection | undefined, message: JSONRPCMessage): Promise<void> {
  const { method, params, id } = message as { method?: string; params?: object; id?: unknown };
  if (connection === undefined || connection.over) throw new Error('Not connected');
  if (method === undefined || id !== undefined) {
    throw new Error('only notifications can be sent past the server; use server.request() for requests');
  }
  await connection.host.driver.send(connection.number, method, params && JSON.stringify(params));
}

/** Lines of streams that a program gave. */
export function lines(told: Told, stdin: Readable, stdout: Writable): StreamWay {
  let connection: ServerConnection | undefined;
  return {
    serve(host) {
      connection = host.open(true);
      connection.transport = told as never;
      connection.carry((message) => write(stdout, message));
      listen(host, connection, told, stdin);
    },
    async close() {
      await connection?.farewell();
      connection?.ended();
    },
    send: (message) => say(connection, message),
  };
}

function listen(host: ServerHost, connection: ServerConnection, told: Told, stdin: Readable): void {
  const data = (chunk: Uint8Array | string): void => connection.feed(chunk, false);
  const failed = (error: Error): void => {
    told.onerror?.(error);
    host.failed(error);
  };
  const close = (): void => {
    // Cut off; after its end it closes by itself.
    if (!stdin.readableEnded) connection.ended();
  };
  stdin.on('data', data);
  stdin.on('error', failed);
  const over = (): void => connection.inputEnded();
  stdin.once('end', over);
  stdin.once('close', close);
  connection.onEnd(() => {
    stdin.off('data', data);
    stdin.off('error', failed);
    stdin.off('end', over);
    stdin.off('close', close);
    if (stdin.listenerCount('data') === 0) stdin.pause();
    told.onclose?.();
  });
}

async function write(stdout: Writable, message: string): Promise<void> {
  if (stdout.write(`${message}\n`)) return;
  await new Promise<void>((resolve) => stdout.once('drain', resolve));
}
