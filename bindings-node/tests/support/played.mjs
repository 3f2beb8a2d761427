// A transport whose other end a test plays, message by message.
import { within } from './bounds.mjs';

/** A transport whose other end is played by a function. */
export class Played {
  /** What went over it from this side. */
  sent = [];
  versions = [];
  constructor(play = () => undefined) {
    this.play = play;
  }
  async start() {}
  async close() {
    this.onclose?.();
  }
  async send(message) {
    this.sent.push(message);
    this.#look?.(message);
    const answer = message.id === undefined || message.method === undefined ? undefined : this.play(message, this);
    if (answer instanceof Error) throw answer;
    if (answer !== undefined) queueMicrotask(() => this.onmessage?.({ jsonrpc: '2.0', id: message.id, ...answer }));
  }
  setProtocolVersion(version) {
    this.versions.push(version);
  }
  #look;
  /** Sends a request, and waits for its answer. */
  ask(method, params) {
    // Nothing else keeps the process alive on a transport that is no socket.
    const alive = setInterval(() => undefined, 100);
    const answer = new Promise((resolve) => {
      this.#look = (message) => message.id === 'asked' && resolve(message);
      this.onmessage({ jsonrpc: '2.0', id: 'asked', method, params });
    });
    return within(answer).finally(() => clearInterval(alive));
  }
}
