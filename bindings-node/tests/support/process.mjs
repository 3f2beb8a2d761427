// Programs of tests as processes: what they say, how they end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after } from 'node:test';
import { ENDED } from './bounds.mjs';
import { within } from './peer.mjs';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'open',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'peer', version: '1' } },
};

const running = new Set();
after(() => running.forEach((child) => child.kill('SIGKILL')));

/** A program that runs; its text is a module. */
export class Program {
  lines = [];
  errors = '';
  #rest = '';
  #watchers = [];

  constructor(text, { node = [], stdin = 'pipe' } = {}) {
    const cwd = new URL('..', import.meta.url);
    this.child = spawn(process.execPath, [...node, '--input-type=module', '-e', text], { cwd, stdio: [stdin, 'pipe', 'pipe'] });
    this.child.stdout.on('data', (chunk) => this.#read(chunk));
    this.child.stderr.on('data', (chunk) => (this.errors += chunk));
    this.ended = once(this.child, 'close').then(([code, signal]) => ({ code, signal }));
    this.child.stdin?.on('error', () => undefined);
    running.add(this.child);
    this.ended.then(() => running.delete(this.child));
  }

  #read(chunk) {
    const parts = (this.#rest + chunk).split('\n');
    this.#rest = parts.pop();
    this.lines.push(...parts);
    this.#watchers = this.#watchers.filter(([ready, resolve]) => !ready() || resolve());
  }

  /** Until it has said enough. */
  until(ready) {
    if (ready()) return Promise.resolve();
    const ended = this.ended.then((how) => {
      if (!ready()) throw new Error(`it ended: ${JSON.stringify(how)} ${this.errors}`);
    });
    return within(Promise.race([new Promise((resolve) => this.#watchers.push([ready, resolve])), ended]), 'the program');
  }

  say(...messages) {
    this.child.stdin.write(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  }

  get messages() {
    return this.lines.map((line) => JSON.parse(line));
  }

  /** The answer to a request. */
  async answer(id) {
    await this.until(() => this.lines.some((line) => JSON.parse(line).id === id));
    return this.messages.find((message) => message.id === id);
  }

  /** Shakes hands. */
  async open() {
    this.say(INITIALIZE);
    await this.answer('open');
    this.say({ method: 'notifications/initialized' });
  }

  call(name, args = {}, id = name) {
    this.say({ id, method: 'tools/call', params: { name, arguments: args } });
    return this.answer(id);
  }

  /** How it ended. */
  end(limit = ENDED) {
    return within(this.ended, 'the end of the program', limit);
  }
}

/** A low-level server on standard streams; `tool` is the body of its handler. */
export const stdioServer = (tool, { before = '', after = '', transport = 'new StdioServerTransport()' } = {}) => `
  ${before}
  const { Server } = await import('mcpbolt/server/index.js');
  const { StdioServerTransport } = await import('mcpbolt/server/stdio.js');
  const { CallToolRequestSchema } = await import('mcpbolt/types.js');
  const server = new Server({ name: 'process', version: '1' }, { capabilities: { tools: {} } });
  const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => { ${tool} });
  const transport = ${transport};
  await server.connect(transport);
  ${after}
`;
