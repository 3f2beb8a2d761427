// A client of few words over a custom transport: what it sends and what it gets is plain
// JSON-RPC, so that two servers can be compared byte by byte.

import { within } from './bounds.mjs';

export class Wire {
  #last = 0;
  #waiting = new Map();
  #watchers = [];
  notifications = [];

  constructor() {
    const wire = this;
    /** The server's end. */
    this.transport = {
      async start() {},
      async close() {
        this.onclose?.();
      },
      async send(message) {
        wire.#take(JSON.parse(JSON.stringify(message)));
      },
    };
  }

  #take(message) {
    if (message.id !== undefined && message.method === undefined) {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
      return;
    }
    this.notifications.push(message);
    for (const watcher of this.#watchers) watcher();
  }

  /** The answer to a request, without its id. */
  async request(method, params) {
    const id = ++this.#last;
    const answer = new Promise((resolve) => this.#waiting.set(id, resolve));
    this.transport.onmessage({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
    const { result, error } = await within(answer, method);
    return error === undefined ? { result } : { error };
  }

  notify(method, params) {
    this.transport.onmessage({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
  }

  /** Until there are so many notifications of a method. */
  told(method, count) {
    const done = () => this.notifications.filter((one) => one.method === method).length >= count;
    const arrived = new Promise((resolve) => {
      const look = () => done() && resolve();
      this.#watchers.push(look);
      look();
    });
    return within(arrived, `${count} × ${method}`);
  }

  /** Connects a server and shakes hands. */
  async open(server, capabilities = {}) {
    await server.connect(this.transport);
    const clientInfo = { name: 'wire', version: '1.0.0' };
    const hello = await this.request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
    this.notify('notifications/initialized');
    return hello.result;
  }
}
