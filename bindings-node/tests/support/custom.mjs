// A transport of a program's own, whose other side is a test.
import { WELCOME } from './raw-http.mjs';

/** Keeps what is sent; answers `initialize`. */
export class CustomTransport {
  sent = [];
  starts = 0;
  closes = 0;
  #waiting = [];

  constructor(answers = {}) {
    this.answers = { initialize: () => WELCOME, ...answers };
  }

  async start() {
    this.starts += 1;
  }

  async send(message) {
    this.sent.push(message);
    this.#waiting = this.#waiting.filter((each) => !each(message));
    const answer = this.answers[message.method];
    if (answer === undefined || message.id === undefined) return;
    const result = answer(message);
    if (result !== undefined) setImmediate(() => this.onmessage?.({ jsonrpc: '2.0', id: message.id, result }));
  }

  async close() {
    this.closes += 1;
    this.onclose?.();
  }

  /** The answer to a request of the test's. */
  answered(id) {
    const isIt = (message) => message.id === id && message.method === undefined;
    const found = this.sent.find(isIt);
    if (found) return Promise.resolve(found);
    return new Promise((resolve) => this.#waiting.push((message) => isIt(message) && (resolve(message), true)));
  }

  /** The next message with a method, or one that was sent. */
  until(method) {
    return new Promise((resolve) => {
      const found = this.sent.find((message) => message.method === method);
      if (found) return resolve(found);
      this.#waiting.push((message) => message.method === method && (resolve(message), true));
    });
  }
}
