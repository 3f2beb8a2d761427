// The same visits to the same unmodified programs of others twice: on the official 2.x
// packages, and with ours in their place, as npm's `overrides` would put them. What the
// official client sees has to be the same, in both eras.
//
//   node compare.mjs OFFICIAL OURS CHECKOUT
//
// OFFICIAL has the programs and the official packages in its node_modules, OURS is made
// anew from it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const [official, ours, checkout] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(join(official, 'node_modules/@modelcontextprotocol/client/dist', name)));
const { Client, StreamableHTTPClientTransport } = await load('index.mjs');
const { StdioClientTransport } = await load('stdio.mjs');
const SECONDS = 60;

/** Programs: what starts them, whether over HTTP, calls with what they are asked, and whether all of those have to succeed. */
const PROGRAMS = {
  '@bitbonsai/mcpvault': {
    start: (folder) => ['node_modules/@bitbonsai/mcpvault/dist/server.js', folder],
    calls: [
      ['list_directory', {}],
      ['read_note', { path: 'note.md' }],
      ['read_note', { path: '../note.md' }],
      ['read_note', {}],
      ['write_note', { path: 'new.md', content: 'new [[note]]\n', frontmatter: { tags: ['a'] } }],
      ['get_frontmatter', { path: 'new.md' }],
      ['search_notes', { query: 'kept' }],
      ['list_all_tags', {}],
      ['get_note_outline', { path: 'note.md' }],
      ['no_such_tool', {}],
    ],
  },
  '@upstash/context7-mcp': {
    start: () => ['node_modules/@upstash/context7-mcp/dist/index.js', '--transport', 'stdio'],
    calls: [
      ['resolve-library-id', {}],
      ['query-docs', { libraryId: 1 }],
      ['no_such_tool', {}],
    ],
  },
  '@smartbear/mcp': {
    // Without a setting it lists the tools of all its services. It hands its own transport to
    // `serveStdio`.
    start: () => ['node_modules/@smartbear/mcp/dist/index.js'],
    calls: [['no_such_tool', {}]],
  },
  'mcp-handler': {
    http: true,
    start: () => ['handler.mjs'],
    calls: [
      ['echo', { message: 'grüße' }],
      ['echo', { message: 1 }],
      ['fails', {}],
      ['no_such_tool', {}],
    ],
  },
  '@modelcontextprotocol/ext-apps': {
    http: true,
    start: () => ['apps.mjs'],
    calls: [
      ['time', { zone: 'UTC' }],
      ['time', {}],
      ['refresh', {}],
      ['visit', {}],
      ['no_such_tool', {}],
    ],
  },
  '@modelcontextprotocol/ext-tasks': {
    http: true,
    start: () => ['tasks.mjs'],
    // What the program's clients visit: ours, in place of the packages as well.
    env: { TASKS_SERVER: join(checkout, 'tests/interop/split/tasks-server.mjs') },
    // It fails by itself where the package does not do what it is for.
    succeeds: true,
    calls: [
      ['visit', { era: 'legacy' }],
      ['visit', { era: 'modern' }],
      ['receive', {}],
    ],
  },
  '@rekog/mcp-nest': {
    http: true,
    path: '/mcp',
    start: () => ['nest.mjs'],
    calls: [
      ['echo', { message: 'grüße' }],
      ['echo', { message: 1 }],
      ['fails', {}],
      ['no_such_tool', {}],
    ],
  },
};

/** Every folder with official packages below a folder of packages. */
function scopes(modules) {
  const found = [];
  for (const name of readdirSync(modules)) {
    const path = join(modules, name);
    if (name === '@modelcontextprotocol') found.push(path);
    const packages = name.startsWith('@') ? readdirSync(path).map((each) => join(path, each)) : [path];
    for (const each of packages) if (existsSync(join(each, 'node_modules'))) found.push(...scopes(join(each, 'node_modules')));
  }
  return found;
}

/** A copy of the programs in which every copy of an official package is one of ours. */
async function putOursInPlace() {
  const { forwarding } = await import(pathToFileURL(join(checkout, 'bindings-node/pack-forward.mjs')));
  const { version } = JSON.parse(readFileSync(join(checkout, 'bindings-node/package.json'), 'utf8'));
  rmSync(ours, { recursive: true, force: true });
  cpSync(official, ours, { recursive: true, verbatimSymlinks: true });
  const modules = join(ours, 'node_modules');
  symlinkSync(join(checkout, 'bindings-node'), join(modules, 'mcpbolt'));
  for (const { facts, files } of forwarding((name) => ({ name, version }))) {
    for (const scope of scopes(modules)) {
      const place = join(scope, facts.name.slice('@mcpbolt/'.length));
      if (!existsSync(place)) continue;
      rmSync(place, { recursive: true });
      mkdirSync(place);
      writeFileSync(join(place, 'package.json'), JSON.stringify(facts));
      for (const [file, text] of Object.entries(files)) writeFileSync(join(place, file), text);
    }
  }
}

/** What came of something, errors included. */
async function outcome(work) {
  try {
    return await work();
  } catch (error) {
    return { code: error.code, message: error.message };
  }
}

