// Scopes that a token needs for single tools, over each way in which HTTP reaches a server.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomUUID } from 'node:crypto';
import express from 'express';
import { createHttpHandler } from 'mcpbolt/server/http.js';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { requireBearerAuth } from 'mcpbolt/server/auth/middleware/bearerAuth.js';
import { SSEServerTransport } from 'mcpbolt/server/sse.js';
import { StreamableHTTPServerTransport } from 'mcpbolt/server/streamableHttp.js';
import * as two from 'mcpbolt/v2/server';
import { extractWWWAuthenticateParams } from 'mcpbolt/client/auth.js';
import { ask, HEADERS, listen, messagesOf, opening, within } from './support/http.mjs';

const ABOUT = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';
/** Tokens that are their scopes. */
const verifier = {
  verifyAccessToken: async (token) => ({ token, clientId: 'editor', scopes: token.split('+'), expiresAt: Date.now() / 1000 + 60 }),
};
const guard = requireBearerAuth({ verifier, requiredScopes: ['notes'], resourceMetadataUrl: ABOUT });
const text = (said) => () => ({ content: [{ type: 'text', text: said }] });

function files(Server = McpServer) {
  const server = new Server({ name: 'files', version: '1.0.0' });
  server.registerTool('look', {}, text('looked'));
  server.registerTool('write', { scopes: ['files:read', 'files:write'] }, text('written'));
  return server;
}

const call = (name) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } });
const bearer = (token) => ({ ...HEADERS, authorization: `Bearer ${token}` });

/** What a call is answered, and the session if there is one. */
async function asked(web, body, token, more = {}) {
  return ask(web.port, { headers: { ...bearer(token), ...more }, body: JSON.stringify(body) });
}

/** A transport of 1.x for one session; `around` puts the program between transport and server. */
async function session(around) {
  const server = files();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID() });
  around?.(transport);
  await server.connect(transport);
  const app = express();
  app.use(guard);
  app.all('/mcp', (req, res) => transport.handleRequest(req, res));
  const web = await listen(app);
  const opened = await asked(web, opening(), 'notes');
  return { web, more: { 'mcp-session-id': opened.headers['mcp-session-id'] }, close: () => server.close() };
}

const WAYS = {
  'createHttpHandler of 1.x': async () => {
    const app = express();
    const handler = createHttpHandler(files(), { sessions: 'none' });
    app.all('/mcp', guard, handler);
    return { web: await listen(app), more: {}, close: () => handler.close() };
  },
  'a transport of 1.x': () => session(),
  'the own listener': async () => {
    const server = files();
    const listener = await server.listen({
      sessions: 'none',
      verify: async ({ headers }) => {
        const sent = headers.get('authorization').slice(7);
        return { ...(await verifier.verifyAccessToken(sent)), resourceMetadataUrl: ABOUT };
      },
    });
    return { web: { port: listener.port, close: () => listener.close() }, more: {}, close: () => server.close() };
  },
  '2.x': async () => {
    const app = express();
    const handler = two.createMcpHandler(() => files(two.McpServer));
    const check = two.requireBearerAuth({ verifier, requiredScopes: ['notes'], resourceMetadataUrl: ABOUT });
    app.all('/mcp', express.text({ type: '*/*' }), async (req, res) => {
      const request = new Request(`http://127.0.0.1${req.url}`, { method: req.method, headers: req.headers, body: req.body });
      const authInfo = await check(request);
      const answer = authInfo instanceof Response ? authInfo : await handler.fetch(request, { authInfo });
      for (const [name, value] of answer.headers) res.set(name, value);
      res.status(answer.status).send(await answer.text());
    });
    return { web: await listen(app), more: {}, close: () => handler.close() };
  },
};

