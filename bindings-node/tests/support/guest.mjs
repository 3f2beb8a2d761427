// A guest of a server: a client in the same process.
import { Client } from 'mcpbolt/client/index.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';

/** Runs code with a guest; closes both sides. `more` are the client's options. */
export async function connected(server, work, more = {}) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'guest', version: '1' }, more);
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  try {
    await work(client);
  } finally {
    await client.close();
    await server.close();
  }
}
