// The other end of an in-memory pair, played by hand: what a server sends is kept in order.
import assert from 'node:assert/strict';
import { LIMIT } from './bounds.mjs';

/** Fails if a promise takes too long. */
export function within(promise, what = 'it', limit = LIMIT) {
  let timer;
  const late = new Promise((_, reject) => {
    // A test that nothing can end any more ends by itself.
    timer = setTimeout(() => reject(new Error(`${what} took too long`)), limit).unref();
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** A client in raw messages on one end of a linked pair. */
export class Peer {
  frames = [];
  closed = false;
  #waiting = new Map();
  #watchers = [];
  #next = 1;
  /** Answers requests of the server: `(message) => result`, an `Error` with code, or nothing. */
  answer = () => undefined;

  constructor(transport) {
    this.transport = transport;
    transport.onmessage = (message) => this.#received(message);
    transport.onclose = () => {
      this.closed = true;
      this.#look();
    };
  }

  #received(message) {
    // As it is now: in memory it may be an object that somebody goes on using.
    this.frames.push(structuredClone(message));
    if (message.method === undefined) {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    } else if (message.id !== undefined) {
      this.#reply(message);
    }
    this.#look();
  }

  async #reply(message) {
    const result = await this.answer(message);
    if (result instanceof Error) {
      const { code, message: text, data } = result;
      await this.send({ id: message.id, error: { code, message: text, ...(data === undefined ? {} : { data }) } });
    } else if (result !== undefined) {
      await this.send({ id: message.id, result });
    }
  }

  #look() {
    this.#watchers = this.#watchers.filter(([ready, resolve]) => !ready() || resolve());
  }

  /** Until something is so; looked at after each message. */
  until(ready, what) {
    if (ready()) return Promise.resolve();
    return within(new Promise((resolve) => this.#watchers.push([ready, resolve])), what ?? String(ready));
  }

  send(message, options) {
    return this.transport.send({ jsonrpc: '2.0', ...message }, options);
  }

  /** Sends a request; the whole response. */
  request(method, params, { id = this.#next++, ...options } = {}) {
    const answer = new Promise((resolve) => this.#waiting.set(id, resolve));
    const sent = this.send({ id, method, ...(params === undefined ? {} : { params }) }, options);
    return within(sent.then(() => answer), `the answer to ${method}`);
  }

  async result(method, params, options) {
    const answer = await this.request(method, params, options);
    assert.equal(answer.error, undefined, JSON.stringify(answer.error));
    return answer.result;
  }

  notify(method, params) {
    return this.send({ method, ...(params === undefined ? {} : { params }) });
  }

  /** Shakes hands. */
  async open({ capabilities = {}, revision = '2025-11-25' } = {}) {
    await this.transport.start();
    const clientInfo = { name: 'peer', version: '1' };
    const result = await this.result('initialize', { protocolVersion: revision, capabilities, clientInfo });
    await this.notify('notifications/initialized');
    return result;
  }

  call(name, args = {}, options) {
    return this.request('tools/call', { name, arguments: args }, options);
  }

  /** What a modern request says of itself. */
  static envelope(capabilities = {}, more = {}) {
    const prefix = 'io.modelcontextprotocol/';
    return {
      [`${prefix}protocolVersion`]: '2026-07-28',
      [`${prefix}clientInfo`]: { name: 'peer', version: '1' },
      [`${prefix}clientCapabilities`]: capabilities,
      ...more,
    };
  }

  close() {
    return this.transport.close();
  }
}
