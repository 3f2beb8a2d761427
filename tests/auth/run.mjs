// Clients of every language sign in at a real authorization server, for a server of ours.
//
//   node run.mjs --rust FOLDER --packages FOLDER [--python INTERPRETER] [--kotlin FOLDER] [--swift FOLDER] [--only REGEX] [-v]
//
// `--rust`: the folder with the programs `auth-server` and `auth-client`. `--python`: an
// interpreter that imports mcpbolt. `--kotlin`, `--swift`: the folder with the command `auth-client` in
// that language. `--packages`: a folder where `npm ci` has put what
// package.json pins. A line for each scenario and language; exits with 1 if one fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { browse } from './browser.mjs';
import { DOCUMENT_URL, MACHINE, REDIRECT_URI, REGISTERED, RESOURCE_SERVER, startProvider } from './provider.mjs';
import { SCENARIOS } from './scenarios.mjs';

/** The bound of one scenario in one language. */
const PATIENCE_MS = 90_000;

const { values: options } = parseArgs({
  options: {
    rust: { type: 'string' },
    python: { type: 'string' },
    kotlin: { type: 'string' },
    swift: { type: 'string' },
    packages: { type: 'string' },
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', short: 'v', default: false },
  },
});
const here = import.meta.dirname;
const clients = { rust: [join(options.rust, 'auth-client')] };
if (options.python !== undefined) clients.python = [options.python, join(here, 'client.py')];
clients.node = [process.execPath, join(here, 'client.mjs')];
if (options.kotlin !== undefined) clients.kotlin = [join(options.kotlin, 'auth-client')];
if (options.swift !== undefined) clients.swift = [join(options.swift, 'auth-client')];

const packages = createRequire(resolve(options.packages, 'package.json'));
const { Provider } = await import(pathToFileURL(packages.resolve('oidc-provider')));

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** A program, its lines one by one, and what it complained of. */
function start([program, ...first], rest, env) {
  const child = spawn(program, [...first, ...rest], { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let complaints = '';
  child.stderr.on('data', (bytes) => (complaints += bytes));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, ended, lines, complaints: () => complaints };
}

/** Lets one client go through one scenario; what its tools said. */
async function converse(client, issuer) {
  const said = {};
  for (;;) {
    const { value: line, done } = await client.lines.next();
    if (done) break;
    if (line.startsWith('open ')) client.child.stdin.write(`${await browse(line.slice(5), REDIRECT_URI)}\n`);
    else if (line === 'ready') {
      await issuer.revokeAccess();
      client.child.stdin.write('\n');
    } else if (line.startsWith('{')) Object.assign(said, JSON.parse(line));
  }
  const [code] = await client.ended;
  if (code !== 0) throw new Error(`the client ended with ${code}: ${client.complaints().trim().slice(-2000)}`);
  return said;
}

async function run(scenario, language) {
  const resources = new Map();
  const issuer = await startProvider(Provider, resources);
  const port = await freePort();
  const resource = `http://127.0.0.1:${port}/mcp`;
  resources.set(resource, scenario.server);
  const env = {
    ISSUER: issuer.issuer,
    REDIRECT_URI,
    DOCUMENT_URL,
    CLIENT_ID: REGISTERED,
    MACHINE_ID: MACHINE.client_id,
    MACHINE_SECRET: MACHINE.client_secret,
    RESOURCE_SERVER_ID: RESOURCE_SERVER.client_id,
    RESOURCE_SERVER_SECRET: RESOURCE_SERVER.client_secret,
  };
  const server = start([join(options.rust, 'auth-server')], [String(port), issuer.issuer, scenario.server], env);
  let client;
  try {
    if ((await server.lines.next()).done) throw new Error(`the server did not start: ${server.complaints()}`);
    client = start(clients[language], [resource, scenario.name], env);
    const said = await within(PATIENCE_MS, converse(client, issuer));
    scenario.check({ said, seen: issuer.seen, resource });
  } finally {
    client?.child.kill();
    server.child.kill();
    issuer.close();
    if (options.verbose) console.log(JSON.stringify(issuer.seen.map(({ path, status, body }) => [path, status, body.grant_type]), null, 1));
  }
}

async function within(ms, promise) {
  let timer;
  const late = new Promise((_, fail) => (timer = setTimeout(() => fail(new Error(`nothing within ${ms / 1000} s`)), ms)));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

let failed = 0;
const only = new RegExp(options.only);
for (const scenario of SCENARIOS) {
  for (const language of Object.keys(clients)) {
    if (!only.test(`${scenario.name} ${language}`)) continue;
    const began = Date.now();
    let problem = '';
    try {
      await run(scenario, language);
    } catch (error) {
      failed += 1;
      problem = `\n        ${String(error.message).replaceAll('\n', '\n        ')}`;
    }
    const verdict = problem === '' ? 'ok    ' : 'FAILED';
    console.log(`    ${verdict} ${language.padEnd(7)} ${scenario.name}: ${scenario.says} (${Date.now() - began} ms)${problem}`);
  }
}
process.exitCode = failed === 0 ? 0 : 1;
