// What protects a user who signs in, by either line's names: whatever servers say, nothing leads
// elsewhere, and nothing is used that another could have said.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import * as auth1 from 'mcpbolt/client/auth.js';
import { StreamableHTTPClientTransport as Transport1 } from 'mcpbolt/client/streamableHttp.js';
import * as auth2 from 'mcpbolt/v2/client';
import { ISSUER, METADATA, network, Provider, RESOURCE, ROUTES, SERVER } from './support/authorization.mjs';

const AS = 'GET https://as.example/.well-known/oauth-authorization-server/tenant';
const PRM = 'GET https://mcp.example/.well-known/oauth-protected-resource/v1/mcp';
const ROOT = 'GET https://mcp.example/.well-known/oauth-protected-resource';
const OPENID = 'GET https://as.example/tenant/.well-known/openid-configuration';
const OWN = 'GET https://mcp.example/.well-known/oauth-authorization-server';
const TOKEN = `POST ${ISSUER}/token`;
const client = { client_id: 'mine', client_secret: 's' };
const LINES = [['1.x', auth1, Transport1], ['2.x', auth2, auth2.StreamableHTTPClientTransport]];

/** One flow: how it ended, what was requested, where the user was sent. */
async function flow(kit, { routes = {}, kept = { client }, members = {}, options = {} } = {}) {
  const provider = new Provider(structuredClone(kept), members);
  const { requests, fetchFn } = network({ ...ROUTES, ...routes });
  const outcome = await kit.auth(provider, { serverUrl: SERVER, fetchFn, ...options }).catch((error) => error);
  const redirect = provider.notes.find(([what]) => what === 'redirect');
  return { outcome, requests, redirect, provider, message: String(outcome.message ?? ''), asked: requests.map(({ request }) => request) };
}

/** A flow that is refused before the user is asked and before anything secret is sent. */
async function refused(kit, given, why) {
  const all = await flow(kit, given);
  assert.ok(all.outcome instanceof Error, `went on: ${String(all.outcome)}`);
  assert.match(all.message, why);
  assert.equal(all.redirect, undefined);
  assert.deepEqual(all.asked.filter((request) => request.startsWith('POST')), []);
  return all;
}

