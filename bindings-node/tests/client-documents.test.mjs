// An authorization server that knows clients by the URL of a document about them: documents that are published
// on this machine, and requests to the server's endpoints.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import express from 'express';
import * as legacy from 'mcpbolt/server-legacy/auth';
import { ClientDocuments } from 'mcpbolt/server/auth/client-documents.js';
import { InvalidRequestError, TemporarilyUnavailableError } from 'mcpbolt/server/auth/errors.js';
import { createOAuthMetadata, mcpAuthRouter } from 'mcpbolt/server/auth/router.js';
import { ask, listen } from './support/http.mjs';

const BACK = 'https://editor.example/back';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const DEVELOPMENT = { thisMachine: true };
const METADATA = '/.well-known/oauth-authorization-server';

/** Publishes a document on this machine, and notes what is asked for. */
async function publisher() {
  const made = { asked: [], status: 200, headers: {}, changed: {} };
  const web = await listen((req, res) => {
    made.asked.push(req.url);
    const document = { client_id: `${made.base}${req.url}`, client_name: 'Editor', redirect_uris: [BACK], ...made.changed };
    res.writeHead(made.status, made.headers).end(JSON.stringify(document));
  });
  made.base = `http://127.0.0.1:${web.port}`;
  made.id = `${made.base}/client.json`;
  made.close = web.close;
  return made;
}

/** Users of it agree to everything; it notes whom they agreed to. Its members are private, as a program's may be. */
class Provider {
  #codes = new Map();
  shown = [];
  clientsStore = { getClient: async (id) => (id === 'stored' ? { client_id: id, redirect_uris: [BACK] } : undefined) };

  async authorize(client, params, res) {
    this.shown.push([client.client_id, client.client_name, params.clientHost]);
    this.#codes.set('the-code', params.codeChallenge);
    res.redirect(`${params.redirectUri}?code=the-code&state=${params.state}`);
  }
  async challengeForAuthorizationCode(_client, code) {
    return this.#codes.get(code);
  }
  async exchangeAuthorizationCode(client, code) {
    this.#codes.delete(code);
    return { access_token: `for ${client.client_id}`, token_type: 'Bearer' };
  }
}

async function server(clientDocumentOptions, router = mcpAuthRouter) {
  const provider = Object.freeze(new Provider());
  const app = express().set('env', 'test');
  app.use(router({ provider, issuerUrl: new URL('https://as.example/'), ...(clientDocumentOptions && { clientDocumentOptions }) }));
  const { port, close } = await listen(app);
  const read = ({ status, headers, body }) => ({ status, location: headers.location, body, json: body.startsWith('{') ? JSON.parse(body) : {} });
  const authorize = async (client_id, more = {}) => {
    const asked = { client_id, response_type: 'code', code_challenge: CHALLENGE, code_challenge_method: 'S256', state: 's', ...more };
    return read(await ask(port, { method: 'GET', path: `/authorize?${new URLSearchParams(asked)}` }));
  };
  const post = async (path, form) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return read(await ask(port, { path, headers, body: new URLSearchParams(form).toString() }));
  };
  const metadata = async () => read(await ask(port, { method: 'GET', path: METADATA })).json;
  return { provider, authorize, post, metadata, close };
}

/** A server and a document, for one test. */
async function both(options = DEVELOPMENT, router = mcpAuthRouter) {
  const [at, web] = [await publisher(), await server(options, router)];
  return { at, ...web, close: () => Promise.all([at.close(), web.close()]) };
}

