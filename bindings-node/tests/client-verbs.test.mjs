// The typed functions of a client against servers of the official package: what ours says
// and gets is what the official client says and gets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client as OfficialClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as OfficialSse } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as OfficialStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OfficialHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client } from 'mcpbolt/client/index.js';
import { SSEClientTransport } from 'mcpbolt/client/sse.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import * as official from '@modelcontextprotocol/sdk/types.js';
import * as ours from 'mcpbolt/types.js';
import { within } from './support/bounds.mjs';
import { officialHttp, peer } from './support/start.mjs';

const server = { command: process.execPath, args: [peer('official-server.mjs')], stderr: 'ignore' };
const http = await officialHttp('--http');
const stateless = await officialHttp('--stateless');
const sse = await officialHttp('--sse');

/** A wrapper that a program may put around a transport. */
function wrapped(transport) {
  const send = transport.send.bind(transport);
  transport.send = (...parts) => send(...parts);
  return transport;
}

const ways = {
  stdio: [() => new StdioClientTransport(server), () => new OfficialStdio(server)],
  'stdio, wrapped': [() => wrapped(new StdioClientTransport(server)), () => wrapped(new OfficialStdio(server))],
  http: [() => new StreamableHTTPClientTransport(http.url), () => new OfficialHttp(http.url)],
  'http, wrapped': [() => wrapped(new StreamableHTTPClientTransport(http.url)), () => wrapped(new OfficialHttp(http.url))],
  'http, own fetch': [
    () => new StreamableHTTPClientTransport(http.url, { fetch: (...parts) => fetch(...parts) }),
    () => new OfficialHttp(http.url, { fetch: (...parts) => fetch(...parts) }),
  ],
  'http, stateless': [() => new StreamableHTTPClientTransport(stateless.url), () => new OfficialHttp(stateless.url)],
  sse: [() => new SSEClientTransport(sse.url), () => new OfficialSse(sse.url)],
  'sse, wrapped': [() => wrapped(new SSEClientTransport(sse.url)), () => wrapped(new OfficialSse(sse.url))],
};

/** What becomes of a promise, in plain values. */
async function outcome(promise) {
  try {
    return { result: await promise };
  } catch (error) {
    const { name, message, code, data } = error;
    return { name, message, code, data };
  }
}

