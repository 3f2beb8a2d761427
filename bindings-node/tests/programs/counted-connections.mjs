// Many calls on many short connections in one process: of one server, and of a server each.
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { Peer } from '../support/peer.mjs';
import { countedServer, counts } from './counted-server.mjs';

const [warmUp, calls] = process.argv.slice(2).map(Number);
const EACH = 20;
const NAMES = ['echo', 'plain', 'tell', 'fail', 'ask'];

async function connection(server, own) {
  const [far, near] = InMemoryTransport.createLinkedPair();
  await server.connect(near);
  const peer = new Peer(far);
  peer.answer = () => ({ roots: [] });
  await peer.open({ capabilities: { roots: {} } });
  for (let number = 0; number < EACH; number += 1) await peer.call(NAMES[number % NAMES.length], { text: `call ${number}` });
  const params = { name: 'ask', arguments: { text: 'modern' }, _meta: Peer.envelope({ roots: {} }) };
  await peer.request('tools/call', params);
  await (own ? server.close() : peer.close());
}

async function load(number) {
  const shared = countedServer();
  for (let done = 0; done < number; done += 2 * EACH) {
    await connection(shared, false);
    await connection(countedServer(), true);
  }
  await shared.close();
}

await load(warmUp);
const before = await counts();
await load(calls);
console.log(JSON.stringify([before, await counts()]));
