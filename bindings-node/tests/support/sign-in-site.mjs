// A server of the Model Context Protocol that wants a token, beside its authorization server, for real on
// a port of this machine. Owns: what the two answer, and what they were asked. Must not know: who asks.
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const RESULTS = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'site', version: '1' } },
  'tools/list': { tools: [] },
  'tools/call': { content: [] },
  ping: {},
};

/**
 * Users agree at once, unless `refuses` says what the answer is instead. A call of a tool needs the scopes
 * that its argument `scope` names.
 */
class Site {
  /** The paths that were asked for, what registered, and tokens that were renewed and revoked. */
  asked = [];
  registered = [];
  refreshes = [];
  revoked = [];
  /** The parameters that a refusal has in place of a code, and who says that it is the issuer. */
  refuses;
  saysIssuer;
  /** Runs before a refresh is answered. */
  beforeRefresh = async () => undefined;
  /** The scopes of the metadata, those that users were asked for, and what becomes of them. */
  scopes;
  wanted = [];
  grants = (asked) => asked;
  /** Members that answers with tokens do not have. */
  omits = [];
  /** How many calls lacked a scope; runs before that is answered. */
  lacking = 0;
  beforeLacking = async () => undefined;
  /** The tokens that are accepted. */
  good = new Set();
  #codes = new Map();
  /** The scopes of refresh tokens, and of access tokens. */
  #refreshable = new Map();
  #scopes = new Map();
  #server = createServer((req, res) => void this.#answer(req, res));

  async start() {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.issuer = `http://127.0.0.1:${this.#server.address().port}`;
    this.url = `${this.issuer}/mcp`;
    return this;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  count(path) {
    return this.asked.filter((each) => each === path).length;
  }

  async #answer(req, res) {
    let body = '';
    for await (const part of req) body += part;
    const { pathname, searchParams } = new URL(req.url, this.issuer);
    this.asked.push(pathname);
    if (pathname === '/authorize') return res.writeHead(302, { location: this.#agreed(searchParams) }).end();
    const isJson = req.headers['content-type']?.includes('json');
    const given = isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
    const [status, headers, value] = await (pathname === '/mcp' ? this.#protocol(req, given) : this.#page(pathname, given));
    res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(value === undefined ? '' : JSON.stringify(value));
  }

  async #protocol(req, { id, method, params }) {
    const token = req.headers.authorization?.split(' ')[1];
    if (!this.good.has(token)) return [401, { 'www-authenticate': 'Bearer' }];
    const needed = params?.arguments?.scope;
    if (needed !== undefined && !this.#scopes.get(token)?.split(' ').includes(needed)) {
      await this.beforeLacking((this.lacking += 1));
      return [403, { 'www-authenticate': `Bearer error="insufficient_scope", scope="${needed}"` }];
    }
    if (id === undefined) return [req.method === 'POST' ? 202 : 405, {}];
    const result = RESULTS[method];
    const answer = result === undefined ? { error: { code: -32601, message: 'unknown' } } : { result };
    return [200, {}, { jsonrpc: '2.0', id, ...answer }];
  }

  async #page(path, given) {
    const at = this.issuer;
    switch (path) {
      case '/.well-known/oauth-protected-resource/mcp':
        return [200, {}, { resource: this.url, authorization_servers: [at], scopes_supported: this.scopes }];
      case '/.well-known/oauth-authorization-server':
        return [200, {}, {
          issuer: at,
          authorization_endpoint: `${at}/authorize`,
          token_endpoint: `${at}/token`,
          registration_endpoint: `${at}/register`,
          revocation_endpoint: `${at}/revoke`,
          token_endpoint_auth_methods_supported: ['client_secret_basic', 'none'],
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          authorization_response_iss_parameter_supported: true,
        }];
      case '/register':
        this.registered.push(given);
        return [201, {}, { ...given, client_id: `client-${this.registered.length}` }];
      case '/revoke':
        this.revoked.push(given.token);
        return [200, {}, {}];
      case '/token':
        return this.#tokens(given);
      default:
        return [404, {}, {}];
    }
  }

  #agreed(query) {
    const code = randomUUID();
    this.wanted.push(query.get('scope'));
    this.#codes.set(code, query);
    const answer = new URL(query.get('redirect_uri'));
    const said = { ...(this.refuses ?? { code }), state: query.get('state'), iss: this.saysIssuer ?? this.issuer };
    for (const [name, value] of Object.entries(said)) if (value !== null) answer.searchParams.set(name, value);
    return answer.href;
  }

  async #tokens({ grant_type, refresh_token, code, code_verifier, redirect_uri }) {
    let isGood, scope;
    if (grant_type === 'refresh_token') {
      this.refreshes.push(refresh_token);
      scope = this.#refreshable.get(refresh_token);
      isGood = this.#refreshable.delete(refresh_token);
      await this.beforeRefresh();
    } else {
      const asked = this.#codes.get(code);
      const challenge = createHash('sha256').update(code_verifier).digest('base64url');
      isGood = this.#codes.delete(code) && challenge === asked.get('code_challenge') && redirect_uri === asked.get('redirect_uri');
      scope = this.grants(asked.get('scope') ?? undefined);
    }
    if (!isGood) return [400, {}, { error: 'invalid_grant' }];
    const made = { access_token: randomUUID(), refresh_token: randomUUID(), scope };
    this.good = new Set([made.access_token]);
    this.#scopes.set(made.access_token, scope);
    this.#refreshable.set(made.refresh_token, scope);
    for (const name of this.omits) delete made[name];
    return [200, {}, { ...made, token_type: 'Bearer', expires_in: 3600 }];
  }
}

/** Starts a site that ends with the test. */
export async function startSite(t) {
  const site = await new Site().start();
  t.after(() => site.close());
  return site;
}

/** A browser that goes where it is sent; `pages` are what it was shown at the end. */
export function makeBrowser() {
  const pages = [];
  return { pages, open: async (url) => pages.push(await (await fetch(url)).text()) };
}
