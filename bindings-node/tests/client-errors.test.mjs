// What a client's program sees when something goes wrong, beside what the official client
// shows for it.
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import { Client as OfficialClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OfficialStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OfficialHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as official from '@modelcontextprotocol/sdk/types.js';
import { Client } from 'mcpbolt/client/index.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from 'mcpbolt/client/streamableHttp.js';
import { McpError } from 'mcpbolt/types.js';
import * as ours from 'mcpbolt/types.js';
import { within } from './support/bounds.mjs';
import { CustomTransport } from './support/custom.mjs';
import { rawServer } from './support/raw-http.mjs';
import { peer } from './support/start.mjs';

const info = { name: 'errors', version: '1.0.0' };
const server = { command: process.execPath, args: [peer('official-server.mjs')], stderr: 'ignore' };

const shown = (error) => {
  assert.ok(error instanceof Error);
  return { message: error.message, code: error.code, errno: error.errno, syscall: error.syscall, path: error.path, spawnargs: error.spawnargs };
};
const failure = async (promise) => shown(await within(promise.then(() => assert.fail('it did not fail'), (error) => error)));

/** The same on both packages. */
async function both(play) {
  const mine = await play(Client, ours, StdioClientTransport);
  const theirs = await play(OfficialClient, official, OfficialStdio);
  assert.deepEqual(mine, theirs);
  return mine;
}

test('a program that is not there fails as spawn does', async () => {
  for (const wrong of [{ command: 'no-such-program', args: ['a'] }, { command: process.execPath, cwd: '/no/such/folder' }, { command: '/etc/passwd' }]) {
    await both(async (Class, _, Transport) => {
      const notes = [];
      const transport = new Transport(wrong);
      transport.onerror = (error) => notes.push(shown(error));
      const client = new Class(info);
      client.onerror = (error) => notes.push(['heard', shown(error)]);
      notes.push(await failure(client.connect(transport)));
      return notes;
    });
  }
});

test('a server that ends at once is a closed connection, and what it said is at hand', async () => {
  const loud = { command: 'sh', args: ['-c', 'echo out of order >&2; exit 3'], stderr: 'ignore' };
  await both((Class, _, Transport) => failure(new Class(info).connect(new Transport(loud))));
  const client = new Client(info);
  const error = await client.connect(new StdioClientTransport({ ...loud, stderr: 'pipe' })).catch((thrown) => thrown);
  assert.equal(error.kind, 'closed');
  assert.match(error.cause.message, /exit status: 3/);
  assert.deepEqual(error.data.stderr, ['out of order']);
});

test('a server that ends while it is asked ends the request', async () => {
  await both(async (Class, _, Transport) => {
    const client = new Class(info);
    let closes = 0;
    client.onclose = () => (closes += 1);
    await client.connect(new Transport(server));
    const notes = [await failure(client.callTool({ name: 'exit' }))];
    notes.push(closes, client.transport === undefined, await failure(client.ping()));
    return notes;
  });
});

test('a client that is not connected says so', async () => {
  await both(async (Class) => {
    const client = new Class(info);
    return [await failure(client.ping()), await failure(client.sendRootsListChanged()), client.transport, client.getServerVersion()];
  });
});

test('timeouts, aborts and reasons are those of the official client', async () => {
  await both(async (Class, types, Transport) => {
    const client = new Class(info);
    await client.connect(new Transport(server));
    const notes = [];
    const hang = (options) => failure(client.callTool({ name: 'hang' }, undefined, options));
    const given = (reason) => {
      const controller = new AbortController();
      const waiting = hang({ signal: controller.signal });
      setImmediate(() => controller.abort(reason));
      return waiting;
    };
    notes.push(await hang({ timeout: 30 }));
    notes.push(await given('enough'), await given(new Error('no more')), await given(undefined));
    notes.push(await given(new types.McpError(-32077, 'mine')));
    notes.push(await hang({ signal: AbortSignal.abort('before') }).catch((error) => String(error)));
    const reason = new RangeError('before');
    notes.push((await client.ping({ signal: AbortSignal.abort(reason) }).catch((error) => error)) === reason);
    // The connection lives on.
    notes.push(await client.ping());
    await client.close();
    return notes;
  }).catch((error) => {
    throw error;
  });
});

test('connecting can be given up, by a signal and by a timeout', async () => {
  const mute = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] };
  await both(async (Class, _, Transport) => {
    const notes = [await failure(new Class(info).connect(new Transport(mute), { timeout: 50 }))];
    const controller = new AbortController();
    const client = new Class(info);
    const waiting = failure(client.connect(new Transport(mute), { signal: controller.signal }));
    setImmediate(() => controller.abort('no patience'));
    notes.push(await waiting);
    return notes;
  });
});

