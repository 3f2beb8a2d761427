// The channel to the program that served the page: a server, or `mcpbolt inspect`. It holds the
// session, and tells of it as a stream of JSON lines. Its paths are beside the page's.
//
// Owns: the key of this run, the stream, requests that wait. Must not know: what is shown.

import type { Json, JsonObject } from '../json';
import { Refused, type Channel, type Listener, type Progress, type Question, type Frame, type RequestOptions, type Root, type State } from './channel';

/** Waits before the stream is opened again, in milliseconds. */
const AGAIN = [250, 500, 1000, 2000];
/** Why a post was not taken, by its status. */
const WORDS: Record<number, string> = {
  403: `the server does not let ${location.origin} post: it has to be among the allowed origins`,
  409: 'there is no session with the server',
};

type Event =
  | ({ kind: 'state' } & State)
  | ({ kind: 'frame' } & Frame)
  | ({ kind: 'question' } & Question)
  | { kind: 'answer'; id: string; result?: Json; error?: { code: number; message: string; data?: Json; kind: string; local: boolean } }
  | { kind: 'progress'; id: string; params: Progress }
  | { kind: 'settled'; id: number }
  | { kind: 'problem'; message: string };

interface Waiting {
  resolve(result: Json): void;
  reject(error: Refused): void;
  onProgress?: (progress: Progress) => void;
}

export class Relay implements Channel {
  readonly #key: string;
  readonly #waiting = new Map<string, Waiting>();
  /** So that two pages of one run do not take each other's answers. */
  readonly #page = Math.random().toString(36).slice(2, 10);
  #last = 0;
  /** The time of the newest message that was told: what comes again after a break is skipped. */
  #seen = 0;
  #questions = new Set<number>();

  constructor(key: string) {
    this.#key = key;
  }

  open(listener: Listener): void {
    void this.#listen(listener);
  }

  request(method: string, params: JsonObject, options: RequestOptions = {}): Promise<Json> {
    this.#last += 1;
    const id = `${this.#page}-${this.#last}`;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress: options.onProgress });
      options.signal?.addEventListener('abort', () => {
        if (!this.#waiting.delete(id)) return;
        void this.#post('messages', { method: 'notifications/cancelled', params: { requestId: id } });
        reject(new Refused(0, 'cancelled', undefined, 'Cancelled', true));
      });
      void this.#post('messages', { id, method, params }).then((status) => {
        if (status !== 202) this.#fail(id, WORDS[status] ?? 'the program behind this page does not take the request');
      });
    });
  }

  answer(id: number, result: JsonObject | null): void {
    void this.#post('messages', result === null ? { id } : { id, result });
  }

  setRoots(roots: Root[]): void {
    void this.#post('roots', { roots });
  }

  connect(token?: string): void {
    void this.#post('connect', token === undefined ? {} : { token });
  }

  /** The status of the answer; 0 where there is none. */
  async #post(path: string, body: unknown): Promise<number> {
    try {
      const headers = { 'x-mcpbolt-page': this.#key, 'content-type': 'application/json' };
      const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
      return answer.status;
    } catch {
      return 0;
    }
  }

  async #listen(listener: Listener): Promise<void> {
    for (let failed = 0; ; failed += 1) {
      try {
        const answer = await fetch('events', { headers: { 'x-mcpbolt-page': this.#key } });
        if (answer.status === 401) return listener.host('refused');
        if (answer.ok && answer.body) {
          failed = 0;
          listener.host('there');
          const again = this.#seen;
          this.#questions.clear();
          for await (const line of lines(answer.body)) this.#hear(JSON.parse(line) as Event, listener, again);
        }
      } catch {
        // The program has ended, or the connection broke: it is tried again.
      }
      listener.host('lost');
      for (const id of [...this.#waiting.keys()]) this.#fail(id, 'the program behind this page has ended');
      await new Promise((resolve) => setTimeout(resolve, AGAIN[Math.min(failed, AGAIN.length - 1)]));
    }
  }

  #hear(event: Event, listener: Listener, again: number): void {
    switch (event.kind) {
      case 'state':
        return listener.state(event);
      case 'frame':
        if (event.at <= again) return;
        this.#seen = event.at;
        return listener.frame(event);
      case 'question':
        if (this.#questions.has(event.id)) return;
        this.#questions.add(event.id);
        return listener.question(event);
      case 'settled':
        return listener.settled(event.id);
      case 'problem':
        return listener.problem(event.message);
      case 'progress':
        return this.#waiting.get(event.id)?.onProgress?.(event.params);
      case 'answer': {
        const waiting = this.#waiting.get(event.id);
        this.#waiting.delete(event.id);
        const { error } = event;
        if (error) waiting?.reject(new Refused(error.code, error.message, error.data, error.kind, error.local));
        else waiting?.resolve(event.result ?? null);
      }
    }
  }

  #fail(id: string, why: string): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.reject(new Refused(0, why, undefined, 'Closed', true));
  }
}

/** The lines of a stream. */
async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) if (part) yield part;
  }
}
