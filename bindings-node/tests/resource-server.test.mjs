// Servers whose tokens the engine verifies: a real issuer with keys, and requests with its tokens.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import express from 'express';
import { requireBearerAuth } from 'mcpbolt/server/auth/middleware/bearerAuth.js';
import { ResourceServer } from 'mcpbolt/server/auth/resource-server.js';
import * as two from 'mcpbolt/v2/server';
import { ask, listen } from './support/http.mjs';
import { startIssuer } from './support/issuer.mjs';

const RESOURCE = 'https://mcp.example.com/mcp';

describe('ResourceServer', () => {
  let issuer;
  const token = (changed = {}) => issuer.token({ aud: RESOURCE, scope: 'notes', ...changed }, { typ: 'at+jwt' });

  before(async () => {
    issuer = await startIssuer();
  });
  after(() => issuer.close());

  const options = (more) => ({ resource: RESOURCE, issuers: [issuer.url], scopes: ['notes'], ...more });

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
    assert.deepEqual(issuer.asked, ['/.well-known/oauth-authorization-server', '/keys']);
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
