// Chapter deploy.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

// [guide] programs/reports-server.mjs

const program = fileURLToPath(new URL('programs/reports-server.mjs', import.meta.url));

test('each request stands alone, health and counters are there, and SIGTERM ends it in good order', async () => {
  const child = spawn(process.execPath, [program], { env: { ...process.env, PORT: '0', TOKEN: 'secret' }, stdio: ['ignore', 'inherit', 'pipe'] });
  after(() => child.kill('SIGKILL'));
  const bound = { signal: AbortSignal.timeout(40_000) };
  const [said] = await once(child.stderr.setEncoding('utf8'), 'data', bound);
  const url = /^Serving (\S+)/.exec(said)?.[1] ?? '';
  assert.equal((await fetch(new URL('/healthz', url))).status, 200);
  const params = { name: 'revenue', arguments: { year: 1 } };
  const ask = (token) =>
    fetch(url, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2025-11-25',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
  assert.equal((await ask('a-guess')).status, 401);
  const answer = await ask('secret');
  assert.equal(answer.headers.get('mcp-session-id'), null);
  assert.deepEqual((await answer.json()).result.content, [{ type: 'text', text: '1000001' }]);
  assert.match(await (await fetch(new URL('/metrics', url), { headers: { authorization: 'Bearer secret' } })).text(), /mcpbolt_/);
  child.kill('SIGTERM');
  while ((await fetch(new URL('/readyz', url))).status !== 503);
  assert.equal((await ask('secret')).status, 200, 'all is served on');
  assert.deepEqual(await once(child, 'exit', bound), [0, null]);
});
