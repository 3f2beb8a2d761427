// A host follows the lists of its servers, but not at any speed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Host } from 'mcpbolt/host.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { Server } from 'mcpbolt/server/index.js';
import { ListToolsRequestSchema } from 'mcpbolt/types.js';

for (const protocol of ['legacy', 'modern']) {
  test(`a server whose list changes with each answer is asked less and less: ${protocol}`, async () => {
    const asked = [];
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
    const gaps = asked.slice(2).map((late, at) => late - asked[at + 1]);
    // 100 and 200 ms; but a timer counts from the beginning of its turn of the loop, and is early by what that took.
    [50, 150].forEach((least, at) => assert.ok(gaps[at] > least, `${gaps}`));
  });
}
