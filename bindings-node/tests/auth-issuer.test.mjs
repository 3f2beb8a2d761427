// Answers that name the issuer (RFC 9207): the routers of `server-legacy`, the official one and ours.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import express from 'express';
import * as official from '@modelcontextprotocol/server-legacy/auth';
import * as ours from 'mcpbolt/server-legacy/auth';
import { mcpAuthRouter as routerOf1 } from 'mcpbolt/server/auth/router.js';
import { ask, listen } from './support/http.mjs';

const BACK = 'https://c/back?kept=1';
const GOOD = { client_id: 'c', response_type: 'code', code_challenge: 'x', code_challenge_method: 'S256' };
const at = (values) => ({ method: 'GET', path: `/authorize?${new URLSearchParams({ ...GOOD, ...values })}` });
const REQUESTS = [
  at({}),
  at({ state: 'denied' }),
  at({ state: 'page' }),
  at({ state: 'named' }),
  at({ response_type: 'token' }),
  { method: 'GET', path: '/.well-known/oauth-authorization-server' },
];

function provider(kit, asked, more) {
  return {
    clientsStore: { getClient: async () => ({ client_id: 'c', redirect_uris: [BACK] }) },
    async authorize(client, { state, issuer }, res) {
      asked.push(issuer);
      if (state === 'denied') throw Object.assign(new kit.AccessDeniedError('no'));
      if (state === 'page') return res.redirect('https://me/consent');
      res.redirect(302, `${BACK}&code=1${state === 'named' ? '&iss=https%3A%2F%2Fother' : ''}`);
    },
    ...more,
  };
}

async function seen(kit, router, more = {}) {
  const asked = [];
  const app = express().set('env', 'test');
  app.use(router({ provider: provider(kit, asked, more), issuerUrl: new URL('https://me/') }));
  const web = await listen(app);
  const answers = [];
  for (const request of REQUESTS) {
    const { status, headers, body } = await ask(web.port, request);
    answers.push({ status, location: headers.location, body: body.startsWith('{') ? JSON.parse(body) : '' });
  }
  await web.close();
  return { answers, asked };
}

describe('issuers in answers', () => {
  it('are named as the official package names them', async () => {
    const own = await seen(ours, ours.mcpAuthRouter);
    assert.deepEqual(own, await seen(official, official.mcpAuthRouter));
    assert.equal(new URL(own.answers[0].location).searchParams.get('iss'), 'https://me/');
    assert.equal(own.answers.at(-1).body.authorization_response_iss_parameter_supported, true);
  });

  it('are not claimed where the provider says that it does not name them', async () => {
    const more = { authorizationResponseIssParameterSupported: false };
    const own = await seen(ours, ours.mcpAuthRouter, more);
    assert.deepEqual(own.answers.at(-1), (await seen(official, official.mcpAuthRouter, more)).answers.at(-1));
    assert.equal(new ours.ProxyOAuthServerProvider({ endpoints: {} }).authorizationResponseIssParameterSupported, false);
  });

  it('are not there in 1.x', async () => {
    const { answers, asked } = await seen(ours, routerOf1);
    assert.deepEqual(asked, [undefined, undefined, undefined, undefined]);
    assert.equal(answers.some(({ location }) => location?.includes('iss=https%3A%2F%2Fme')), false);
  });
});
