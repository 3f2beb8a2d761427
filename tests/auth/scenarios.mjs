// What each scenario has to bring: what the client's tools said, and what the authorization
// server saw.
import assert from 'node:assert/strict';

/** Requests of a kind that were answered well. */
const of = (seen, kind) => seen.filter((request) => request.kind === kind && request.status < 400);
const grants = (seen, grant) => of(seen, 'token').filter((request) => request.body.grant_type === grant);

/** Keycloak grants a client that registered by itself no scopes but those it named then. */
const GRANTS_NO_MORE = 'keycloak';

/** The user was asked twice: for what every request needs, then for what `write` needs as well. */
function signedInTwice({ said, seen, resource }) {
  assert.match(said.whoami, /^ann may .*files:read/);
  assert.doesNotMatch(said.whoami, /files:write/);
  assert.equal(said.write, 'written');
  const asked = of(seen, 'authorize');
  assert.equal(asked.length, 2, 'authorization requests');
  for (const { params } of asked) {
    assert.equal(params.resource, resource);
    assert.equal(params.code_challenge_method, 'S256');
  }
  assert.match(asked[0].params.scope, /files:read/);
  assert.doesNotMatch(asked[0].params.scope, /files:write/);
  assert.match(asked[1].params.scope, /files:read.*files:write|files:write.*files:read/);
  const codes = grants(seen, 'authorization_code');
  assert.equal(codes.length, 2, 'codes exchanged');
  for (const { body } of codes) assert.equal(body.resource, resource);
}

/** Signs in as somebody whom the authorization server knows, by the id that stands in `client`. */
const known = (name, says, client) => ({
  name,
  says: `${says}, signs in, asks for more`,
  tokens: 'jwt',
  check(world) {
    signedInTwice(world);
    assert.equal(of(world.seen, 'register').length, 0, 'registrations');
    for (const { params } of of(world.seen, 'authorize')) assert.equal(params.client_id, world.env[client]);
  },
});

export const SCENARIOS = [
  {
    name: 'dynamic',
    says: 'registers, signs in, and asks for more where that can be granted',
    tokens: 'jwt',
    readsOnly: GRANTS_NO_MORE,
    check(world) {
      if (world.authority === GRANTS_NO_MORE) {
        assert.match(world.said.whoami, /^ann may .*files:read/);
        assert.equal(grants(world.seen, 'authorization_code').length, 1, 'codes exchanged');
      } else signedInTwice(world);
      assert.equal(of(world.seen, 'register').length, 1, 'registrations');
    },
  },
  known('registered', 'is known already', 'CLIENT_ID'),
  known('document', 'is known by its document', 'DOCUMENT_URL'),
  { ...known('dpop', 'binds tokens to a key, with the nonces of servers', 'CLIENT_ID'), tokens: 'dpop' },
  {
    name: 'machine',
    says: 'gets a token for itself, and more scopes without a user',
    tokens: 'jwt',
    check({ said, seen }) {
      assert.match(said.whoami, /^nightly-report may /);
      assert.equal(said.write, 'written');
      assert.equal(of(seen, 'authorize').length, 0, 'authorization requests');
      assert.ok(grants(seen, 'client_credentials').length >= 1);
    },
  },
  {
    name: 'company',
    says: "redeems a grant of a company's identity provider (ID-JAG)",
    tokens: 'jwt',
    // The other server has no such grant.
    only: 'keycloak',
    check({ said, seen }) {
      assert.match(said.whoami, /^ann may .*files:read/);
      assert.equal(said.write, 'written');
      assert.equal(of(seen, 'authorize').length, 0, 'authorization requests');
      assert.ok(grants(seen, 'urn:ietf:params:oauth:grant-type:jwt-bearer').length >= 1);
    },
  },
  {
    name: 'refresh',
    says: '64 calls whose token was revoked: one refresh, with rotation',
    tokens: 'opaque',
    check({ said, seen }) {
      assert.equal(said.at_once.length, 64);
      for (const one of said.at_once) assert.match(one, /^ann may .*files:read/);
      assert.equal(of(seen, 'authorize').length, 1, 'authorization requests');
      const refreshes = grants(seen, 'refresh_token');
      assert.equal(refreshes.length, 1, 'refreshes');
    },
  },
];
