// The package's doors: every subpath of the official one, both spellings, both module
// systems, one copy of every class; nothing private.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const officialFolder = join(dirname(require.resolve('@modelcontextprotocol/sdk/server')), '..', '..', 'esm');

/** Official modules a program can import, by their path; examples are no part of an API. */
function official(folder = officialFolder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'examples' ? [] : official(path);
    return entry.name.endsWith('.js') ? [relative(officialFolder, path)] : [];
  });
}

/** Marked @internal there: helpers of its transports. */
const INTERNAL = new Set(['fetchLeavingRedirects', 'fetchWithinOrigin', 'followWithinOrigin', 'isWithinOrigin', 'unfollowedRedirect']);

const FOLDERS = ['client', 'server', 'validation', 'validation/ajv', 'validation/cfworker', 'experimental', 'experimental/tasks'];
const subpaths = [...official(), ...FOLDERS];

test('every subpath of the official package is here, with and without its ending', async () => {
  const missing = [];
  for (const subpath of subpaths) {
    for (const spelling of new Set([subpath, subpath.replace(/\.js$/, '')])) {
      const found = await import(`mcpbolt/${spelling}`).catch((error) => error);
      if (found instanceof Error) missing.push(`${spelling}: ${found.message.split('\n')[0]}`);
    }
  }
  assert.deepEqual(missing, []);
});

test('ESM and CommonJS have the same names, and the same things under them', async () => {
  for (const subpath of subpaths) {
    const esm = await import(`mcpbolt/${subpath}`);
    const cjs = require(`mcpbolt/${subpath}`);
    const names = Object.keys(cjs).filter((name) => name !== '__esModule');
    assert.deepEqual(Object.keys(esm).sort(), names.sort(), subpath);
    for (const name of names) assert.equal(esm[name], cjs[name], `${subpath}: ${name}`);
  }
});

test('every name of the official package is here', async () => {
  const missing = [];
  for (const subpath of subpaths) {
    // Theirs needs a package that ours does not.
    const alone = subpath.startsWith('validation/cfworker') && { CfWorkerJsonSchemaValidator: class {} };
    const theirs = alone || (await import(`@modelcontextprotocol/sdk/${subpath}`));
    const ours = await import(`mcpbolt/${subpath}`).catch(() => ({}));
    for (const [name, value] of Object.entries(theirs)) {
      if (typeof ours[name] !== typeof value && !INTERNAL.has(name)) missing.push(`${subpath}: ${name}`);
    }
  }
  assert.deepEqual(missing, []);
});

test('what is private cannot be imported', async () => {
  for (const subpath of ['engine/driver', 'engine/driver.js', 'dist/engine/driver.js', 'v2/internal/errors']) {
    await assert.rejects(import(`mcpbolt/${subpath}`), subpath);
    assert.throws(() => require(`mcpbolt/${subpath}`), subpath);
  }
  assert.equal(require('mcpbolt/package.json').name, 'mcpbolt');
});

test('the root names what programs need most, each the same thing as under its subpath', async () => {
  const root = await import('mcpbolt');
  const places = {
    Server: 'server/index.js',
    McpServer: 'server/mcp.js',
    ResourceTemplate: 'server/mcp.js',
    completable: 'server/completable.js',
    StdioServerTransport: 'server/stdio.js',
    StreamableHTTPServerTransport: 'server/streamableHttp.js',
    SSEServerTransport: 'server/sse.js',
    Client: 'client/index.js',
    StdioClientTransport: 'client/stdio.js',
    StreamableHTTPClientTransport: 'client/streamableHttp.js',
    SSEClientTransport: 'client/sse.js',
    WebSocketClientTransport: 'client/websocket.js',
    InMemoryTransport: 'inMemory.js',
    UriTemplate: 'shared/uriTemplate.js',
    Protocol: 'shared/protocol.js',
    McpError: 'types.js',
    ErrorCode: 'types.js',
    ListToolsRequestSchema: 'types.js',
  };
  for (const [name, subpath] of Object.entries(places)) {
    const { [name]: there } = await import(`mcpbolt/${subpath}`);
    assert.ok(there !== undefined, `${subpath} has no ${name}`);
    assert.equal(root[name], there, name);
  }
  assert.equal(typeof root.ClientSession, 'function');
  assert.equal(typeof root.Host, 'function');
});

test('the root loads what is used of it, and no more', () => {
  const program = `
    const { McpServer, StdioServerTransport } = require('mcpbolt');
    if (!McpServer || !StdioServerTransport) throw new Error('missing');
    console.log(JSON.stringify(Object.keys(require.cache)));`;
  const said = execFileSync(process.execPath, ['-e', program], { cwd: here, encoding: 'utf8' });
  const loaded = JSON.parse(said).map((path) => path.split('/dist/')[1] ?? path);
  assert.deepEqual(loaded.filter((path) => path.startsWith('client/') || /(engine|common)\/client\//.test(path)), []);
});

test('without an addon it is said what is missing and what to do', () => {
  const program = `
    const { platformAddon } = require('./dist/engine/platforms.js');
    const gone = (name) => { throw Object.assign(new Error(name), { code: 'MODULE_NOT_FOUND' }); };
    const broken = () => { throw new Error('wrong ELF class'); };
    for (const load of [gone, broken]) try { platformAddon(load); } catch (error) { console.log(error.message); }
    Object.defineProperty(process, 'platform', { value: 'sunos' });
    try { platformAddon(gone); } catch (error) { console.log(error.message); }`;
  const said = execFileSync(process.execPath, ['-e', program], { cwd: join(here, '..'), encoding: 'utf8' }).split('\n');
  assert.match(said[0], /^mcpbolt cannot load its engine: .*@mcpbolt\/.* installed; install mcpbolt again/);
  assert.equal(said[1], 'mcpbolt cannot load its engine: wrong ELF class');
  assert.match(said[2], /there is no build for sunos on .*, only for linux-x64-gnu/);
});
