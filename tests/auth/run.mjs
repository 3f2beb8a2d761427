// Clients of every language sign in at a real authorization server, for a server of ours.
//
//   node run.mjs --rust FOLDER --packages FOLDER [--python INTERPRETER] [--kotlin FOLDER]
//     [--swift FOLDER] [--keycloak FOLDER --chromium PROGRAM] [--only REGEX] [-v]
//
// `--rust`: the folder with the programs `auth-server` and `auth-client`. `--python`: an
// interpreter that imports mcpbolt. `--kotlin`, `--swift`: the folder with the command `auth-client`
// in that language. `--packages`: a folder where `npm ci` has put what package.json pins.
// `--keycloak`: the folder of its distribution; without, npm's `oidc-provider` is the authorization
// server. A line for each scenario and language; exits with 1 if one fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { clientsOf } from './clients.mjs';
import { EXAMPLE, examplesOf } from './examples.mjs';
import { openKeycloak } from './keycloak.mjs';
import { openLogs } from './logs.mjs';
import { freePort } from './ports.mjs';
import { openProvider } from './provider.mjs';
import { SCENARIOS } from './scenarios.mjs';

/** The bound of one scenario in one language; a browser on a busy machine takes its time. */
const PATIENCE_MS = 240_000;

const { values: options } = parseArgs({
  options: {
    rust: { type: 'string' },
    python: { type: 'string' },
    kotlin: { type: 'string' },
    swift: { type: 'string' },
    packages: { type: 'string' },
    keycloak: { type: 'string' },
    chromium: { type: 'string' },
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', short: 'v', default: false },
  },
});
const installed = createRequire(resolve(options.packages, 'package.json'));
const packages = { load: (name) => import(pathToFileURL(installed.resolve(name))) };

/** A program, its lines one by one, and what it complained of. */
function start([program, ...first], rest, env) {
  const child = spawn(program, [...first, ...rest], { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let complaints = '';
  child.stderr.on('data', (bytes) => (complaints += bytes));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, ended, lines, complaints: () => complaints };
}

/** Lets one client go through one scenario; what its tools said. Codes are added to `secrets`. */
async function converse(client, turn, secrets) {
  const said = {};
  for (;;) {
    const { value: line, done } = await client.lines.next();
    if (done) return said;
    if (line.startsWith('open ')) {
      const back = await turn.browse(line.slice(5));
      secrets.push(new URL(back).searchParams.get('code') ?? undefined);
      client.child.stdin.write(`${back}\n`);
    } else if (line === 'ready') {
      await turn.revokeAccess();
      client.child.stdin.write('\n');
    } else if (line.startsWith('{')) Object.assign(said, JSON.parse(line));
  }
}

/** The same to its end; a client that fails says why. */
async function played(scenario, client, turn, secrets) {
  const said = await (scenario.converse ?? converse)(client, turn, secrets);
  const [code] = await client.ended;
  if (code !== 0) throw new Error(`the client ended with ${code}: ${client.complaints().trim().slice(-2000)}`);
  return said;
}

async function run(authority, { port, resource }, scenario, program) {
  const turn = await authority.begin({ resource, tokens: scenario.tokens });
  const logs = openLogs();
  const env = scenario.readsOnly === authority.name ? { ...turn.env, READS_ONLY: '1' } : turn.env;
  const secrets = [env.MACHINE_SECRET, env.COMPANY_APP_SECRET, env.RESOURCE_SERVER_SECRET, env.IDP_ID_TOKEN];
  const server = start([join(options.rust, 'auth-server')], [String(port), env.ISSUER, scenario.tokens], { ...env, ...logs.env('server') });
  let client;
  try {
    if ((await server.lines.next()).done) throw new Error(`the server did not start: ${server.complaints().slice(-2000)}`);
    client = start(program, scenario.arguments?.(resource) ?? [resource, scenario.name], { ...env, ...logs.env('client') });
    const said = await within(PATIENCE_MS, played(scenario, client, turn, secrets));
    scenario.check({ said, seen: turn.seen, env, resource, authority: authority.name });
    logs.check([...secrets, ...turn.secrets()], { server: server.complaints(), client: client.complaints() });
  } finally {
    client?.child.kill();
    server.child.kill();
    await server.ended;
    turn.end();
    logs.close();
    if (options.verbose) console.log(JSON.stringify(turn.seen.map(({ kind, status, body }) => [kind, status, body.grant_type]), null, 1));
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

/** A line about one scenario in one language; whether it is as it has to be. */
async function report(authority, address, scenario, { language, program, lacks }) {
  const title = `${language.padEnd(7)} ${authority.name} ${scenario.name}: ${scenario.says}`;
  if (lacks.includes(scenario.name)) {
    console.log(`    -      ${title}: this client has it not yet`);
    return true;
  }
  const began = Date.now();
  let problem = '';
  try {
    await run(authority, address, scenario, program);
  } catch (error) {
    problem = `\n        ${String(error.message).replaceAll('\n', '\n        ')}`;
  }
  console.log(`    ${problem === '' ? 'ok    ' : 'FAILED'} ${title} (${Date.now() - began} ms)${problem}`);
  return problem === '';
}

const port = await freePort();
const address = { port, resource: `http://127.0.0.1:${port}/mcp` };
const authority = options.keycloak === undefined ? await openProvider(packages) : await openKeycloak(packages, { ...options, ...address });
const only = new RegExp(options.only);
let failed = 0;
try {
  for (const scenario of [...SCENARIOS, EXAMPLE].filter((one) => one.only === undefined || one.only === authority.name)) {
    for (const client of scenario === EXAMPLE ? examplesOf(options) : clientsOf(options)) {
      if (only.test(`${scenario.name} ${client.language}`) && !(await report(authority, address, scenario, client))) failed += 1;
    }
  }
} finally {
  await authority.close();
}
process.exitCode = failed === 0 ? 0 : 1;
