// What a program prints that is used wrongly: in a few lines, where, and what next.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Client } from 'mcpbolt/client/index.js';
import { SSEClientTransport } from 'mcpbolt/client/sse.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from 'mcpbolt/v2/client';
import { z } from 'zod';
import { within } from './support/bounds.mjs';
import { Program } from './support/process.mjs';
import { rawServer } from './support/raw-http.mjs';

const info = { name: 'm', version: '1' };
const own = (url, init) => fetch(url, init);

/** What a promise fails with, in all the words that are printed. */
async function words(promise) {
  const error = await within(promise.then(() => assert.fail('it did not fail'), (thrown) => thrown));
  return `${error.stack.split('\n    at ')[0]} | ${error.message} | ${error.cause?.message ?? ''}`;
}

const connecting = (transport, Class = Client) => words(new Class(info).connect(transport));

/** A server that answers everything alike. */
const answering = (status, body, headers) => rawServer({ play: (_, __, res) => res.writeHead(status, headers).end(body), get: (_, res) => res.writeHead(status, headers).end(body) });
const at = (raw, path) => new URL(path, raw.url);

/** The ways HTTP is carried. */
const CARRIED = {
  'the engine': (url) => new StreamableHTTPClientTransport(url),
  'a function like fetch': (url) => new StreamableHTTPClientTransport(url, { fetch: own }),
  'the object itself': (url) => new StreamableHTTPClientTransport(url, { redirectPolicy: 'follow' }),
};

test('an address may be text', async () => {
  const raw = await rawServer({ sessionId: 's' });
  for (const [Class, Transport] of [[Client, StreamableHTTPClientTransport], [Client2, Http2]]) {
    const client = new Class(info);
    await within(client.connect(new Transport(raw.url.href)));
    await client.close();
  }
  assert.ok(new SSEClientTransport('http://localhost:3000/sse'));
});

test('text that is no address is refused by its name, with one that is', () => {
  for (const [Transport, usual] of [[StreamableHTTPClientTransport, '/mcp'], [SSEClientTransport, '/sse']]) {
    const refused = (given, remedy) =>
      assert.throws(() => new Transport(given), (error) => {
        assert.ok(error instanceof TypeError);
        for (const part of [Transport.name, JSON.stringify(given), remedy]) assert.ok(error.message.includes(part), error.message);
        return true;
      });
    refused('/mcp', `http://localhost:3000${usual}`);
    refused('localhost/mcp', `http://localhost:3000${usual}`);
    refused('localhost:8000/x', 'http://localhost:8000/x');
    refused('ftp://localhost/x', `http://localhost:3000${usual}`);
  }
});

test('where nothing listens is said, however it is reached', async () => {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://user:secret@127.0.0.1:${server.address().port}/t/0secret1234567890123/mcp?key=secret`);
  await new Promise((resolve) => server.close(resolve));
  for (const [name, make] of Object.entries({ ...CARRIED, 'HTTP+SSE': (given) => new SSEClientTransport(given), 'HTTP+SSE by the object': (given) => new SSEClientTransport(given, { redirectPolicy: 'follow' }) })) {
    // `fetch` takes no credentials in a URL.
    const given = name === 'the engine' || name === 'HTTP+SSE' ? url : new URL(`${url.origin}${url.pathname}?key=secret`);
    const said = await connecting(make(given));
    assert.ok(said.includes(`${url.origin}/t/…/mcp`), `${name}: ${said}`);
    assert.match(said, /refused|ECONNREFUSED/, name);
    assert.match(said, /is a server running there\?/, name);
    assert.doesNotMatch(said, /secret|MCP error/, name);
  }
});