/** Servers of metadata, token and registration on one real origin; `answers` has what some paths answer instead. */
async function playing(answers, play) {
  const server = createServer((req, res) => {
    const base = `http://${req.headers.host}`;
    const json = (value) => res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const own = Object.entries(answers).find(([path]) => req.url.startsWith(path));
    if (own) return own[1](req, res);
    if (req.url.startsWith('/.well-known/oauth-protected-resource')) return json({ resource: `${base}/mcp`, authorization_servers: [base] });
    const endpoints = { authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/token`, registration_endpoint: `${base}/register` };
    return json(req.url.startsWith('/.well-known/') ? { ...METADATA, issuer: base, ...endpoints } : {});
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await play(`http://127.0.0.1:${server.address().port}/mcp`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const PIECE = Buffer.alloc(64 * 1024, ' ');
const WHOLE = 100 * 1024 * 1024;

/** Has 100 MB at a path; how much of it was sent. */
async function sending(path, play) {
  let sent = 0;
  const large = (_, res) => {
    const more = () => {
      while (sent < WHOLE && !res.destroyed) {
        sent += PIECE.length;
        if (!res.write(PIECE)) return void res.once('drain', more);
      }
      res.end();
    };
    res.writeHead(200, { 'content-type': 'application/json' });
    more();
  };
  await playing({ [path]: large }, play);
  return sent;
}

for (const [line, kit, Transport] of LINES) {
  // differs: strict-authorization
  // differs: strict-authorization-2
  describe(`signing in by the names of ${line}`, () => {
    it('is refused where nobody says that PKCE is checked', async () => {
      const silent = { ...METADATA, code_challenge_methods_supported: undefined };
      const openid = { ...silent, jwks_uri: `${ISSUER}/keys`, subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['RS256'] };
      for (const routes of [{ [AS]: silent }, { [AS]: { ...METADATA, code_challenge_methods_supported: [] } }, { [AS]: 404, [OPENID]: openid }]) {
        await refused(kit, { routes }, /does not support code challenge method S256/);
      }
    });

    it('uses no metadata of another issuer, not even by a slash', async () => {
      for (const issuer of ['https://evil.example', `${ISSUER}/`, 'https://as.example', `${ISSUER}#`, ISSUER.toUpperCase()]) {
        const routes = { [AS]: { ...METADATA, issuer } };
        await refused(kit, { routes }, /Issuer mismatch in authorization server metadata/);
        const { outcome } = await flow(kit, { routes, options: { skipIssuerMetadataValidation: true } });
        assert.equal(outcome, 'REDIRECT');
      }
      const { fetchFn } = network({ [AS]: { ...METADATA, issuer: 'https://evil.example' } });
      await assert.rejects(kit.discoverAuthorizationServerMetadata(ISSUER, { fetchFn }), /Issuer mismatch/);
      assert.equal((await kit.discoverAuthorizationServerMetadata(ISSUER, { fetchFn, skipIssuerValidation: true })).issuer, 'https://evil.example');
    });

    it('takes no resource that is only near the server, unless the program does', async () => {
      for (const resource of ['https://mcp.example/v1', 'https://mcp.example', `${SERVER}/x`, 'https://evil.example/v1/mcp']) {
        const routes = { [PRM]: { ...RESOURCE, resource } };
        await refused(kit, { routes }, /does not match expected/);
        const members = { validateResourceURL: async (_, published) => new URL(published) };
        assert.equal((await flow(kit, { routes, members })).outcome, 'REDIRECT');
      }
      const routes = { [PRM]: 404, [ROOT]: { ...RESOURCE, resource: 'https://mcp.example' } };
      assert.equal((await flow(kit, { routes })).redirect[2].resource, 'https://mcp.example');
    });

    it('always says which server a token is for', async () => {
      const own = { ...METADATA, issuer: 'https://mcp.example', authorization_endpoint: 'https://mcp.example/authorize', token_endpoint: 'https://mcp.example/token' };
      const routes = { [PRM]: 404, [OWN]: own, 'POST https://mcp.example/token': { access_token: 't', token_type: 'Bearer' } };
      const { redirect } = await flow(kit, { routes });
      assert.equal(redirect[2].resource, SERVER);
      const { requests } = await flow(kit, { routes, kept: { client, verifier: 'v' }, options: { authorizationCode: 'code' } });
      assert.equal(new URLSearchParams(requests.at(-1).body).get('resource'), SERVER);
    });

    it('assumes no endpoints unless the program says so', async () => {
      const routes = { [PRM]: 404 };
      await refused(kit, { routes }, /publishes no authorization server metadata; set `assumeEndpoints`/);
      const { redirect } = await flow(kit, { routes, members: { assumeEndpoints: true } });
      assert.equal(redirect[1], 'https://mcp.example/authorize');
    });

    it('takes the code to the assumed endpoint, whether the program keeps what was found or not', async () => {
      for (const keeps of [false, true]) {
        let found, verifier;
        const members = { assumeEndpoints: true, saveCodeVerifier: (made) => (verifier = made), ...(keeps && { discoveryState: () => found, saveDiscoveryState: (state) => (found = state) }) };
        const routes = { [PRM]: 404, 'POST https://mcp.example/token': { access_token: 't', token_type: 'Bearer' } };
        await flow(kit, { routes, members });
        const { outcome, asked } = await flow(kit, { routes, members, kept: { client, verifier }, options: { authorizationCode: 'code' } });
        assert.deepEqual([outcome, asked.at(-1)], ['AUTHORIZED', 'POST https://mcp.example/token']);
      }
    });

    it('gives a code to nobody if another issuer sent the user back, and shows none of its errors', async () => {
      const options = { authorizationCode: 'code', iss: 'https://evil.example' };
      await refused(kit, { kept: { client, verifier: 'v' }, options }, /Issuer mismatch in authorization response/);
      const found = { authorizationServerUrl: ISSUER, authorizationServerMetadata: METADATA, resourceMetadata: RESOURCE };
      for (const answer of ['code=c', 'error=access_denied&error_description=buy+this']) {
        const authProvider = new Provider({ client, verifier: 'v' }, { discoveryState: () => found });
        const { requests, fetchFn } = network(ROUTES);
        const transport = new Transport(new URL(SERVER), { authProvider, fetch: fetchFn });
        const back = new URLSearchParams(`${answer}&iss=https://evil.example`);
        await assert.rejects(transport.finishAuth(back), (error) => /Issuer mismatch/.test(error.message) && !/buy this/.test(error.message));
        assert.deepEqual(requests, []);
      }
    });

    it('gives a code to no other authorization server than the user was sent to', async () => {
      const provider = new Provider({ client });
      // All that is kept meanwhile.
      provider.saveCodeVerifier = (verifier) => (provider.kept.verifier = verifier);
      const good = network(ROUTES);
      assert.equal(await kit.auth(provider, { serverUrl: SERVER, fetchFn: good.fetchFn }), 'REDIRECT');
      const evil = network({
        [PRM]: { ...RESOURCE, authorization_servers: ['https://evil.example'] },
        'GET https://evil.example/.well-known/oauth-authorization-server': { ...METADATA, issuer: 'https://evil.example', token_endpoint: 'https://evil.example/token' },
        'POST https://evil.example/token': { access_token: 'x', token_type: 'Bearer' },
      });
      // A client that is not bound to an issuer would be shown to both.
      provider.kept.client = client;
      const back = kit.auth(provider, { serverUrl: SERVER, fetchFn: evil.fetchFn, authorizationCode: 'code' });
      await assert.rejects(back, /Authorization server mismatch/);
      assert.ok(evil.requests.every(({ request }) => !request.startsWith('POST')));
    });
  });

  describe(`a server that points elsewhere, by the names of ${line}`, () => {
    it('leads into no private network and not to this machine', async () => {
      const places = ['https://10.0.0.1', 'https://192.168.1.1/login', 'https://169.254.169.254/latest', 'https://127.0.0.1:8443', 'http://localhost:9', 'https://[fd00::1]', 'https://[::ffff:10.0.0.1]'];
      for (const place of places) {
        const { asked } = await refused(kit, { routes: { [PRM]: { ...RESOURCE, authorization_servers: [place] } } }, /points (at this machine|into a network)/);
        assert.deepEqual(asked, [PRM]);
        for (const member of ['token_endpoint', 'authorization_endpoint', 'registration_endpoint']) {
          const url = `${place}/x`;
          // Plain HTTP has an error of its own.
          if (url.startsWith('http:') && member !== 'token_endpoint') continue;
          const { asked: all } = await refused(kit, { routes: { [AS]: { ...METADATA, [member]: url } } }, /points (at this machine|into a network)/);
          assert.deepEqual(all, [PRM, AS]);
        }
      }
    });

    it('leads into the private networks that the program opens, and into no others', async () => {
      const members = { privateNetworks: true };
      const inside = { ...METADATA, issuer: 'https://10.0.0.1', authorization_endpoint: 'https://10.0.0.1/authorize', token_endpoint: 'https://10.0.0.1/token' };
      const routes = { [PRM]: { ...RESOURCE, authorization_servers: ['https://10.0.0.1'] }, 'GET https://10.0.0.1/.well-known/oauth-authorization-server': inside };
      assert.equal((await flow(kit, { routes, members })).redirect[1], 'https://10.0.0.1/authorize');
      const metadata = { [PRM]: { ...RESOURCE, authorization_servers: ['https://169.254.169.254'] } };
      await refused(kit, { routes: metadata, members }, /points into a network/);
    });

    it('is not followed when it redirects to an address inside', async () => {
      const away = () => new Response(null, { status: 302, headers: { location: 'https://10.0.0.1/inside' } });
      for (const routes of [{ [PRM]: away, [ROOT]: away }, { [AS]: away, [OPENID]: away }]) {
        const { asked } = await refused(kit, { routes }, /publishes no authorization server metadata/);
        assert.equal(asked.some((request) => request.includes('10.0.0.1')), false);
      }
    });

    it('gets credentials at the URL it names, and nowhere else', async () => {
      for (const path of ['/token', '/register']) {
        const asked = [];
        const away = (req, res) => (asked.push(req.url), res.writeHead(307, { location: `http://${req.headers.host}/elsewhere` }).end());
        await playing({ [path]: away, '/elsewhere': away }, async (serverUrl) => {
          const kept = path === '/token' ? { client, verifier: 'v' } : {};
          const options = { serverUrl, fetchFn: fetch, ...(path === '/token' && { authorizationCode: 'code' }) };
          assert.match((await flow(kit, { kept, options })).message, /elsewhere not followed|rejected \(HTTP 307\)/);
        });
        assert.deepEqual(asked, [path]);
      }
    });
  });

  describe(`an answer that does not end, by the names of ${line}`, () => {
    for (const [large, given] of [
      ['/.well-known/oauth-authorization-server', {}],
      ['/token', { kept: { client, verifier: 'v' }, options: { authorizationCode: 'code' } }],
      ['/register', { kept: {} }],
    ]) {
      it(`is cut off: ${large}`, async () => {
        const sent = await sending(large, async (serverUrl) => {
          const { message } = await flow(kit, { ...given, options: { ...given.options, serverUrl, fetchFn: fetch } });
          assert.match(message, /was cut off: it may have 262144 bytes/);
        });
        assert.ok(sent < WHOLE / 4, `${sent} bytes were sent`);
      });
    }

    it('is given up, whatever is asked', async () => {
      for (const given of [{}, { kept: { client, verifier: 'v' }, options: { authorizationCode: 'code' } }, { kept: {} }]) {
        const { fetchFn, requests } = network(ROUTES);
        const signals = [];
        const options = { ...given.options, fetchFn: (url, init) => (signals.push(init.signal), fetchFn(url, init)) };
        await flow(kit, { ...given, options });
        assert.ok(requests.length > 1 && signals.length === requests.length && signals.every((signal) => signal instanceof AbortSignal));
      }
    });

    it('is cut off where the resource publishes it, too', async () => {
      const sent = await sending('/.well-known/oauth-protected-resource', async (serverUrl) => {
        await assert.rejects(kit.discoverOAuthProtectedResourceMetadata(serverUrl), /was cut off/);
      });
      assert.ok(sent < WHOLE / 4, `${sent} bytes were sent`);
    });
  });
}
