// What the tests of the cookbook share: a client in the same process, and what it is told.
import { after } from 'node:test';
import { Client } from 'mcpbolt/client/index.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';

/** Longest time for one test. */
export const LIMITED = { timeout: 60_000 };

/** The first text of a result. */
export const text = ({ content }) => content[0].text;

/** A client of a server, until the tests are over. */
export async function connected(server, client = new Client({ name: 'test', version: '1.0.0' })) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  await client.connect(ours);
  after(() => client.close());
  return client;
}
