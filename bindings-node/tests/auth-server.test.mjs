// An authorization server on Express: the same requests to the official routers and to ours.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import * as officialErrors from '@modelcontextprotocol/sdk/server/auth/errors.js';
import * as officialProxy from '@modelcontextprotocol/sdk/server/auth/providers/proxyProvider.js';
import * as officialRouter from '@modelcontextprotocol/sdk/server/auth/router.js';
import { redirectUriMatches as officialMatches } from '@modelcontextprotocol/sdk/server/auth/handlers/authorize.js';
import { metadataHandler as officialMetadata } from '@modelcontextprotocol/sdk/server/auth/handlers/metadata.js';
import { clientRegistrationHandler as officialRegister } from '@modelcontextprotocol/sdk/server/auth/handlers/register.js';
import { revocationHandler as officialRevoke } from '@modelcontextprotocol/sdk/server/auth/handlers/revoke.js';
import express from 'express';
import * as errors from 'mcpbolt/server/auth/errors.js';
import * as proxy from 'mcpbolt/server/auth/providers/proxyProvider.js';
import * as router from 'mcpbolt/server/auth/router.js';
import { redirectUriMatches } from 'mcpbolt/server/auth/handlers/authorize.js';
import { metadataHandler } from 'mcpbolt/server/auth/handlers/metadata.js';
import { clientRegistrationHandler } from 'mcpbolt/server/auth/handlers/register.js';
import { revocationHandler } from 'mcpbolt/server/auth/handlers/revoke.js';
import { ask, listen } from './support/http.mjs';

const express4 = createRequire(import.meta.url)('express4');
const OFFICIAL = { ...officialErrors, ...officialProxy, ...officialRouter };
const OURS = { ...errors, ...proxy, ...router };
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

