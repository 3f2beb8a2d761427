// A program on the npm package @modelcontextprotocol/ext-tasks: its tool `visit` is a host that calls
// the tools of a server as tasks, in one era, and says what it saw.
//
//   TASKS_SERVER=tasks-server.mjs node tasks.mjs PORT        Streamable HTTP at every path

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createApplicationInputHandler, createTaskSessionFromClient, toolDeclarationFromMcpTool } from '@modelcontextprotocol/ext-tasks/client';
import { bindTaskReceiver } from '@modelcontextprotocol/ext-tasks/receiver';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const ABOUT = { name: 'host', version: '1.0.0' };
const QUESTIONS = { elicitation: { form: {} } };
const MODES = { legacy: 'legacy', modern: { pin: '2026-07-28' } };

/** A transport on which the host sends requests of its own beside those of the client. */
class Shared {
  #inner;
  #waiting = new Map();

  constructor(inner) {
    this.#inner = inner;
  }

  async start() {
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message, extra) => {
      const answered = message.method === undefined && this.#waiting.get(message.id);
      if (!answered) return this.onmessage?.(message, extra);
      this.#waiting.delete(message.id);
      return answered(message);
    };
    await this.#inner.start();
  }

  send(message, options) {
    return this.#inner.send(message, options);
  }

  close() {
    return this.#inner.close();
  }

  /** What the package calls `rawDispatch`. */
  dispatch = async (request) => {
    const id = `host-${(this.sent = (this.sent ?? 0) + 1)}`;
    const answered = new Promise((resolve) => this.#waiting.set(id, resolve));
    await this.#inner.send({ jsonrpc: '2.0', id, ...request });
    const { result, error } = await answered;
    return error === undefined ? { kind: 'result', result } : { kind: 'error', error };
  };
}

/** A client of the server, and what makes sessions of it. */
async function host(era, before = () => undefined, capabilities = QUESTIONS) {
  const server = new StdioClientTransport({ command: process.execPath, args: [process.env.TASKS_SERVER], stderr: 'inherit' });
  const transport = era === 'modern' ? new Shared(server) : server;
  const client = new Client(ABOUT, { capabilities, versionNegotiation: { mode: MODES[era] } });
  before(client);
  await client.connect(transport);
  const raw = era === 'modern' && {
    rawDispatch: transport.dispatch,
    v2RequestFraming: { protocolVersion: client.getNegotiatedProtocolVersion(), clientInfo: ABOUT, clientCapabilities: capabilities },
  };
  const session = (more = {}) => createTaskSessionFromClient(client, { endpointId: 'tasks', ...raw, ...more });
  return { client, session };
}

/** What came of something, errors included. */
const outcome = (work) => work().catch(({ name, code, message }) => ({ name, code, message }));

/** How an execution ended. */
async function settled(execution) {
  const { outcome: end, lastTask } = await execution.settle();
  const { name, code, message, data } = end.error ?? {};
  // How a cancelled task was seen last is a matter of luck.
  const last = end.status === 'cancelled' ? undefined : lastTask?.status;
  return { kind: execution.kind, status: end.status, result: end.result, error: { name, code, message, data }, last };
}

