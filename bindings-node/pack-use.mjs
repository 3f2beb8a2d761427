// Installs the packed packages into empty folders, as users do, and runs programs there:
// those of the README, programs for the official packages without an edit, and one
// without any addon. Owns: what has to work after an installation.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const SECONDS = 60;

/** An environment with nothing of the checkout in it. */
function plain(folder) {
  const kept = ['PATH', 'npm_config_cache', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'];
  const own = Object.entries(process.env).filter(([name]) => kept.includes(name) || name.startsWith('npm_config_'));
  return { ...Object.fromEntries(own), HOME: folder };
}

/** A folder where some archives are installed; nothing is asked of a registry. */
function install(given, name, manifest) {
  const place = join(given.folder, name);
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), JSON.stringify({ private: true, ...manifest }));
  const flags = ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'];
  given.run('npm', flags, { cwd: place, env: plain(place), timeout: SECONDS * 1000 });
  return place;
}

/** What a program in such a folder says on stdout. */
function say(given, place, name, code) {
  writeFileSync(join(place, name), code);
  return given.run(process.execPath, [name], { cwd: place, env: plain(place), timeout: SECONDS * 1000 });
}

/** The server and the client of the README, in both module systems. */
function readme(given) {
  const code = [...given.readme.matchAll(/^```(js|ts)\n(.*?)^```$/gms)].map((match) => match[2]);
  given.demand(code.length >= 2, 'the README has a server and a client');
  const [server, client] = code;
  const common = (text) =>
    `(async () => {\n${text.replace(/^import \{ (.*?) \} from ('.*?');$/gm, 'const { $1 } = require($2);')}\n})();`;
  const place = install(given, 'readme', { dependencies: { mcpbolt: `file:${given.main}`, [given.platform]: `file:${given.addon}` } });
  writeFileSync(join(place, 'server.mjs'), server);
  writeFileSync(join(place, 'server.cjs'), common(server));
  const wanted = '[ { type: \'text\', text: \'3\' } ]\n';
  const esm = say(given, place, 'client.mjs', client);
  given.demand(esm === wanted, `the README's client said ${JSON.stringify(esm)}`);
  const cjs = say(given, place, 'client.cjs', common(client).replace('server.mjs', 'server.cjs'));
  given.demand(cjs === wanted, `the README's client in CommonJS said ${JSON.stringify(cjs)}`);
  for (const file of ['server', 'client']) {
    const lines = (file === 'server' ? server : client).trim().split('\n').length;
    given.demand(lines <= 12, `the README's ${file} has ${lines} lines`);
  }
  return place;
}

const V1 = `
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
export async function talk() {
  const server = new McpServer({ name: 'adder', version: '1.0.0' });
  server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } },
    async ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }));
  const client = new Client({ name: 'caller', version: '1.0.0' });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  const { tools } = await client.request({ method: 'tools/list' }, ListToolsResultSchema);
  const { content } = await client.callTool({ name: tools[0].name, arguments: { a: 1, b: 2 } });
  await client.close();
  return content[0].text;
}
`;

/** A program for the official 1.x package, and a package that depends on that one. */
function alias(given) {
  const ours = { '@modelcontextprotocol/sdk': `file:${given.main}`, [given.platform]: `file:${given.addon}`, zod: `file:${given.zod}` };
  const direct = install(given, 'alias', { dependencies: ours });
  const main = 'import { talk } from \'./talk.mjs\';\nconsole.log(await talk());\n';
  writeFileSync(join(direct, 'talk.mjs'), V1);
  const said = say(given, direct, 'main.mjs', main);
  given.demand(said === '3\n', `a program for the official package said ${JSON.stringify(said)}`);
  overridden(given);
}

function overridden(given) {
  const third = join(given.folder, 'third');
  mkdirSync(third);
  const facts = { name: 'third', version: '1.0.0', type: 'module', main: 'talk.mjs', dependencies: { '@modelcontextprotocol/sdk': '^1.30.0', zod: '*' } };
  writeFileSync(join(third, 'package.json'), JSON.stringify(facts));
  writeFileSync(join(third, 'talk.mjs'), V1);
  const archive = given.pack(third);
  const place = install(given, 'overrides', {
    dependencies: { third: `file:${archive}`, [given.platform]: `file:${given.addon}`, zod: `file:${given.zod}` },
    overrides: { '@modelcontextprotocol/sdk': `file:${given.main}` },
  });
  const said = say(given, place, 'main.mjs', 'import { talk } from \'third\';\nconsole.log(await talk());\n');
  given.demand(said === '3\n', `a package on the official one said ${JSON.stringify(said)}`);
}

/** Packages that want the official ones beside them, as they are published: who they are is all that npm looks at. */
const PEERS = {
  '@modelcontextprotocol/sdk': { name: '@hono/mcp', version: '0.3.2', peerDependencies: { '@modelcontextprotocol/sdk': '^1.29.0', zod: '^3.25.0 || ^4.0.0' } },
  '@modelcontextprotocol/server': { name: 'mcp-handler', version: '2.4.0', peerDependencies: { '@modelcontextprotocol/server': '^2.0.0' } },
};

