// Tests of a server, with a client in the same process: no socket, no child, no waiting.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client } from 'mcpbolt/client/index.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { ElicitRequestSchema } from 'mcpbolt/types.js';
import { free, server } from '../form.mjs';

/** A client whose person answers so. */
async function guest(details, confirm) {
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) =>
    'sure' in params.requestedSchema.properties ? confirm : { action: 'accept', content: details },
  );
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  await client.connect(ours);
  after(() => client.close());
  return client;
}

const book = async (client) =>
  (await client.callTool({ name: 'book_table', arguments: { day: '2026-05-01', time: '12:00' } })).content[0].text;

test('nothing is booked without a yes', async () => {
  const details = { guests: 2, name: 'Ada' };
  assert.equal(await book(await guest(details, { action: 'decline' })), 'Nothing was booked.');
  assert.equal(await book(await guest(details, { action: 'accept', content: { sure: false } })), 'Nothing was booked.');
  assert.equal(free.get('12:00'), 2);
});

test('a table is booked, and then it is taken', async () => {
  const client = await guest({ guests: 2, seat: 'garden', name: 'Ada' }, { action: 'accept', content: { sure: true } });
  assert.equal(await book(client), 'Booked for Ada.');
  assert.match(await book(client), /only 0 seats/);
});
