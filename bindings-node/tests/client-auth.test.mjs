// Authorization of clients, request by request beside the official package, against a
// server that a test plays.
import assert from 'node:assert/strict';
import { generateKeyPairSync, createVerify } from 'node:crypto';
import { test } from 'node:test';
import { Client } from 'mcpbolt/client/index.js';
import { SSEClientTransport } from 'mcpbolt/client/sse.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from 'mcpbolt/client/streamableHttp.js';
import * as auth from 'mcpbolt/client/auth.js';
import * as extensions from 'mcpbolt/client/auth-extensions.js';
import * as officialAuth from '@modelcontextprotocol/sdk/client/auth.js';
import * as officialExtensions from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { ISSUER, METADATA, network, Provider, RESOURCE, ROUTES, SERVER } from './support/authorization.mjs';
import { within } from './support/bounds.mjs';
import { json, rawServer, WELCOME } from './support/raw-http.mjs';

const plain = (error) => ({ error: error.constructor.name, message: error.message });

/** The same on both packages: requests, what was kept, the outcome. */
async function both(play) {
  const notes = [];
  for (const kit of [auth, officialAuth]) notes.push(await play(kit));
  assert.deepEqual(notes[0], notes[1]);
  return notes[0];
}

/** One flow. */
const flow =
  ({ kept, members, routes = {}, options = {} }) =>
  async ({ auth: authorize }) => {
    const provider = new Provider(structuredClone(kept), members);
    const { requests, fetchFn } = network({ ...ROUTES, ...routes });
    const outcome = await authorize(provider, { serverUrl: SERVER, fetchFn, ...options }).catch(plain);
    return { outcome, requests, notes: provider.notes, kept: provider.kept };
  };

const client = { client_id: 'mine', client_secret: 's' };
const error = (code, status = 400) => () => Response.json({ error: code, error_description: 'no' }, { status });
const FLOWS = {
  'a new client is sent to the authorization server': {},
  'a known client is sent there, with state and scope': { kept: { client }, members: { state: () => 'st' }, options: { scope: 'wide offline_access' } },
  'a code is exchanged': { kept: { client, verifier: 'v' }, options: { authorizationCode: 'code' } },
  'a code is exchanged by post': { kept: { client: { ...client, token_endpoint_auth_method: 'client_secret_post' }, verifier: 'v' }, options: { authorizationCode: 'code' } },
  'a code without a client': { kept: { verifier: 'v' }, options: { authorizationCode: 'code' } },
  'a token is refreshed': { kept: { client, tokens: { access_token: 'old', token_type: 'Bearer', refresh_token: 'r', issuer: ISSUER } } },
  'a refresh that fails at the server leads to the user': { kept: { client, tokens: { access_token: 'old', token_type: 'Bearer', refresh_token: 'r', issuer: ISSUER } }, routes: { [`POST ${ISSUER}/token`]: 500 } },
  'a refresh token that is refused is forgotten': { kept: { client, tokens: { access_token: 'old', token_type: 'Bearer', refresh_token: 'r', issuer: ISSUER } }, routes: { [`POST ${ISSUER}/token`]: error('invalid_grant') } },
  'a client that is refused registers again': { kept: { client, tokens: { access_token: 'old', token_type: 'Bearer', refresh_token: 'r', issuer: ISSUER } }, routes: { [`POST ${ISSUER}/token`]: error('invalid_client', 401) } },
  'tokens of another issuer are not shown': { kept: { client: { ...client, issuer: `${ISSUER}/` }, tokens: { access_token: 'old', token_type: 'Bearer', refresh_token: 'r', issuer: 'https://other.example' } } },
  'a client of another issuer registers here': { kept: { client: { ...client, issuer: 'https://other.example' } } },
  'a client of another issuer that cannot register': { kept: { client: { ...client, issuer: 'https://other.example' } }, members: { saveClientInformation: undefined } },
  'metadata at the root': { routes: { 'GET https://mcp.example/.well-known/oauth-protected-resource/v1/mcp': 404, 'GET https://mcp.example/.well-known/oauth-protected-resource': { ...RESOURCE, resource: 'https://mcp.example' } } },
  'an OpenID provider': { kept: { client }, routes: { 'GET https://as.example/.well-known/oauth-authorization-server/tenant': 404, 'GET https://as.example/tenant/.well-known/openid-configuration': { ...METADATA, jwks_uri: `${ISSUER}/keys`, subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['RS256'] } } },
  'a server of metadata that fails': { routes: { 'GET https://as.example/.well-known/oauth-authorization-server/tenant': 503 } },
  'a client described at a URL': { members: { clientMetadataUrl: 'https://me.example/client.json' }, routes: { 'GET https://as.example/.well-known/oauth-authorization-server/tenant': { ...METADATA, client_id_metadata_document_supported: true } } },
  'a client described at a wrong URL': { members: { clientMetadataUrl: 'http://me.example/client.json' } },
  'no registration': { routes: { 'GET https://as.example/.well-known/oauth-authorization-server/tenant': { ...METADATA, registration_endpoint: undefined } } },
  'registration that is refused': { routes: { [`POST ${ISSUER}/register`]: error('invalid_client_metadata') } },
  'an answer that is no error': { kept: { client, verifier: 'v' }, options: { authorizationCode: 'code' }, routes: { [`POST ${ISSUER}/token`]: () => new Response('<html>', { status: 502 }) } },
  'no PKCE': { kept: { client }, routes: { 'GET https://as.example/.well-known/oauth-authorization-server/tenant': { ...METADATA, code_challenge_methods_supported: ['plain'] } } },
  'a resource of the program': { kept: { client }, members: { validateResourceURL: async (url, resource) => new URL(`https://chosen.example/?${url}&${resource}`) } },
  'what was found before': { kept: { client }, members: { discoveryState: () => ({ authorizationServerUrl: ISSUER, resourceMetadata: RESOURCE }), saveDiscoveryState: () => undefined } },
  'a client of its own kind': { kept: { client }, members: { redirectUrl: undefined, prepareTokenRequest: (scope) => new URLSearchParams({ grant_type: 'client_credentials', scope }) } },
  'a client that identifies itself': { kept: { client, verifier: 'v' }, members: { addClientAuthentication: (headers, params, url, metadata) => (headers.set('x-mine', String(url)), params.set('issuer', metadata.issuer)) }, options: { authorizationCode: 'c' } },
};