/** Everything a program can do with a client, noted. */
async function play(Class, types, transport) {
  const notes = [];
  const seen = (what, value) => notes.push([what, JSON.parse(JSON.stringify(value))]);
  const client = new Class(
    { name: 'player', version: '1.0.0' },
    { capabilities: { sampling: {}, elicitation: { form: { applyDefaults: true } }, roots: { listChanged: true } } },
  );
  client.setRequestHandler(types.ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///one', name: 'one' }] }));
  client.setRequestHandler(types.CreateMessageRequestSchema, ({ params }) => {
    if (params.maxTokens === 1) return { nonsense: true };
    return { role: 'assistant', model: 'm', content: { type: 'text', text: `echo ${params.messages[0].content.text}` } };
  });
  client.setRequestHandler(types.ElicitRequestSchema, ({ params }) => {
    if (params.message === 'throw') throw new Error('thrown');
    if (params.message === 'mcp') throw new types.McpError(-32042 + 100, 'mine', { a: 1 });
    return { action: 'accept', content: { name: 'Ann' } };
  });
  const updated = new Promise((resolve) => {
    client.setNotificationHandler(types.ResourceUpdatedNotificationSchema, ({ params }) => resolve(params));
  });
  const logged = new Promise((resolve) => {
    client.setNotificationHandler(types.LoggingMessageNotificationSchema, ({ params }) => resolve(params));
  });
  let closes = 0;
  client.onclose = () => (closes += 1);
  await client.connect(transport);
  seen('version', client.getServerVersion());
  seen('capabilities', client.getServerCapabilities());
  seen('instructions', client.getInstructions());
  const verbs = {
    ping: () => client.ping(),
    early: () => client.callTool({ name: 'wrong' }),
    tools: () => client.listTools(),
    echo: () => client.callTool({ name: 'echo', arguments: { text: 'hällo \u2028 "x"\n' } }),
    sum: () => client.callTool({ name: 'sum' }),
    wrong: () => client.callTool({ name: 'wrong' }).catch((error) => Promise.reject({ code: error.code, message: error.message.slice(0, 79) })),
    missing: () => client.callTool({ name: 'missing' }),
    task: () => client.callTool({ name: 'task' }),
    unknown: () => client.callTool({ name: 'unknown' }),
    fail: () => client.callTool({ name: 'fail', arguments: { code: -32050, message: 'mine', data: { b: [1] } } }),
    url: () => client.callTool({ name: 'fail', arguments: { code: -32042, message: 'visit', data: { elicitations: [{ mode: 'url', message: 'm', elicitationId: '1', url: 'https://a.example' }] } } }),
    compatible: () => client.callTool({ name: 'echo', arguments: { text: 'x' } }, types.CompatibilityCallToolResultSchema),
    resources: () => client.listResources(),
    templates: () => client.listResourceTemplates(),
    read: () => client.readResource({ uri: 'note://one' }),
    unread: () => client.readResource({ uri: 'note://two' }),
    subscribe: () => client.subscribeResource({ uri: 'note://one' }),
    unsubscribe: () => client.unsubscribeResource({ uri: 'note://one' }),
    prompts: () => client.listPrompts(),
    prompt: () => client.getPrompt({ name: 'greet', arguments: { name: 'Ann' } }),
    complete: () => client.complete({ ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: 'A' } }),
    level: () => client.setLoggingLevel('debug'),
    rootsChanged: () => client.sendRootsListChanged(),
    say: () => client.callTool({ name: 'say', arguments: { method: 'notifications/message', params: { level: 'info', data: { x: 1 } } } }),
    roots: () => client.callTool({ name: 'ask', arguments: { method: 'roots/list' } }),
    sample: () => client.callTool({ name: 'ask', arguments: { method: 'sampling/createMessage', params: { maxTokens: 5, messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }] } } }).then(({ content }) => JSON.parse(content[0].text)),
    badSample: () => client.callTool({ name: 'ask', arguments: { method: 'sampling/createMessage', params: { maxTokens: 1, messages: [] } } }).then(({ content }) => content[0].text.slice(0, 60)),
    elicit: () => client.callTool({ name: 'ask', arguments: { method: 'elicitation/create', params: { message: 'who', requestedSchema: { type: 'object', properties: { name: { type: 'string' }, age: { type: 'number', default: 7 } } } } } }),
    elicitThrow: () => client.callTool({ name: 'ask', arguments: { method: 'elicitation/create', params: { message: 'throw', requestedSchema: { type: 'object', properties: {} } } } }),
    elicitMcp: () => client.callTool({ name: 'ask', arguments: { method: 'elicitation/create', params: { message: 'mcp', requestedSchema: { type: 'object', properties: {} } } } }),
    pingBack: () => client.callTool({ name: 'ask', arguments: { method: 'ping' } }),
    custom: () => client.request({ method: 'tools/call', params: { name: 'echo', arguments: { text: 'c' } } }, types.CallToolResultSchema),
    unknownMethod: () => client.request({ method: 'x/y', params: {} }, types.ResultSchema),
    misfit: () => client.request({ method: 'tools/list' }, types.ListPromptsResultSchema).catch((error) => Promise.reject({ message: error.issues?.[0]?.path })),
  };
  // A server without sessions cannot ask.
  const questions = ['roots', 'sample', 'badSample', 'elicit', 'elicitThrow', 'elicitMcp', 'pingBack'];
  const isStateless = transport.constructor.name.includes('HTTP') && transport.sessionId === undefined;
  if (isStateless) for (const name of questions) delete verbs[name];
  for (const [name, verb] of Object.entries(verbs)) seen(name, await within(outcome(verb()), name));
  const reports = [];
  seen('progress', await outcome(client.callTool({ name: 'slow' }, undefined, { onprogress: (report) => reports.push(report) })));
  // The official client loses those that come together with the answer. (differs: reports-with-the-answer)
  if (reports.length > 0) seen('first report', reports[0]);
  if (Class === Client) assert.deepEqual(reports.map(({ progress }) => progress), [1, 2, 3]);
  if (!isStateless) {
    seen('updated', await within(updated, 'resource updated'));
    seen('logged', await within(logged, 'log message'));
  }
  await client.close();
  seen('closes', closes);
  seen('after', await outcome(client.ping()));
  return notes;
}

for (const [name, [own, other]] of Object.entries(ways)) {
  test(`a client over ${name} says and gets what the official one does`, async () => {
    const mine = await play(Client, ours, own());
    const theirs = await play(OfficialClient, official, other());
    // On a busy machine all reports may come together with the answer.
    const lost = theirs.every(([what]) => what !== 'first report');
    assert.deepEqual(mine.filter(([what]) => !lost || what !== 'first report'), theirs);
  });
}
