// Every command of examples/README.md works as it stands there, apart from the ports, which
// may be in use, and the folder of the notes; and what the programs say is looked at.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from 'mcpbolt/client/index.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';

const HERE = dirname(dirname(fileURLToPath(import.meta.url)));
const ROOT = join(HERE, '../..');
const README = readFileSync(join(ROOT, 'examples/README.md'), 'utf8');
/** Longest time for a program to start or to end, in milliseconds: a bound, not a pause. */
const BOUND = 30_000;
const BLOCKS = [...README.matchAll(/```sh\n(.*?)```/gs)]
  .map(([, block]) => block.split('\n').filter((line) => line.startsWith('node ')))
  .filter((commands) => commands.length > 0);

/** What the output of a program must hold. */
const SAYS = {
  '--yes': 'In short: Today: 71°F',
  'host.json': 'model: After 3 calls I know: the person said no',
  'everything-client.mjs -- node examples/node/weather-server.mjs': 'tool      get_forecast: The forecast of a place',
  'everything-client.mjs http://127.0.0.1:3000/sse': 'prompt    test_simple_prompt: A prompt without arguments.',
  'everything-client.mjs': 'connected to mcpbolt-',
  'demo-client.mjs': 'ok\telicitation\tDeleted demo.txt.',
};

/** Of a port below those that systems give to whoever asks for any: nobody is given it meanwhile. */
function freeAddress() {
  const port = randomInt(10_000, 32_000);
  return new Promise((resolve) => {
    const probe = createServer().on('error', () => resolve(freeAddress()));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(`127.0.0.1:${port}`)));
  });
}

/** One block of commands: its own ports and its own folder. */
async function makeBlock(t) {
  const folder = mkdtempSync(join(tmpdir(), 'mcpbolt-readme-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const addresses = { '127.0.0.1:3000': await freeAddress(), '127.0.0.1:3001': await freeAddress() };
  const adapt = (text) => Object.entries(addresses).reduce((all, [written, real]) => all.replaceAll(written, real), text);
  const word = (each) => {
    if (each === 'node') return process.execPath;
    if (each === './notes' || each === 'target/host-notes') return join(folder, 'notes');
    return each.endsWith('host.json') ? hostFile(join(ROOT, each)) : adapt(each);
  };
  // The file of the host with what differs here.
  const hostFile = (path) => {
    const config = JSON.parse(adapt(readFileSync(path, 'utf8')));
    for (const entry of Object.values(config.mcpServers)) {
      entry.command = word(entry.command);
      entry.args = entry.args.map(word);
    }
    writeFileSync(join(folder, 'host.json'), JSON.stringify(config));
    return join(folder, 'host.json');
  };
  return (command) => command.split(' ').map(word);
}

/** A running program; what it says is kept. */
function start([program, ...args], stdin) {
  const child = spawn(program, args, { cwd: ROOT, stdio: [stdin, 'pipe', 'pipe'], timeout: BOUND });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (said.err += text));
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)));
  return { child, said, ended };
}

/** A server that says where it listens; it ends with the test. */
async function listening(t, words) {
  const { child, said, ended } = start(words, 'ignore');
  t.after(() => {
    child.kill();
    return ended;
  });
  const listens = new Promise((resolve) => child.stderr.on('data', () => said.err.includes('on http://') && resolve('listens')));
  assert.equal(await Promise.race([listens, ended]), 'listens', `${words} does not listen: ${said.err}`);
}

for (const commands of BLOCKS) {
  test(commands.at(-1).replace('node examples/node/', ''), { timeout: 3 * BOUND }, async (t) => {
    const words = await makeBlock(t);
    for (const command of commands) {
      if (command.includes('--http')) {
        await listening(t, words(command));
        continue;
      }
      // A person who says nothing: no. A client that says nothing: the end.
      const { said, ended } = start(words(command), 'ignore');
      assert.equal(await ended, 0, `${command}: ${said.out}${said.err}`);
      assert.doesNotMatch(said.out + said.err, /left out|FAILED/);
      const [, expected] = Object.entries(SAYS).find(([name]) => command.includes(name)) ?? [];
      if (expected) assert.ok(said.out.includes(expected), `${command}: ${said.out}${said.err}`);
    }
  });
}

test('the application counts what a tool saw of each request', { timeout: BOUND }, async (t) => {
  const address = await freeAddress();
  await listening(t, [process.execPath, join(HERE, 'express-mount.mjs'), '--http', address]);
  const visit = async (headers) => {
    const client = new Client({ name: 'visitor', version: '1' });
    t.after(() => client.close());
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://${address}/mcp`), { requestInit: { headers } }));
    return async () => (await client.callTool({ name: 'who_am_i' })).content[0].text;
  };
  const [ada, other] = [await visit({ 'x-visitor': 'ada' }), await visit({})];
  assert.deepEqual(await Promise.all([ada(), other(), ada()]), ['You are ada.', 'You are nobody.', 'You are ada.']);
  assert.deepEqual(await (await fetch(`http://${address}/visits`)).json(), { ada: 2, nobody: 1 });
});

test('all blocks are found, and all programs are in the README', () => {
  assert.ok(BLOCKS.flat().length >= 12);
  for (const file of readdirSync(HERE).filter((name) => name.endsWith('.mjs'))) {
    assert.ok(README.includes(`(node/${file})`), file);
    if (file.endsWith('-server.mjs')) assert.ok(BLOCKS.flat().some((command) => command.includes(file)), file);
  }
});