/** A provider that knows three clients, and says what it was asked. */
function provider(kit, calls) {
  const clients = {
    open: { client_id: 'open', redirect_uris: ['https://c/back'] },
    many: { client_id: 'many', redirect_uris: ['https://c/a', 'http://localhost:1/b?x=1'] },
    secret: { client_id: 'secret', client_secret: 's3cret', redirect_uris: ['https://c/back'] },
    expired: { client_id: 'expired', client_secret: 's3cret', client_secret_expires_at: 1, redirect_uris: ['https://c/back'] },
  };
  const tokens = { access_token: 'at', token_type: 'bearer', expires_in: 60 };
  const fail = (what) => {
    if (what === 'crash') throw new TypeError('secret detail');
    if (what === 'denied') throw new kit.AccessDeniedError('no', 'https://why');
    if (what === 'down') throw new kit.ServerError('down');
  };
  return {
    clientsStore: {
      getClient: async (id) => (id === 'crash' ? fail('crash') : clients[id]),
      registerClient: async (client) => {
        fail(client.client_name);
        return client;
      },
    },
    async authorize(client, params, res) {
      calls.push(['authorize', client.client_id, { ...params, resource: params.resource?.href }]);
      fail(params.state);
      res.redirect(`${params.redirectUri}?code=c1`);
    },
    challengeForAuthorizationCode: async (client, code) => (fail(code), code === 'bad' ? 'other' : CHALLENGE),
    async exchangeAuthorizationCode(client, code, verifier, redirect, resource) {
      calls.push(['code', client.client_id, code, verifier, redirect, resource?.href]);
      return tokens;
    },
    async exchangeRefreshToken(client, token, scopes, resource) {
      calls.push(['refresh', client.client_id, token, scopes, resource?.href]);
      fail(token);
      return tokens;
    },
    verifyAccessToken: async () => ({ token: 'at', clientId: 'open', scopes: [] }),
    async revokeToken(client, request) {
      calls.push(['revoke', client.client_id, request]);
      fail(request.token);
    },
  };
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };
const form = (values) => new URLSearchParams(values).toString();
const authorize = (values) => ({ method: 'GET', path: `/authorize?${form(values)}` });
const good = { client_id: 'open', response_type: 'code', code_challenge: CHALLENGE, code_challenge_method: 'S256' };
const token = (values, more = {}) => ({ path: '/token', headers: { ...FORM, ...more }, body: form(values) });
const code = { client_id: 'open', grant_type: 'authorization_code', code: 'c1', code_verifier: VERIFIER };
const refresh = { client_id: 'open', grant_type: 'refresh_token', refresh_token: 'r' };
const register = (body, headers = JSON_TYPE) => ({ path: '/register', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
const revoke = (values) => ({ path: '/revoke', headers: FORM, body: form(values) });

const REQUESTS = [
  { method: 'GET', path: '/.well-known/oauth-authorization-server' },
  { method: 'GET', path: '/.well-known/oauth-protected-resource' },
  { method: 'GET', path: '/.well-known/oauth-protected-resource/mcp' },
  { method: 'GET', path: '/.well-known/oauth-protected-resource/other' },
  { method: 'POST', path: '/.well-known/oauth-authorization-server' },
  { method: 'OPTIONS', path: '/.well-known/oauth-authorization-server', headers: { origin: 'https://p', 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-a, x-b' } },
  { method: 'OPTIONS', path: '/token', headers: { origin: 'https://p', 'access-control-request-method': 'POST' } },
  authorize(good),
  authorize({ ...good, scope: 'a b', state: 's', resource: 'https://r/x' }),
  authorize({ ...good, redirect_uri: 'https://c/back' }),
  authorize({ ...good, redirect_uri: 'https://evil/back' }),
  authorize({ ...good, redirect_uri: 'nonsense' }),
  authorize({ ...good, client_id: 'many' }),
  authorize({ ...good, client_id: 'many', redirect_uri: 'http://localhost:999/b?x=1' }),
  authorize({ ...good, client_id: 'nobody' }),
  authorize({ ...good, client_id: 'crash' }),
  authorize({}),
  authorize({ ...good, response_type: 'token', state: 's' }),
  authorize({ ...good, code_challenge_method: 'plain' }),
  authorize({ client_id: 'open' }),
  authorize({ ...good, resource: 'nonsense' }),
  authorize({ ...good, state: 'crash' }),
  authorize({ ...good, state: 'denied' }),
  { method: 'GET', path: '/authorize?client_id=open&client_id=many' },
  { path: '/authorize', headers: FORM, body: form({ ...good, state: 'posted' }) },
  { path: '/authorize', headers: JSON_TYPE, body: JSON.stringify(good) },
  { method: 'PUT', path: '/authorize' },
  token(code),
  token({ ...code, redirect_uri: 'https://c/back', resource: 'https://r/' }),
  token({ ...code, code: 'bad' }),
  token({ ...code, code_verifier: 'wrong' }),
  token({ ...code, code: 'crash' }),
  token({ client_id: 'open', grant_type: 'authorization_code' }),
  token({ ...code, resource: 'nonsense' }),
  token(refresh),
  token({ ...refresh, scope: 'a b', resource: 'https://r/' }),
  token({ ...refresh, refresh_token: 'denied' }),
  token({ ...refresh, refresh_token: 'down' }),
  token({ client_id: 'open', grant_type: 'refresh_token' }),
  token({ client_id: 'open', grant_type: 'client_credentials' }),
  token({ client_id: 'open' }),
  token({ ...code, client_id: 'nobody' }),
  token({ ...code, client_id: 'crash' }),
  token({ ...code, client_id: 'secret' }),
  token({ ...code, client_id: 'secret', client_secret: 'wrong' }),
  token({ ...code, client_id: 'secret', client_secret: 's3cret' }),
  token({ ...code, client_id: 'expired', client_secret: 's3cret' }),
  { path: '/token', headers: JSON_TYPE, body: JSON.stringify(code) },
  { method: 'GET', path: '/token' },
  { path: '/token/deeper', headers: FORM, body: form(code) },
  register({ redirect_uris: ['https://c/back'] }),
  register({ redirect_uris: ['https://c/back'], token_endpoint_auth_method: 'none', client_name: 'n', unknown: 1 }),
  register({}),
  register({ redirect_uris: ['javascript:alert(1)'] }),
  register({ redirect_uris: ['https://c/back'], client_name: 'crash' }),
  register({ redirect_uris: ['https://c/back'], client_name: 'denied' }),
  register('{'),
  register('a=1', FORM),
  { method: 'GET', path: '/register' },
  revoke({ client_id: 'open', token: 't', token_type_hint: 'access_token' }),
  revoke({ client_id: 'open' }),
  revoke({ client_id: 'open', token: 'denied' }),
  revoke({ client_id: 'nobody', token: 't' }),
  { method: 'DELETE', path: '/revoke' },
];

const SHOWN = ['content-type', 'cache-control', 'allow', 'location', 'vary', 'access-control-allow-origin', 'access-control-allow-methods', 'access-control-allow-headers', 'ratelimit-policy', 'ratelimit-limit', 'ratelimit-remaining', 'retry-after', 'content-length'];

function plain(text) {
  return text
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, 'UUID')
    .replace(/[\da-f]{64}/g, 'SECRET')
    .replace(/("client_(?:id_issued_at|secret_expires_at)":)\d+/g, '$1TIME')
    .replace(/&nbsp;.*|<br>.*/g, '');
}

async function seenBy(make, kit, more = {}) {
  const calls = [];
  const app = make().set('env', 'test');
  const resourceServerUrl = new URL('https://me/mcp');
  app.use(kit.mcpAuthRouter({ provider: provider(kit, calls), issuerUrl: new URL('https://me/'), resourceServerUrl, resourceName: 'Me', scopesSupported: ['a'], ...more }));
  const web = await listen(app);
  const seen = [];
  for (const request of REQUESTS) {
    const { status, headers, body } = await ask(web.port, request);
    const shown = Object.fromEntries(SHOWN.map((name) => [name, headers[name]]));
    if (status === 404 || body.startsWith('<')) delete shown['content-length'];
    seen.push({ request: `${request.method ?? 'POST'} ${request.path} ${request.body ?? ''}`, status, ...shown, body: body.startsWith('<') ? '' : plain(body) });
  }
  await web.close();
  return { seen, calls };
}

describe('mcpAuthRouter', () => {
  for (const [name, make] of [['Express 5', express], ['Express 4', express4]]) {
    it(name, async () => {
      const [own, theirs] = [await seenBy(make, OURS), await seenBy(make, OFFICIAL)];
      assert.deepEqual(own.seen, theirs.seen);
      assert.deepEqual(own.calls, theirs.calls);
    });
  }

  it('limits of its own, or none', async () => {
    const more = { tokenOptions: { rateLimit: false }, authorizationOptions: { rateLimit: { max: 5, windowMs: 30_000 } } };
    assert.deepEqual((await seenBy(express, OURS, more)).seen, (await seenBy(express, OFFICIAL, more)).seen);
  });

  it('metadata, and names that cannot be', () => {
    const made = (kit, issuer, more) => kit.createOAuthMetadata({ provider: provider(kit, []), issuerUrl: new URL(issuer), ...more });
    for (const more of [{}, { baseUrl: new URL('https://other/x/'), serviceDocumentationUrl: new URL('https://d/'), scopesSupported: ['a'] }]) {
      for (const issuer of ['https://me/', 'http://localhost:3000/x', 'http://127.0.0.1/']) {
        assert.deepEqual(made(OURS, issuer, more), made(OFFICIAL, issuer, more));
      }
    }
    for (const wrong of ['http://me/', 'https://me/#x', 'https://me/?a=1']) {
      assert.throws(() => made(OFFICIAL, wrong), (error) => (assert.throws(() => made(OURS, wrong), { message: error.message }), true));
    }
    for (const url of ['https://me/', 'https://me/mcp', 'https://me/a/b?c=1']) {
      assert.equal(OURS.getOAuthProtectedResourceMetadataUrl(new URL(url)), OFFICIAL.getOAuthProtectedResourceMetadataUrl(new URL(url)));
    }
  });

  it('redirects to this machine', () => {
    const known = ['https://c/back', 'http://localhost:1/b', 'http://localhost:2/b', 'http://127.0.0.1/b', 'http://[::1]:5/b?x=1', 'https://localhost/b', 'x', 'app:/back'];
    for (const one of known) for (const other of known) assert.equal(redirectUriMatches(one, other), officialMatches(one, other));
  });

  it('handlers that cannot be', () => {
    for (const [own, theirs, options] of [[clientRegistrationHandler, officialRegister, { clientsStore: {} }], [revocationHandler, officialRevoke, { provider: {} }]]) {
      assert.throws(() => theirs(options), (error) => (assert.throws(() => own(options), { message: error.message }), true));
    }
    assert.equal(typeof metadataHandler({ issuer: 'x' }), typeof officialMetadata({ issuer: 'x' }));
  });
});

describe('ProxyOAuthServerProvider', () => {
  const ENDPOINTS = { authorizationUrl: 'https://up/authorize?kept=1', tokenUrl: 'https://up/token', revocationUrl: 'https://up/revoke', registrationUrl: 'https://up/register' };
  const client = { client_id: 'c', client_secret: 's', redirect_uris: ['https://c/back'] };

  async function outcomes(kit, ok) {
    const asked = [];
    const fetched = async (url, { method, headers, body }) => {
      asked.push([String(url), method, headers, body]);
      const answer = url.endsWith('/register') ? { ...client, issuer: 'x', extra: 1 } : { access_token: 'a', token_type: 'bearer', issuer: 'x' };
      return new Response(JSON.stringify(answer), { status: ok ? 200 : 500 });
    };
    const made = new kit.ProxyOAuthServerProvider({ endpoints: ENDPOINTS, verifyAccessToken: async (token) => ({ token }), getClient: async (id) => ({ id }), fetch: fetched });
    const sent = [];
    const results = [];
    const attempt = async (body) => results.push(await body().catch((error) => [error.constructor.name, error.message]));
    const params = { state: 's', scopes: ['a', 'b'], codeChallenge: 'ch', redirectUri: 'https://c/back', resource: new URL('https://r/') };
    await attempt(() => made.authorize(client, params, { redirect: (to) => sent.push(to) }));
    await attempt(() => made.authorize(client, { codeChallenge: 'ch', redirectUri: 'https://c/back', scopes: [] }, { redirect: (to) => sent.push(to) }));
    await attempt(() => made.challengeForAuthorizationCode(client, 'c'));
    await attempt(() => made.exchangeAuthorizationCode(client, 'code', 'verifier', 'https://c/back', new URL('https://r/')));
    await attempt(() => made.exchangeAuthorizationCode({ client_id: 'c' }, 'code'));
    await attempt(() => made.exchangeRefreshToken(client, 'r', ['a'], new URL('https://r/')));
    await attempt(() => made.exchangeRefreshToken({ client_id: 'c' }, 'r'));
    await attempt(() => made.revokeToken(client, { token: 't', token_type_hint: 'x' }));
    await attempt(() => made.clientsStore.registerClient(client));
    await attempt(() => made.clientsStore.getClient('id'));
    await attempt(() => made.verifyAccessToken('t'));
    return { asked, sent, results, skips: made.skipLocalPkceValidation };
  }

  it('asks the other server the same', async () => {
    for (const ok of [true, false]) assert.deepEqual(await outcomes(OURS, ok), await outcomes(OFFICIAL, ok));
  });

  it('without what the other server does not have', () => {
    const endpoints = { authorizationUrl: 'https://up/a', tokenUrl: 'https://up/t' };
    for (const kit of [OURS, OFFICIAL]) {
      const made = new kit.ProxyOAuthServerProvider({ endpoints, verifyAccessToken: async () => ({}), getClient: async () => undefined });
      assert.deepEqual([made.revokeToken, made.clientsStore.registerClient], [undefined, undefined]);
    }
  });
});
