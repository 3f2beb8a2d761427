// Requests that need more scopes than the token has, at a real authorization server.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import * as official from '@modelcontextprotocol/sdk/client/index.js';
import * as officialHttp from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { OAuth } from 'mcpbolt/client/auth.js';
import { Client } from 'mcpbolt/client/index.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import * as v2 from 'mcpbolt/v2/client';
import { within } from './support/bounds.mjs';
import { makeBrowser, startSite } from './support/sign-in-site.mjs';

const KINDS = { '1.x': [Client, StreamableHTTPClientTransport], '2.x': [v2.Client, v2.StreamableHTTPClientTransport] };
const WAYS = { 'the engine': {}, 'own fetch': { fetch: (...given) => fetch(...given) } };
const REFUSED = 'Server returned 403 after trying upscoping';

/** A site that grants `base` at first. */
async function siteWith(t, members = {}) {
  return Object.assign(await startSite(t), { scopes: ['base'], ...members });
}

function folderOf(t) {
  const folder = mkdtempSync(join(tmpdir(), 'mcpbolt-step-up-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function connect(t, Kind, transport) {
  const client = new Kind({ name: 'step-up', version: '1' });
  t.after(() => client.close());
  await within(client.connect(transport), 'the connection');
  return client;
}

/** Calls a tool that needs a scope, or none; what it says if it fails. */
const call = (client, scope) =>
  within(client.callTool({ name: 't', arguments: scope === undefined ? {} : { scope } })).then(
    () => 'done',
    (error) => error.message.replace('Streamable HTTP error: ', ''),
  );

const oauth = (folder, open) => new OAuth('Example', { folder, redirect: { openBrowser: open } });

/** Runs `body` with a client of each line, each way; the browser is the one that it is given. */
function everyWay(name, members, body) {
  for (const [line, [Kind, Transport]] of Object.entries(KINDS)) {
    for (const [way, options] of Object.entries(WAYS)) {
      test(`${name} (${line}, ${way})`, async (t) => {
        const [site, folder] = [await siteWith(t, structuredClone(members)), folderOf(t)];
        const start = (open) => connect(t, Kind, new Transport(new URL(site.url), { ...options, auth: oauth(folder, open) }));
        await body({ site, folder, start, t });
      });
    }
  }
}

for (const omits of [[], ['refresh_token'], ['scope'], ['scope', 'refresh_token']]) {
  everyWay(`signing in for more scopes keeps those that were there, without ${omits.join(' and ') || 'nothing'}`, { omits }, async ({ site, start }) => {
    const browser = makeBrowser();
    const client = await start(browser.open);
    for (const scope of ['a', 'b', 'a', 'base']) assert.equal(await call(client, scope), 'done', scope);
    assert.deepEqual(site.wanted, ['base', 'base a', 'base a b']);
    // What was asked for is known to the next start, too.
    assert.equal(await call(await start(browser.open), 'c'), 'done');
    assert.deepEqual(site.wanted.slice(3), ['base a b c']);
    assert.deepEqual(site.refreshes, []);
  });
}

everyWay('refreshed tokens that say no scopes have the old ones', { omits: ['scope'] }, async ({ site, start }) => {
  const client = await start(makeBrowser().open);
  assert.equal(await call(client, 'a'), 'done');
  site.good = new Set();
  assert.equal(await call(client), 'done');
  // This one knows only what was stored.
  assert.deepEqual([await call(await start(makeBrowser().open), 'b'), site.refreshes.length], ['done', 1]);
  assert.deepEqual(site.wanted, ['base', 'base a', 'base a b']);
});

test('a sign-in that is passed as a provider steps up, too', async (t) => {
  const [site, browser] = [await siteWith(t), makeBrowser()];
  const authProvider = oauth(folderOf(t), browser.open).provider(site.url);
  const client = await connect(t, Client, new StreamableHTTPClientTransport(site.url, { authProvider }));
  assert.deepEqual([await call(client, 'a'), site.wanted], ['done', ['base', 'base a']]);
});

everyWay('calls that need one scope at once make one step-up', {}, async ({ site, start }) => {
  const browser = makeBrowser();
  let enough;
  const all = new Promise((resolve) => (enough = resolve));
  site.beforeLacking = async (count) => count === 3 && enough();
  // The user agrees when all calls were refused.
  const client = await start(async (url) => {
    if (browser.pages.length > 0) await all;
    await browser.open(url);
  });
  assert.deepEqual(await Promise.all(['a', 'a', 'a'].map((scope) => call(client, scope))), ['done', 'done', 'done']);
  assert.deepEqual(site.wanted, ['base', 'base a']);
});

everyWay('a call that is refused after the step-up of another is only sent again', {}, async ({ site, start }) => {
  const client = await start(makeBrowser().open);
  let arrived, first;
  const both = new Promise((resolve) => (arrived = resolve));
  // Both are sent with the old token; the second one hears of it when the first one has got through.
  site.beforeLacking = async (count) => {
    if (count === 1) return both;
    arrived();
    return first;
  };
  first = call(client, 'a');
  assert.deepEqual(await Promise.all([first, call(client, 'a')]), ['done', 'done']);
  assert.deepEqual(site.wanted, ['base', 'base a']);
});

everyWay('calls that need different scopes at once all get them', {}, async ({ site, start }) => {
  const client = await start(makeBrowser().open);
  const needed = ['a', 'b', 'c', 'd', 'e', 'f'];
  assert.deepEqual(await Promise.all(needed.map((scope) => call(client, scope))), needed.map(() => 'done'));
  // One may ask for what others wait for as well.
  assert.ok(site.wanted.length <= 7, String(site.wanted.length));
  assert.deepEqual(site.wanted.at(-1).split(' ').sort(), [...needed, 'base'].sort());
});

everyWay('a scope that is not granted is asked for once by each call', {}, async ({ site, start }) => {
  site.grants = () => 'base';
  const client = await start(makeBrowser().open);
  assert.deepEqual([await call(client, 'a'), site.wanted.length], [REFUSED, 2]);
  // Nothing got through since, so that the answer would be the same.
  assert.deepEqual([await call(client, 'a'), site.wanted.length], [REFUSED, 2]);
  await client.ping();
  assert.deepEqual([await call(client, 'a'), site.wanted.length], [REFUSED, 3]);
  await client.ping();
  site.grants = (asked) => asked;
  assert.equal(await call(client, 'a'), 'done');
});

everyWay('two clients of one program step up once', {}, async ({ site, start }) => {
  const browser = makeBrowser();
  const clients = [await start(browser.open), await start(browser.open)];
  assert.deepEqual(await Promise.all(clients.map((client) => call(client, 'a'))), ['done', 'done']);
  assert.deepEqual(site.wanted, ['base', 'base a']);
});

/** What a program of 1.x has: it is sent away, and comes back to `finishAuth`. */
class Provider {
  redirectUrl = 'http://127.0.0.1:9/back';
  clientMetadata = { client_name: 'Mine', redirect_uris: [this.redirectUrl] };
  #kept = {};
  clientInformation = () => this.#kept.client;
  saveClientInformation = (client) => void (this.#kept.client = client);
  tokens = () => this.#kept.tokens;
  saveTokens = (tokens) => void (this.#kept.tokens = tokens);
  saveCodeVerifier = (verifier) => void (this.#kept.verifier = verifier);
  codeVerifier = () => this.#kept.verifier;

  async redirectToAuthorization(url) {
    const { headers } = await fetch(url, { redirect: 'manual' });
    this.code = new URL(headers.get('location')).searchParams.get('code');
  }
}

/** A client of a program of 1.x; `call` finishes a sign-in that it led to, and calls once more. */
async function programOf1(t, site, [Kind, Transport], options) {
  const authProvider = new Provider();
  const open = () => new Transport(new URL(site.url), { ...options, authProvider });
  const first = open();
  await assert.rejects(connect(t, Kind, first), /Unauthorized/);
  await first.finishAuth(authProvider.code);
  const transport = open();
  const client = await connect(t, Kind, transport);
  return async (scope) => {
    const said = await call(client, scope);
    if (said !== 'Unauthorized') return said;
    await transport.finishAuth(authProvider.code);
    return `signed in, ${await call(client, scope)}`;
  };
}

const END = Symbol('the tokens end');
/** The scopes of the calls that a program makes, at a site with these members. */
const PROGRAMS = {
  'without refresh tokens': [{ omits: ['refresh_token'] }, ['a', 'b', 'a', undefined]],
  'a refresh, which gives no more': [{}, ['a', undefined, 'b']],
  'tokens that end after a step-up': [{ omits: ['refresh_token'] }, ['a', undefined, END, undefined, 'a']],
  'a scope that is not granted': [{ omits: ['refresh_token'], grants: () => 'base' }, ['a', 'a', undefined, 'a']],
};
for (const [name, [members, steps]] of Object.entries(PROGRAMS)) {
  test(`a provider of 1.x steps up as with the official package: ${name}`, async (t) => {
    const seen = {};
    const kits = { official: [[official.Client, officialHttp.StreamableHTTPClientTransport], {}] };
    for (const [way, options] of Object.entries(WAYS)) kits[way] = [KINDS['1.x'], options];
    for (const [kit, [kind, options]] of Object.entries(kits)) {
      const site = await siteWith(t, members);
      const ask = await programOf1(t, site, kind, options);
      const said = [];
      for (const step of steps) {
        if (step === END) site.good = new Set();
        else said.push(await ask(step));
      }
      seen[kit] = { said, wanted: site.wanted, refreshes: site.refreshes.length };
    }
    for (const way of Object.keys(WAYS)) assert.deepEqual(seen[way], seen.official, way);
    if (name.startsWith('tokens that end')) assert.equal(seen.official.said.at(-1), 'signed in, done');
  });
}
