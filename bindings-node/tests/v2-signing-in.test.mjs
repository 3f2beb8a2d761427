// How clients of 2.x get their tokens, request by request beside the official package.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as official from '@modelcontextprotocol/client';
import * as ours from 'mcpbolt/v2/client';
import { ISSUER, METADATA, network, Provider, RESOURCE, ROUTES, SERVER } from './support/authorization.mjs';

const AS = 'GET https://as.example/.well-known/oauth-authorization-server/tenant';
const TOKEN = `POST ${ISSUER}/token`;

/** What a call comes to, as data. */
async function outcome(run) {
  try {
    return await run();
  } catch (error) {
    const { code, message, name, kind, expected, received, status, submittedMetadata, recordedIssuer } = error;
    return { error: error.constructor.name, name, code, message, kind, expected, received, status, submittedMetadata, recordedIssuer };
  }
}

/** The same on both packages, without what they say on the console. */
async function both(play) {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    const [found, expected] = [await play(ours), await play(official)];
    assert.deepEqual(found, expected);
    return found;
  } finally {
    console.warn = warn;
  }
}

/** A provider that keeps what 2.x gives it. */
class Keeper extends Provider {
  saveDiscoveryState(found) {
    this.notes.push(['found', found]);
    this.kept.found = found;
  }
  discoveryState() {
    return this.kept.found;
  }
  saveAuthorizationServerUrl(url) {
    this.notes.push(['server', url]);
  }
  saveResourceUrl(url) {
    this.notes.push(['resource', url]);
  }
}

const client = { client_id: 'mine', client_secret: 's' };
const tokens = { access_token: 'old', token_type: 'Bearer', refresh_token: 'r' };
const found = { authorizationServerUrl: ISSUER, authorizationServerMetadata: METADATA, resourceMetadata: RESOURCE };
const says = { ...METADATA, authorization_response_iss_parameter_supported: true };
const refused = (error, status = 400) => ({ [TOKEN]: () => Response.json({ error, error_description: 'no' }, { status }) });
const code = { authorizationCode: 'code' };
const FLOWS = {
  'a new client says what kind it is': {},
  'a known client is bound at once': { kept: { client } },
  'a client of another issuer registers here': { kept: { client: { ...client, issuer: 'https://other.example' } } },
  'a client of another issuer that cannot register': { kept: { client: { ...client, issuer: 'https://other.example' } }, members: { saveClientInformation: undefined } },
  'tokens are bound, then refreshed': { kept: { client, tokens } },
  'tokens are refreshed with fewer scopes': { kept: { client, tokens }, members: { scopeForRefresh: () => 'few' } },
  'tokens are not refreshed where that gives no more': { kept: { client, tokens }, options: { forceReauthorization: true, scope: 'more' } },
  'a refresh that fails leads to the user': { kept: { client, tokens }, routes: { [TOKEN]: 500 } },
  'a refresh token that is refused is forgotten': { kept: { client, tokens }, routes: refused('invalid_grant') },
  'a proof that is refused makes the tokens forgotten': { kept: { client, tokens }, routes: refused('invalid_dpop_proof') },
  'a client that is refused is forgotten': { kept: { client, tokens }, routes: refused('invalid_client', 401) },
  'a refusal of another kind': { kept: { client, tokens }, routes: refused('acme_own') },
  'metadata of another issuer are not used': { routes: { [AS]: { ...METADATA, issuer: 'https://evil.example' } } },
  'metadata of another issuer are used if that is wanted': { routes: { [AS]: { ...METADATA, issuer: 'https://evil.example' } }, options: { skipIssuerMetadataValidation: true } },
  'a gateway that fails is not the server': { routes: { [AS]: 502, 'GET https://as.example/tenant/.well-known/openid-configuration': { ...METADATA, jwks_uri: `${ISSUER}/keys`, subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['RS256'] } } },
  'a code is exchanged': { kept: { client, found, verifier: 'v' }, options: code },
  'a code with the right issuer': { kept: { client, found: { ...found, authorizationServerMetadata: says }, verifier: 'v' }, options: { ...code, iss: ISSUER } },
  'a code of another issuer': { kept: { client, found, verifier: 'v' }, options: { ...code, iss: 'https://evil.example' } },
  'a code without the issuer that was promised': { kept: { client, found: { ...found, authorizationServerMetadata: says }, verifier: 'v' }, options: code },
  'a code of nobody knows whom': { kept: { client, verifier: 'v' }, options: code },
  'a code that comes back to another authorization server': { kept: { client, found: { authorizationServerUrl: 'https://other.example', authorizationServerMetadata: METADATA, resourceMetadata: RESOURCE }, verifier: 'v' }, options: code, routes: { [AS]: METADATA } },
  'offline access where it is listed and wanted': { kept: { client }, members: { clientMetadata: { redirect_uris: ['http://localhost:1/callback'], grant_types: ['authorization_code', 'refresh_token'] } }, routes: { [AS]: { ...METADATA, scopes_supported: ['offline_access'] } } },
  'a token endpoint that everybody can read along': { kept: { client, tokens }, routes: { [AS]: { ...METADATA, token_endpoint: 'http://as.example/token' } }, isEarly: true },
  'registration that is rejected': { routes: { [`POST ${ISSUER}/register`]: () => Response.json({ error: 'invalid_redirect_uri' }, { status: 400 }) } },
  'a client described at a URL': { members: { clientMetadataUrl: 'https://me.example/client.json' }, routes: { [AS]: { ...METADATA, client_id_metadata_document_supported: true } } },
  'no PKCE': { kept: { client }, routes: { [AS]: { ...METADATA, code_challenge_methods_supported: ['plain'] } }, isEarly: true },
};