test('capabilities are enforced in the official words, where that is wanted', async () => {
  await both(async (Class, types) => {
    const transport = new CustomTransport({ initialize: () => ({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo: info }) });
    const client = new Class(info, { enforceStrictCapabilities: true });
    const notes = [];
    const note = (body) => {
      try {
        notes.push(body());
      } catch (error) {
        notes.push(error.message);
      }
    };
    for (const name of ['CreateMessageRequestSchema', 'ElicitRequestSchema', 'ListRootsRequestSchema']) {
      note(() => client.setRequestHandler(types[name], () => ({})));
    }
    await client.connect(transport);
    note(() => client.registerCapabilities({ roots: {} }));
    notes.push(await failure(client.connect(transport)));
    const page = () => undefined;
    for (const verb of ['listTools', 'listPrompts', 'listResources', 'listResourceTemplates']) notes.push(await failure(client[verb](page())));
    notes.push(await failure(client.callTool({ name: 'x' })), await failure(client.readResource({ uri: 'a:b' })));
    notes.push(await failure(client.subscribeResource({ uri: 'a:b' })), await failure(client.setLoggingLevel('info')));
    notes.push(await failure(client.complete({ ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: '' } })));
    notes.push(await failure(client.sendRootsListChanged()));
    await client.close();
    return [notes, transport.sent.map(({ method }) => method)];
  });
});

test('what a transport throws is what the program gets', async () => {
  class Odd extends Error {}
  const odd = new Odd('the line is cut');
  const transport = new CustomTransport();
  const client = new Client(info, { capabilities: { roots: { listChanged: true } } });
  const faults = [];
  client.onerror = (error) => faults.push(error.message);
  await client.connect(transport);
  const { send } = transport;
  transport.send = async (message) => {
    if (message.method === 'tools/list' || message.method === 'notifications/roots/list_changed') throw odd;
    return send.call(transport, message);
  };
  assert.equal(await client.listTools().catch((error) => error), odd);
  assert.equal(await client.sendRootsListChanged().catch((error) => error), odd);
  assert.deepEqual(faults, []);
  transport.start = async () => {
    throw odd;
  };
  await client.close();
  assert.equal(await client.connect(transport).catch((error) => error), odd);
  const cut = new CustomTransport();
  cut.send = async () => {
    throw odd;
  };
  assert.equal(await within(new Client(info).connect(cut).catch((error) => error)), odd);
});

test('statuses of HTTP are StreamableHTTPErrors with their code', async () => {
  for (const status of [400, 401, 403, 404, 500]) {
    const { url } = await rawServer({ play: (_, __, res) => res.writeHead(status).end('no'), get: (_, res) => res.writeHead(status).end() });
    const mine = await new Client(info).connect(new StreamableHTTPClientTransport(url)).catch((error) => error);
    assert.ok(mine instanceof StreamableHTTPError, `${status}: ${mine}`);
    const theirs = await new OfficialClient(info).connect(new OfficialHttp(url)).catch((error) => error);
    assert.equal(mine.code, theirs.code);
  }
});

