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

/** Marked @internal there: helpers of its transports. (differs: transport-helpers) */
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

test('examples of the official package that are modules are here, and the programs say how to run them', async () => {
  // differs: example-programs
  const programs = 'examples/server/simpleStreamableHttp.js';
  for (const name of ['shared/inMemoryEventStore', 'client/simpleOAuthClientProvider', 'server/demoInMemoryOAuthProvider']) {
    const [ours, theirs] = await Promise.all(['mcpbolt', '@modelcontextprotocol/sdk'].map((from) => import(`${from}/examples/${name}.js`)));
    assert.deepEqual(Object.keys(ours), Object.keys(theirs), name);
    assert.deepEqual(Object.keys(require(`mcpbolt/examples/${name}.js`)).sort(), Object.keys(ours).sort());
  }
  await assert.rejects(import(`mcpbolt/${programs}`), /npm install official@npm:@modelcontextprotocol\/sdk/);
  assert.throws(() => require(`mcpbolt/${programs}`), /does not contain the example programs/);
});

test('the example of an OAuth client and of an authorization server answer as the official ones do', async () => {
  const said = [];
  for (const from of ['mcpbolt', '@modelcontextprotocol/sdk']) {
    const { DemoInMemoryAuthProvider } = await import(`${from}/examples/server/demoInMemoryOAuthProvider.js`);
    const { InMemoryOAuthClientProvider } = await import(`${from}/examples/client/simpleOAuthClientProvider.js`);
    const notes = [];
    const failed = (error) => notes.push(error.message);
    const provider = new DemoInMemoryAuthProvider((resource) => resource?.href === 'https://a/');
    const client = await provider.clientsStore.registerClient({ client_id: 'c', redirect_uris: ['https://back/'] });
    const ask = async (state, resource) => {
      let code;
      const res = { redirect: (url) => ((code = new URL(url).searchParams.get('code')), notes.push(url.replace(code, 'CODE'))) };
      await provider.authorize(client, { state, codeChallenge: 'x', scopes: ['s'], redirectUri: 'https://back/', resource }, res);
      return code;
    };
    const code = await ask('st', new URL('https://a/'));
    notes.push(await provider.challengeForAuthorizationCode(client, code));
    const { access_token: token, ...rest } = await provider.exchangeAuthorizationCode(client, code);
    const { token: same, expiresAt, ...about } = await provider.verifyAccessToken(token);
    notes.push(rest, about, same === token);
    await provider.exchangeAuthorizationCode({ client_id: 'other' }, await ask(undefined, new URL('https://a/'))).catch((e) => failed({ message: e.message.slice(0, 45) }));
    for (const work of [
      async () => provider.exchangeAuthorizationCode(client, await ask()),
      () => provider.exchangeAuthorizationCode(client, code),
      () => provider.verifyAccessToken('x'),
      () => provider.exchangeRefreshToken(client, 'r'),
      () => provider.authorize(client, { redirectUri: 'https://evil/' }, { cookie: (name) => notes.push(name) }),
    ]) await work().catch(failed);
    const own = new InMemoryOAuthClientProvider('https://back/', { redirect_uris: [] }, (url) => notes.push(url.href), 'https://me/');
    own.redirectToAuthorization(new URL('https://go/'));
    try {
      own.codeVerifier();
    } catch (error) {
      failed(error);
    }
    own.saveCodeVerifier('v');
    own.saveTokens({ access_token: 't' });
    own.saveClientInformation({ client_id: 'i' });
    notes.push(own.redirectUrl, own.clientMetadata, own.clientMetadataUrl, own.codeVerifier(), own.tokens(), own.clientInformation());
    said.push(JSON.parse(JSON.stringify(notes)));
  }
  assert.deepEqual(said[0], said[1]);
});
