// Servers whose tokens the engine verifies: a real issuer with keys, and requests with its tokens.
import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import express from 'express';
import { requireBearerAuth } from 'mcpbolt/server/auth/middleware/bearerAuth.js';
import { ResourceServer } from 'mcpbolt/server/auth/resource-server.js';
import * as two from 'mcpbolt/v2/server';
import { ask, listen } from './support/http.mjs';

const RESOURCE = 'https://mcp.example.com/mcp';
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEY = { ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'ES256', use: 'sig' };
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('ResourceServer', () => {
  let issuer;
  let url;
  const asked = [];

  before(async () => {
    issuer = createServer((req, res) => {
      asked.push(req.url);
      const documents = {
        '/.well-known/oauth-authorization-server': { issuer: url, authorization_endpoint: `${url}/a`, token_endpoint: `${url}/t`, jwks_uri: `${url}/keys`, response_types_supported: ['code'] },
        '/keys': { keys: [KEY] },
      };
      res.writeHead(documents[req.url] ? 200 : 404, { 'content-type': 'application/json' });
      res.end(JSON.stringify(documents[req.url] ?? {}));
    });
    await new Promise((resolve) => issuer.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${issuer.address().port}`;
  });
  after(() => issuer.close());

  function token(changed = {}) {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: url, aud: RESOURCE, sub: 'ann', client_id: 'editor', scope: 'notes', exp: now + 60, ...changed };
    const text = `${part({ alg: 'ES256', typ: 'at+jwt', kid: 'k' })}.${part(claims)}`;
    const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  }

  const options = (more) => ({ resource: RESOURCE, issuers: [url], scopes: ['notes'], ...more });

  it('verifies tokens for requireBearerAuth of 1.x, and asks for keys once', async () => {
    const app = express();
    app.use(requireBearerAuth({ verifier: new ResourceServer(options()), requiredScopes: ['notes'] }));
    app.get('/', (req, res) => res.json(req.auth));
    const web = await listen(app);
    const seen = [];
    for (const sent of [token(), token(), token({ aud: 'https://other.example' }), token({ exp: 1 }), 'nonsense', token({ scope: 'mail' })]) {
      seen.push(await ask(web.port, { method: 'GET', path: '/', headers: { authorization: `Bearer ${sent}` } }));
    }
    await web.close();
    assert.deepEqual(seen.map(({ status }) => status), [200, 200, 401, 401, 401, 403]);
    const info = JSON.parse(seen[0].body);
    assert.deepEqual([info.clientId, info.scopes, info.extra.subject, info.resource], ['editor', ['notes'], 'ann', RESOURCE]);
    assert.deepEqual(asked, ['/.well-known/oauth-authorization-server', '/keys']);
  });

  it('checks a request of 2.x, or says how it is refused', async () => {
    const server = new two.ResourceServer(options({ implies: { admin: ['notes'] } }));
    const check = (headers) => server.check(new Request(RESOURCE, { method: 'POST', headers }));
    const good = await check({ authorization: `Bearer ${token({ scope: 'admin' })}` });
    assert.equal(good.clientId, 'editor');
    const none = await check({});
    assert.equal(none.status, 401);
    assert.match(none.headers.get('www-authenticate'), /resource_metadata="https:\/\/mcp\.example\.com\/\.well-known\/oauth-protected-resource\/mcp"/);
    const less = await check({ authorization: `Bearer ${token({ scope: 'mail' })}` });
    assert.equal(less.status, 403);
    const guard = two.requireBearerAuth({ verifier: server });
    assert.equal((await guard(new Request(RESOURCE, { headers: { authorization: 'Bearer nonsense' } }))).status, 401);
  });

  it('says where its metadata are', () => {
    const { path, document } = new ResourceServer(options({ name: 'Notes' })).metadata;
    assert.equal(path, '/.well-known/oauth-protected-resource/mcp');
    assert.equal(JSON.parse(document).resource_name, 'Notes');
  });

  it('refuses options that cannot be', () => {
    assert.throws(() => new ResourceServer(options({ issuers: [] })));
    assert.throws(() => new ResourceServer(options({ unknown: 1 })));
  });
});
