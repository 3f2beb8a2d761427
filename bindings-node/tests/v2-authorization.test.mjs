// What clients of 2.x decide about authorization by themselves, and what servers tell them of it, beside the official packages.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import * as official from '@modelcontextprotocol/client';
import * as ours from 'mcpbolt/v2/client';
import { IdJagTokenExchangeResponseSchema as officialGrant } from '@modelcontextprotocol/core';
import { IdJagTokenExchangeResponseSchema as ourGrant } from 'mcpbolt/v2/core';
import * as officialExpress from '@modelcontextprotocol/express';
import * as ourExpress from 'mcpbolt/v2/express';
import express from 'express';
import { about, event, soon, web } from './support/v2.mjs';

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

/** Answers of a token endpoint, and what the functions of authorization make of them. */
const REFUSALS = [
  [400, { error: 'invalid_grant', error_description: 'gone', error_uri: 'https://as.example/gone' }],
  [400, { error: 'acme_own' }],
  [200, { error: 'invalid_grant', error_description: 'gone' }],
  [200, { error: 'acme_own', error_description: 'own' }],
  [500, 'no JSON'],
];

test('what an authorization server refuses is an OAuthError with its code, whatever the status', async () => {
  const [expected, found] = await Promise.all(
    [official, ours].map(async (kit) => {
      const all = [];
      for (const [status, body] of REFUSALS) {
        const text = typeof body === 'string' ? body : JSON.stringify(body);
        const about = {
          clientInformation: { client_id: 'c' },
          authorizationCode: 'code',
          codeVerifier: 'v',
          redirectUri: 'http://localhost:1/callback',
          refreshToken: 'r',
          fetchFn: async () => new Response(text, { status, headers: { 'content-type': 'application/json' } }),
        };
        const ways = [
          () => kit.parseErrorResponse(new Response(text, { status })).then((error) => Promise.reject(error)),
          ...(status === 200 && typeof body === 'string' ? [] : [kit.exchangeAuthorization, kit.refreshAuthorization].map((way) => () => way('https://as.example', about))),
        ];
        for (const way of ways) {
          const error = await way().catch((thrown) => thrown);
          const known = error.code === 'server_error' ? '' : error.message;
          all.push([error instanceof kit.OAuthError, kit.OAuthError.isInstance(error), error.name, error.code, known, error.errorUri]);
        }
      }
      return all;
    }),
  );
  assert.deepEqual(found, expected);
});

test('a client whose tokens cannot be renewed fails with the OAuthError of the authorization server', async () => {
  const answer = (req, res) => {
    const base = `http://${req.headers.host}`;
    const json = (status, body) => res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (req.url.startsWith('/.well-known/oauth-protected')) return json(200, { resource: `${base}/mcp`, authorization_servers: [base] });
    if (req.url.startsWith('/.well-known/')) {
      const endpoints = { authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/token` };
      return json(200, { issuer: base, ...endpoints, response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] });
    }
    if (req.url === '/token') return json(400, { error: 'invalid_request', error_description: 'not so' });
    return res.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
  };
  const authProvider = {
    redirectUrl: 'http://localhost:1/callback',
    clientMetadata: { redirect_uris: ['http://localhost:1/callback'] },
    clientInformation: () => ({ client_id: 'c' }),
    tokens: () => ({ access_token: 'a', token_type: 'bearer', refresh_token: 'r' }),
    saveTokens() {},
    redirectToAuthorization() {},
    saveCodeVerifier() {},
    codeVerifier: () => 'v',
  };
  for (const mode of ['legacy', 'auto']) {
    const [expected, found] = await Promise.all(
      [official, ours].map(async (kit) => {
        const outcome = event();
        await web(answer, async (url) => {
          const client = new kit.Client(about, { versionNegotiation: { mode } });
          const error = await client.connect(new kit.StreamableHTTPClientTransport(url, { authProvider })).catch((thrown) => thrown);
          outcome.happened([error instanceof kit.OAuthError, error.code, error.message]);
        });
        return soon(outcome.promise, 'end');
      }),
    );
    assert.deepEqual(found, expected, mode);
  }
});

test('a router of metadata documents answers below its mount, and any method', async () => {
  const options = {
    oauthMetadata: { issuer: 'https://auth.example', token_endpoint: 'https://auth.example/token' },
    resourceServerUrl: new URL('https://api.example/mcp'),
  };
  const well = '/.well-known/oauth';
  const paths = ['/other', `/api${well}-protected-resource/mcp`, `/api${well}-authorization-server/`, `/api${well}-protected-resource`];
  const ask = (url, method) => {
    const { promise, happened } = event();
    const read = (response) => {
      let body = '';
      response.on('data', (part) => (body += part)).on('end', () => {
        const { 'access-control-allow-origin': origin, 'content-type': type } = response.headers;
        happened([method, url.pathname, response.statusCode, origin, response.statusCode === 200 ? [type, JSON.parse(body)] : undefined]);
      });
    };
    request(url, { method }, read).end();
    return soon(promise, 'answer');
  };
  const answers = ({ mcpAuthMetadataRouter }) => {
    const app = express();
    app.use('/api', mcpAuthMetadataRouter(options));
    return web(app, async (base) => {
      const all = [];
      for (const path of paths) for (const method of ['GET', 'OPTIONS', 'POST', 'TRACE']) all.push(await ask(new URL(path, base), method));
      return all;
    });
  };
  const seen = await answers(ourExpress);
  assert.deepEqual(seen, await answers(officialExpress));
  assert.deepEqual(seen.map(([, , status]) => status), [404, 404, 404, 404, 200, 204, 405, 405, 200, 204, 405, 405, 404, 404, 404, 404]);
  assert.throws(() => ourExpress.mcpAuthMetadataRouter({ ...options, oauthMetadata: { issuer: 'http://auth.example' } }), Error);
});
