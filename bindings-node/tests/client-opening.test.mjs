// Programs that put themselves between a client and its requests see the handshake, too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client as TheirClient } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as TheirMemory } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server as TheirServer } from '@modelcontextprotocol/sdk/server/index.js';
import { Client } from 'mcpbolt/client/index.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { McpError } from 'mcpbolt/types.js';
import { Server } from 'mcpbolt/server/index.js';

const KITS = [
  { Client: TheirClient, Memory: TheirMemory, Server: TheirServer },
  { Client, Memory: InMemoryTransport, Server },
];
const info = { name: 'c', version: '1' };

async function connected(kit, client) {
  const server = new kit.Server({ name: 's', version: '2' }, { capabilities: { tools: {} }, instructions: 'be kind' });
  const [far, near] = kit.Memory.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  await client.ping();
  const facts = [client.getServerVersion(), client.getInstructions(), client.getServerCapabilities()];
  await client.close();
  return facts;
}

test('a function in the place of `request` is given the handshake, and its answer passes', async () => {
  const runs = [];
  for (const kit of KITS) {
    const seen = [];
    const client = new kit.Client(info, { capabilities: { roots: {} } });
    const { request } = client;
    client.request = async function (asked, ...rest) {
      const { method, params } = JSON.parse(JSON.stringify(asked));
      if (method === 'initialize') asked.params.protocolVersion = '2025-03-26';
      const result = await request.call(this, asked, ...rest);
      seen.push([method, params, result.protocolVersion]);
      return result;
    };
    runs.push([await connected(kit, client), seen]);
  }
  assert.deepEqual(runs[1], runs[0]);
  assert.equal(runs[1][1][0][2], '2025-03-26');
});

test('so is the method of a class that is derived, and what it throws is why there is no connection', async () => {
  const runs = [];
  for (const kit of KITS) {
    const seen = [];
    class Watched extends kit.Client {
      request(asked, ...rest) {
        seen.push(asked.method);
        return super.request(asked, ...rest);
      }
    }
    class Refusing extends kit.Client {
      request() {
        return Promise.reject(new Error('not today'));
      }
    }
    const facts = await connected(kit, new Watched(info));
    const refusing = new Refusing(info);
    const [near] = kit.Memory.createLinkedPair();
    await assert.rejects(refusing.connect(near), { message: 'not today' });
    runs.push([facts, seen]);
  }
  assert.deepEqual(runs[1], runs[0]);
});

test('what the server refuses reaches the function first', async () => {
  const client = new Client(info);
  const heard = [];
  const { request } = client;
  client.request = (...asked) => request.apply(client, asked).catch((error) => (heard.push(error.code), Promise.reject(error)));
  const [far, near] = InMemoryTransport.createLinkedPair();
  far.onmessage = ({ id }) => id !== undefined && void far.send({ jsonrpc: '2.0', id, error: { code: -32600, message: 'no' } });
  await far.start();
  await assert.rejects(client.connect(near), McpError);
  assert.deepEqual(heard, [-32600]);
});

test('a server that names a revision nobody speaks is refused in the official words', async () => {
  for (const kit of KITS) {
    const [far, near] = kit.Memory.createLinkedPair();
    far.onmessage = ({ id, method }) => {
      const result = { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 's', version: '1' } };
      if (method === 'initialize') void far.send({ jsonrpc: '2.0', id, result });
    };
    await far.start();
    const alive = setInterval(() => undefined, 100);
    await assert.rejects(new kit.Client(info).connect(near), (error) => {
      assert.equal(error.message, "Server's protocol version is not supported: 1999-01-01");
      assert.equal(error.constructor, Error);
      return true;
    });
    clearInterval(alive);
  }
});
