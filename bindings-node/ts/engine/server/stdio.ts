/**
 * How the engine serves standard streams. Owns: letting the engine read them, passing it the lines
 * of streams that a program gave, and leaving both to the transport object if a program watches its
 * messages. Must not know: what messages mean.
 */
import { relative } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { endSoon, hadHost } from '../process-end';
import { runtime } from '../timers';
import { carryTransport, receive } from './fed';
import type { ServerConnection } from './connection';
import type { ServerHost } from './host';
import type { NativeWay } from './native-way';
import * as standard from './standard-streams';
import { take } from '../transport-callbacks';
import type { Transport } from '../../protocol/transport';
import type { JSONRPCMessage } from '../../protocol/types';
import { refusal } from '../../protocol/refusal';

/** What the transport object provides. */
export interface Reading {
  /** The streams that the program gave. */
  readonly given: { stdin?: Readable | undefined; stdout?: Writable | undefined };
  /** Whether the process keeps running after its input has ended. */
  readonly keepProcess: boolean;
  /** Whether the program replaced one of the object's methods. */
  isWrapped(): boolean;
  /** Starts reading, and calls `onmessage` with each message. */
  read(): void;
}

/** Serves standard streams, through the engine or through the object. */
export interface StreamWay extends NativeWay {
  /** Closes the connection; `false` if the object has to do it. */
  close(): Promise<boolean>;
  /** Sends a message; `false` if the object has to do it. */
  send(message: JSONRPCMessage): Promise<boolean>;
}

const nothing = (): void => undefined;

/**
 * Serves a transport. Who reads is decided after the code that called `connect` has run, because
 * some programs replace functions of the object only then.
 */
export function streamWay(transport: Transport, reading: Reading): StreamWay {
  let connection: ServerConnection | undefined;
  let cancel: (() => void) | undefined;
  let [direct, isLeft] = [true, false];
  let beginning: Promise<void> | undefined;
  const serve = (host: ServerHost): void => {
    const { own, print, release } = borrowed(reading.given);
    const restore = take(transport, {
      onclose: () => connection?.ended(),
      onerror: (error) => host.failed(error),
      onmessage: (message, extra) => connection && receive(connection, message, extra),
    });
    const { onmessage } = transport;
    const decided = holdBack(host);
    beginning = host.beginning;
    const begin = (): void => {
      print();
      direct = transport.onmessage === onmessage && !reading.isWrapped();
      if (direct) restore();
      connection = direct ? listen(host, transport, own, reading.given) : watched(host, transport, reading, restore);
      connection.onEnd(release);
      if (!reading.keepProcess && isInput(reading.given.stdin)) connection.onEnd(() => isLeft || endSoon());
    };
    const timer = runtime.setImmediate(() => {
      cancel = undefined;
      try {
        begin();
      } catch (error) {
        host.failed(error);
        host.server.closed(transport);
      } finally {
        decided();
      }
    });
    cancel = () => {
      runtime.clearImmediate(timer);
      cancel = undefined;
      decided();
      print();
      release();
      restore();
      transport.onclose?.();
      host.server.closed(transport);
    };
  };
  return {
    serve,
    async close() {
      isLeft = true;
      if (cancel !== undefined) cancel();
      else if (direct && connection !== undefined) await end(connection);
      return direct;
    },
    async send(message) {
      await beginning;
      if (direct) await say(connection, message);
      return direct;
    },
  };
}

/**
 * Takes the process's own streams if the transport uses them. `print` restores printing, and
 * `release` gives the streams back.
 */
function borrowed(given: Reading['given']): { own: boolean; print: () => void; release: () => void } {
  if (isInput(given.stdin)) adviseTerminal();
  if (!isForStandard(given) || !standard.take()) return { own: false, print: nothing, release: nothing };
  return { own: true, print: standard.divert(), release: standard.ended };
}

/** Whether the transport uses the process's own streams, and the program replaced none of them. */
function isForStandard({ stdin, stdout }: Reading['given']): boolean {
  return stdin === undefined && stdout === undefined && !standard.isOutputReplaced();
}

/** Whether a stream is the process's own input. */
export function isInput(stdin: Readable | undefined): boolean {
  return stdin === undefined || (stdin as { fd?: unknown }).fd === 0;
}

