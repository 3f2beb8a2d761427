// What attackers send to a server that has users sign in: refused, with the right status, and nothing
// repeated where others read it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { InvalidTokenError } from 'mcpbolt/server/auth/errors.js';
import { requireBearerAuth } from 'mcpbolt/server/auth/middleware/bearerAuth.js';
import { mcpAuthRouter } from 'mcpbolt/server/auth/router.js';
import { createHttpHandler } from 'mcpbolt/server/http.js';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { ask, listen } from './support/http.mjs';

const CANARY = 'c4n4ry-c4n4ry';
const BACK = 'https://client.example/back';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const INITIALIZE = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } } };
const PING = { jsonrpc: '2.0', id: 2, method: 'ping' };
const MESSAGE = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/** Tokens are `TOKEN of WHO`, and say who they are for. */
const verifier = {
  async verifyAccessToken(token) {
    const [, who] = /^good-(\w+)/.exec(token) ?? [];
    if (who === undefined) throw new InvalidTokenError('it is not known');
    return { token, clientId: 'editor', scopes: ['notes'], expiresAt: Date.now() / 1e3 + 60, extra: { sub: who } };
  },
};

/** An authorization server with one client, and a guarded server beside it; `asked` is whom users were asked for. */
async function started() {
  const asked = [];
  const provider = {
    ...verifier,
    clientsStore: { getClient: async (id) => (id === 'open' ? { client_id: 'open', redirect_uris: [BACK] } : undefined) },
    async authorize(client, params, res) {
      asked.push(params);
      const back = new URL(params.redirectUri);
      back.searchParams.set('code', 'new');
      if (params.state !== undefined) back.searchParams.set('state', params.state);
      res.redirect(back.href);
    },
    challengeForAuthorizationCode: async () => CHALLENGE,
    exchangeAuthorizationCode: async () => ({ access_token: 'good-ann', token_type: 'bearer', expires_in: 60 }),
    exchangeRefreshToken: async () => ({ access_token: 'good-ann', token_type: 'bearer' }),
  };
  const app = express().set('env', 'test');
  app.use(mcpAuthRouter({ provider, issuerUrl: new URL('https://me.example/') }));
  app.all('/mcp', requireBearerAuth({ verifier, requiredScopes: ['notes'] }), createHttpHandler(new McpServer({ name: 'guarded', version: '1' })));
  return { asked, ...(await listen(app)) };
}

function authorization(changed) {
  const given = { client_id: 'open', redirect_uri: BACK, response_type: 'code', code_challenge: CHALLENGE, code_challenge_method: 'S256', state: 'st', ...changed };
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return { method: 'GET', path: `/authorize?${new URLSearchParams(named)}` };
}

/** What a program of its own does with every token there is. */
async function requestsWithSecrets() {
  const server = await started();
  for (const token of [`good-${CANARY}`, CANARY, `${CANARY} ${CANARY}`]) {
    const headers = { ...MESSAGE, authorization: `Bearer ${token}` };
    const answer = await ask(server.port, { path: '/mcp', headers, body: JSON.stringify(INITIALIZE) });
    assert.ok(!JSON.stringify([answer.headers, answer.body]).includes(CANARY));
  }
  await server.close();
  console.log('done');
}

