// A user who signs in, the servers that a test plays for that, and what is compared.
import assert from 'node:assert/strict';

export const SERVER = 'https://mcp.example/v1/mcp';
export const ISSUER = 'https://as.example/tenant';

/** Where a user would be; everything it is given is kept. */
export class Provider {
  redirectUrl = 'http://localhost:1/callback';
  clientMetadata = { client_name: 'test', redirect_uris: ['http://localhost:1/callback'], scope: 'own' };
  kept = {};
  notes = [];

  constructor(kept = {}, members = {}) {
    Object.assign(this.kept, kept);
    Object.assign(this, members);
  }

  clientInformation() {
    return this.kept.client;
  }

  saveClientInformation(client, ...context) {
    this.notes.push(['client', client, ...context]);
    this.kept.client = client;
  }

  tokens() {
    return this.kept.tokens;
  }

  saveTokens(tokens, ...context) {
    this.notes.push(['tokens', tokens, ...context]);
    this.kept.tokens = tokens;
  }

  redirectToAuthorization(url) {
    const shown = Object.fromEntries([...url.searchParams].filter(([name]) => name !== 'code_challenge'));
    assert.match(url.searchParams.get('code_challenge') ?? '', /^[\w-]{43}$/);
    this.notes.push(['redirect', url.origin + url.pathname, shown]);
  }

  saveCodeVerifier(verifier) {
    assert.ok(verifier.length >= 43 && verifier.length <= 128);
    this.kept.verifier = 'verifier';
  }

  codeVerifier() {
    return this.kept.verifier;
  }

  invalidateCredentials(scope) {
    this.notes.push(['invalidate', scope]);
    if (scope === 'all') delete this.kept.client;
    delete this.kept.tokens;
  }
}

export const RESOURCE = { resource: SERVER, authorization_servers: [ISSUER], scopes_supported: ['read', 'write'] };
export const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  registration_endpoint: `${ISSUER}/register`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
};
export const ROUTES = {
  'GET https://mcp.example/.well-known/oauth-protected-resource/v1/mcp': RESOURCE,
  'GET https://as.example/.well-known/oauth-authorization-server/tenant': METADATA,
  [`POST ${ISSUER}/register`]: { client_id: 'registered', client_secret: 'secret', redirect_uris: ['http://localhost:1/callback'] },
  [`POST ${ISSUER}/token`]: { access_token: 'new', token_type: 'Bearer', expires_in: 60, issuer: 'https://liar.example' },
};

/** A network of routes; a number is a status, a function answers. */
export function network(routes) {
  const requests = [];
  const fetchFn = async (url, init = {}) => {
    const method = init.method ?? 'GET';
    const headers = [...new Headers(init.headers)].filter(([name]) => name !== 'user-agent');
    requests.push({ request: `${method} ${url}`, headers, body: init.body === undefined ? undefined : String(init.body), redirect: init.redirect });
    const route = routes[`${method} ${url}`] ?? 404;
    const answer = typeof route === 'function' ? route(init) : route;
    if (answer instanceof Error) throw answer;
    if (typeof answer === 'number') return new Response('{}', { status: answer });
    return answer instanceof Response ? answer : Response.json(answer);
  };
  return { requests, fetchFn };
}
