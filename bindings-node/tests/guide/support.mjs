// What tests of the guide share: a client beside a server, and what a program prints.
import { after, mock } from 'node:test';
import { Client } from 'mcpbolt/client/index.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';

/** Both eras: what a chapter says holds in each. */
export const PROTOCOLS = ['auto', 'legacy'];

/** A client that is connected to a server of this process, both closed after the tests. */
export async function connected(server, client = new Client({ name: 'test', version: '1.0.0' }, { protocol: 'auto' })) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  await client.connect(ours);
  after(() => client.close());
  return client;
}

/** What a program gives back, and the lines it prints. It is given a promise of the first one. */
export async function listened(program) {
  /** @type {string[]} */
  const lines = [];
  let first = () => {};
  const said = new Promise((resolve) => (first = () => resolve(undefined)));
  const log = mock.method(console, 'log', (...words) => {
    lines.push(words.join(' '));
    first();
  });
  try {
    return { result: await program(said), lines };
  } finally {
    log.mock.restore();
  }
}
