// What each scenario has to bring: what the client's tools said, and what the authorization
// server saw.
import assert from 'node:assert/strict';

import { DOCUMENT_URL, REGISTERED } from './provider.mjs';

/** Requests to an endpoint that were answered well. */
const to = (seen, path) => seen.filter((request) => request.path === path && request.status < 400);
const grants = (seen, grant) => to(seen, '/token').filter((request) => request.body.grant_type === grant);

/** The user was asked twice: for what every request needs, then for what `write` needs as well. */
function signedInTwice({ said, seen, resource }) {
  assert.equal(said.whoami, 'ann may files:read');
  assert.equal(said.write, 'written');
  const asked = to(seen, '/auth');
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

export const SCENARIOS = [
  {
    name: 'dynamic',
    says: 'registers, signs in, asks for more',
    server: 'jwt',
    check(world) {
      signedInTwice(world);
      assert.equal(to(world.seen, '/reg').length, 1, 'registrations');
    },
  },
  ...[
    { name: 'registered', says: 'is known already', client: REGISTERED },
    { name: 'document', says: 'is known by its document', client: DOCUMENT_URL },
  ].map(({ name, says, client }) => ({
    name,
    says: `${says}, signs in, asks for more`,
    server: 'jwt',
    check(world) {
      signedInTwice(world);
      assert.equal(to(world.seen, '/reg').length, 0, 'registrations');
      for (const { params } of to(world.seen, '/auth')) assert.equal(params.client_id, client);
    },
  })),
  {
    name: 'machine',
    says: 'gets a token for itself, and more scopes without a user',
    server: 'jwt',
    check({ said, seen }) {
      assert.match(said.whoami, /^nightly-report may /);
      assert.equal(said.write, 'written');
      assert.equal(to(seen, '/auth').length, 0, 'authorization requests');
      assert.ok(grants(seen, 'client_credentials').length >= 1);
    },
  },
  {
    name: 'refresh',
    says: '64 calls whose token was revoked: one refresh, with rotation',
    server: 'opaque',
    check({ said, seen }) {
      assert.equal(said.at_once.length, 64);
      for (const one of said.at_once) assert.equal(one, 'ann may files:read');
      assert.equal(to(seen, '/auth').length, 1, 'authorization requests');
      const refreshes = grants(seen, 'refresh_token');
      assert.equal(refreshes.length, 1, 'refreshes');
    },
  },
];
