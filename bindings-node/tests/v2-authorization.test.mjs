// What clients of 2.x decide about authorization by themselves, beside the official package.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as official from '@modelcontextprotocol/client';
import * as ours from 'mcpbolt/v2/client';
import { IdJagTokenExchangeResponseSchema as officialGrant } from '@modelcontextprotocol/core';
import { IdJagTokenExchangeResponseSchema as ourGrant } from 'mcpbolt/v2/core';

/** What a call returns or throws, as data. */
async function outcome(run) {
  try {
    const value = await run();
    return value instanceof URL ? value.href : value;
  } catch (error) {
    return [error.constructor.name, error.name, error.message, { ...error }];
  }
}

async function same(run, what) {
  assert.deepEqual(await outcome(() => run(ours)), await outcome(() => run(official)), what);
}

const SCOPES = [undefined, '', ' ', 'a', 'a b', ' b  a ', 'a\tb', 'c'];

test('scopes are put together and compared as in the official package', async () => {
  for (const a of SCOPES) {
    for (const b of SCOPES) {
      await same(({ computeScopeUnion }) => computeScopeUnion(a, b, 'a'), [a, b]);
      await same(({ computeScopeUnion }) => computeScopeUnion(a, b), [a, b]);
      await same(({ isStrictScopeSuperset }) => isStrictScopeSuperset(a, b), [a, b]);
    }
  }
  assert.equal(ours.computeScopeUnion('b a', 'a c'), 'b a c');
});

test('endpoints of tokens have to be safe', async () => {
  const urls = [
    'https://a.example/token', 'http://a.example/token', 'http://localhost:1/t', 'http://x.localhost/t', 'http://127.0.0.1/t',
    'http://127.0.0.2/t', 'http://[::1]/t', 'http://localhost.example/t', 'ftp://a/t', 'no url', new URL('https://b.example'),
  ];
  for (const url of urls) await same(({ assertSecureTokenEndpoint }) => assertSecureTokenEndpoint(url), String(url));
  assert.throws(() => ours.assertSecureTokenEndpoint('http://a.example/t'), ours.InsecureTokenEndpointError);
});

test('whom a user is sent back by is checked', async () => {
  for (const iss of [undefined, 'https://a', 'https://a/', '']) {
    for (const expectedIssuer of [undefined, 'https://a']) {
      for (const issParameterSupported of [true, false, undefined]) {
        const given = { iss, expectedIssuer, issParameterSupported };
        await same(({ validateAuthorizationResponseIssuer }) => validateAuthorizationResponseIssuer(given), JSON.stringify(given));
      }
    }
  }
});

test('what a client says of itself has defaults', async () => {
  const lists = [undefined, [], ['https://a.example/back'], ['http://localhost:1/back'], ['app://back'], ['no url', 'https://a'], ['https://a', 'http://127.0.0.1']];
  for (const redirect_uris of lists) {
    for (const more of [{}, { grant_types: ['x'] }, { application_type: 'web', client_name: 'n' }]) {
      for (const redirectUrl of [undefined, 'http://localhost']) {
        const provider = { redirectUrl, clientMetadata: { redirect_uris, ...more } };
        await same(({ resolveClientMetadata }) => resolveClientMetadata(provider), JSON.stringify(provider));
      }
    }
  }
});

test('proofs of possession: what a token is hashed to, which refusals want a nonce', async () => {
  for (const token of ['', 'abc', 'x'.repeat(1000)]) await same(({ accessTokenHash }) => accessTokenHash(token), token);
  const demands = [undefined, 'Bearer', 'DPoP error="use_dpop_nonce"', 'Bearer x, DPoP error="use_dpop_nonce"', 'xdpop error="use_dpop_nonce"', 'DPoP'];
  for (const demand of demands) {
    for (const status of [401, 403]) {
      const headers = demand === undefined ? {} : { 'www-authenticate': demand };
      await same(({ isDpopNonceChallenge }) => isDpopNonceChallenge(new Response(null, { status, headers })), `${status} ${demand}`);
    }
  }
  assert.deepEqual(ours.DPOP_SUPPORTED_ALGS, official.DPOP_SUPPORTED_ALGS);
});

test('errors of authorization have the official names, texts and members', async () => {
  const made = [
    ({ OAuthClientFlowError }) => new OAuthClientFlowError('m'),
    ({ IssuerMismatchError }) => new IssuerMismatchError('metadata', 'https://a', 'https://"b'),
    ({ IssuerMismatchError }) => new IssuerMismatchError('authorization_response', 'https://a', undefined),
    ({ RegistrationRejectedError }) => new RegistrationRejectedError({ status: 400, body: '{}', submittedMetadata: { client_name: 'n' } }),
    ({ InsecureTokenEndpointError }) => new InsecureTokenEndpointError('http://a'),
    ({ AuthorizationServerMismatchError }) => new AuthorizationServerMismatchError('https://a', 'https://b'),
    ({ InsufficientScopeError }) => new InsufficientScopeError({ requiredScope: 'a', resourceMetadataUrl: new URL('https://a'), errorDescription: 'd' }),
    ({ InsufficientScopeError }) => new InsufficientScopeError({}),
  ];
  for (const make of made) {
    const shown = [ours, official].map((kit) => {
      const error = make(kit);
      assert.ok(error instanceof kit.OAuthClientFlowError && kit.OAuthClientFlowError.isInstance(error) && !(error instanceof kit.OAuthError));
      return [error.name, error.message, { ...error }];
    });
    assert.deepEqual(shown[0], shown[1]);
  }
});

test('grants of identity providers are read', () => {
  const good = { issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag', access_token: 't' };
  for (const value of [good, { ...good, expires_in: 5, scope: 's', token_type: 'N_A' }, {}, { ...good, issued_token_type: 'x' }, { ...good, expires_in: '5' }, 1]) {
    assert.equal(ourGrant.safeParse(value).success, officialGrant.safeParse(value).success, JSON.stringify(value));
  }
});
