// Programs that tests talk to: starting them, waiting for what they say, ending them.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { after } from 'node:test';
import { LIMIT, PROMISED, START_BOUND, within } from './bounds.mjs';

/** Where a program of this folder is. */
export const peer = (name) => fileURLToPath(new URL(name, import.meta.url));

// A test that left something open does not keep the others waiting.
after(() => setTimeout(() => process.exit(1), 2 * PROMISED).unref());

/** Texts of a stream, one after another, for whoever waits for one. */
export class Lines {
  #text = '';
  #waiting = [];

  constructor(stream) {
    stream.setEncoding?.('utf8');
    stream.on('data', (chunk) => {
      this.#text += chunk;
      this.#waiting = this.#waiting.filter((try_) => !try_());
    });
  }

  get text() {
    return this.#text;
  }

  /** What a pattern matches, once it is there. */
  until(pattern, bound = LIMIT) {
    return within(this.match(pattern), String(pattern), bound);
  }

  /** As `until`, however long it takes. */
  match(pattern) {
    return new Promise((resolve) => {
      const try_ = () => {
        const match = pattern.exec(this.#text);
        if (match !== null) resolve(match);
        return match !== null;
      };
      if (!try_()) this.#waiting.push(try_);
    });
  }
}

/** Starts a program that prints its URL; ends it with the test file. */
export async function serve(command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  after(() => child.kill('SIGKILL'));
  const lines = new Lines(child.stderr);
  const printed = new Lines(child.stdout);
  const url = /http:\/\/\S+/;
  const [place] = await within(Promise.race([lines.match(url), printed.match(url)]), 'the URL of a server', START_BOUND);
  return { url: new URL(place), lines, child };
}

/** Our Node of the official package. */
export const officialHttp = (...args) => serve(process.execPath, [peer('official-server.mjs'), ...args]);
