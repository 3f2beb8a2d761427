// An authorization server of others, npm's `oidc-provider`, on a loopback port. Its users agree
// to everything: a request for consent is answered at once, without a page.
import http from 'node:http';
import { generateKeyPairSync } from 'node:crypto';

import { browse } from './browser.mjs';

const ACCOUNT = 'ann';
const SCOPES = 'files:read files:write';
/** Where browsers are sent back to; nobody listens there, the URL is all that is wanted. */
const REDIRECT_URI = 'http://localhost:3000/callback';
/** The id of the client that is known by its document. */
const DOCUMENT_URL = 'https://app.example.com/client.json';
const RESOURCE_SERVER = { client_id: 'resource-server', client_secret: 'known-to-both' };
const MACHINE = { client_id: 'nightly-report', client_secret: 'known-to-one: it & the issuer' };
const REGISTERED = 'desktop-app';

const DOCUMENT = {
  client_id: DOCUMENT_URL,
  client_name: 'Example',
  redirect_uris: [REDIRECT_URI],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  application_type: 'native',
};

const CLIENTS = [
  {
    client_id: REGISTERED,
    redirect_uris: [REDIRECT_URI],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  },
  { ...MACHINE, redirect_uris: [], response_types: [], grant_types: ['client_credentials'] },
  { ...RESOURCE_SERVER, redirect_uris: [], response_types: [], grant_types: [] },
];

/** What a request to a path is for. */
const KINDS = { '/auth': 'authorize', '/token': 'token', '/reg': 'register' };

/** What is asked for a scenario: a fresh server, whose tokens for `resource` are of the kind `tokens`. */
export async function openProvider(packages) {
  const { Provider } = await packages.load('oidc-provider');
  return {
    name: 'oidc-provider',
    async begin({ resource, tokens }) {
      const { issuer, seen, secrets, revokeAccess, close } = await startProvider(Provider, new Map([[resource, tokens]]));
      const env = {
        ISSUER: issuer,
        REDIRECT_URI,
        DOCUMENT_URL,
        CLIENT_ID: REGISTERED,
        MACHINE_ID: MACHINE.client_id,
        MACHINE_SECRET: MACHINE.client_secret,
        RESOURCE_SERVER_ID: RESOURCE_SERVER.client_id,
        RESOURCE_SERVER_SECRET: RESOURCE_SERVER.client_secret,
      };
      return { env, seen, secrets, revokeAccess, browse: (url) => browse(url, REDIRECT_URI), end: close };
    },
    close: async () => undefined,
  };
}

/**
 * Starts the server; `Provider` is the class of `oidc-provider`. `resources` says of each resource's
 * URL which tokens it wants: `jwt`, `opaque`, or `dpop`, which are JWTs bound to a key.
 */
async function startProvider(Provider, resources) {
  const listener = http.createServer();
  await new Promise((done) => listener.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${listener.address().port}`;
  const seen = [];
  const answers = [];
  const provider = new Provider(issuer, settings(resources));
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.path === '/token' && ctx.status === 200) answers.push(ctx.body);
    seen.push({
      kind: KINDS[ctx.path],
      status: ctx.status,
      params: { ...ctx.query, ...ctx.oidc?.params },
      body: ctx.oidc?.body ?? {},
    });
  });
  const given = [];
  provider.on('access_token.saved', (token) => given.push(token.jti));
  const answer = provider.callback();
  listener.on('request', (request, response) => {
    const agrees = request.url.startsWith('/interaction/');
    (agrees ? agree(provider, request, response) : Promise.resolve(answer(request, response))).catch((error) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });
  return {
    issuer,
    seen,
    /** Every token that was given out. */
    secrets: () => answers.flatMap(({ access_token: access, refresh_token: refresh }) => [access, refresh]),
    /** Makes every access token worthless; refresh tokens stay. */
    async revokeAccess() {
      for (const token of given.splice(0)) await (await provider.AccessToken.find(token))?.destroy();
    },
    close() {
      listener.closeAllConnections();
      listener.close();
    },
  };
}

function settings(resources) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signing = { ...privateKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'ES256' };
  const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const idTokens = { ...rsa.export({ format: 'jwk' }), kid: 'k2', use: 'sig', alg: 'RS256' };
  return {
    clients: CLIENTS,
    jwks: { keys: [signing, idTokens] },
    scopes: ['openid', 'offline_access'],
    pkce: { required: () => true },
    cookies: { keys: ['for this test only'] },
    ttl: { AccessToken: 300, ClientCredentials: 300, RefreshToken: 3600, Interaction: 300, Session: 300, Grant: 3600 },
    rotateRefreshToken: true,
    issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    // What a document says is asked of nobody in this test.
    fetch: (url, options) => (String(url) === DOCUMENT_URL ? Promise.resolve(Response.json(DOCUMENT)) : fetch(url, options)),
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: (_, client) => client.clientId === RESOURCE_SERVER.client_id },
      dPoP: { enabled: true, nonceSecret: Buffer.alloc(32, 7), requireNonce: () => true },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_, __, oneOf) => oneOf,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => info(resources, resource),
      },
    },
  };
}

function info(resources, resource) {
  const format = resources.get(resource);
  if (format === undefined) throw new Error(`nobody knows ${resource}`);
  const common = { scope: SCOPES, audience: resource, accessTokenTTL: 300 };
  return format !== 'opaque'
    ? { ...common, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'ES256' } } }
    : { ...common, accessTokenFormat: 'opaque' };
}

/** Signs the user in, and grants whatever a client asks for. */
async function agree(provider, request, response) {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    await provider.interactionFinished(request, response, { login: { accountId: ACCOUNT } });
    return;
  }
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = known ?? new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  const { missingOIDCScope = [], missingResourceScopes = {} } = prompt.details;
  grant.addOIDCScope(missingOIDCScope.join(' '));
  for (const [resource, scopes] of Object.entries(missingResourceScopes)) {
    grant.addResourceScope(resource, scopes.join(' '));
  }
  await provider.interactionFinished(
    request,
    response,
    { consent: { grantId: await grant.save() } },
    { mergeWithLastSubmission: true },
  );
}
