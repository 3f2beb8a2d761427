// Signing in with a browser, in one line and put together by hand, at a real authorization server.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Host, OAuth as OAuthOfRoot } from 'mcpbolt';
import { auth, FileTokenStorage, LoopbackRedirect, OAuth, UnauthorizedError } from 'mcpbolt/client/auth.js';
import { Client } from 'mcpbolt/client/index.js';
import { SSEClientTransport } from 'mcpbolt/client/sse.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { AccessDeniedError } from 'mcpbolt/server/auth/errors.js';
import * as v2 from 'mcpbolt/v2/client';
import { within } from './support/bounds.mjs';
import { Program } from './support/process.mjs';
import { makeBrowser, startSite } from './support/sign-in-site.mjs';

const SERVER = 'https://mcp.example/mcp';
const KINDS = { '1.x': Client, '2.x': v2.Client };
const FlowError = v2.OAuthClientFlowError;

/** A folder that ends with the test. */
function folderOf(t) {
  const folder = mkdtempSync(join(tmpdir(), 'mcpbolt-sign-in-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Connects; the connection ends with the test. */
async function connect(t, transport, Kind = Client) {
  const client = new Kind({ name: 'sign-in', version: '1' });
  t.after(() => client.close());
  await within(client.connect(transport), 'the connection');
  return client;
}

/** A transport of a program with a name and a folder of its own. */
function signing(site, folder, open, options = {}) {
  const own = new OAuth('Example', { folder, redirect: { openBrowser: open, ...options.redirect } });
  return new StreamableHTTPClientTransport(site.url, { auth: own, ...options.transport });
}

/** A port that nobody uses. */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

for (const [line, Kind] of Object.entries(KINDS)) {
  for (const way of ['the engine', 'own fetch']) {
    test(`one line signs in once (${line}, ${way})`, async (t) => {
      const [site, folder, browser] = [await startSite(t), folderOf(t), makeBrowser()];
      const transport = way === 'own fetch' ? { fetch: (...given) => fetch(...given) } : {};
      const client = await connect(t, signing(site, folder, browser.open, { transport }), Kind);
      assert.deepEqual((await client.listTools()).tools, []);
      assert.equal(browser.pages.length, 1);
      assert.match(browser.pages[0], /close this window/);
      const [registered] = site.registered;
      assert.deepEqual([registered.client_name, registered.token_endpoint_auth_method, registered.application_type], ['Example', 'none', 'native']);
      // Another start finds the tokens.
      await (await connect(t, signing(site, folder, browser.open), Kind)).listTools();
      assert.deepEqual([browser.pages.length, site.registered.length], [1, 1]);
    });
  }
}

/** A program with a folder of its own for everything that belongs to its user. */
const inHome = (home, text) => `
  for (const name of ['XDG_STATE_HOME', 'HOME', 'LOCALAPPDATA']) process.env[name] = ${JSON.stringify(home)};
  const { Client } = await import('mcpbolt/client/index.js');
  const { OAuth } = await import('mcpbolt/client/auth.js');
  const { StreamableHTTPClientTransport } = await import('mcpbolt/client/streamableHttp.js');
  ${text}
`;

test('the word oauth has the file of the command, and a name of its own has another', async (t) => {
  const [site, home, browser] = [await startSite(t), folderOf(t), makeBrowser()];
  const folder = join(home, process.platform === 'darwin' ? 'Library/Application Support' : '', 'mcpbolt/credentials');
  await connect(t, signing(site, folder, browser.open));
  // The program of the guide, which has the imports above it here.
  const guide = readFileSync(new URL('../../docs/guide/authorization.md', import.meta.url), 'utf8').split('\n### Node\n')[1];
  const own = /```js\n(.*?)```/s.exec(guide)[1].replace(/^import .*\n/gm, '').replace('https://mcp.example.com/mcp', site.url);
  const program = new Program(inHome(home, `
    ${own}
    for (const name of ["It's (mine)", 'a/b']) await new OAuth(name).provider('https://mcp.example/mcp').saveTokens({ access_token: 'a', token_type: 'Bearer' });
  `));
  assert.deepEqual(await program.end(60_000), { code: 0, signal: null }, program.errors);
  assert.deepEqual([program.lines, browser.pages.length], [['{ tools: [] }'], 1]);
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  // As in Python, so that programs of one name share what they store.
  assert.deepEqual(folders.map(({ name }) => name).sort(), ['It%27s %28mine%29', 'a%2Fb']);
});

test('only the user reads the file', { skip: process.platform === 'win32' }, async (t) => {
  const folder = join(folderOf(t), 'kept');
  await new FileTokenStorage(SERVER, folder).saveTokens({ access_token: 'secret', token_type: 'Bearer' });
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
});

test('a storage returns what was stored', async (t) => {
  const folder = folderOf(t);
  const one = new FileTokenStorage(SERVER, folder);
  assert.deepEqual([await one.tokens(), await one.clientInformation()], [undefined, undefined]);
  const client = { client_id: 'c', client_secret: 's', redirect_uris: ['http://127.0.0.1:1/back'], issuer: 'https://as.example' };
  await one.saveClientInformation(client);
  await one.saveTokens({ access_token: 'a', token_type: 'Bearer', refresh_token: 'r', expires_in: 60, scope: 'x y' });
  const other = new FileTokenStorage(new URL(SERVER), folder);
  const { expires_in: left, ...tokens } = await other.tokens();
  assert.deepEqual(tokens, { access_token: 'a', token_type: 'Bearer', refresh_token: 'r', scope: 'x y', issuer: 'https://as.example' });
  assert.ok(left > 0 && left <= 60, String(left));
  assert.deepEqual(await other.clientInformation(), client);
  assert.equal(await new FileTokenStorage('https://other.example/mcp', folder).tokens(), undefined);
  assert.throws(() => new FileTokenStorage('no URL', folder), FlowError);
});

test('a storage says why it cannot be written', async (t) => {
  const file = join(folderOf(t), 'kept');
  writeFileSync(file, 'a file, not a folder');
  const storage = new FileTokenStorage(SERVER, file);
  await assert.rejects(storage.saveTokens({ access_token: 'a', token_type: 'Bearer' }), (error) => error instanceof FlowError && error.message.includes('kept'));
});

test('a storage lets one in after the other', async (t) => {
  const folder = folderOf(t);
  const [one, other] = [new FileTokenStorage(SERVER, folder), new FileTokenStorage(SERVER, folder)];
  const said = [];
  let second;
  const first = one.exclusively(async () => {
    second = other.exclusively(async () => said.push('second'));
    // It has asked for the lock by the time that the disk was read.
    await one.tokens();
    said.push('first');
  });
  await within(first);
  await within(second);
  assert.deepEqual(said, ['first', 'second']);
  await assert.rejects(one.exclusively(() => Promise.reject(new Error('mine'))), /mine/);
  assert.equal(await within(other.exclusively(async () => 'free')), 'free');
});

/** A provider of a program, from the parts. */
class ByHand {
  #verifier;
  constructor(url, folder, redirect) {
    this.redirect = redirect;
    const storage = new FileTokenStorage(url, folder);
    for (const name of ['tokens', 'saveTokens', 'clientInformation', 'saveClientInformation', 'exclusively']) {
      this[name] = (given) => storage[name](given);
    }
  }
  get redirectUrl() {
    return this.redirect.redirectUrl;
  }
  get clientMetadata() {
    return { client_name: 'Mine', redirect_uris: [this.redirectUrl] };
  }
  saveCodeVerifier(verifier) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
  redirectToAuthorization(url) {
    return this.redirect.show(url);
  }
}

for (const kind of ['waits', 'is finished']) {
  test(`the parts are put together by hand: it ${kind}`, async (t) => {
    const [site, browser] = [await startSite(t), makeBrowser()];
    const redirect = new LoopbackRedirect({ path: '/done', openBrowser: browser.open });
    t.after(() => redirect.close());
    const provider = new ByHand(site.url, folderOf(t), redirect);
    if (kind === 'waits') {
      provider.waitForRedirect = () => redirect.wait();
      assert.equal(await within(auth(provider, { serverUrl: site.url })), 'AUTHORIZED');
    } else {
      // As the official package has it: the program comes back with the code.
      const transport = new StreamableHTTPClientTransport(site.url, { authProvider: provider });
      await assert.rejects(within(new Client({ name: 'c', version: '1' }).connect(transport)), UnauthorizedError);
      await within(transport.finishAuth((await within(redirect.wait())).searchParams));
    }
    assert.equal(new URL(provider.redirectUrl).pathname, '/done');
    assert.deepEqual(site.registered[0].redirect_uris, [provider.redirectUrl]);
    await (await connect(t, new StreamableHTTPClientTransport(site.url, { authProvider: provider }))).listTools();
    assert.equal(browser.pages.length, 1);
  });
}

for (const [line, Kind, Refusal] of [['1.x', Client, AccessDeniedError], ['2.x', v2.Client, v2.OAuthError]]) {
  for (const isTrue of [true, false]) {
    test(`a refusal is told if it is of the issuer that was asked (${line}, it is ${isTrue})`, async (t) => {
      const [site, browser, port] = [await startSite(t), makeBrowser(), await freePort()];
      site.refuses = { error: 'access_denied', error_description: 'canary' };
      if (!isTrue) site.saysIssuer = 'https://evil.example';
      const transport = signing(site, folderOf(t), browser.open, { redirect: { port } });
      const refused = await connect(t, transport, Kind).catch((error) => error);
      assert.ok(refused instanceof (isTrue ? Refusal : v2.IssuerMismatchError), String(refused));
      assert.equal(refused.message.includes('canary'), isTrue);
      assert.equal(browser.pages.length, 1);
      assert.doesNotMatch(browser.pages[0], /canary|evil/);
      // The port is free again.
      const again = new LoopbackRedirect({ port });
      assert.equal(again.listen(), `http://127.0.0.1:${port}/callback`);
      again.close();
    });
  }
}

test('what goes wrong is told with the remedy', async (t) => {
  const site = await startSite(t);
  const rejected = (options) => connect(t, signing(site, folderOf(t), () => undefined, options)).catch((error) => error);
  const late = await rejected({ redirect: { timeout: 10 } });
  assert.ok(late instanceof FlowError && late.message.includes('`timeout`'), String(late));
  const closed = await rejected({ redirect: { openBrowser: () => Promise.reject(new Error('no screen')) } });
  assert.equal(closed.message, 'no screen');
  const wrong = await rejected({ redirect: { path: 'back' } });
  assert.ok(wrong instanceof FlowError && wrong.message.includes('path'), String(wrong));
  await assert.rejects(new LoopbackRedirect().wait(), FlowError);
});

test('a port listens for one answer of one program', async () => {
  const one = new LoopbackRedirect({ openBrowser: () => undefined });
  const { port } = new URL(one.redirectUrl);
  const other = new LoopbackRedirect({ port: Number(port) });
  assert.throws(() => other.listen(), (error) => error instanceof FlowError && error.message.includes(port));
  await one.show('https://as.example/authorize?state=s');
  await assert.rejects(one.show('https://as.example/authorize?state=s'), FlowError);
  const waiting = one.wait();
  one.close();
  await assert.rejects(within(waiting), (error) => error instanceof FlowError && error.message.includes('closed'));
  one.close();
});

test('what is no sign-in is refused without being shown', () => {
  for (const Transport of [StreamableHTTPClientTransport, SSEClientTransport]) {
    for (const given of ['t0p-secret', { token: 't0p-secret' }, 1, null]) {
      assert.throws(() => new Transport(SERVER, { auth: given }), (error) => error instanceof TypeError && /^auth: /.test(error.message) && !error.message.includes('t0p'));
    }
    assert.throws(() => new Transport(SERVER, { auth: 'oauth', authProvider: { token: async () => 'a' } }), /authProvider/);
  }
  assert.equal(OAuthOfRoot, OAuth);
});

test('calls that are refused at once are renewed by one refresh, every time that tokens end', async (t) => {
  const [site, browser] = [await startSite(t), makeBrowser()];
  const client = await connect(t, signing(site, folderOf(t), browser.open));
  for (const refreshes of [1, 2, 3]) {
    site.good = new Set();
    await within(Promise.all(Array.from({ length: 20 }, () => client.ping())));
    assert.equal(site.refreshes.length, refreshes);
  }
  assert.equal(browser.pages.length, 1);
});

test('two clients of one program ask their user once, and make one refresh', async (t) => {
  const [site, folder, browser] = [await startSite(t), folderOf(t), makeBrowser()];
  const both = await Promise.all([1, 2].map(() => connect(t, signing(site, folder, browser.open))));
  assert.deepEqual([browser.pages.length, site.registered.length], [1, 1]);
  site.good = new Set();
  await within(Promise.all(both.map((client) => client.ping())));
  assert.deepEqual([site.refreshes.length, site.count('/authorize')], [1, 1]);
});

test('of two programs one refreshes', async (t) => {
  const [site, folder, browser] = [await startSite(t), folderOf(t), makeBrowser()];
  await connect(t, signing(site, folder, browser.open));
  const text = inHome(folder, `
    const own = new OAuth('Example', { folder: ${JSON.stringify(folder)}, redirect: { openBrowser: () => process.exit(3) } });
    const client = new Client({ name: 'other', version: '1' });
    process.stdin.once('data', async () => {
      console.log('asking');
      await client.connect(new StreamableHTTPClientTransport(${JSON.stringify(site.url)}, { auth: own }));
      console.log((await client.listTools()).tools.length);
      await client.close();
      process.exit(0);
    });
    console.log('ready');
  `);
  const programs = [new Program(text), new Program(text)];
  const begin = (program) => {
    program.child.stdin.write('go\n');
    return program.until(() => program.lines.includes('asking'));
  };
  for (const program of programs) await program.until(() => program.lines.includes('ready'));
  site.good = new Set();
  // The other one comes while the refresh of the first is not answered yet.
  site.beforeRefresh = () => begin(programs[1]);
  await begin(programs[0]);
  for (const program of programs) assert.deepEqual(await program.end(60_000), { code: 0, signal: null }, program.errors);
  assert.deepEqual(programs.map(({ lines }) => lines.at(-1)), ['0', '0']);
  assert.deepEqual([site.refreshes.length, site.count('/authorize')], [1, 1]);
});

test('a client that the authorization server forgot registers anew', async (t) => {
  const [site, folder, browser] = [await startSite(t), folderOf(t), makeBrowser()];
  const storage = new FileTokenStorage(site.url, folder);
  await storage.saveClientInformation({ client_id: 'gone', client_secret: 's', client_secret_expires_at: 1, issuer: site.issuer });
  await connect(t, signing(site, folder, browser.open));
  assert.equal((await storage.clientInformation()).client_id, 'client-1');
});

test('signing out empties the file and revokes', async (t) => {
  const [site, folder, browser] = [await startSite(t), folderOf(t), makeBrowser()];
  const client = await connect(t, signing(site, folder, browser.open));
  const storage = new FileTokenStorage(site.url, folder);
  const { access_token, refresh_token } = await storage.tokens();
  await new OAuth('Example', { folder }).signOut(site.url);
  assert.deepEqual(site.revoked.sort(), [access_token, refresh_token].sort());
  assert.equal(await storage.tokens(), undefined);
  assert.equal((await storage.clientInformation()).client_id, 'client-1');
  // The next request signs in anew, also of a client that is connected.
  site.good = new Set();
  await within(client.ping());
  assert.deepEqual([browser.pages.length, site.refreshes.length, site.registered.length], [2, 0, 1]);
});

test('a host signs in at its servers', async (t) => {
  const [site, folder, browser] = [await startSite(t), folderOf(t), makeBrowser()];
  const host = new Host({ name: 'host', version: '1' });
  t.after(() => host.close());
  const own = new OAuth('Example', { folder, redirect: { openBrowser: browser.open } });
  const failed = await within(host.addConfig({ mcpServers: { site: { url: site.url, auth: own }, wrong: { url: site.url, auth: 'basic' } } }));
  assert.deepEqual([...failed].map(([name, { message }]) => [name, message.slice(0, 5)]), [['wrong', 'auth:']]);
  assert.deepEqual([host.servers(), browser.pages.length], [['site'], 1]);
});

test('a user has longer than a request', async (t) => {
  const site = await startSite(t);
  let browse;
  const shown = new Promise((resolve) => (browse = resolve));
  const client = new Client({ name: 'patient', version: '1' });
  t.after(() => client.close());
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const connecting = client.connect(signing(site, folderOf(t), (url) => browse(url)));
  const url = await shown;
  // Longer than a request waits for a server alone.
  t.mock.timers.tick(120_000);
  t.mock.timers.reset();
  await fetch(url);
  await within(connecting);
  await within(client.listTools());
});

for (const way of ['{}', '{ fetch: (...given) => fetch(...given) }']) {
  test(`who gives up waits for no user, ${way}`, async (t) => {
    const [site, folder] = [await startSite(t), folderOf(t)];
    const program = new Program(inHome(folder, `
      let show;
      const shown = new Promise((resolve) => (show = resolve));
      const own = new OAuth('Example', { folder: ${JSON.stringify(folder)}, redirect: { openBrowser: show } });
      const client = new Client({ name: 'gone', version: '1' });
      const given = new AbortController();
      const connecting = client.connect(new StreamableHTTPClientTransport(${JSON.stringify(site.url)}, { auth: own, ...${way} }), { signal: given.signal });
      await shown;
      given.abort(new Error('enough'));
      await connecting.catch(({ message }) => console.log(message));
    `));
    await program.until(() => program.lines.length > 0);
    assert.match(program.lines[0], /enough/);
    assert.deepEqual(await program.end(), { code: 0, signal: null }, program.errors);
  });
}