describe('clients known by documents', () => {
  for (const [name, router] of [['1.x', mcpAuthRouter], ['2.x', legacy.mcpAuthRouter]]) {
    it(`get tokens without being registered, in ${name}`, async () => {
      const { at, provider, authorize, post, close } = await both(DEVELOPMENT, router);
      const { status, location } = await authorize(at.id, { redirect_uri: BACK });
      assert.equal(status, 302);
      assert.equal(new URL(location).searchParams.get('code'), 'the-code');
      // What users have to be shown.
      assert.deepEqual(provider.shown, [[at.id, 'Editor', '127.0.0.1']]);
      const form = { grant_type: 'authorization_code', code: 'the-code', client_id: at.id, code_verifier: VERIFIER, redirect_uri: BACK };
      const wrong = await post('/token', { ...form, code_verifier: 'w'.repeat(43) });
      assert.deepEqual([wrong.status, wrong.json.error], [400, 'invalid_grant']);
      const { json } = await post('/token', form);
      assert.equal(json.access_token, `for ${at.id}`);
      // Once for all of them.
      assert.deepEqual(at.asked, ['/client.json']);
      await close();
    });
  }

  it('stand beside those that are stored', async () => {
    const { at, provider, authorize, close } = await both();
    assert.equal((await authorize('stored')).status, 302);
    assert.deepEqual(provider.shown, [['stored', undefined, undefined]]);
    const { status, json } = await authorize('nobody');
    assert.deepEqual([status, json.error], [400, 'invalid_client']);
    assert.deepEqual(at.asked, []);
    await close();
  });

  it('are advertised where they are known, and only there', async () => {
    const on = await both();
    const document = await on.metadata();
    assert.equal(document.client_id_metadata_document_supported, true);
    assert.ok(document.token_endpoint_auth_methods_supported.includes('none'));
    await on.close();
    const off = await both(null);
    assert.equal('client_id_metadata_document_supported' in (await off.metadata()), false);
    const { status, json } = await off.authorize(off.at.id);
    assert.deepEqual([status, json.error], [400, 'invalid_client']);
    assert.deepEqual(off.at.asked, []);
    await off.close();
    const options = { provider: new Provider(), issuerUrl: new URL('https://as.example/'), clientDocumentOptions: {} };
    for (const make of [createOAuthMetadata, legacy.createOAuthMetadata]) {
      assert.equal(make(options).client_id_metadata_document_supported, true);
    }
  });

  const WRONG = {
    'another id': [{ client_id: 'https://other.example/client.json' }, 'client_id'],
    'no redirect URI': [{ redirect_uris: [] }, 'redirect_uris'],
    'a redirect URI without TLS': [{ redirect_uris: ['http://editor.example/back'] }, 'redirect_uris'],
    'a script as redirect URI': [{ redirect_uris: ['javascript:canary'] }, 'redirect_uris'],
    'no name': [{ client_name: null }, 'client_name'],
    'a secret': [{ client_secret: 'canary' }, 'client_secret'],
    'a proof by a secret': [{ token_endpoint_auth_method: 'client_secret_post' }, 'token_endpoint_auth_method'],
    'a member of another type': [{ contacts: 'canary' }, 'contacts'],
    'too much in it': [{ client_name: 'canary'.repeat(10_000) }, '16384'],
  };
  for (const [what, [changed, named]] of Object.entries(WRONG)) {
    it(`are not known by a document with ${what}`, async () => {
      const { at, provider, authorize, close } = await both();
      at.changed = changed;
      const { status, json, body } = await authorize(at.id, { redirect_uri: BACK });
      assert.deepEqual([status, json.error], [400, 'invalid_request']);
      assert.ok(json.error_description.includes(named), json.error_description);
      assert.equal(body.includes('canary'), false);
      assert.deepEqual(provider.shown, []);
      await close();
    });
  }

  it('are not known by a document elsewhere', async () => {
    const { at, authorize, close } = await both();
    Object.assign(at, { status: 302, headers: { location: '/other.json' } });
    const { status, json } = await authorize(at.id);
    assert.deepEqual([status, json.error], [400, 'invalid_request']);
    assert.match(json.error_description, /302/);
    assert.deepEqual(at.asked, ['/client.json']);
    await close();
  });

  it('are sent back only where their document says', async () => {
    const { at, provider, authorize, close } = await both();
    for (const redirect_uri of [`${BACK}/`, `${BACK}?x=1`, 'https://evil.example/back']) {
      const { status, json } = await authorize(at.id, { redirect_uri });
      assert.deepEqual([status, json.error], [400, 'invalid_request'], redirect_uri);
    }
    assert.deepEqual(provider.shown, []);
    await close();
  });

  it('are not looked for in private places', async () => {
    const { at, authorize, post, close } = await both({});
    const secret = [at.id, at.id.replace('http:', 'https:'), at.id.replace('http://127.0.0.1', 'https://localhost')];
    for (const id of [...secret, 'https://10.0.0.1/client.json', 'https://169.254.169.254/latest/meta-data', 'https://[::1]/client.json']) {
      for (const { status, json } of [await authorize(id), await post('/token', { grant_type: 'refresh_token', client_id: id })]) {
        assert.deepEqual([status, json.error], [400, 'invalid_request'], id);
      }
    }
    assert.deepEqual(at.asked, []);
    await close();
  });
});

describe('ClientDocuments', () => {
  const SAID = [[{}, 1], [{ 'cache-control': 'max-age=60' }, 1], [{ 'cache-control': 'no-store' }, 2], [{ 'cache-control': 'max-age=0' }, 2]];
  for (const [headers, times] of SAID) {
    it(`keeps a document as long as it says: ${JSON.stringify(headers)}`, async () => {
      const at = await publisher();
      at.headers = headers;
      const documents = new ClientDocuments(DEVELOPMENT);
      for (let time = 0; time < 2; time += 1) {
        const { client, host } = await documents.client(at.id);
        assert.deepEqual([client.client_name, host], ['Editor', '127.0.0.1']);
      }
      assert.equal(at.asked.length, times);
      await at.close();
    });
  }

  it('knows no ids that a server gives out', async () => {
    assert.equal(await new ClientDocuments().client('0b5d2f0e-32b7-4b12-9d5c-7f5d0e1a5f43'), undefined);
  });

  it('fetches anew what was refused, and says what cannot be had now', async () => {
    const at = await publisher();
    const documents = new ClientDocuments(DEVELOPMENT);
    at.status = 500;
    await assert.rejects(documents.client(at.id), InvalidRequestError);
    at.status = 200;
    assert.equal((await documents.client(at.id)).client.client_id, at.id);
    await at.close();
    await assert.rejects(documents.client(`${at.base}/other.json`), TemporarilyUnavailableError);
  });

  it('keeps no thread waiting for slow documents', async () => {
    let answer;
    const asked = [];
    const slow = new Promise((resolve) => (answer = resolve));
    const web = await listen(async (req, res) => {
      asked.push(req.url);
      await slow;
      res.writeHead(404).end();
    });
    const documents = new ClientDocuments(DEVELOPMENT);
    // More than the threads of Node's pool, which others in the process need.
    const waiting = Array.from({ length: 8 }, (_, number) => documents.client(`http://127.0.0.1:${web.port}/${number}`));
    const refused = Promise.all(waiting.map((one) => assert.rejects(one, InvalidRequestError)));
    const { readFile } = await import('node:fs/promises');
    assert.ok((await readFile(new URL(import.meta.url))).length > 0);
    answer();
    await refused;
    assert.equal(asked.length, 8);
    await web.close();
  });

  it('refuses options that it does not know', () => {
    assert.throws(() => new ClientDocuments({ thisMachine: 'yes' }), /places/);
  });
});
