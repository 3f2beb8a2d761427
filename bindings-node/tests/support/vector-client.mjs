// The client program of tests/vectors/binding, over a transport of its own.
import { Client } from 'mcpbolt/client/index.js';
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema } from 'mcpbolt/types.js';
import { Fault } from './vector-script.mjs';

/** The script's end of the connection. */
class ScriptTransport {
  constructor(desk) {
    this.desk = desk;
  }

  async start() {}

  async send(message) {
    await new Promise((taken) => this.desk.received(JSON.parse(JSON.stringify(message)), taken));
  }

  async close() {
    this.onclose?.();
  }
}

const PREFIX = /^MCP error -?\d+: /;

/** The program, and the script's end. */
export class ClientSide {
  calls = new Map();

  async start(desk, vector, revision) {
    this.desk = desk;
    this.client = new Client(
      { name: 'vectors', version: '1' },
      {
        capabilities: { elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } },
        protocol: vector.protocol ?? revision,
        // As the engine has it; the class itself leaves it to servers to refuse.
        engine: { cache: true, strict: true, ...vector.options },
      },
    );
    this.client.setRequestHandler(ElicitRequestSchema, (request, extra) => this.#elicit(request, extra));
    this.client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
      desk.note({ asked: 'sampling/createMessage' });
      const content = { type: 'text', text: `echo: ${params.messages[0].content.text}` };
      return { role: 'assistant', model: 'vectors', stopReason: 'endTurn', content };
    });
    this.client.setRequestHandler(ListRootsRequestSchema, () => {
      desk.note({ asked: 'roots/list' });
      return { roots: [{ uri: 'file:///one', name: 'one' }] };
    });
    this.client.fallbackNotificationHandler = async ({ method, params }) => desk.note({ notified: method, params });
    this.transport = new ScriptTransport(desk);
  }

  #elicit({ params }, { signal }) {
    const { desk } = this;
    desk.note({ asked: 'elicitation/create' });
    return desk.during(async () => {
      if (params.message === 'fail') throw new Error('failed');
      if (params.message === 'hang') {
        await new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', resolve)));
        desk.note({ cancelled: 'elicitation/create' });
        return { action: 'cancel' };
      }
      if (['decline', 'cancel'].includes(params.message)) return { action: params.message };
      return { action: 'accept', content: { name: params.message } };
    });
  }

  take(line) {
    this.transport.onmessage?.(JSON.parse(line));
  }

  disconnect() {
    this.transport.onclose?.();
  }

  async stop() {
    await this.client.close();
  }

  async act(action, given, whole) {
    if (action === 'open') {
      this.#begin('open', async () => {
        await this.client.connect(this.transport);
        const { client } = this;
        const { session } = client;
        void session.closed.then((reason) => this.desk.note({ closed: true, kind: reason?.kind ?? null }));
        const { protocolVersion } = session.info;
        return { protocolVersion, serverInfo: client.getServerVersion(), instructions: client.getInstructions() };
      });
    } else if (action === 'call') {
      const controller = new AbortController();
      this.calls.set(whole.as, controller);
      this.#begin(whole.as, () => this.#verb(given, whole, controller.signal), controller.signal);
    } else if (action === 'cancel') {
      this.calls.get(given).abort();
    } else if (action === 'notify') {
      await this.client.sendRootsListChanged();
    } else if (action === 'close') {
      await this.client.close();
    } else {
      throw new Fault(`unknown action ${action}`);
    }
  }

  async #begin(name, verb, signal) {
    try {
      const result = await verb();
      this.desk.note({ answered: name, result });
    } catch (error) {
      if (signal?.aborted) return this.desk.note({ failed: name, kind: 'cancelled' });
      const { kind, code, message, data } = error;
      this.desk.note({ failed: name, kind, code, message: message.replace(PREFIX, ''), ...(data !== undefined && { data }) });
    }
  }

  #verb(method, { as, params, timeout, progress }, signal) {
    const { client, desk } = this;
    const options = {
      signal,
      ...(timeout !== undefined && { timeout: timeout * 1000 }),
      ...(progress && { onprogress: (report) => desk.note({ progress: as, params: report }) }),
    };
    const verbs = {
      'tools/call': () => client.callTool(params, undefined, options),
      'tools/list': () => client.listTools(params, options),
      'resources/list': () => client.listResources(params, options),
      'prompts/list': () => client.listPrompts(params, options),
      'resources/read': () => client.readResource(params, options),
      'resources/subscribe': () => client.subscribeResource(params, options),
      'resources/unsubscribe': () => client.unsubscribeResource(params, options),
      'prompts/get': () => client.getPrompt(params, options),
      'completion/complete': () => client.complete(params, options),
    };
    return verbs[method]();
  }
}
