// Signing out: tokens are forgotten, then revoked (RFC 7009).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as auth1 from 'mcpbolt/client/auth.js';
import * as auth2 from 'mcpbolt/v2/client';
import { ISSUER, METADATA, network, Provider, ROUTES, SERVER } from './support/authorization.mjs';

const AS = 'GET https://as.example/.well-known/oauth-authorization-server/tenant';
const REVOKE = `POST ${ISSUER}/revoke`;
const KEPT = { client: { client_id: 'mine', client_secret: 's', issuer: ISSUER }, tokens: { access_token: 'a', token_type: 'Bearer', refresh_token: 'r', issuer: ISSUER } };
const WITH = { ...METADATA, revocation_endpoint: `${ISSUER}/revoke` };

async function signedOut(kit, { kept = KEPT, members = {}, metadata = WITH, status = 200 } = {}) {
  const provider = new Provider(structuredClone(kept), members);
  const { requests, fetchFn } = network({ ...ROUTES, [AS]: metadata, [REVOKE]: status });
  const outcome = await kit.signOut(provider, { serverUrl: SERVER, fetchFn }).catch((error) => error);
  const revoked = requests.filter(({ request }) => request === REVOKE);
  return { provider, outcome, revoked, forms: revoked.map(({ body }) => Object.fromEntries(new URLSearchParams(body))) };
}

for (const [line, kit] of [['1.x', auth1], ['2.x', auth2]]) {
  test(`tokens are forgotten and revoked (${line})`, async () => {
    const { provider, outcome, revoked, forms } = await signedOut(kit);
    assert.equal(outcome, undefined);
    assert.deepEqual(forms, [{ token: 'r', token_type_hint: 'refresh_token' }, { token: 'a', token_type_hint: 'access_token' }]);
    for (const { headers } of revoked) assert.match(Object.fromEntries(headers).authorization, /^Basic /);
    assert.deepEqual([provider.kept.tokens, provider.kept.client.client_id], [undefined, 'mine']);
    assert.equal((await signedOut(kit, { kept: { client: KEPT.client } })).revoked.length, 0);
  });

  test(`a provider that deletes nothing keeps a token that is empty (${line})`, async () => {
    const { provider, forms } = await signedOut(kit, { members: { invalidateCredentials: undefined } });
    assert.deepEqual([provider.kept.tokens.access_token, forms.length], ['', 2]);
  });

  test(`a client that proves itself does so here, too (${line})`, async () => {
    const members = { addClientAuthentication: (_headers, form, url) => form.set('proof', String(url)) };
    const { forms } = await signedOut(kit, { members });
    assert.deepEqual(forms.map(({ proof }) => proof), [`${ISSUER}/revoke`, `${ISSUER}/revoke`]);
  });

  test(`a server without revocation is asked for none (${line})`, async () => {
    const { provider, outcome, revoked } = await signedOut(kit, { metadata: METADATA });
    assert.deepEqual([outcome, revoked.length, provider.kept.tokens], [undefined, 0, undefined]);
  });

  test(`tokens that were not revoked are forgotten all the same (${line})`, async () => {
    for (const status of [400, 503]) {
      const { provider, outcome } = await signedOut(kit, { status });
      assert.ok(outcome instanceof Error);
      assert.equal(provider.kept.tokens, undefined);
    }
  });

  test(`tokens are shown to no other issuer (${line})`, async () => {
    for (const kept of [{ ...KEPT, tokens: { ...KEPT.tokens, issuer: 'https://other.example' } }, { ...KEPT, client: { ...KEPT.client, issuer: 'https://other.example' } }]) {
      const { provider, revoked } = await signedOut(kit, { kept });
      assert.deepEqual([revoked.length, provider.kept.tokens], [0, undefined]);
    }
  });
}