/** Beside such a package an alias needs the override that the README names. */
function peers(given) {
  const stands = { '@modelcontextprotocol/sdk': given.main, '@modelcontextprotocol/server': given.forwarded.find((file) => file.includes('mcpbolt-server-')) };
  given.demand(given.readme.includes('"overrides": { "@modelcontextprotocol/sdk": "$@modelcontextprotocol/sdk" }'), 'the README names the override');
  for (const [official, facts] of Object.entries(PEERS)) {
    const short = facts.name.replace(/\W/g, '');
    const source = join(given.folder, `peer-${short}`);
    mkdirSync(source);
    writeFileSync(join(source, 'package.json'), JSON.stringify({ ...facts, main: 'index.js' }));
    writeFileSync(join(source, 'index.js'), `exports.path = require.resolve('${official}/package.json');`);
    const dependencies = {
      [official]: `file:${stands[official]}`,
      mcpbolt: `file:${given.main}`,
      [given.platform]: `file:${given.addon}`,
      zod: `file:${given.zod}`,
      [facts.name]: `file:${given.pack(source)}`,
    };
    let refused = '';
    try {
      install(given, `alone-${short}`, { dependencies });
    } catch (error) {
      refused = String(error.message ?? error);
    }
    given.demand(refused !== '', `npm installs ${facts.name} without the override by now: the README need not name it`);
    const place = install(given, `with-${short}`, { dependencies, overrides: { [official]: `$${official}` } });
    const found = JSON.parse(readFileSync(join(place, 'node_modules', ...official.split('/'), 'package.json'), 'utf8')).name;
    given.demand(/mcpbolt/.test(found), `${facts.name} has ${found} beside it`);
  }
}

const V2 = `
import { McpServer, InMemoryTransport, fromJsonSchema } from '@modelcontextprotocol/server';
import { Client } from '@modelcontextprotocol/client';
const server = new McpServer({ name: 'adder', version: '1.0.0' });
const inputSchema = fromJsonSchema({ type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } });
server.registerTool('add', { inputSchema }, async ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }));
const client = new Client({ name: 'caller', version: '1.0.0' });
const [one, other] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(one), client.connect(other)]);
const { content } = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
console.log(content[0].text);
await client.close();
`;

/** A program for the official 2.x packages. */
function split(given) {
  const forwarded = (name) => given.forwarded.find((file) => file.includes(`mcpbolt-${name}-`));
  const place = install(given, 'split', {
    dependencies: {
      mcpbolt: `file:${given.main}`,
      [given.platform]: `file:${given.addon}`,
      '@modelcontextprotocol/server': `file:${forwarded('server')}`,
      '@modelcontextprotocol/client': `file:${forwarded('client')}`,
    },
  });
  const said = say(given, place, 'main.mjs', V2);
  given.demand(said === '3\n', `a program for the official 2.x packages said ${JSON.stringify(said)}`);
}

/** The command is where npm puts commands, and `npx` finds it. */
function command(given, place) {
  const run = (file, args) => given.run(file, args, { cwd: place, env: plain(place), timeout: SECONDS * 1000 });
  const bin = join(place, 'node_modules', '.bin', 'mcpbolt');
  const said = run(bin, ['call', 'server.mjs', 'add', 'a=1', 'b=2']);
  given.demand(said === '3\n', `the command said ${JSON.stringify(said)}`);
  const { version } = JSON.parse(readFileSync(join(place, 'node_modules', 'mcpbolt', 'package.json'), 'utf8'));
  const shown = run('npx', ['--offline', 'mcpbolt', '--version']);
  given.demand(shown === `mcpbolt ${version}\n`, `npx mcpbolt said ${JSON.stringify(shown)}`);
}

/** Without an addon it is said what is missing and what to do. */
function withoutAddon(given, installed) {
  const place = join(given.folder, 'without');
  cpSync(installed, place, { recursive: true });
  rmSync(join(place, 'node_modules', ...given.platform.split('/')), { recursive: true });
  const bin = join(place, 'node_modules', 'mcpbolt', 'bin', 'mcpbolt.js');
  const told = say(given, place, 'command.cjs', `const { spawnSync } = require('node:child_process'); console.log(String(spawnSync(process.execPath, [${JSON.stringify(bin)}]).stderr));`);
  given.demand(told.startsWith('mcpbolt: ') && told.trim().split('\n').length === 1, `without an addon the command said ${JSON.stringify(told)}`);
  const said = say(given, place, 'missing.cjs', 'try { require(\'mcpbolt/server/mcp\') } catch (error) { console.log(error.message) }');
  given.demand(said.includes(given.platform) && said.includes('--include=optional'), `without an addon it said ${JSON.stringify(said)}`);
}

/** Runs everything; `given` has the archives and the helpers of pack.mjs. */
export function use(given) {
  const tools = createRequire(join(given.tools, 'use.cjs'));
  const zod = given.pack(dirname(tools.resolve('zod/package.json')));
  const platform = JSON.parse(readFileSync(join(given.addonFolder, 'package.json'), 'utf8')).name;
  const all = { ...given, zod, platform };
  const installed = readme(all);
  command(all, installed);
  alias(all);
  split(all);
  peers(all);
  withoutAddon(all, installed);
  console.log('    installed and used: ESM, CommonJS, the command, npx, npm alias, overrides, beside packages with peers, the names of 2.x; without an addon it says so');
}