// Some authorization servers are refused before anything is saved.
for (const [name, { kept, members, routes = {}, options = {}, isEarly }] of Object.entries(FLOWS)) {
  test(`signing in: ${name}`, () =>
    both(async ({ auth }) => {
      const provider = new Keeper(structuredClone(kept), members);
      const { requests, fetchFn } = network({ ...ROUTES, ...routes });
      const result = await outcome(() => auth(provider, { serverUrl: SERVER, fetchFn, ...options }));
      if (isEarly && auth === ours.auth) assert.deepEqual(provider.notes, []);
      return isEarly ? { result, requests } : { result, requests, notes: provider.notes, kept: provider.kept };
    }));
}

/** A request as data; what the engine says beside it is left out. */
function form({ request, headers, body }) {
  const shown = headers.filter(([name]) => name !== 'accept');
  return { request, headers: Object.fromEntries(shown), body: body && Object.fromEntries(new URLSearchParams(body)) };
}

const IDP = 'https://idp.example';
const GRANT = { issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag', access_token: 'jag', expires_in: 5, scope: 's', token_type: 'N_A' };
const ASKED = { tokenEndpoint: `${IDP}/token`, audience: ISSUER, resource: SERVER, idToken: 'id', clientId: 'c' };

test('a grant of an identity provider is asked for and exchanged', async () => {
  const answers = [GRANT, {}, { ...GRANT, issued_token_type: 'x' }, () => Response.json({ error: 'access_denied', error_description: 'no' }, { status: 400 }), () => Response.json({ error: 'x' }, { status: 400 }), 500];
  for (const answer of answers) {
    for (const more of [{}, { clientSecret: 's:/ é', scope: 'a b' }, { tokenEndpoint: 'http://idp.example/token' }]) {
      await both(async (kit) => {
        const { requests, fetchFn } = network({ [`POST ${IDP}/token`]: answer });
        const result = await outcome(() => kit.requestJwtAuthorizationGrant({ ...ASKED, ...more, fetchFn }));
        // Schemas say in words of their own what is wrong.
        if (result.error) result.message = result.message.replace(/(Invalid token exchange response:).*/s, '$1');
        return { result, requests: requests.map(form) };
      });
    }
  }
  const metadata = { ...METADATA, issuer: IDP, token_endpoint: `${IDP}/token` };
  for (const routes of [{ [`GET ${IDP}/.well-known/oauth-authorization-server`]: metadata, [`POST ${IDP}/token`]: GRANT }, {}]) {
    await both(async (kit) => {
      const { requests, fetchFn } = network(routes);
      const result = await outcome(() => kit.discoverAndRequestJwtAuthGrant({ ...ASKED, idpUrl: IDP, fetchFn }));
      return { result, requests: requests.map(form) };
    });
  }
  const given = { access_token: 't', token_type: 'Bearer', issuer: 'https://liar.example' };
  for (const answer of [given, {}, () => Response.json({ error: 'invalid_grant' }, { status: 400 })]) {
    for (const more of [{}, { clientSecret: 's' }, { clientSecret: 's', authMethod: 'client_secret_post' }, { authMethod: 'none' }]) {
      await both(async (kit) => {
        const { requests, fetchFn } = network({ [TOKEN]: answer });
        const result = await outcome(() => kit.exchangeJwtAuthGrant({ tokenEndpoint: `${ISSUER}/token`, jwtAuthGrant: 'jag', clientId: 'c', ...more, fetchFn }));
        if (result.error) result.message = result.message.replace(/(Invalid token response:).*/s, '$1');
        return { result, requests: requests.map(form) };
      });
    }
  }
});

test('a program of a company signs its user in through the identity provider', async () => {
  const expectedIssuer = ISSUER;
  await both(async ({ auth, CrossAppAccessProvider }) => {
    const asked = [];
    const provider = new CrossAppAccessProvider({ clientId: 'c', clientSecret: 's', expectedIssuer, assertion: ({ fetchFn, ...context }) => (asked.push(context), 'jag') });
    const early = await outcome(() => provider.prepareTokenRequest('x'));
    const { requests, fetchFn } = network(ROUTES);
    const result = await outcome(() => auth(provider, { serverUrl: SERVER, fetchFn }));
    const shape = [JSON.parse(JSON.stringify(provider.clientMetadata)), provider.redirectUrl, provider.tokens(), provider.authorizationServerUrl(), provider.resourceUrl()];
    const never = [await outcome(() => provider.codeVerifier()), await outcome(() => provider.redirectToAuthorization())];
    return { early, result, requests: requests.map(form), asked, shape, never };
  });
});

const decode = (part) => JSON.parse(Buffer.from(part, 'base64url').toString());

test('proofs are those of the official package, by keys of every kind', async () => {
  const { jwtVerify } = await import('jose');
  for (const alg of official.DPOP_SUPPORTED_ALGS) {
    const keyPair = await ours.generateDpopKeyPair({ alg });
    assert.equal(keyPair.privateKey.extractable, false);
    const seen = [];
    for (const { DpopSession } of [ours, official]) {
      const session = await DpopSession.create({ keyPair });
      session.rememberNonce('https://a.example/x', 'n');
      const proofs = [];
      for (const request of [{ htm: 'post', htu: 'https://a.example/mcp?x=1#y', accessToken: 't' }, { htm: 'GET', htu: new URL('https://b.example'), nonce: 'own' }]) {
        const proof = await session.buildProof(request);
        await jwtVerify(proof, keyPair.publicKey);
        const [head, body] = proof.split('.').slice(0, 2).map(decode);
        const { jti, iat, ...claims } = body;
        assert.ok(jti.length >= 20 && Math.abs(iat - Date.now() / 1000) < 5);
        proofs.push([head, claims]);
      }
      seen.push([session.alg, session.thumbprint, session.publicJwk, session.nonceFor('https://a.example'), session.nonceFor('https://c.example'), proofs]);
    }
    assert.deepEqual(seen[0], seen[1], alg);
    const theirs = await official.generateDpopKeyPair({ alg });
    assert.deepEqual(Object.keys(theirs.publicJwk).sort(), Object.keys(keyPair.publicJwk).sort());
    assert.equal((await ours.DpopSession.create({ keyPair: theirs })).thumbprint, theirs.thumbprint);
  }
  assert.ok((await ours.generateDpopKeyPair({ extractable: true })).privateKey.extractable);
});

test('bound tokens go with a proof, once more where the server wants its nonce', async () => {
  const nonce = { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': 'fresh' };
  const scripts = [[[200]], [[401, nonce], [200]], [[401, nonce], [401, nonce]], [[401, { 'www-authenticate': 'Bearer' }]], [[200, { 'dpop-nonce': 'later' }], [200]]];
  for (const kind of ['DPoP', 'Bearer', undefined]) {
    for (const script of scripts) {
      await both(async (kit) => {
        const session = await kit.DpopSession.create();
        const kept = kind && { access_token: 't', token_type: kind };
        const provider = new Provider({ tokens: kept }, { dpop: () => session });
        const sent = [];
        const left = [...script];
        const send = kit.withDpopFromProvider(provider)(async (url, init) => {
          const headers = Object.fromEntries(new Headers(init?.headers));
          if (headers.dpop) headers.dpop = { ...decode(headers.dpop.split('.')[1]), jti: 0, iat: 0 };
          sent.push([String(url), headers]);
          const [status, more] = left.shift() ?? [200];
          return new Response('', { status, headers: more });
        });
        const responses = [await send('https://a.example/mcp?q', { method: 'POST', headers: { mine: 'x' } }), await send(new URL('https://a.example/mcp'))];
        return { sent, statuses: responses.map(({ status }) => status), nonce: session.nonceFor('https://a.example') };
      });
    }
  }
});

test('a token request carries a proof, and the nonce of the authorization server', () =>
  both(async (kit) => {
    const session = await kit.DpopSession.create();
    const provider = new Keeper({ client, tokens }, { dpop: () => session });
    const seen = [];
    let wanted = true;
    const answer = ({ headers }) => {
      const { htm, htu, nonce, ath } = decode(new Headers(headers).get('dpop').split('.')[1]);
      seen.push({ htm, htu, nonce, ath });
      if (!wanted) return Response.json({ access_token: 'n', token_type: 'DPoP' });
      wanted = false;
      return Response.json({ error: 'use_dpop_nonce' }, { status: 400, headers: { 'dpop-nonce': 'given' } });
    };
    const { fetchFn } = network({ ...ROUTES, [TOKEN]: answer });
    const result = await outcome(() => kit.auth(provider, { serverUrl: SERVER, fetchFn }));
    return { result, seen, kept: provider.kept.tokens };
  }));

test('what a user came back with is looked at as in the official package', async () => {
  const back = ['code=c', `code=c&iss=${ISSUER}`, 'code=c&iss=https://evil.example', `error=access_denied&error_description=no&iss=${ISSUER}`, 'error=access_denied&iss=https://evil.example', 'state=x'];
  for (const parameters of back) {
    for (const metadata of [METADATA, says]) {
      await both(async (kit) => {
        const { fetchFn, requests } = network({ ...ROUTES, [AS]: metadata, [`POST ${SERVER}`]: 401 });
        const kept = { client: { ...client, issuer: ISSUER }, found: { ...found, authorizationServerMetadata: metadata }, verifier: 'v' };
        const authProvider = new Keeper(structuredClone(kept));
        const transport = new kit.StreamableHTTPClientTransport(new URL(SERVER), { authProvider, fetch: fetchFn });
        await new kit.Client({ name: 'c', version: '1' }).connect(transport).catch(() => undefined);
        const asked = requests.length;
        const result = await outcome(() => transport.finishAuth(new URLSearchParams(parameters)));
        // One class of both lines, with members of 1.x.
        const told = result?.error === 'UnauthorizedError' ? result.message : result;
        return { told, requests: requests.slice(asked).map(form), tokens: authProvider.kept.tokens };
      });
    }
  }
});