describe('scopes of a tool', () => {
  for (const [way, serve] of Object.entries(WAYS)) {
    it(`are asked for all at once, and suffice then: ${way}`, async () => {
      const { web, more, close } = await serve();
      const look = await asked(web, call('look'), 'notes', more);
      assert.equal(look.status, 200, look.body);
      const refused = await asked(web, call('write'), 'notes+files:read', more);
      assert.equal(refused.status, 403, refused.body);
      const challenge = refused.headers['www-authenticate'];
      const { scope, error, resourceMetadataUrl } = extractWWWAuthenticateParams(new Response(null, { headers: { 'www-authenticate': challenge } }));
      assert.equal(error, 'insufficient_scope');
      assert.equal(String(resourceMetadataUrl), ABOUT);
      assert.deepEqual(['files:read', 'files:write'].filter((one) => !scope.split(' ').includes(one)), []);
      const enough = await asked(web, call('write'), `notes+${scope.replaceAll(' ', '+')}`, more);
      assert.match(enough.body, /written/);
      const batch = await asked(web, [call('look'), { ...call('write'), id: 2 }], 'notes', more);
      assert.ok(batch.status >= 400 && !batch.body.includes('written'), `${batch.status} ${batch.body}`);
      await close();
      await web.close();
    });
  }

  it('hold where the program stands between transport and server', async () => {
    const { web, more, close } = await session((transport) => {
      const { send } = transport;
      transport.send = (...given) => send.apply(transport, given);
    });
    const refused = await asked(web, call('write'), 'notes', more);
    assert.match(refused.body, /files:write/);
    assert.doesNotMatch(refused.body, /written/);
    assert.match((await asked(web, call('write'), 'notes+files:read+files:write', more)).body, /written/);
    await close();
    await web.close();
  });

  it('hold over HTTP+SSE, which has accepted the message by then', async () => {
    const server = files();
    const app = express();
    let transport;
    app.use(guard);
    app.get('/sse', async (req, res) => {
      transport = new SSEServerTransport('/messages', res);
      await server.connect(transport);
    });
    app.post('/messages', (req, res) => transport.handlePostMessage(req, res));
    const web = await listen(app);
    const send = async (body) => ask(web.port, { path: `/messages?sessionId=${transport.sessionId}`, headers: bearer('notes'), body: JSON.stringify(body) });
    const stream = ask(web.port, { method: 'GET', path: '/sse', headers: bearer('notes'), until: (told) => told.includes('insufficient_scope') });
    await within((async () => { while (transport?.sessionId === undefined) await new Promise(setImmediate); })(), 'a session');
    await send(opening());
    assert.equal((await send(call('write'))).status, 202);
    const replies = messagesOf((await stream).body.replace(/^event: endpoint\n.*\n\n/m, ''));
    assert.match(replies.at(-1).error.data.challenge, /scope="files:read files:write"|scope="notes files:read files:write"/);
    await server.close();
    await web.close();
  });

  it('are there from the moment a tool is, and go with it', async () => {
    const server = files();
    const handler = createHttpHandler(server, { sessions: 'none' });
    const app = express();
    app.all('/mcp', guard, handler);
    const web = await listen(app);
    await asked(web, call('look'), 'notes');
    const purge = server.registerTool('purge', { scopes: ['admin'] }, text('purged'));
    assert.equal((await asked(web, call('purge'), 'notes')).status, 403);
    purge.update({ name: 'clean' });
    assert.equal((await asked(web, call('clean'), 'notes')).status, 403);
    assert.equal((await asked(web, call('purge'), 'notes')).status, 200, 'it is unknown now');
    await handler.close();
    await web.close();
  });

  it('hold from the moment they are set on what registering returned', async () => {
    const server = files();
    const purge = server.registerTool('purge', {}, text('purged'));
    const handler = createHttpHandler(server, { sessions: 'none' });
    const app = express();
    app.all('/mcp', guard, handler);
    const web = await listen(app);
    assert.equal((await asked(web, call('purge'), 'notes')).status, 200);
    purge.scopes = ['admin'];
    assert.equal((await asked(web, call('purge'), 'notes')).status, 403);
    purge.scopes = [];
    assert.equal((await asked(web, call('purge'), 'notes')).status, 200);
    await handler.close();
    await web.close();
  });

  it('are names of scopes', () => {
    assert.throws(() => files().registerTool('both', { scopes: ['a b'] }, text('')), /one by one/);
  });
});