for (const [name, given] of Object.entries(FLOWS)) {
  test(`authorization: ${name}`, async () => {
    const warn = console.warn;
    console.warn = () => undefined;
    try {
      await both(flow(given));
    } finally {
      console.warn = warn;
    }
  });
}

test('authorization: a resource that is not the server ends the search at once', async () => {
  const routes = { 'GET https://mcp.example/.well-known/oauth-protected-resource/v1/mcp': { ...RESOURCE, resource: 'https://evil.example' } };
  const [own, official] = [await flow({ routes })(auth), await flow({ routes })(officialAuth)];
  assert.deepEqual({ ...own, requests: [] }, { ...official, requests: [] });
  assert.deepEqual(own.requests, official.requests.slice(0, 1));
});

test('errors of authorization servers are the official classes', async () => {
  await both(async ({ parseErrorResponse }) => {
    const inputs = ['{"error":"invalid_scope","error_description":"d","error_uri":"https://a.example"}', '{"error":"custom"}'];
    const seen = [];
    for (const input of inputs) {
      const found = await parseErrorResponse(input);
      seen.push([found.constructor.name, found.message, found.errorUri, found.errorCode]);
    }
    return seen;
  });
});

test('providers without a user have the official shape', async () => {
  const options = { clientId: 'c', clientSecret: 's', scope: 'a b', expectedIssuer: ISSUER };
  const shapes = [extensions, officialExtensions].map((kit) => {
    const provider = new kit.ClientCredentialsProvider(options);
    provider.saveTokens({ access_token: 't', token_type: 'Bearer' });
    return [provider.redirectUrl, provider.clientMetadata, provider.clientInformation(), provider.tokens(), String(provider.prepareTokenRequest('x')), String(provider.prepareTokenRequest())];
  });
  assert.deepEqual(shapes[0], shapes[1]);
  for (const kit of [extensions, officialExtensions]) {
    assert.throws(() => new kit.ClientCredentialsProvider({ ...options, expectedIssuer: '' }), /must be the authorization server's issuer URL/);
    assert.throws(() => new kit.ClientCredentialsProvider(options).codeVerifier(), /not used for client_credentials/);
    const form = new URLSearchParams();
    const fixed = new kit.StaticPrivateKeyJwtProvider({ clientId: 'c', jwtBearerAssertion: 'a.b.c', expectedIssuer: ISSUER });
    await fixed.addClientAuthentication(new Headers(), form, ISSUER);
    assert.equal(String(form), 'client_assertion=a.b.c&client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer');
  }
});

test('assertions are signed with keys of every usual kind', async () => {
  const decode = (part) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const { privateKey: rsa, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { privateKey: ec } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = (key) => key.export({ type: 'pkcs8', format: 'pem' });
  for (const [alg, privateKey] of [['RS256', pem(rsa)], ['PS256', pem(rsa)], ['ES256', pem(ec)], ['ES256', ec.export({ format: 'jwk' })], ['HS256', 'a secret of thirty-two characters'], ['HS512', new Uint8Array(64)]]) {
    const seen = [];
    for (const kit of [extensions, officialExtensions]) {
      const form = new URLSearchParams();
      const sign = kit.createPrivateKeyJwtAuth({ issuer: 'c', subject: 'c', privateKey, alg, claims: { more: 1 }, lifetimeSeconds: 60 });
      await sign(new Headers(), form, new URL(`${ISSUER}/token`), METADATA);
      const [head, body, signature] = form.get('client_assertion').split('.');
      const { iat, exp, jti, ...claims } = decode(body);
      assert.ok(Math.abs(iat - Date.now() / 1000) < 5 && exp === iat + 60 && jti.length > 8);
      seen.push([decode(head), claims, form.get('client_assertion_type'), alg === 'HS256' || alg === 'RS256' ? signature.length : undefined]);
      if (alg === 'RS256') assert.ok(createVerify('sha256').update(`${head}.${body}`).verify(publicKey, signature, 'base64url'));
    }
    assert.deepEqual(seen[0], seen[1], alg);
  }
  const wrong = extensions.createPrivateKeyJwtAuth({ issuer: 'c', subject: 'c', privateKey: 'x', alg: 'none' });
  await assert.rejects(wrong(new Headers(), new URLSearchParams(), ISSUER), /Unsupported algorithm none/);
  // differs: assertions-of-p521
  const { privateKey: p521 } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
  const large = extensions.createPrivateKeyJwtAuth({ issuer: 'c', subject: 'c', privateKey: pem(p521), alg: 'ES512' });
  await assert.rejects(large(new Headers(), new URLSearchParams(), ISSUER), /algorithm: ES512 is not known here/);
});

/** A server that wants `Bearer good`, and an authorization server beside it. */
async function guarded(more = {}) {
  const granted = { token: 'good', count: 0, ...more };
  const raw = await rawServer({
    play(message, req, res) {
      const base = `http://${req.headers.host}`;
      if (req.url === '/token') {
        granted.count += 1;
        json2(res, { access_token: granted.token, token_type: 'Bearer' });
        return true;
      }
      const sent = req.headers.authorization;
      if (sent !== 'Bearer good') {
        res.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${base}/resource"` }).end();
        return true;
      }
      if (granted.scope && !granted.isWide) {
        res.writeHead(403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="wide"' }).end();
        granted.isWide = granted.widens;
        return true;
      }
      if (message.method === 'initialize') return json(res, WELCOME, message.id) ?? true;
      if (message.id !== undefined) return json(res, {}, message.id) ?? true;
      return false;
    },
    get(req, res) {
      const base = `http://${req.headers.host}`;
      if (req.url === '/resource') return json2(res, { resource: `${base}/mcp`, authorization_servers: [base] });
      if (req.url.startsWith('/.well-known/oauth-authorization-server')) {
        const endpoints = { authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/token` };
        return json2(res, { issuer: base, ...endpoints, response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] });
      }
      return res.writeHead(req.headers.authorization === 'Bearer good' || req.url !== '/mcp' ? 405 : 401).end();
    },
  });
  return { ...raw, granted };
}

const json2 = (res, value) => res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const machine = () => new Provider({ client }, { redirectUrl: undefined, prepareTokenRequest: () => new URLSearchParams({ grant_type: 'client_credentials' }) });

/** Connects in each way the transport can go. */
const WAYS = {
  engine: {},
  'own fetch': { fetch: (...parts) => fetch(...parts) },
  wrapped: { wrapped: true },
};

function transportOf(url, { wrapped, ...options }, authProvider) {
  const transport = new StreamableHTTPClientTransport(url, { ...options, authProvider });
  if (wrapped) transport.onmessage = () => undefined;
  return transport;
}

/** Bodies of token requests are forms, which a raw server must not read as JSON. */
for (const [way, options] of Object.entries(WAYS)) {
  test(`a client that is refused gets tokens and goes on (${way})`, async () => {
    const { url, granted } = await guarded();
    const connected = new Client({ name: 'auth', version: '1' });
    await within(connected.connect(transportOf(url, options, machine())));
    assert.deepEqual(await connected.ping(), {});
    assert.equal(granted.count, 1);
    await connected.close();
  });

  test(`a user who has to come back makes connecting fail as unauthorized (${way})`, async () => {
    const { url } = await guarded();
    const provider = new Provider({ client });
    const transport = transportOf(url, options, provider);
    const refused = new Client({ name: 'auth', version: '1' });
    await assert.rejects(within(refused.connect(transport)), auth.UnauthorizedError);
    assert.equal(provider.notes.at(-1)[0], 'redirect');
    await transport.finishAuth('code');
    assert.equal(provider.kept.tokens.access_token, 'good');
    const again = new Client({ name: 'auth', version: '1' });
    await within(again.connect(transportOf(url, options, provider)));
    await again.close();
  });

  test(`new credentials that are refused, too, are no reason to ask for ever (${way})`, async () => {
    const { url, granted } = await guarded({ token: 'bad' });
    const refused = new Client({ name: 'auth', version: '1' });
    const thrown = await within(refused.connect(transportOf(url, options, machine())).catch((error_) => error_));
    assert.ok(thrown instanceof StreamableHTTPError, String(thrown));
    assert.equal(thrown.message, 'Streamable HTTP error: Server returned 401 after successful authentication');
    assert.ok(granted.count <= 2);
  });

  test(`a wider scope is asked for once (${way})`, async () => {
    for (const widens of [true, false]) {
      const { url } = await guarded({ scope: true, widens });
      const asking = new Client({ name: 'auth', version: '1' });
      const outcome = await within(asking.connect(transportOf(url, options, machine())).catch((error_) => error_));
      if (widens) assert.equal(outcome, undefined);
      else assert.deepEqual([outcome.code, outcome.message], [403, 'Streamable HTTP error: Server returned 403 after trying upscoping']);
      await asking.close();
    }
  });
}

test('of many requests that are refused at once, one renews the tokens', async () => {
  const { url, granted } = await guarded();
  const provider = machine();
  const connected = new Client({ name: 'auth', version: '1' });
  await within(connected.connect(transportOf(url, {}, provider)));
  provider.kept.tokens = { access_token: 'revoked', token_type: 'Bearer' };
  granted.count = 0;
  await within(Promise.all(Array.from({ length: 20 }, () => connected.ping())));
  assert.equal(granted.count, 1);
  await connected.close();
});

test('HTTP+SSE carries tokens, and is refused as unauthorized without', async () => {
  const raw = await rawServer({ get: (_, res) => res.writeHead(401, { 'www-authenticate': 'Bearer' }).end() });
  const provider = new Provider({ client, tokens: { access_token: 'x', token_type: 'Bearer' } });
  const refused = new Client({ name: 'auth', version: '1' });
  await assert.rejects(within(refused.connect(new SSEClientTransport(raw.url, { authProvider: provider }))));
  assert.equal(raw.requests[0].headers.authorization, 'Bearer x');
});