/** A port that is free, and most likely still is a moment later. */
function freePort() {
  const server = createServer();
  return new Promise((found) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
}

/** Starts a program, and gives what makes transports to it, and what ends it. */
async function started(packages, { start, http, path = '/', env = {} }, folder) {
  const [script, ...args] = start(folder);
  const own = { PATH: process.env.PATH, HOME: folder, ...env };
  if (!http) {
    const command = { command: process.execPath, args: [join(packages, script), ...args], env: own, stderr: 'ignore' };
    return { make: () => new StdioClientTransport(command), stop: () => undefined };
  }
  const port = await freePort();
  const child = spawn(process.execPath, [join(packages, script), String(port)], { env: own, stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise((ready, failed) => {
    child.stdout.once('data', ready);
    child.once('exit', (code) => failed(new Error(`${script} ended with ${code}`)));
  });
  return { make: () => new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}${path}`)), stop: () => child.kill() };
}

/** Everything that a client sees of a program, in one era. */
async function visit(packages, program, mode) {
  const folder = mkdtempSync(join(tmpdir(), 'mcpbolt-split-'));
  writeFileSync(join(folder, 'note.md'), '# One\n\nkept\n\n## Two\n');
  const { make, stop } = await started(packages, program, folder);
  try {
    const client = new Client({ name: 'compare', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(make());
    const seen = { server: client.getServerVersion(), can: client.getServerCapabilities(), says: client.getInstructions() };
    const { tools, resources, prompts } = seen.can;
    if (tools) seen.tools = await outcome(() => client.listTools());
    if (resources) seen.resources = await outcome(() => client.listResources());
    for (const { uri } of seen.resources?.resources ?? []) seen[uri] = await outcome(() => client.readResource({ uri }));
    if (prompts) seen.prompts = await outcome(() => client.listPrompts());
    for (const { name, arguments: wanted = [] } of seen.prompts?.prompts ?? []) {
      const given = Object.fromEntries(wanted.map((each) => [each.name, '1']));
      seen[`prompt ${name}`] = await outcome(() => client.getPrompt({ name, arguments: given }));
    }
    for (const [name, given] of program.calls) {
      const answer = await outcome(() => client.callTool({ name, arguments: given }));
      if (program.succeeds && (answer.content === undefined || answer.isError)) throw new Error(`${name}: ${JSON.stringify(answer)}`);
      seen[`${name} ${JSON.stringify(given)}`] = answer;
    }
    await client.close();
    return comparable(seen, folder);
  } finally {
    stop();
    rmSync(folder, { recursive: true });
  }
}

/** Without what is different each time, and without hints of caching. */
function comparable(seen, folder) {
  const text = JSON.stringify(seen, (key, value) => (['_meta', 'ttlMs', 'cacheScope'].includes(key) ? undefined : value));
  return JSON.parse(text.replaceAll(folder, '{folder}').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\b1[78]\d{11}\b/g, '{time}'));
}

/** Where two values are not the same. */
function differences(expected, actual, path) {
  if (isDeepStrictEqual(expected, actual)) return [];
  const both = [expected, actual].every((value) => typeof value === 'object' && value !== null);
  if (!both) return [`${path}: ${JSON.stringify(expected)} with the official packages, ${JSON.stringify(actual)} with ours`];
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...keys].flatMap((key) => differences(expected[key], actual[key], `${path} / ${key}`));
}

/** Differences that are known, and only those; one that is none any more has to leave its list. */
function unknown(found, known) {
  const stale = known.filter((place) => !found.some((words) => words.startsWith(`${place}: `)));
  const other = found.filter((words) => !known.some((place) => words.startsWith(`${place}: `)));
  return [...other, ...stale.map((place) => `${place}: is the same by now`)];
}

/** One program in one era, on both. */
async function compare(name, program, mode) {
  const within = (work) => {
    const late = new Promise((_, failed) => setTimeout(failed, SECONDS * 1000, new Error(`no end after ${SECONDS} s`)).unref());
    return Promise.race([work, late]);
  };
  const expected = await within(visit(official, program, mode));
  const title = `${name} (${mode})`;
  const known = (program.otherwise ?? []).filter((place) => place.startsWith(title));
  const found = unknown(differences(expected, await within(visit(ours, program, mode)), title), known);
  for (const words of found.slice(0, 20)) console.log(`    ${words}`);
  if (found.length > 0) process.exitCode = 1;
  else console.log(`    ${title}: ${Object.keys(expected).length} answers are the same${known.length > 0 ? ', but for what is known' : ''}`);
}

await putOursInPlace();
const { name } = JSON.parse(readFileSync(join(ours, 'node_modules/@modelcontextprotocol/server/package.json'), 'utf8'));
assert.equal(name, '@mcpbolt/server', 'the second folder has the official packages');
for (const [name, program] of Object.entries(PROGRAMS)) {
  for (const mode of ['legacy', 'auto']) {
    await compare(name, program, mode).catch((error) => {
      console.log(`    ${name} (${mode}): ${error.message}`);
      process.exitCode = 1;
    });
  }
}
process.exit();
