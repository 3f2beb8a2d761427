// The server program of tests/vectors/binding, on the high-level server.
import { Readable, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { McpServer, ResourceTemplate } from 'mcpbolt/server/mcp.js';
import { completable } from 'mcpbolt/server/completable.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';
import { CallToolRequestSchema, RootsListChangedNotificationSchema } from 'mcpbolt/types.js';
import { z } from 'zod';
import { Fault } from './vector-script.mjs';

const FORM = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  logging: {},
  completions: {},
};

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const schemaOf = (types) => ({ type: 'object', properties: types, required: Object.keys(types) });
const string = { type: 'string' };
const integer = { type: 'integer' };
const echo = ({ text: value }) => text(value);
const startingWith = (known) => (value) => known.filter((one) => one.startsWith(value));

/** Ends when a call is cancelled, with the reason. */
const aborted = (signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cancelled'))));

/** The program, and the script's end of its streams. */
export class ServerSide {
  gates = new Map();
  tools = new Map();

  constructor(fastPath) {
    this.fastPath = fastPath;
  }

  async start(desk, vector) {
    this.desk = desk;
    const engine = { ...vector.options, fast_path: this.fastPath };
    this.mcp = new McpServer({ name: 'vectors', version: '1' }, { capabilities: CAPABILITIES, instructions: 'be kind', engine });
    this.#tools();
    this.#rest();
    const { server } = this.mcp;
    server.onclose = () => desk.note({ closed: true });
    server.onsubscribe = (uri) => desk.note({ subscribed: uri });
    server.onunsubscribe = (uri) => desk.note({ unsubscribed: uri });
    server.setNotificationHandler(RootsListChangedNotificationSchema, ({ method }) => desk.note({ notified: method }));
    this.stdin = new Readable({ read: () => undefined });
    await this.mcp.connect(new StdioServerTransport(this.stdin, this.#stdout()));
  }

  /** What the script reads; a message that it does not take keeps the others waiting. */
  #stdout() {
    const write = (line, _encoding, done) => this.desk.received(JSON.parse(line), done);
    return new Writable({ write, highWaterMark: 1 });
  }

  async take(line) {
    this.stdin.push(`${line}\n`);
    // The stream hands it on in a turn of its own.
    await turn();
  }

  disconnect() {
    this.stdin.destroy();
  }

  async stop() {
    await this.mcp.close();
  }

  async act(action, given) {
    if (action === 'release') {
      if (!this.gates.has(given)) throw new Fault(`nobody holds ${given}`);
      this.gates.get(given)();
    } else if (action === 'add_tool') {
      this.#tool(given, { text: string }, echo);
    } else if (action === 'remove_tool') {
      this.tools.get(given).remove();
    } else if (action === 'updated') {
      await this.mcp.server.sendResourceUpdated({ uri: given }).catch(() => undefined);
    } else if (action === 'close') {
      await this.mcp.close();
    } else {
      throw new Fault(`unknown action ${action}`);
    }
  }

  #tool(name, types, handler) {
    this.tools.set(name, this.mcp.registerTool(name, { inputSchema: schemaOf(types) }, handler));
  }

  #tools() {
    const { desk } = this;
    const { server } = this.mcp;
    const asked = (question) => desk.during(() => question().catch((error) => text(`failed ${error.kind}`)));
    const elicit = (message) => server.elicitInput({ message, requestedSchema: FORM });
    this.#tool('echo', { text: string }, echo);
    this.#tool('fail', { message: string }, ({ message }) => {
      throw new Error(message);
    });
    this.#tool('refuse', { code: integer, message: string, data: {} }, () => text('answered below'));
    this.#tool('hang', {}, (_, { signal }) =>
      desk.during(async () => {
        desk.note({ started: 'hang' });
        await aborted(signal).finally(() => desk.note({ cancelled: 'hang' }));
      }),
    );
    this.#tool('hold', { name: string }, ({ name }) =>
      desk.during(async () => {
        desk.note({ started: name });
        await new Promise((resolve) => this.gates.set(name, resolve));
        return text(`released ${name}`);
      }),
    );
    this.#tool('ask', { message: string }, ({ message }) =>
      asked(async () => {
        const { action, content } = await elicit(message);
        return text(action === 'accept' ? `accept ${content.name}` : action);
      }),
    );
    this.#tool('ask_both', {}, () =>
      asked(async () => {
        const [{ action }, { roots }] = await Promise.all([elicit('who?'), server.listRoots()]);
        return text(`${action}, ${roots.length} roots`);
      }),
    );
    this.#tool('sample', { prompt: string }, ({ prompt }) =>
      asked(async () => {
        const messages = [{ role: 'user', content: { type: 'text', text: prompt } }];
        return text((await server.createMessage({ messages, maxTokens: 10 })).content.text);
      }),
    );
    this.#tool('roots', {}, () => asked(async () => text(`${(await server.listRoots()).roots.length} roots`)));
    this.#tool('progress', { steps: integer }, async ({ steps }, extra) => {
      for (let step = 1; step <= steps; step += 1) await report(extra, step, steps, `step ${step}`);
      return text('done');
    });
    this.#tool('log', { level: string, data: {} }, async ({ level, data }) => {
      await server.sendLoggingMessage({ level, data, logger: 'vectors' });
      return text('logged');
    });
    this.#tool('flood', { messages: integer, bytes: integer }, ({ messages, bytes }, extra) =>
      desk.during(async () => {
        for (let step = 1; step <= messages; step += 1) await report(extra, step, messages, 'x'.repeat(bytes));
        return text('done');
      }),
    );
  }

  #rest() {
    const { mcp } = this;
    // Tools of the high-level server have no protocol errors: what they throw is a result.
    const inner = mcp.server._requestHandlers.get('tools/call');
    mcp.server.setRequestHandler(CallToolRequestSchema, (request, extra) => {
      const { name, arguments: args } = request.params;
      if (name === 'refuse') throw Object.assign(new Error(args.message), { code: args.code, data: args.data });
      return inner(request, extra);
    });
    mcp.registerResource('one', 'note://one', { mimeType: 'text/plain' }, (uri) => ({
      contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'first note' }],
    }));
    const template = new ResourceTemplate('note://{id}/page/{page}', { list: undefined, complete: { id: startingWith(['a1', 'a2', 'b1']) } });
    mcp.registerResource('page', template, {}, (uri, { id, page }) => ({ contents: [{ uri: uri.href, text: `${id}/${page}` }] }));
    const argsSchema = { name: completable(z.string(), startingWith(['Ann', 'Anna', 'Bob'])) };
    mcp.registerPrompt('greet', { argsSchema }, ({ name }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Hello ${name}` } }],
    }));
  }
}

function report(extra, progress, total, message) {
  // Absent if the client wants none: a token of another request would be sent as it is.
  const progressToken = extra._meta?.progressToken;
  return extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total, message } });
}
