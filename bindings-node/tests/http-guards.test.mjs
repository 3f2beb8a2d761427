// Bearer tokens, host guards, bodies and OAuth errors: the same requests to the official
// middlewares and to ours.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import * as officialBearer from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import * as officialErrors from '@modelcontextprotocol/sdk/server/auth/errors.js';
import * as officialHosts from '@modelcontextprotocol/sdk/server/middleware/hostHeaderValidation.js';
import * as officialBody from '@modelcontextprotocol/sdk/server/requestBody.js';
import { createMcpExpressApp as officialApp } from '@modelcontextprotocol/sdk/server/express.js';
import express from 'express';
import * as bearer from 'mcpbolt/server/auth/middleware/bearerAuth.js';
import * as errors from 'mcpbolt/server/auth/errors.js';
import { createMcpExpressApp } from 'mcpbolt/server/express.js';
import * as hosts from 'mcpbolt/server/middleware/hostHeaderValidation.js';
import * as bodies from 'mcpbolt/server/requestBody.js';
import { ask, listen } from './support/http.mjs';

const express4 = createRequire(import.meta.url)('express4');
const LATER = Date.now() / 1000 + 1000;

function verifier({ InvalidTokenError, ServerError, InvalidRequestError }) {
  const good = { token: 'good', clientId: 'c', scopes: ['read'], expiresAt: LATER, resource: new URL('https://me/mcp/#x') };
  const known = {
    good,
    old: { ...good, expiresAt: 1 },
    endless: { ...good, expiresAt: undefined },
    nan: { ...good, expiresAt: NaN },
    poor: { ...good, scopes: [] },
    homeless: { ...good, resource: undefined },
    foreign: { ...good, resource: new URL('https://you/mcp') },
  };
  return {
    async verifyAccessToken(token) {
      if (token === 'server') throw new ServerError('down', 'https://why');
      if (token === 'request') throw new InvalidRequestError('odd');
      if (token === 'crash') throw new TypeError('oops');
      if (known[token] === undefined) throw new InvalidTokenError('unknown "token"');
      return known[token];
    },
  };
}

const HEADERS = [undefined, 'Bearer', 'Bearer good', 'bearer good', 'Basic good', 'Bearer  good', 'Bearer nobody', 'Bearer old', 'Bearer endless', 'Bearer nan', 'Bearer poor', 'Bearer homeless', 'Bearer foreign', 'Bearer server', 'Bearer request', 'Bearer crash'];
const OPTIONS = [{}, { requiredScopes: ['read'], resourceMetadataUrl: 'https://me/.well-known' }, { requiredScopes: [] , expectedResource: new URL('https://me/mcp') }];

async function tokens(make, kit, ofErrors, options) {
  const app = make();
  app.get('/', kit.requireBearerAuth({ verifier: verifier(ofErrors), ...options }), (req, res) => res.json(req.auth));
  const web = await listen(app);
  const seen = [];
  for (const authorization of HEADERS) {
    const { status, headers, body } = await ask(web.port, { method: 'GET', path: '/', headers: authorization === undefined ? {} : { authorization } });
    seen.push([authorization, status, headers['www-authenticate'], headers['content-type'], body]);
  }
  await web.close();
  return seen;
}

describe('requireBearerAuth', () => {
  for (const [name, make] of [['Express 5', express], ['Express 4', express4]]) {
    for (const [at, options] of OPTIONS.entries()) {
      it(`${name}, options ${at}`, async () => {
        assert.deepEqual(await tokens(make, bearer, errors, options), await tokens(make, officialBearer, officialErrors, options));
      });
    }
  }
});

