// An authorization server that takes assertions of an identity provider: a real provider with keys, and
// requests to the token endpoint.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import express from 'express';
import { InvalidGrantError } from 'mcpbolt/server/auth/errors.js';
import { IdentityAssertions } from 'mcpbolt/server/auth/identity-assertions.js';
import { mcpAuthRouter } from 'mcpbolt/server/auth/router.js';
import { ask, listen } from './support/http.mjs';
import { startIssuer } from './support/issuer.mjs';

const OURS = 'https://login.example.com/';
const RESOURCE = 'https://mcp.example.com/mcp';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const CLIENTS = {
  editor: { client_id: 'editor', client_secret: 's3cret', redirect_uris: ['https://c.example/back'] },
  open: { client_id: 'open', redirect_uris: ['https://c.example/back'] },
};

describe('IdentityAssertions', () => {
  let idp;
  let numbers = 0;

  before(async () => {
    idp = await startIssuer();
  });
  after(() => idp.close());

  function assertion(changed = {}, head = {}) {
    const claims = { aud: OURS, resource: RESOURCE, scope: 'notes mail', jti: String((numbers += 1)), ...changed };
    return idp.token(claims, { typ: 'oauth-id-jag+jwt', ...head });
  }

  /** A server that takes them, or does not. */
  async function server(takes = true) {
    const assertions = new IdentityAssertions({ issuers: [idp.url], audience: OURS, resources: [RESOURCE], scopes: ['notes'] });
    const none = () => assert.fail('not asked for');
    const provider = {
      clientsStore: { getClient: async (id) => CLIENTS[id] },
      authorize: none,
      challengeForAuthorizationCode: none,
      exchangeAuthorizationCode: none,
      exchangeRefreshToken: none,
      verifyAccessToken: none,
      ...(takes && {
        exchangeIdentityAssertion: async (client, params) => {
          const { subject, scopes, resource } = await assertions.redeem(client, params);
          return { access_token: `${subject} at ${resource.href}`, token_type: 'Bearer', scope: scopes.join(' ') };
        },
      }),
    };
    const app = express();
    app.use(mcpAuthRouter({ provider, issuerUrl: new URL(OURS) }));
    const web = await listen(app);
    const token = async (form, client = 'editor') => {
      const secret = CLIENTS[client].client_secret;
      const body = new URLSearchParams({ grant_type: GRANT, client_id: client, ...(secret && { client_secret: secret }), ...form });
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await ask(web.port, { path: '/token', headers, body: body.toString() });
      return [answer.status, JSON.parse(answer.body)];
    };
    const metadata = async () => JSON.parse((await ask(web.port, { method: 'GET', path: '/.well-known/oauth-authorization-server' })).body);
    return { token, metadata, close: () => web.close() };
  }

  it('grants what the assertion, the request and the server have in common, once', async () => {
    const { token, metadata, close } = await server();
    const sent = assertion();
    assert.deepEqual(await token({ assertion: sent, scope: 'notes admin' }), [200, { access_token: `ann at ${RESOURCE}`, token_type: 'Bearer', scope: 'notes' }]);
    const [status, { error, error_description: why }] = await token({ assertion: sent });
    assert.deepEqual([status, error], [400, 'invalid_grant']);
    assert.match(why, /before/);
    const { grant_types_supported: grants, authorization_grant_profiles_supported: profiles } = await metadata();
    assert.ok(grants.includes(GRANT));
    assert.equal(profiles.length, 1);
    await close();
  });

  it('refuses what is meant for others, or signed otherwise', async () => {
    const { token, close } = await server();
    const others = [
      assertion({ aud: 'https://other.example' }),
      assertion({ resource: 'https://other.example/mcp' }),
      assertion({ client_id: 'other' }),
      assertion({ exp: 1 }),
      assertion({ iss: 'https://other.example' }),
      assertion({}, { typ: 'at+jwt' }),
      assertion({}, { alg: 'HS256' }),
      assertion({}, { alg: 'none' }),
      'nonsense',
    ];
    for (const sent of others) {
      const [status, { error }] = await token({ assertion: sent });
      assert.deepEqual([status, error], [400, 'invalid_grant'], sent);
    }
    const [status, { error }] = await token({ assertion: assertion(), resource: 'https://other.example/mcp' });
    assert.deepEqual([status, error], [400, 'invalid_target']);
    await close();
  });

  it('is for clients with a secret, and for servers that say so', async () => {
    const taking = await server();
    const [status, { error }] = await taking.token({ assertion: assertion({ client_id: 'open' }) }, 'open');
    assert.deepEqual([status, error], [400, 'unauthorized_client']);
    assert.deepEqual((await taking.token({}))[1].error, 'invalid_request');
    await taking.close();
    const other = await server(false);
    assert.equal((await other.token({ assertion: assertion() }))[1].error, 'unsupported_grant_type');
    assert.deepEqual((await other.metadata()).grant_types_supported, ['authorization_code', 'refresh_token']);
    await other.close();
  });

  it('throws the errors of the package', async () => {
    const assertions = new IdentityAssertions({ issuers: [idp.url], audience: OURS, resources: [new URL(RESOURCE)] });
    const granted = await assertions.redeem(CLIENTS.editor, { assertion: assertion(), scopes: ['mail'] });
    assert.deepEqual([granted.clientId, granted.subject, granted.scopes, granted.issuer], ['editor', 'ann', ['mail'], idp.url]);
    await assert.rejects(assertions.redeem(CLIENTS.editor, { assertion: 'nonsense' }), InvalidGrantError);
    assert.throws(() => new IdentityAssertions({ issuers: ['nonsense'], audience: OURS, resources: [RESOURCE] }));
    assert.throws(() => new IdentityAssertions({ issuers: [idp.url], audience: OURS, resources: [RESOURCE], stores: 'nonsense' }), /stores/);
  });
});
