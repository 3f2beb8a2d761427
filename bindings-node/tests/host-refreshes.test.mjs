// A host follows the lists of its servers, but not at any speed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Host } from 'mcpbolt/host.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { Server } from 'mcpbolt/server/index.js';
import { ListToolsRequestSchema } from 'mcpbolt/types.js';

/** The longest pause between two refreshes, in milliseconds; requests may take longer. */
const LONGEST = 4000;

for (const protocol of ['legacy', 'modern']) {
  test(`a server whose list changes with each answer is asked less and less: ${protocol}`, async (t) => {
    const asked = [];
    const due = [];
    const { setTimeout } = globalThis;
    t.mock.method(globalThis, 'setTimeout', (body, wait, ...rest) => {
      if (wait > 0 && wait <= LONGEST) due.push(performance.now() + wait);
      return setTimeout(body, wait, ...rest);
    });
    let enough;
    const done = new Promise((resolve) => (enough = resolve));
    const server = new Server({ name: 'restless', version: '1' }, { capabilities: { tools: { listChanged: true } } });
    server.setRequestHandler(ListToolsRequestSchema, () => {
      asked.push(performance.now());
      if (asked.length === 5) enough();
      // Twice: one refresh is enough for both.
      for (let time = 0; time < 2; time++) void server.sendToolListChanged();
      return { tools: [] };
    });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await server.connect(theirs);
    const host = new Host({ name: 'host', version: '1' }, { protocol });
    await host.add('restless', ours);
    await done;
    await host.close();
    await server.close();
    // The second request may be made for a notice that came before the host knew the server: the first pause counts
    // from that notice, and so from after the first request. What counts is when timers are due: they may be early
    // by what the turn of the loop has taken that set them.
    const gaps = [due[0] - asked[0], due[1] - asked[2], due[2] - asked[3]];
    [100, 200, 400].forEach((least, at) => assert.ok(gaps[at] > least - 5, `${gaps}`));
  });
}
