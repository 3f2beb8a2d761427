// The same requests to the official transport and to ours: status, headers and body are the
// same. Ours is tried with the engine behind it, with a program between the two, and under
// the official server.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { HEADERS, mixed, official, opening, ours, oursWrapped, single, Store, stripped } from './support/http.mjs';

const S = { 'mcp-session-id': 'session-1' };
const V = { 'mcp-protocol-version': '2025-11-25' };
const call = (name, id = 1, given = {}) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } });
const counting = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'count', _meta: { progressToken: 9 } } };
const ping = (id) => ({ jsonrpc: '2.0', id, method: 'ping' });
const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
const raw = (body, headers = {}) => (app) => app.ask({ headers: { ...HEADERS, ...headers }, body });
const post = (message, headers = {}) => (app) => app.post(message, { ...S, ...headers });
const get = (headers = {}, until) => (app) => app.ask({ method: 'GET', headers: { accept: 'text/event-stream', ...S, ...headers }, until });
const begun = () => true;

/** Name, options of the transport, and what is done once there is a session. */
const SCENARIOS = [
  ['PUT', {}, [(app) => app.ask({ method: 'PUT' })]],
  ['PATCH', {}, [(app) => app.ask({ method: 'PATCH', headers: S, body: '{}' })]],
  ['OPTIONS', {}, [(app) => app.ask({ method: 'OPTIONS' })]],
  ['no Accept', {}, [(app) => app.ask({ headers: { 'content-type': 'application/json', ...S }, body: JSON.stringify(ping(1)) })]],
  ['Accept of JSON alone', {}, [post(ping(1), { accept: 'application/json' })]],
  ['Accept of events alone', {}, [post(ping(1), { accept: 'text/event-stream' })]],
  ['Accept with weights', {}, [post(ping(1), { accept: 'text/event-stream;q=0.5, application/json;q=0.9' })]],
  ['Accept of anything', {}, [post(ping(1), { accept: '*/*' })]],
  ['no Content-Type', {}, [(app) => app.ask({ headers: { accept: HEADERS.accept, ...S }, body: JSON.stringify(ping(1)) })]],
  ['text/plain', {}, [post(ping(1), { 'content-type': 'text/plain' })]],
  ['application/json with charset', {}, [post(ping(1), { 'content-type': 'application/json; charset=utf-8' })]],
  ['application/json in capitals', {}, [post(ping(1), { 'content-type': 'Application/JSON' })]],
  ['application/json in a parameter', {}, [post(ping(1), { 'content-type': 'text/plain; a=application/json' })]],
  ['a parameter cut short', {}, [post(ping(1), { 'content-type': 'application/json;' })]],
  ['application/jsonx', {}, [post(ping(1), { 'content-type': 'application/jsonx' })]],
  ['no JSON', {}, [raw('{"jsonrpc":', S)]],
  ['an empty body', {}, [raw('', S)]],
  ['JSON that is no message', {}, [raw('{"hello":1}', S), raw('5', S), raw('null', S), raw('"x"', S)]],
  ['jsonrpc of another version', {}, [raw('{"jsonrpc":"1.0","id":1,"method":"ping"}', S)]],
  ['members nobody knows', {}, [raw('{"jsonrpc":"2.0","id":1,"method":"ping","x":1}', S)]],
  ['params that are an array', {}, [raw('{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', S)]],
  ['ids of wrong kinds', {}, [raw('{"jsonrpc":"2.0","id":null,"method":"ping"}', S), raw('{"jsonrpc":"2.0","id":1.5,"method":"ping"}', S)]],
  ['a progress token of a wrong kind', {}, [raw('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":true}}}', S)]],
  ['an id that is a text', {}, [post(ping('é-1'))]],
  ['no session', {}, [(app) => app.post(ping(1))]],
  ['another session', {}, [(app) => app.post(ping(1), { 'mcp-session-id': 'other' })]],
  ['initialize again', {}, [post(opening()), (app) => app.post(opening())]],
  ['a known revision', {}, [post(ping(1), { 'mcp-protocol-version': '2025-06-18' })]],
  ['the oldest revision', {}, [post(ping(1), { 'mcp-protocol-version': '2024-10-07' })]],
  ['a revision nobody knows', {}, [post(ping(1), { 'mcp-protocol-version': '1999-01-01' }), get({ 'mcp-protocol-version': 'x' })]],
  ['ping', {}, [post(ping(1), V)]],
  ['a call', {}, [post(call('echo', 1, { text: 'hällo\nwörld' }), V)]],
  ['a notification', {}, [post(ready, V)]],
  ['an answer to nothing', {}, [post({ jsonrpc: '2.0', id: 99, result: {} }), post({ jsonrpc: '2.0', id: 99, error: { code: 1, message: 'no' } })]],
  ['an unknown method', {}, [post({ jsonrpc: '2.0', id: 1, method: 'no/such' })]],
  ['a call that notifies', {}, [post(call('notify'), V)]],
  ['a call that closes its stream, nothing kept', {}, [post(call('close'), V)]],
  ['a batch', {}, [post([ping(1), ready, ping('two')])]],
  ['a batch of notifications', {}, [post([ready, ready])]],
  ['an empty batch', {}, [post([])]],
  ['a batch with a stranger', {}, [post([ping(1), { x: 1 }])]],
  ['a batch of 101', {}, [post(Array.from({ length: 101 }, (_, id) => ping(id)))]],
  ['initialize in a batch', { fresh: true }, [(app) => app.post([opening(), ping(1)])]],
  ['a request before initialize', { fresh: true }, [(app) => app.post(ping(1)), get(), (app) => app.ask({ method: 'DELETE' })]],
  ['initialize without what it needs', { fresh: true }, [(app) => app.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} })]],
  ['initialize of older revisions', { fresh: true }, [(app) => app.post(opening('2024-11-05'))]],
  ['initialize of a revision to come', { fresh: true }, [(app) => app.post(opening('2099-01-01'), { 'mcp-protocol-version': '2099-01-01' })]],
  ['GET', {}, [get({}, begun)]],
  ['GET without Accept', {}, [get({ accept: 'application/json' })]],
  ['GET of no session', {}, [(app) => app.ask({ method: 'GET', headers: { accept: 'text/event-stream' } })]],
  ['GET of another session', {}, [get({ 'mcp-session-id': 'other' })]],
  ['GET with an event, nothing kept', {}, [get({ 'last-event-id': 'x' }, begun)]],
  ['DELETE', {}, [(app) => app.ask({ method: 'DELETE', headers: S }), post(ping(1)), get()]],
  ['DELETE of no session', {}, [(app) => app.ask({ method: 'DELETE' }), post(ping(1))]],
  ['DELETE of another session', {}, [(app) => app.ask({ method: 'DELETE', headers: { 'mcp-session-id': 'x' } }), post(ping(1))]],
  ['DELETE in a revision nobody knows', {}, [(app) => app.ask({ method: 'DELETE', headers: { ...S, 'mcp-protocol-version': 'x' } })]],
  ['JSON: a call', { enableJsonResponse: true }, [post(call('echo', 1, { text: 'x' }), V)]],
  ['JSON: a call that notifies', { enableJsonResponse: true }, [post(call('notify'), V)]],
  ['JSON: a batch', { enableJsonResponse: true }, [post([call('notify', 'a'), ping('b'), ready])]],
  ['JSON: an unknown method', { enableJsonResponse: true }, [post({ jsonrpc: '2.0', id: 1, method: 'no/such' })]],
  ['JSON: a notification', { enableJsonResponse: true }, [post(ready)]],
  ['a body that is too large', { maxRequestBodySize: 300 }, [post(call('echo', 1, { text: 'x'.repeat(500) })), post(ping(2))]],
  ['the host guard', { enableDnsRebindingProtection: true, allowedHosts: ['good'] }, [post(ping(1), { host: 'evil' }), post(ping(1), { host: 'good' })], { host: 'good' }],
  ['the origin guard', { enableDnsRebindingProtection: true, allowedOrigins: ['http://good'] }, [post(ping(1), { origin: 'http://evil' }), post(ping(1), { origin: 'http://good' }), post(ping(1))]],
  ['guards that are off', { allowedHosts: ['good'] }, [post(ping(1), { host: 'evil' })]],
  ['without sessions', { sessionIdGenerator: undefined, fresh: true }, [(app) => app.post(call('echo', 1, { text: 'x' }))]],
  ['without sessions: a second request', { sessionIdGenerator: undefined, fresh: true }, [(app) => app.post(ping(1)), (app) => app.post(ping(2))]],
  ['without sessions: initialize', { sessionIdGenerator: undefined, fresh: true }, [(app) => app.post(opening())]],
  ['without sessions: GET', { sessionIdGenerator: undefined, fresh: true }, [get({}, begun)]],
  ['without sessions: DELETE', { sessionIdGenerator: undefined, fresh: true }, [(app) => app.ask({ method: 'DELETE' })]],
  ['without sessions: any session', { sessionIdGenerator: undefined, fresh: true }, [(app) => app.post(ping(1), { 'mcp-session-id': 'any' })]],
  ['what a handler knows of its request', {}, [post(call('who'), { 'x-test': 'seen' })]],
  ['kept: ping', { store: true }, [post(ping(1), V), post(ping(2))]],
  ['kept: a call that notifies', { store: true, retryInterval: 500 }, [post(call('notify'), V)]],
  ['kept: a call that notifies three times at once', { store: true }, [post(counting, V)]],
  ['a call that notifies three times at once', {}, [post(counting, V)]],
  ['kept: a call that closes its stream', { store: true }, [post(call('close'), V)]],
  ['kept: an unknown event', { store: true }, [get({ 'last-event-id': 'nope' })]],
  ['kept: JSON', { store: true, enableJsonResponse: true }, [post(call('notify'), V)]],
];

async function run(kit, options, steps, headers = {}) {
  const { fresh, store, ...rest } = options;
  const events = store ? new Store() : undefined;
  const app = await single(kit, { ...rest, ...(events ? { eventStore: events } : {}) });
  try {
    const seen = [];
    if (!fresh) await app.post(opening(), headers);
    for (const step of steps) {
      const { status, headers, body } = await step(app);
      const names = ['content-type', 'allow', 'mcp-session-id', 'cache-control', 'x-accel-buffering'];
      const known = Object.fromEntries(names.map((name) => [name, headers[name]]));
      seen.push({ status, ...known, body: stripped(body) });
    }
    return { seen, store: events?.calls, sessionId: app.transport.sessionId };
  } finally {
    await app.close();
  }
}

describe('the official transport and ours', () => {
  for (const [name, options, steps, headers] of SCENARIOS) {
    describe(name, () => {
      let expected;
      before(async () => (expected = await run(official, options, steps, headers)));
      for (const kit of [ours, oursWrapped, mixed]) {
        it(kit.name, async () => assert.deepEqual(await run(kit, options, steps, headers), expected));
      }
    });
  }
});
