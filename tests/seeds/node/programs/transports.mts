// A transport of the program's own: messages go over a pair of ports, one of them with
// this program's server behind it. What it cannot do it reports and throws.

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Transport } from 'mcpbolt/shared/transport.js';
import type { JSONRPCMessage } from 'mcpbolt/types.js';

export class PortTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  #open = false;

  constructor(private port: MessagePort) {}

  async start() {
    try {
      if (this.#open) throw 'it is open';
      this.#open = true;
      this.port.on('message', (message) => this.onmessage?.(message));
      this.port.on('close', () => this.onclose?.());
    } catch (error) {
      this.onerror?.(new Error(`Failed to connect: ${error}`));
      throw error;
    }
  }

  async send(message: JSONRPCMessage) {
    try {
      if (!this.#open) throw 'it is not open';
      this.port.postMessage(message);
    } catch (error) {
      this.onerror?.(new Error(`Failed to send message: ${error}`));
      throw error;
    }
  }

  async close() {
    this.#open = false;
    this.port.close();
  }
}

/** Two transports, each the other's peer. */
export function portTransports(): [PortTransport, PortTransport] {
  const { port1, port2 } = new MessageChannel();
  return [new PortTransport(port1), new PortTransport(port2)];
}
