// Middlewares around `fetch`, and reading what a server demands: beside the official package.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as officialAuth from '@modelcontextprotocol/sdk/client/auth.js';
import * as officialMiddleware from '@modelcontextprotocol/sdk/client/middleware.js';
import * as auth from 'mcpbolt/client/auth.js';
import * as middleware from 'mcpbolt/client/middleware.js';

const both = [middleware, officialMiddleware];

test('middlewares are put together in the official order', async () => {
  const noted = both.map(async ({ applyMiddlewares, createMiddleware }) => {
    const notes = [];
    const noting = (name) => createMiddleware(async (next, input, init) => (notes.push(`${name} ${input} ${init?.method}`), next(input, { ...init, method: name })));
    const response = await applyMiddlewares(noting('a'), noting('b'))(async (_, init) => new Response(init.method))('https://a.example');
    return [notes, await response.text(), applyMiddlewares()(fetch) === fetch];
  });
  assert.deepEqual(await noted[0], await noted[1]);
});

test('requests are logged as the official package logs them', async () => {
  for (const options of [{}, { includeRequestHeaders: true, includeResponseHeaders: true }, { statusLevel: 400 }]) {
    const logs = await Promise.all(
      both.map(async ({ withLogging }) => {
        const lines = [];
        const logger = ({ duration, requestHeaders, responseHeaders, error, ...rest }) =>
          lines.push({ ...rest, timed: duration >= 0, request: [...(requestHeaders ?? [])], response: [...(responseHeaders ?? [])], error: error?.message });
        const answers = { '/ok': new Response('x', { headers: { a: 'b' } }), '/no': new Response(null, { status: 404, statusText: 'Gone' }) };
        const logged = withLogging({ ...options, logger })(async (url) => answers[new URL(url).pathname] ?? Promise.reject(new Error('cut')));
        await logged('https://a.example/ok', { method: 'POST', headers: { c: 'd' } });
        await logged(new URL('https://a.example/no'));
        await assert.rejects(logged('https://a.example/cut'), /cut/);
        return lines;
      }),
    );
    assert.deepEqual(logs[0], logs[1]);
  }
});

test('requests carry tokens, and a refusal is an UnauthorizedError', async () => {
  for (const { withOAuth } of both) {
    const sent = [];
    const provider = { tokens: () => ({ access_token: 'secret', token_type: 'Bearer' }) };
    const answered = withOAuth(provider)(async (_, init) => (sent.push(init.headers.get('authorization')), new Response('fine')));
    assert.equal(await (await answered('https://a.example/mcp')).text(), 'fine');
    assert.deepEqual(sent, ['Bearer secret']);
  }
  const refusing = middleware.withOAuth({ tokens: () => undefined })(async () => new Response(null, { status: 401 }));
  await assert.rejects(refusing('https://a.example/mcp'), auth.UnauthorizedError);
});

test('challenges are read as the official package reads them', () => {
  const challenges = [
    'Bearer resource_metadata="https://a.example/.well-known/x", scope="a b", error="insufficient_scope"',
    'Bearer scope=a, error=invalid_token',
    'bearer realm="x"',
    'Bearer resource_metadata="not a url"',
    'Basic realm="x"',
    'Bearer',
    '',
  ];
  for (const challenge of challenges) {
    const response = () => new Response(null, { status: 401, headers: challenge === '' ? {} : { 'WWW-Authenticate': challenge } });
    assert.deepEqual({ ...auth.extractWWWAuthenticateParams(response()) }, { ...officialAuth.extractWWWAuthenticateParams(response()) }, challenge);
  }
});

test('what clients of OAuth choose is what the official package chooses', () => {
  const methods = ['client_secret_basic', 'client_secret_post', 'none', 'private_key_jwt'];
  for (const client_secret of [undefined, 's']) {
    for (const token_endpoint_auth_method of [undefined, ...methods]) {
      for (const supported of [[], ['none'], ['client_secret_post'], ['client_secret_basic', 'client_secret_post'], ['private_key_jwt']]) {
        const client = { client_id: 'c', ...(client_secret && { client_secret }), ...(token_endpoint_auth_method && { token_endpoint_auth_method }) };
        assert.equal(auth.selectClientAuthMethod(client, supported), officialAuth.selectClientAuthMethod(client, supported));
      }
    }
  }
  for (const url of ['https://a.example', 'https://a.example/', 'https://a.example/t/1', 'https://a.example/t/', 'http://localhost:8080/x']) {
    const shown = (urls) => urls.map(({ url: found, type }) => [found.href, type]);
    assert.deepEqual(shown(auth.buildDiscoveryUrls(url)), shown(officialAuth.buildDiscoveryUrls(url)));
    assert.equal(auth.isHttpsUrl(url), officialAuth.isHttpsUrl(url));
  }
  // Where everybody on the way can read along, no token is asked for. (differs: plain-authorization-servers)
  assert.throws(() => auth.buildDiscoveryUrls('http://b.example:8080/x'), /it has to use https/);
  const [ours, theirs] = [auth, officialAuth].map((one) => String(one.prepareAuthorizationCodeRequest('code', 'verifier', 'https://a.example/back')));
  assert.equal(ours, theirs);
});
