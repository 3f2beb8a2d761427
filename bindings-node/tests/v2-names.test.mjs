// The names of the official 2.x packages, and that what is the same thing in both lines is
// the same thing here.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const require = createRequire(import.meta.url);
const MODULES = ['server', 'server/stdio', 'client', 'client/stdio', 'core', 'node', 'express', 'hono', 'fastify'];

/** Comes with authorization. */
const AUTHORIZATION = new Set([
  'AuthorizationServerMismatchError', 'CrossAppAccessProvider', 'DPOP_SUPPORTED_ALGS', 'DpopSession',
  'IdJagTokenExchangeResponseSchema', 'InsecureTokenEndpointError', 'InsufficientScopeError', 'IssuerMismatchError',
  'OAuthClientFlowError', 'RegistrationRejectedError', 'accessTokenHash', 'assertSecureTokenEndpoint', 'computeScopeUnion',
  'discoverAndRequestJwtAuthGrant', 'exchangeJwtAuthGrant', 'generateDpopKeyPair', 'isDpopNonceChallenge',
  'isStrictScopeSuperset', 'requestJwtAuthorizationGrant', 'resolveClientMetadata', 'validateAuthorizationResponseIssuer',
  'withDpop', 'withDpopFromProvider',
]);

for (const name of MODULES) {
  test(`mcpbolt/v2/${name} has the names of the official package, each the same kind of thing`, async () => {
    const theirs = await import(`@modelcontextprotocol/${name}`);
    const ours = await import(`mcpbolt/v2/${name}`);
    const missing = Object.keys(theirs).filter((key) => typeof ours[key] !== typeof theirs[key] && !AUTHORIZATION.has(key));
    assert.deepEqual(missing, []);
    const values = Object.entries(theirs).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
    for (const [key, value] of values) assert.equal(ours[key], value, key);
    assert.deepEqual(Object.keys(require(`mcpbolt/v2/${name}.js`)).filter((key) => !(key in ours) && key !== '__esModule'), []);
  });
}

test('what comes with authorization is still to come', async () => {
  const ours = { ...(await import('mcpbolt/v2/client')), ...(await import('mcpbolt/v2/core')) };
  assert.deepEqual([...AUTHORIZATION].filter((name) => name in ours), [], 'these have to leave the list');
});

test('codes are those of the official package', async () => {
  for (const [module, names] of [['server', ['ProtocolErrorCode', 'SdkErrorCode', 'OAuthErrorCode']]]) {
    const theirs = await import(`@modelcontextprotocol/${module}`);
    const ours = await import(`mcpbolt/v2/${module}`);
    for (const name of names) assert.deepEqual({ ...ours[name] }, { ...theirs[name] }, name);
  }
});

test('one class stands behind the names of both lines and of both sides', async () => {
  const server = await import('mcpbolt/v2/server');
  const client = await import('mcpbolt/v2/client');
  const shared = ['ProtocolError', 'SdkError', 'InMemoryTransport', 'UriTemplate', 'ReadBuffer', 'OAuthError', 'Protocol'];
  for (const name of shared) assert.equal(server[name], client[name], name);
  assert.equal(server.InMemoryTransport, (await import('mcpbolt/inMemory.js')).InMemoryTransport);
  assert.equal(client.StreamableHTTPClientTransport, (await import('mcpbolt/client/streamableHttp.js')).StreamableHTTPClientTransport);
});

test('where the metadata of a client may be read is checked as the official package does', async () => {
  const theirs = await import('@modelcontextprotocol/client');
  const ours = await import('mcpbolt/v2/client');
  const outcome = ({ validateClientMetadataUrl, OAuthError }, url) => {
    try {
      return validateClientMetadataUrl(url);
    } catch (error) {
      return [error instanceof OAuthError, error.name, error.code, error.message];
    }
  };
  for (const url of [undefined, '', 'https://a.example/c', 'https://a.example/', 'https://a.example?c', 'http://a.example/c', 'c']) {
    assert.deepEqual(outcome(ours, url), outcome(theirs, url), url);
  }
  assert.equal(outcome(ours, 'c')[2], ours.OAuthErrorCode.InvalidClientMetadata);
});

test('servers show which revisions they were told to speak, as proxies ask them', async () => {
  const official = await import('@modelcontextprotocol/server');
  const ours = await import('mcpbolt/v2/server');
  const about = { name: 'a', version: '1' };
  const shown = ({ Server, McpServer }, options) => [new Server(about, options), new McpServer(about, options).server].map((server) => server._supportedProtocolVersions);
  for (const options of [undefined, { supportedProtocolVersions: ['2025-06-18'] }]) assert.deepEqual(shown(ours, options), shown(official, options));
});

test('errors are made of codes as the official ones are', async () => {
  const theirs = await import('@modelcontextprotocol/server');
  const ours = await import('mcpbolt/v2/server');
  const cases = [
    [-32602, 'gone', { uri: 'a://b' }],
    [-32602, 'wrong', { uri: 'a://b', more: 1 }],
    [-32002, 'gone', { uri: 'a://b' }],
    [-32002, 'gone', undefined],
    [-32042, 'go there', { elicitations: [{ mode: 'url', message: 'm', elicitationId: 'e', url: 'https://a' }] }],
    [-32022, 'no', { supported: ['2026-07-28'], requested: '1999' }],
    [-32021, 'no', { requiredCapabilities: { sampling: {} } }],
    [-32000, 'other', undefined],
  ];
  const shown = (error) => [error.name, error.code, error.message, error.data, { ...error }];
  for (const parts of cases) {
    const [a, b] = [ours, theirs].map(({ ProtocolError }) => shown(ProtocolError.fromError(...parts)));
    assert.deepEqual(a, b);
  }
  assert.ok(ours.ResourceNotFoundError.isInstance(ours.ProtocolError.fromError(-32002, 'gone', { uri: 'a://b' })));
  assert.throws(() => [new Error('x')].filter(ours.SdkError.isInstance), TypeError);
});
