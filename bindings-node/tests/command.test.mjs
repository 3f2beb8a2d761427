// The command in the package: the program of the guide, in a process of Node.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LIMIT, START_BOUND, within } from './support/bounds.mjs';

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const manifest = JSON.parse(readFileSync(file('../package.json'), 'utf8'));
const BIN = file(`../${manifest.bin.mcpbolt}`);
const SERVER = file('../../examples/node/everything-server.mjs');
const folder = mkdtempSync(join(tmpdir(), 'mcpbolt-command-'));
const running = new Set();
after(() => {
  running.forEach((child) => child.kill('SIGKILL'));
  rmSync(folder, { recursive: true, force: true });
});

function start(program, args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder } });
  const said = { child, out: '', err: '' };
  child.stdout.on('data', (chunk) => (said.out += chunk));
  child.stderr.on('data', (chunk) => (said.err += chunk));
  running.add(child);
  said.ended = new Promise((resolve) => child.on('close', (code, signal) => (running.delete(child), resolve(code ?? signal))));
  return said;
}

/** Until a stream has said something. */
function until(said, stream, text) {
  const seen = new Promise((resolve, reject) => {
    const look = () => said[stream].includes(text) && resolve();
    said.child[stream === 'out' ? 'stdout' : 'stderr'].on('data', look);
    said.ended.then(() => reject(new Error(`it ended without ${text}: ${said.out}${said.err}`)));
    look();
  });
  return within(seen, text, LIMIT);
}

async function run(...args) {
  const said = start(process.execPath, [BIN, ...args]);
  const code = await within(said.ended, args.join(' '), START_BOUND);
  return { code, out: said.out, err: said.err };
}

test('npm can start it, and it is of the version of the package', async () => {
  assert.equal(readFileSync(BIN, 'utf8').split('\n')[0], '#!/usr/bin/env node');
  if (process.platform !== 'win32') assert.ok(statSync(BIN).mode & 0o100);
  assert.deepEqual(await run('--version'), { code: 0, out: `mcpbolt ${manifest.version}\n`, err: '' });
});

test('a server is a file, which this Node runs, or a command', async () => {
  const lists = await Promise.all([run('list', SERVER), run('list', '--', process.execPath, SERVER)]);
  assert.match(lists[0].out, /^tool\ttest_simple_text\t/m);
  assert.equal(lists[0].out, lists[1].out);
  const document = JSON.parse((await run('ping', '--json', SERVER)).out);
  assert.equal(document.protocolVersion, '2026-07-28');
});

test('a server is reached over HTTP', async () => {
  const server = start(process.execPath, [SERVER, '--http', '127.0.0.1:0']);
  await until(server, 'err', '/mcp').catch(() => until(server, 'out', '/mcp'));
  const [url] = /http:\S+\/mcp/.exec(server.out + server.err);
  const said = await run('call', url, 'test_simple_text');
  assert.deepEqual(said, { code: 0, out: 'This is a simple text response for testing.\n', err: '' });
  server.child.kill();
});

test('exit codes and streams are those of the program', async () => {
  const failed = await run('call', SERVER, 'test_error_handling');
  assert.equal(failed.code, 1);
  const wrong = await run('call', SERVER, 'test_simple_txt');
  assert.deepEqual([wrong.code, wrong.out], [2, '']);
  assert.match(wrong.err, /did you mean test_simple_text\?/);
  const gone = await run('ping', '--json', 'http://127.0.0.1:1/mcp');
  assert.deepEqual([gone.code, gone.err, JSON.parse(gone.out).error.kind], [3, '', 'unreachable']);
  assert.equal((await run('lst')).code, 2);
});

test('a settings file starts this command again', async () => {
  const settings = join(folder, 'settings.json');
  const { code, err } = await run('install', 'claude', 'https://example.com/mcp', '--name', 'web', '--file', settings);
  assert.equal(code, 0, err);
  const { command, args } = JSON.parse(readFileSync(settings, 'utf8')).mcpServers.web;
  assert.deepEqual([command, ...args], [process.execPath, BIN, 'bridge', 'https://example.com/mcp']);
});

const posix = process.platform === 'win32' ? { skip: 'signals are POSIX\'s' } : {};

for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
  test(`${signal} ends it in good order`, posix, async () => {
    const served = start(process.execPath, [BIN, 'bridge', '--http', '127.0.0.1:0', '--', process.execPath, SERVER]);
    await until(served, 'out', '/mcp');
    served.child.kill(signal);
    assert.equal(await within(served.ended, 'its end'), code);
  });
}

test('a verb without an end of its own is ended at once', posix, async () => {
  const child = spawn(process.execPath, [BIN, 'record', join(folder, 'session.jsonl'), '--', process.execPath, SERVER], { stdio: ['pipe', 'pipe', 'ignore'] });
  running.add(child);
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await within(new Promise((resolve) => child.stdout.once('data', resolve)), 'an answer');
  child.kill('SIGINT');
  assert.equal(await within(ended, 'its end'), 130);
});