test('a server that cannot be reached fails as fetch does', async () => {
  const { url, stop } = await rawServer();
  stop();
  const error = await within(new Client(info).connect(new StreamableHTTPClientTransport(url)).catch((thrown) => thrown));
  assert.ok(error instanceof TypeError);
  assert.equal(error.kind, 'transport');
  assert.match(error.message, /^fetch failed/);
  assert.match(error.message, /refused/);
  const theirs = await new OfficialClient(info).connect(new OfficialHttp(url)).catch((thrown) => thrown);
  assert.deepEqual([error.cause.code, error.cause.errno, error.cause.syscall], [theirs.cause.code, theirs.cause.errno, theirs.cause.syscall]);
});

test('a revision that nobody knows is refused', async () => {
  await both(async (Class) => {
    const transport = new CustomTransport({ initialize: () => ({ protocolVersion: '1999-01-01', capabilities: {}, serverInfo: info }) });
    const error = await new Class(info).connect(transport).catch((thrown) => thrown);
    return [error instanceof Error, transport.closes];
  });
});

test('handlers that throw do not end the client, and their errors are what the server gets', async () => {
  await both(async (Class, types, Transport) => {
    const client = new Class(info, { capabilities: { roots: {} } });
    const faults = [];
    client.onerror = (error) => faults.push(error.message);
    client.setRequestHandler(types.ListRootsRequestSchema, () => {
      throw Object.assign(new TypeError('thrown'), { code: -32123, data: [1] });
    });
    client.setNotificationHandler(types.LoggingMessageNotificationSchema, () => {
      throw new Error('not this');
    });
    await client.connect(new Transport(server));
    const roots = await client.callTool({ name: 'ask', arguments: { method: 'roots/list' } });
    await client.callTool({ name: 'say', arguments: { method: 'notifications/message', params: { level: 'info', data: 1 } } });
    const unknown = await client.callTool({ name: 'ask', arguments: { method: 'x/y' } });
    await client.ping();
    await client.close();
    return [roots, JSON.parse(unknown.content[0].text).code, faults];
  });
});

test('handlers see the context of the connection, progress that of the call', async () => {
  const context = new AsyncLocalStorage();
  const seen = [];
  const client = new Client(info, { capabilities: { roots: {} } });
  client.setRequestHandler('roots/list', () => {
    seen.push(['handler', context.getStore()]);
    return { roots: [] };
  });
  client.setNotificationHandler('notifications/message', () => void seen.push(['notification', context.getStore()]));
  await context.run('connection', () => client.connect(new StdioClientTransport(server)));
  await context.run('call', async () => {
    await client.callTool({ name: 'ask', arguments: { method: 'roots/list' } });
    await client.callTool({ name: 'say', arguments: { method: 'notifications/message', params: { level: 'info', data: 1 } } });
    await client.callTool({ name: 'slow', arguments: { steps: 1 } }, undefined, { onprogress: () => seen.push(['progress', context.getStore()]) });
    seen.push(['after', context.getStore()]);
  });
  await client.close();
  assert.deepEqual(seen, [['handler', 'connection'], ['notification', 'connection'], ['progress', 'call'], ['after', 'call']]);
});

test('progress that is none is an error that is heard, and no report', async () => {
  const { reports, errors } = await both(async (Class) => {
    const [reports, errors] = [[], []];
    const given = [{ progress: 1 }, { progress: '50%' }, {}, { progress: 2, total: 'x' }, { progress: 3, total: 4, message: 'm' }, { progress: 5, message: 6 }];
    const transport = new CustomTransport({
      'tools/call': ({ params }) => {
        const { progressToken } = params._meta;
        for (const each of given) transport.onmessage({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, ...each } });
        return { content: [] };
      },
    });
    const client = new Class(info);
    const all = new Promise((resolve) => {
      client.onerror = ({ message }) => errors.push(message.split(':')[0]) === 4 && resolve();
    });
    await client.connect(transport);
    await client.callTool({ name: 'any' }, undefined, { onprogress: (progress) => reports.push(progress) });
    await within(all);
    await client.close();
    return { reports, errors };
  });
  assert.deepEqual(reports, [{ progress: 1 }, { progress: 3, total: 4, message: 'm' }]);
  assert.deepEqual(errors, Array(4).fill('Uncaught error in notification handler'));
});