test('a path that is not there: which, and what may have been meant', async () => {
  const raw = await answering(404, 'Not Found');
  for (const [name, make] of Object.entries(CARRIED)) {
    const said = await connecting(make(at(raw, '/mpc?key=secret')));
    const [stack, message] = said.split(' | ');
    // differs: where-and-what-next
    const hint = `(404 at ${raw.url.origin}/mpc: did you mean /mcp?)`;
    assert.ok(stack.includes(hint) && message.includes(hint), `${name}: ${said}`);
    assert.match(message, /^Streamable HTTP error: Error POSTing to endpoint: Not Found \(/);
    assert.match(await connecting(make(raw.url)), /404 at .*: is this the right server\?/);
  }
  for (const options of [undefined, { redirectPolicy: 'follow' }]) {
    assert.match(await connecting(new SSEClientTransport(at(raw, '/see'), options)), /Non-200 status code \(404\) \(404 at .*\/see: did you mean \/sse\?\)/);
  }
});

test('with 2.x the server\'s words stay what they are, and the advice is in the message', async () => {
  const raw = await answering(404, 'Not Found');
  const error = await new Client2(info).connect(new Http2(at(raw, '/mpc'))).catch((thrown) => thrown);
  assert.match(error.message, /Not Found \(404 at .*\/mpc: did you mean \/mcp\?\)$/);
  assert.equal(error.data.text, 'Not Found');
  assert.ok(inspect(error).split('\n').length < 25, inspect(error));
});

test('other refusals keep the official words, and say where and what next beside them', async () => {
  const page = await answering(200, '<html>', { 'content-type': 'text/html' });
  const locked = await answering(401, '');
  const broken = await answering(500, 'oops');
  for (const make of [CARRIED['the engine'], CARRIED['the object itself']]) {
    assert.match(await connecting(make(at(page, '/start'))), /Unexpected content type: text\/html \| .*\/start answers with a web page: did you mean \/mcp\?/);
    assert.match(await connecting(make(locked.url)), /401 at .*\/mcp: .*authProvider/);
    assert.match(await connecting(make(broken.url)), /oops \| 500 at .*\/mcp: the fault is the server's/);
  }
});

test('connect that is given no transport says what it takes', async () => {
  for (const [given, shown] of [['http://localhost/mcp', '"http://localhost/mcp"'], [undefined, 'undefined'], [{ command: 'x' }, 'an object'], [5, 'a number']]) {
    const said = await connecting(given);
    assert.ok(said.includes('new StreamableHTTPClientTransport(url)') && said.includes(`not ${shown}`), said);
  }
});

test('a program that cannot be started is named, with a remedy', async () => {
  assert.match(await connecting(new StdioClientTransport({ command: 'no-such-program' })), /spawn no-such-program ENOENT \| .*"no-such-program".*is it installed.*PATH/);
  assert.match(await connecting(new StdioClientTransport({ command: '/no/such' })), /"\/no\/such".*is the path right/);
  assert.match(await connecting(new StdioClientTransport({ command: '/etc/passwd' })), /EACCES \| .*make it executable/);
});

test('a program that ends at once: how, and what it may have left out', async () => {
  const run = (text) => connecting(new StdioClientTransport({ command: process.execPath, args: ['-e', text], stderr: 'ignore' }));
  assert.match(await run(''), /Connection closed \| the server ended before it answered \(exit status: 0\): did it call connect\(\) or listen\(\)\?/);
  assert.match(await run('process.exit(3)'), /exit status: 3\): what it wrote to its standard error says why/);
});

test('before connecting and after closing', async () => {
  const client = new Client(info);
  assert.match(await words(client.ping()), /Not connected \| await client\.connect\(transport\) comes first/);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([client.connect(near), new McpServer(info).connect(far)]);
  await client.close();
  assert.match(await words(client.ping()), /Not connected \| the connection is over; connect\(\) opens another/);
});

test('faults of tools name tool and member in a line', async () => {
  const server = new McpServer(info);
  server.registerTool('add', { inputSchema: { a: z.number() } }, () => ({ content: [{ type: 'text', text: 10n }] }));
  const add = async (name, config) => server.registerTool(name, config, () => ({ content: [] }));
  assert.match(await words(add('add', {})), /Tool add is already registered \| .*update\(\) or remove\(\)/);
  assert.match(await words(add('bad', { inputSchema: { a: 'number' } })), /inputSchema must be .* \| Tool bad: write .*JSON Schema/);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client(info);
  await Promise.all([client.connect(near), server.connect(far)]);
  const { content, isError } = await client.callTool({ name: 'add', arguments: { a: 'x' } });
  assert.equal(isError, true);
  assert.match(content[0].text, /tool add: .* at a$/);
  const said = await words(client.callTool({ name: 'add', arguments: { a: 1 } }));
  assert.match(said, /Invalid tools\/call result of tool add: content\[0\]\.text: .*expected string, received bigint/);
  assert.ok(said.split('\n').length === 1, said);
  await client.close();
});

test('what fails here before anything is sent has no code of the protocol in its words', async () => {
  const listening = createServer();
  await new Promise((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address();
  const taken = await words(new McpServer(info).listen({ port }));
  assert.match(taken, new RegExp(`cannot listen on 127\\.0\\.0\\.1:${port}`));
  assert.doesNotMatch(taken, /MCP error/);
  assert.doesNotMatch(await connecting(new StreamableHTTPClientTransport(new URL('ftp://localhost/mcp'))), /MCP error/);
  listening.close();
});

test('a server that is started by hand says once what it waits for', async () => {
  // As if standard input were a terminal.
  const tty = `
    const require = (await import('node:module')).createRequire(import.meta.url);
    require('node:tty').isatty = (fd) => fd === 0;
    const fs = require('node:fs');
    const { fstatSync } = fs;
    fs.fstatSync = (fd, ...rest) => (fd === 0 ? { isCharacterDevice: () => true, isFile: () => false } : fstatSync(fd, ...rest));`;
  const text = (before) => `
    ${before}
    const { McpServer } = await import('mcpbolt/server/mcp.js');
    const { StdioServerTransport } = await import('mcpbolt/server/stdio.js');
    await new McpServer({ name: 's', version: '1' }).connect(new StdioServerTransport());`;
  for (const [before, expected] of [[tty, 1], ['', 0]]) {
    const program = new Program(text(before));
    await program.open();
    program.child.stdin.end();
    assert.equal((await program.end()).code, 0);
    const lines = program.errors.trim().split('\n').filter((line) => line !== '');
    assert.equal(lines.length, expected, program.errors);
    if (expected === 1) assert.match(lines[0], /terminal: .*@modelcontextprotocol\/inspector.*server\.listen\(/);
  }
});