describe('OAuth errors', () => {
  it('have the same names, codes and bodies', () => {
    assert.deepEqual(Object.keys(errors).sort(), Object.keys(officialErrors).sort());
    assert.deepEqual(Object.keys(errors.OAUTH_ERRORS), Object.keys(officialErrors.OAUTH_ERRORS));
    for (const [code, kind] of Object.entries(errors.OAUTH_ERRORS)) {
      const [own, theirs] = [new kind('m', 'https://u'), new officialErrors.OAUTH_ERRORS[code]('m', 'https://u')];
      assert.ok(own instanceof errors.OAuthError && own instanceof Error);
      assert.deepEqual([own.name, own.message, own.errorCode, own.errorUri], [theirs.name, theirs.message, theirs.errorCode, theirs.errorUri]);
      assert.deepEqual(own.toResponseObject(), theirs.toResponseObject());
      assert.equal(kind.errorCode, code);
    }
    const custom = new errors.CustomOAuthError('own_code', 'm');
    assert.deepEqual(custom.toResponseObject(), { error: 'own_code', error_description: 'm' });
  });
});

describe('guards', () => {
  const NAMES = ['127.0.0.1', 'localhost', 'localhost:80', '[::1]', '[::1]:80', 'evil', 'evil:80', 'LOCALHOST', 'localhost.evil', '%', 'a b'];

  async function seenBy(app) {
    app.all('/', (req, res) => res.json({ body: req.body ?? null }));
    const web = await listen(app);
    const seen = [];
    for (const host of NAMES) {
      const { status, body } = await ask(web.port, { path: '/', headers: { host, 'content-type': 'application/json' }, body: '{"a":1}' });
      seen.push([host, status, body]);
    }
    await web.close();
    return seen;
  }

  const guarded = (guard) => express().use(guard);

  it('of this machine, and of a list', async () => {
    assert.deepEqual(await seenBy(guarded(hosts.localhostHostValidation())), await seenBy(guarded(officialHosts.localhostHostValidation())));
    const list = ['evil', '[::1]'];
    assert.deepEqual(await seenBy(guarded(hosts.hostHeaderValidation(list))), await seenBy(guarded(officialHosts.hostHeaderValidation(list))));
  });

  it('of ready apps', async () => {
    for (const options of [undefined, { host: 'localhost' }, { host: 'example.com' }, { host: '0.0.0.0', allowedHosts: ['evil'] }]) {
      assert.deepEqual(await seenBy(createMcpExpressApp(options)), await seenBy(officialApp(options)));
    }
  });

  it('warn where there are none', (context) => {
    const warn = context.mock.method(console, 'warn', () => undefined);
    officialApp({ host: '0.0.0.0' });
    createMcpExpressApp({ host: '0.0.0.0' });
    const [theirs, own] = warn.mock.calls.map(({ arguments: [text] }) => text);
    assert.equal(own, theirs);
  });
});

describe('bodies', () => {
  it('are read up to a bound', async () => {
    const requests = [
      () => new Request('http://a/', { method: 'POST', body: 'x'.repeat(10) }),
      () => new Request('http://a/', { method: 'POST', body: 'x'.repeat(11) }),
      () => new Request('http://a/', { method: 'POST', body: 'x', headers: { 'content-length': '11' } }),
      () => new Request('http://a/'),
      () => new Request('http://a/', { method: 'POST', body: 'ä€' }),
    ];
    for (const request of requests) {
      assert.deepEqual(await bodies.readRequestBody(request(), 10), await officialBody.readRequestBody(request(), 10));
    }
    assert.deepEqual(Object.keys(bodies).sort(), Object.keys(officialBody).sort());
    for (const wrong of [0, -1, NaN, Infinity, '5', null]) {
      assert.throws(() => bodies.resolveMaxRequestBodySize(wrong), (error) => {
        assert.throws(() => officialBody.resolveMaxRequestBodySize(wrong), { name: error.name, message: error.message });
        return true;
      });
    }
    assert.equal(bodies.requestBodyTooLargeMessage(5), officialBody.requestBodyTooLargeMessage(5));
    assert.deepEqual([bodies.DEFAULT_MAX_REQUEST_BODY_SIZE, bodies.MAX_BATCH_SIZE], [officialBody.DEFAULT_MAX_REQUEST_BODY_SIZE, officialBody.MAX_BATCH_SIZE]);
  });
});