/** Whether input is a terminal. Asking the stream would create it, which changes the descriptor. */
function isTerminal(): boolean {
  if (hadHost()) return false;
  // Loaded late, because it is rarely needed and loads socket code.
  const { isatty } = require('node:tty') as typeof import('node:tty');
  return isatty(0);
}

/** Tells people who start a server by hand what it waits for. */
function adviseTerminal(): void {
  if (!isTerminal()) return;
  const program = process.argv[1] === undefined ? 'node server.mjs' : `node ${relative(process.cwd(), process.argv[1]) || process.argv[1]}`;
  const ways = `\`npx @modelcontextprotocol/inspector ${program}\` talks to it; await server.listen({ port: 3000 }) serves HTTP instead`;
  process.stderr.write(`This MCP server waits for a client's messages on standard input, which is a terminal: ${ways}.\n`);
}

/** Has the engine read the streams, or passes it their lines. */
function listen(host: ServerHost, transport: Transport, own: boolean, { stdin, stdout }: Reading['given']): ServerConnection {
  if (own) return listenOwn(host, transport);
  return listenLines(host, transport, stdin ?? standard.input(), stdout ?? process.stdout);
}

/** Delays what the program sends until it is decided who reads; returns a function that ends the delay. */
function holdBack(host: ServerHost): () => void {
  let resolve = nothing;
  const beginning = new Promise<void>((done) => (resolve = done));
  host.beginning = beginning;
  return () => {
    if (host.beginning === beginning) host.beginning = undefined;
    resolve();
  };
}

/** Has the engine read and write the process's streams. */
function listenOwn(host: ServerHost, transport: Transport): ServerConnection {
  const connection = host.openStdio();
  connection.transport = transport;
  // Keeps the process alive while a client may still send.
  host.driver.hold();
  connection.onEnd(() => {
    host.driver.release();
    transport.onclose?.();
  });
  return connection;
}

/** Has the object read, and calls the program's functions on it. */
function watched(host: ServerHost, transport: Transport, reading: Reading, restore: () => void): ServerConnection {
  const connection = carryTransport(host, transport);
  const stdin = reading.given.stdin ?? standard.input();
  const over = (): void => connection.inputEnded();
  stdin.once('end', over);
  connection.onEnd(() => {
    stdin.off('end', over);
    restore();
    if (stdin.readableEnded) transport.onclose?.();
  });
  reading.read();
  return connection;
}

async function end(connection: ServerConnection): Promise<void> {
  if (connection.fed) {
    await connection.farewell();
    connection.ended();
    return;
  }
  connection.host.driver.flush();
  connection.host.driver.inbox.closeConnection(connection.number);
  connection.finish();
}

/** Sends a message that a program passes to the transport instead of its server. */
async function say(connection: ServerConnection | undefined, message: JSONRPCMessage): Promise<void> {
  const { method, params, id } = message as { method?: string; params?: object; id?: unknown };
  if (connection === undefined || connection.over) throw refusal('not_connected', 'Not connected');
  if (method === undefined || id !== undefined) {
    throw new Error('only notifications can be sent past the server; use server.request() for requests');
  }
  await connection.host.driver.send(connection.number, method, params && JSON.stringify(params));
}

/** Passes the lines of streams that a program gave to the engine. */
function listenLines(host: ServerHost, transport: Transport, stdin: Readable, stdout: Writable): ServerConnection {
  const connection = host.open(true);
  connection.transport = transport;
  connection.carry((message) => write(stdout, message));
  const data = (chunk: Uint8Array | string): void => connection.feed(chunk, false);
  const failed = (error: Error): void => {
    transport.onerror?.(error);
    host.failed(error);
  };
  const close = (): void => {
    // Only if input was cut off; after a normal end it closes by itself.
    if (!stdin.readableEnded) connection.ended();
  };
  const over = (): void => connection.inputEnded();
  stdin.on('data', data);
  stdin.on('error', failed);
  stdin.once('end', over);
  stdin.once('close', close);
  connection.onEnd(() => {
    stdin.off('data', data);
    stdin.off('error', failed);
    stdin.off('end', over);
    stdin.off('close', close);
    if (stdin.listenerCount('data') === 0) stdin.pause();
    transport.onclose?.();
  });
  return connection;
}

async function write(stdout: Writable, message: string): Promise<void> {
  if (stdout.write(`${message}\n`)) return;
  await new Promise<void>((resolve) => stdout.once('drain', resolve));
}