if (process.argv[2] === 'requests') await requestsWithSecrets();
else describe('attackers', () => {
  it('have no user sent to an address that is not registered', async () => {
    const server = await started();
    for (const redirect_uri of [
      'https://evil.example/back',
      'https://client.example.evil.example/back',
      'https://client.example@evil.example/back',
      'https://evil.example#https://client.example/back',
      'https://client.example:8443/back',
      'http://client.example/back',
      'https://client.example/back/../steal',
      'https://client.example/back/',
      'https://client.example/back?next=https://evil.example',
      'https://client.example/BACK',
      '//evil.example/back',
      'javascript:alert(1)',
      'https://evil.example\\@client.example/back',
    ]) {
      const { status, headers } = await ask(server.port, authorization({ redirect_uri }));
      assert.deepEqual([status, headers.location], [400, undefined], redirect_uri);
    }
    await server.close();
    assert.deepEqual(server.asked, []);
  });

  it('do not talk PKCE down', async () => {
    const server = await started();
    for (const changed of [
      { code_challenge_method: 'plain' },
      { code_challenge_method: 'plain', code_challenge: VERIFIER },
      { code_challenge_method: 'S512' },
      { code_challenge_method: undefined },
      { code_challenge: undefined },
      { code_challenge: undefined, code_challenge_method: undefined },
    ]) {
      const { status, headers } = await ask(server.port, authorization(changed));
      const back = new URL(headers.location).searchParams;
      assert.deepEqual([status, back.get('error'), back.get('code')], [302, 'invalid_request', null], JSON.stringify(changed));
    }
    await server.close();
    assert.deepEqual(server.asked, []);
  });

  it('get nothing for a code that was not made for them', async () => {
    const server = await started();
    const good = { grant_type: 'authorization_code', code: 'new', client_id: 'open', redirect_uri: BACK, code_verifier: VERIFIER };
    for (const changed of [{ code_verifier: 'w'.repeat(43) }, { code_verifier: CHALLENGE }, { code_verifier: '' }, { client_id: 'nobody' }]) {
      const body = new URLSearchParams({ ...good, ...changed }).toString();
      const answer = await ask(server.port, { path: '/token', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body });
      assert.equal(answer.status, 400, JSON.stringify(changed));
      assert.ok(!answer.body.includes('access_token') && !answer.body.includes(VERIFIER), answer.body);
    }
    await server.close();
  });

  it('write no header of their own', async () => {
    const server = await started();
    const { status, headers } = await ask(server.port, authorization({ state: 'st\r\nX-Evil: 1\r\n\r\n<script>' }));
    await server.close();
    assert.equal(status, 302);
    assert.equal(headers['x-evil'], undefined);
    assert.doesNotMatch(headers.location, /[\r\n<]/);
  });

  it('get nothing for a stolen session id', async () => {
    const server = await started();
    const mine = { ...MESSAGE, authorization: 'Bearer good-ann' };
    const opened = await ask(server.port, { path: '/mcp', headers: mine, body: JSON.stringify(INITIALIZE) });
    const session = { 'mcp-session-id': opened.headers['mcp-session-id'] };
    assert.equal(opened.status, 200);
    for (const [who, expected] of [[{}, 401], [{ authorization: 'Bearer nonsense' }, 401], [{ authorization: 'Bearer good-eve' }, 404]]) {
      for (const [method, body] of [['POST', JSON.stringify(PING)], ['GET'], ['DELETE']]) {
        const stolen = await ask(server.port, { method, path: '/mcp', headers: { ...MESSAGE, ...who, ...session }, body });
        assert.equal(stolen.status, expected, `${method} ${JSON.stringify(who)}`);
        assert.ok(!stolen.body.includes(session['mcp-session-id']));
      }
    }
    const after = await ask(server.port, { path: '/mcp', headers: { ...mine, ...session }, body: JSON.stringify(PING) });
    await server.close();
    assert.equal(after.status, 200);
  });

  it('find no token in what is logged', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcpbolt-attacks-'));
    const frames = join(folder, 'frames.jsonl');
    const env = { ...process.env, MCPBOLT_TRACE: frames, NODE_DEBUG: 'mcpbolt' };
    const program = spawn(process.execPath, [fileURLToPath(import.meta.url), 'requests'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [said, logged] = await Promise.all([text(program.stdout), text(program.stderr)]);
    const written = readFileSync(frames, 'utf8');
    rmSync(folder, { recursive: true, force: true });
    assert.match(said, /^done$/m, logged);
    assert.match(written, /guarded/, 'no frame was written');
    assert.ok(!(said + logged + written).includes(CANARY));
  });
});