/** Everything that a host does with the tools of the server. */
async function visit(era) {
  const said = {};
  const { client, session } = await host(era);
  const asked = [];
  const onInputRequest = createApplicationInputHandler({
    elicitation: ({ params }, { scope, delivery, applicationContext, taskId }) => {
      asked.push({ message: params.message, scope, delivery, applicationContext, ofTask: taskId !== undefined });
      return { action: 'accept', content: { name: 'Ann' } };
    },
  });
  const tasks = session({ onInputRequest, onError: ({ message }) => asked.push(message) });
  const call = (name, given, options) => tasks.callTool(name, given, options);
  said.era = [client.getProtocolEra(), tasks.capabilities];
  said.second = await outcome(async () => session());
  said.tools = (await client.listTools()).tools.map((tool) => toolDeclarationFromMcpTool(tool));
  said.immediate = await settled(await call('add', { a: 1, b: 2 }));
  said.invalid = await outcome(async () => settled(await call('add', { a: 'one' })));
  said.noTool = await outcome(async () => settled(await call('none')));
  const options = { task: { preference: 'prefer' }, requestTimeoutMs: 30_000, resetTimeoutOnProgress: true, headers: { 'x-host': '1' } };
  const report = await call('report', { year: 2026 }, options);
  const reference = report.kind === 'task' && report.serializeReference();
  said.report = await settled(report);
  said.forbidden = await outcome(async () => settled(await call('report', { year: 1 }, { task: { preference: 'forbid' } })));
  said.failed = await settled(await call('fail'));
  const asks = await call('ask', undefined, { applicationContext: 'a window' });
  await call('go');
  said.asked = await settled(asks);
  said.questions = asked;
  const endless = await call('endless');
  said.running = (await tasks.task(endless.handle.taskId).snapshot()).status;
  await endless.cancel();
  said.cancelled = await settled(endless);
  said.again = await outcome(() => tasks.cancelTask(endless.handle.taskId));
  said.resumed = reference && (await settled(await tasks.resumeTask(reference)));
  said.unknown = await outcome(() => tasks.task('none').snapshot());
  said.list = await outcome(() => tasks.listTasks());
  await tasks.close();
  said.closed = await outcome(() => call('add', { a: 1, b: 2 }));
  said.left = [client.fallbackRequestHandler, client.fallbackNotificationHandler, client.onclose].map((each) => typeof each);
  const other = session();
  await client.close();
  said.gone = await outcome(() => other.callTool('add', { a: 1, b: 2 }));
  checkEnds(said, era);
  return said;
}

/** What has to come of the calls, whatever the packages are. A tool that fails has failed its task in 2025-11-25 alone. */
function checkEnds(said, era) {
  const [done, failed] = ['completed', era === 'legacy' ? 'failed' : 'completed'];
  const ends = { immediate: done, report: done, failed, asked: done, cancelled: 'cancelled', resumed: done };
  for (const [name, status] of Object.entries(ends)) assert.equal(said[name].status, status, `${name}: ${JSON.stringify(said[name])}`);
  assert.deepEqual([said.report.kind, said.asked.result.content[0].text], ['task', 'hello Ann']);
}

/** The client makes tasks of what the server asks, and answers as before once the package has left. */
async function receive() {
  const said = {};
  let receiver;
  const bind = (client) => {
    client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
    receiver = bindTaskReceiver(client, {
      methods: { 'elicitation/create': true },
      elicitation: async ({ params }, { signal }) => ({ action: 'accept', content: { name: `${params.message} ${signal.aborted}` } }),
    });
    said.capabilities = receiver.capabilities;
  };
  const tasks = { list: {}, cancel: {}, requests: { elicitation: { create: {} } } };
  const { client } = await host('legacy', bind, { ...QUESTIONS, tasks });
  said.delegated = await client.callTool({ name: 'delegate', arguments: {} });
  receiver.close();
  said.after = await outcome(() => client.callTool({ name: 'delegate', arguments: {} }));
  await client.close();
  for (const name of ['delegated', 'after']) assert.ok(said[name].content && !said[name].isError, JSON.stringify(said[name]));
  return said;
}

function program() {
  const server = new McpServer({ name: 'on-ext-tasks', version: '1.0.0' });
  // Ids are others each time.
  const comparable = (said) => JSON.parse(JSON.stringify(said).replace(/\b[0-9a-f]{32}\b|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '{id}'));
  const shown = (said) => ({ content: [], structuredContent: comparable(said) });
  server.registerTool('visit', { inputSchema: z.object({ era: z.enum(['legacy', 'modern']) }) }, async ({ era }) => shown(await visit(era)));
  server.registerTool('receive', {}, async () => shown(await receive()));
  return server;
}

createServer(toNodeHandler(createMcpHandler(program))).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listening'));
