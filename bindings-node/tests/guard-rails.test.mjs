// Guard rails of the engine around functions of JavaScript; the names of the cases are those of
// every language.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'mcpbolt/client/index.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { McpServer } from 'mcpbolt/server/mcp.js';

const never = () => new Promise(() => undefined);

async function guarded(engine, work) {
  const server = new McpServer({ name: 'guarded', version: '1' }, { engine });
  server.registerTool('add', {}, () => ({ content: [{ type: 'text', text: 'done' }] }));
  server.registerTool('wait', {}, never);
  server.registerPrompt('later', {}, never);
  server.registerResource('one', 'note://one', {}, ({ href }) => ({ contents: [{ uri: href, text: 'one' }] }));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'guest', version: '1' });
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  try {
    await work(client);
  } finally {
    await client.close();
    await server.close();
  }
}

const text = (result) => result.content[0].text;

test('over_the_limit_a_tool_call_reads_how_long_to_wait', () => {
  const rule = { methods: ['tools/call'], per: 'server', rate: 0.001, burst: 1 };
  return guarded({ rate_limit: [rule] }, async (client) => {
    assert.equal(text(await client.callTool({ name: 'add' })), 'done');
    const refused = await client.callTool({ name: 'add' });
    assert.equal(refused.isError, true);
    assert.match(text(refused), /^Rate limit exceeded: try again in \d+ ms$/);
    // Others go on.
    assert.equal((await client.listTools()).tools.length, 2);
  });
});

test('over_the_limit_other_requests_get_429_and_the_wait', () => {
  const rule = { methods: ['resources/read'], per: 'session', rate: 0.001, burst: 1 };
  return guarded({ rate_limit: [rule] }, async (client) => {
    await client.readResource({ uri: 'note://one' });
    const refused = await client.readResource({ uri: 'note://one' }).catch((error) => error);
    assert.equal(refused.code, 429);
    assert.ok(refused.data.retryAfterMs > 1000, JSON.stringify(refused.data));
  });
});

test('a_handler_that_never_returns_is_cancelled_and_the_client_reads_why', () =>
  guarded({ timeout: 0.05 }, async (client) => {
    const late = await client.callTool({ name: 'wait' });
    assert.deepEqual([late.isError, text(late)], [true, 'Tool wait timed out after 0.05 s']);
    const error = await client.getPrompt({ name: 'later' }).catch((reason) => reason);
    assert.deepEqual([error.code, error.data.reason], [-32603, 'timeout']);
  }));
