// Scripts of tests/vectors/binding: steps, patterns, the envelope. How the tested side is
// made is not known here: a side has `start`, `take`, `act`, `disconnect`, `stop`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { LIMIT } from './bounds.mjs';
import { advance, settled } from './engine.mjs';

const FOLDER = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../../../tests/vectors/binding');
const META = 'io.modelcontextprotocol/';
export const MODERN = '2026-07-28';
const SERVER_PEER = { tools: { listChanged: true }, prompts: {}, resources: { subscribe: true }, logging: {}, completions: {} };
const CLIENT_PEER = { elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } };
const INFO = { name: 'peer', version: '1' };

/** A vector does not hold. */
export class Fault extends Error {}

/** All scripts of a side. */
export function vectors(side) {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json')).sort();
  return files.flatMap((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')).vectors).filter((vector) => vector.side === side);
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values that a script has bound, and what matches them. */
class Names {
  bound = new Map();

  fill(value) {
    if (Array.isArray(value)) return value.map((part) => this.fill(part));
    if (isObject(value)) {
      const members = Object.entries(value).filter(([, part]) => part !== '$absent');
      return Object.fromEntries(members.map(([name, part]) => [name, this.fill(part)]));
    }
    if (typeof value !== 'string' || !value.startsWith('$get:')) return value;
    if (!this.bound.has(value.slice(5))) throw new Fault(`nothing is bound to ${value.slice(5)}`);
    return this.bound.get(value.slice(5));
  }

  matches(pattern, value) {
    if (Array.isArray(pattern)) {
      return Array.isArray(value) && pattern.length === value.length && pattern.every((part, at) => this.matches(part, value[at]));
    }
    if (isObject(pattern)) {
      return isObject(value) && Object.entries(pattern).every(([name, part]) => this.#member(value, name, part));
    }
    if (typeof pattern !== 'string' || !pattern.startsWith('$')) return pattern === value;
    const [, word, rest] = /^\$([a-z]+):?(.*)$/s.exec(pattern) ?? [];
    if (word === 'let') return this.bound.set(rest, value) && true;
    if (word === 'get') return this.matches(this.fill(pattern), value);
    if (word === 'contains') return typeof value === 'string' && value.includes(rest);
    return word === 'any';
  }

  #member(value, name, pattern) {
    if (pattern === '$absent') return !Object.hasOwn(value, name);
    return Object.hasOwn(value, name) && this.matches(pattern, value[name]);
  }

  /** A message with names where bound values were, so that two runs compare. */
  hide(text) {
    for (const [name, value] of this.bound) text = text.replaceAll(JSON.stringify(value), `"$${name}"`);
    return text;
  }
}

/** What was sent and noted and nobody has named yet. */
export class Desk {
  sent = [];
  noted = [];
  /** Handlers that run. */
  running = 0;
  reading = true;
  #unread = [];
  #watchers = new Set();

  /** `patience`: how long the script waits for each thing, in milliseconds. */
  constructor(patience = LIMIT) {
    this.patience = patience;
  }

  note(event) {
    this.noted.push(event);
    this.moved();
  }

  /** A message of the tested side; `taken` is called when the script reads it. */
  received(message, taken) {
    if (!this.reading) return void this.#unread.push([message, taken]);
    this.sent.push(message);
    taken?.();
    this.moved();
  }

  read(on) {
    this.reading = on;
    for (const [message, taken] of on ? this.#unread.splice(0) : []) this.received(message, taken);
  }

  moved() {
    for (const look of [...this.#watchers]) look();
  }

  async until(ready, what) {
    if (ready()) return;
    let timer;
    await new Promise((resolve, reject) => {
      const look = () => ready() && resolve();
      this.#watchers.add(look);
      const late = () => reject(new Fault(`${what()}; sent ${JSON.stringify(this.sent)}, noted ${JSON.stringify(this.noted)}`));
      timer = setTimeout(late, this.patience);
    }).finally(() => {
      clearTimeout(timer);
      this.#watchers.clear();
    });
  }

  /** Counts a handler. */
  async during(body) {
    this.running += 1;
    try {
      return await body();
    } finally {
      this.running -= 1;
      this.moved();
    }
  }

  /** Until nothing moves. */
  async rest() {
    const end = Date.now() + this.patience;
    for (let calm = 0; calm < 3; ) {
      const before = [this.sent.length, this.noted.length].join();
      if (Date.now() > end) throw new Fault('it does not come to rest');
      for (let turns = 0; turns < 20; turns += 1) await turn();
      const still = settled() && before === [this.sent.length, this.noted.length].join();
      calm = still ? calm + 1 : 0;
    }
  }
}

/** One vector for one revision. */
class Run {
  names = new Names();
  told = [];

  constructor(side, vector, revision, patience) {
    this.desk = new Desk(patience);
    this.side = side;
    this.vector = vector;
    this.revision = revision;
    this.serving = vector.side === 'server';
    this.peer = vector.peer ?? (this.serving ? CLIENT_PEER : SERVER_PEER);
  }

  /** The messages it sent, as texts that compare. */
  async run() {
    await this.side.start(this.desk, this.vector, this.revision);
    try {
      if (this.vector.open ?? true) await this.#open();
      for (const [number, step] of this.vector.steps.entries()) {
        try {
          await this.#step(step);
        } catch (fault) {
          fault.message = `step ${number + 1}, ${JSON.stringify(step).slice(0, 160)}: ${fault.message}`;
          throw fault;
        }
      }
      await this.#end();
    } finally {
      this.desk.read(true);
      await this.side.stop();
    }
    return this.told.map((message) => this.names.hide(JSON.stringify(message)));
  }

  async #open() {
    const { peer: capabilities, revision: protocolVersion } = this;
    if (this.serving) {
      if (protocolVersion >= MODERN) return;
      await this.#recv({ id: 'open', method: 'initialize', params: { protocolVersion, capabilities, clientInfo: INFO } });
      await this.#send({ id: 'open', result: '$any' });
      await this.#recv({ method: 'notifications/initialized' });
      return;
    }
    await this.side.act('open', true, {});
    if (protocolVersion < MODERN) {
      await this.#send({ id: '$let:open', method: 'initialize' });
      await this.#recv({ id: '$get:open', result: { protocolVersion, capabilities, serverInfo: INFO } });
      await this.#send({ method: 'notifications/initialized' });
    } else {
      await this.#send({ id: '$let:open', method: 'server/discover' });
      const result = { resultType: 'complete', supportedVersions: [protocolVersion], capabilities, ttlMs: 0, cacheScope: 'private' };
      await this.#recv({ id: '$get:open', result });
    }
    await this.#event({ answered: 'open' });
  }

  async #step(step) {
    if ('recv' in step) return this.#recv(step.recv);
    if ('event' in step) return this.#event(step.event);
    if ('advance' in step) return advance(step.advance);
    if ('reading' in step) return this.desk.read(step.reading);
    if ('disconnect' in step) return this.side.disconnect();
    if ('send' in step) {
      for (let times = step.times ?? 1; times > 0; times -= 1) await this.#send(step.send);
    } else if ('do' in step) {
      this.#nothingLeft('an action');
      const [action, given] = Object.entries(step.do)[0];
      await this.side.act(action, given, this.names.fill(step.do));
    } else if ('quiet' in step) {
      await this.desk.rest();
      this.#nothingLeft('quiet');
      if (this.desk.noted.length > 0) throw new Fault(`noted ${JSON.stringify(this.desk.noted)}`);
    } else {
      throw new Fault('an unknown step');
    }
  }

  #nothingLeft(what) {
    const { sent } = this.desk;
    if (sent.length > 0) throw new Fault(`${what} while a message waits that nobody named: ${JSON.stringify(sent)}`);
  }

  async #recv(message) {
    this.#nothingLeft('an input');
    if (typeof message === 'string' && !message.startsWith('$get:')) return this.side.take(message);
    const filled = this.names.fill(message);
    const parts = [filled].flat().map((part) => this.#envelope({ jsonrpc: '2.0', ...part }));
    await this.side.take(JSON.stringify(Array.isArray(filled) ? parts : parts[0]));
  }

  #envelope(message) {
    const { method, params = {} } = message;
    if (!this.serving || this.revision < MODERN || method === undefined) return message;
    if (!('id' in message) && method !== 'notifications/cancelled') return message;
    const own = { [`${META}protocolVersion`]: this.revision, [`${META}clientInfo`]: INFO, [`${META}clientCapabilities`]: this.peer };
    const meta = Object.entries({ ...own, ...params._meta }).filter(([, value]) => value !== '$absent');
    return { ...message, params: { ...params, _meta: Object.fromEntries(meta) } };
  }

  async #send(pattern) {
    await this.desk.until(() => this.desk.sent.length > 0, () => `nothing was sent, expected ${JSON.stringify(pattern)}`);
    const message = this.desk.sent.shift();
    if (!this.names.matches(pattern, message)) throw new Fault(`sent ${JSON.stringify(message)}`);
    this.told.push(message);
  }

  async #event(pattern) {
    const find = () => this.desk.noted.findIndex((event) => this.names.matches(pattern, event));
    await this.desk.until(() => find() >= 0, () => 'it was not noted');
    this.desk.noted.splice(find(), 1);
  }

  async #end() {
    await this.side.disconnect();
    await this.desk.until(() => this.desk.running === 0, () => 'handlers are running after the end');
    await this.desk.rest();
    this.#nothingLeft('the end');
    const left = this.desk.noted.filter((event) => !('closed' in event));
    if (left.length > 0) throw new Fault(`noted and not named: ${JSON.stringify(left)}`);
  }
}

/** Runs a vector for a revision; the messages it sent. */
export function run(side, vector, revision, patience) {
  return new Run(side, vector, revision, patience).run();
}
