/**
 * Servers behind a WebSocket. Owns: the transport object. Must not know: what messages mean. The
 * socket class is the runtime's.
 */
import { readMessages } from '../engine/client/message';
import type { Transport } from '../protocol/transport';
import type { JSONRPCMessage } from '../protocol/types';
import { refusal } from '../protocol/refusal';

const SUBPROTOCOL = 'mcp';

/** The members of a WebSocket that are used here. */
interface Socket {
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onerror: ((event: unknown) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  send(text: string): void;
  close(): void;
}

type SocketClass = new (url: URL, protocol: string) => Socket;

/** Options of a `WebSocketClientTransport`. */
export interface WebSocketClientTransportOptions {
  /** The class of sockets, for instance from the package `ws`; the global `WebSocket` by default. */
  WebSocket?: unknown;
}

/**
 * Client transport over a WebSocket. Needs a global `WebSocket` (Node 22, Bun, Deno) or a package
 * that provides one.
 */
export class WebSocketClientTransport implements Transport {
  /** Called when the connection is closed. */
  onclose?: () => void;
  /** Called with each error, whether or not it ends the connection. */
  onerror?: (error: Error) => void;
  /** Called with each message from the server. */
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #url: URL;
  readonly #class: SocketClass | undefined;
  #socket: Socket | undefined;

  /**
   * Creates a transport. The socket is opened by `start`.
   * @param url - The URL of the server, `ws:` or `wss:`.
   * @param options - A `WebSocket` of the program's own. Default: that of the platform.
   */
  constructor(url: URL, options?: WebSocketClientTransportOptions) {
    this.#url = url;
    this.#class = options?.WebSocket as SocketClass | undefined;
  }

  /** Opens the socket. `Client.connect` calls it. */
  async start(): Promise<void> {
    if (this.#socket !== undefined) {
      throw new Error(
        'WebSocketClientTransport already started! If using Client class, note that connect() calls start() automatically.',
      );
    }
    const WebSocket = this.#class ?? (globalThis as { WebSocket?: SocketClass }).WebSocket;
    if (WebSocket === undefined) {
      throw new Error("There is no global WebSocket here: use Node 22, or give the transport a package's as `WebSocket`");
    }
    const socket = (this.#socket = new WebSocket(this.#url, SUBPROTOCOL));
    socket.onmessage = (event) => this.take(event.data);
    socket.onclose = () => this.onclose?.();
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve();
      socket.onerror = (event) => {
        const { error } = event as { error?: unknown };
        const shown = error instanceof Error ? error : new Error(`WebSocket error: ${JSON.stringify(event)}`);
        reject(shown);
        this.onerror?.(shown);
      };
    });
  }

  /** Closes the connection. */
  async close(): Promise<void> {
    this.#socket?.close();
  }

  /**
   * Sends a message to the server.
   * @param message - The message.
   */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#socket === undefined) throw refusal('not_connected', 'Not connected');
    this.#socket.send(JSON.stringify(message));
  }

  private take(data: unknown): void {
    try {
      for (const message of readMessages(String(data))) this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}
