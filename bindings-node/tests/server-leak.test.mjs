// No leak: after a warm-up, many more calls change memory by less than 8 MB, and
// descriptors, threads, calls and what is kept of them not at all. With MCPBOLT_TEST_FULL
// 100,000 calls, otherwise a twentieth.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Program } from './support/process.mjs';

const FULL = Boolean(process.env.MCPBOLT_TEST_FULL);
const [WARM_UP, CALLS] = FULL ? [10_000, 100_000] : [1_000, 5_000];
const TIME = FULL ? 600_000 : 60_000;
const MEMORY = 8 << 20;
const AT_ONCE = 50;
// V8 lets its nursery grow for as long as a program runs; that is no leak.
const node = ['--max-semi-space-size=1'];
const NAMES = ['echo', 'plain', 'tell', 'fail'];
const skip = process.platform === 'linux' ? false : 'counts come from /proc';

function compare(what, before, after) {
  const changes = Object.fromEntries(Object.keys(after).map((name) => [name, after[name] - before[name]]));
  const { memory, ...others } = changes;
  console.log(`${what}: ${CALLS} calls, memory ${(memory / 1e6).toFixed(2)} MB, all else ${JSON.stringify(others)}`);
  assert.ok(memory < MEMORY, `${what}: ${memory} bytes more`);
  assert.ok(Object.values(others).every((change) => change <= 0), `${what}: ${JSON.stringify(others)}`);
}

test('nothing_is_left_behind: standard streams', { skip, timeout: TIME }, async () => {
  const program = new Program("process.argv[2] = 'stdio'; await import('./programs/counted-server.mjs')", { node });
  await program.open();
  assert.equal((await program.call('late')).result.content[0].text, 'timeout');
  const load = async (calls) => {
    for (let done = 0; done < calls; done += AT_ONCE) {
      program.lines.length = 0;
      const each = Array.from({ length: AT_ONCE }, (_, at) => ({ id: done + at, method: 'tools/call', params: { name: NAMES[at % 4], arguments: { text: `call ${at}` } } }));
      program.say(...each);
      await program.until(() => program.lines.filter((line) => line.includes('"id":')).length >= AT_ONCE);
    }
    program.lines.length = 0;
    return JSON.parse((await program.call('count')).result.content[0].text);
  };
  let before = await load(WARM_UP);
  let after = await load(CALLS);
  // What V8 keeps for a while is no leak: that would grow by as much again.
  if (after.memory - before.memory >= MEMORY) [before, after] = [after, await load(CALLS)];
  compare('server, stdio', before, after);
  program.child.stdin.end();
  assert.deepEqual(await program.end(), { code: 0, signal: null });
});

// What lives as long as a call is garbage of the young: as soon as one dead object of the old
// ones points at it, each collection keeps a part, until a full one.
test('calls_die_young: what they leave does not become old', { timeout: TIME }, async () => {
  const program = new Program("process.argv[2] = 'stdio'; await import('./programs/counted-server.mjs')", { node });
  await program.open();
  const old = async () => Number((await program.call('old')).result.content[0].text);
  const load = async (calls) => {
    for (let done = 0; done < calls; done += AT_ONCE) {
      program.lines.length = 0;
      program.say(...Array.from({ length: AT_ONCE }, (_, at) => ({ id: done + at, method: 'tools/call', params: { name: NAMES[at % 2], arguments: { text: `call ${at}` } } })));
      await program.until(() => program.lines.filter((line) => line.includes('"id":')).length >= AT_ONCE);
    }
  };
  await load(5_000);
  await program.call('count');
  const before = await old();
  await load(5_000);
  const each = ((await old()) - before) / 5_000;
  console.log(`server, stdio: ${each.toFixed(0)} bytes of a call become old`);
  assert.ok(each < 150, `${each} bytes of each call`);
  program.child.stdin.end();
  assert.deepEqual(await program.end(), { code: 0, signal: null });
});

test('nothing_is_left_behind: endpoints over HTTP that are closed', { timeout: TIME }, async () => {
  const text = `
    import { setImmediate as turn } from 'node:timers/promises';
    import { createHttpHandler } from 'mcpbolt/server/http.js';
    import { Server } from 'mcpbolt/server/index.js';
    const left = new Map();
    const serve = async (name, open) => {
      const server = new Server({ name, version: '1' }, { capabilities: { tools: {} } });
      left.set(name, new WeakRef(server));
      const endpoint = await open(server);
      await endpoint.close();
    };
    const options = { fallback: () => new Response('page'), verify: () => null };
    for (const count of [1, 2]) {
      await serve('listener ' + count, (server) => server.listen(options));
      await serve('handler ' + count, (server) => createHttpHandler(server, { verify: () => null }));
    }
    for (let turns = 0; turns < 200 && left.size > 0; turns++) {
      await turn();
      gc();
      for (const [name, server] of left) if (server.deref() === undefined) left.delete(name);
    }
    console.log(JSON.stringify([...left.keys()]));`;
  const program = new Program(text, { node: [...node, '--expose-gc'] });
  assert.deepEqual(await program.end(TIME), { code: 0, signal: null }, program.errors);
  assert.deepEqual(program.messages, [[]]);
});

test('nothing_is_left_behind: short connections, one server and a server each', { skip, timeout: TIME }, async () => {
  const program = new Program(`process.argv.splice(2, 9, '${WARM_UP}', '${CALLS}'); await import('./programs/counted-connections.mjs')`, { node });
  assert.deepEqual(await program.end(TIME), { code: 0, signal: null }, program.errors);
  compare('server, connections', ...program.messages.at(-1));
});
