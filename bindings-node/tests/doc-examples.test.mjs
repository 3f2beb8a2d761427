// The examples in doc comments of high-level servers: each registers something on a server of its
// face, and a client calls it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Client } from 'mcpbolt/client/index.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import * as v1 from 'mcpbolt/server/mcp.js';
import * as v2 from 'mcpbolt/v2/server';
import { z } from 'zod';

const FACES = [
  ['v1/mcp.ts', v1],
  ['v2/internal/mcp.ts', v2],
];

/** The code in the comments of a file that registers something on a server that is there. */
function examples(path) {
  const text = readFileSync(new URL(`../ts/${path}`, import.meta.url), 'utf8');
  const found = [...text.matchAll(/^( *) \* ```ts\n(.*?)^\1 \* ```$/gms)];
  const code = found.map(([, , lines]) => lines.replace(/^ *\* ?/gm, ''));
  return code.filter((lines) => !lines.includes('new McpServer('));
}

/** Calls everything that a server offers; returns how much that is. */
async function callEverything(client) {
  const { tools, resources, prompts } = client.getServerCapabilities();
  let done = 0;
  for (const { name } of tools ? (await client.listTools()).tools : []) {
    assert.deepEqual((await client.callTool({ name, arguments: { a: 1, b: 2 } })).content, [{ type: 'text', text: '3' }]);
    done += 1;
  }
  for (const { uri } of resources ? (await client.listResources()).resources : []) {
    assert.equal((await client.readResource({ uri })).contents[0].text, 'metric');
    done += 1;
  }
  for (const { uriTemplate } of resources ? (await client.listResourceTemplates()).resourceTemplates : []) {
    assert.equal((await client.readResource({ uri: uriTemplate.replace('{city}', 'Paris') })).contents[0].text, 'It rains in Paris.');
    done += 1;
  }
  for (const { name } of prompts ? (await client.listPrompts()).prompts : []) {
    const { messages } = await client.getPrompt({ name, arguments: { code: 'x = 1' } });
    assert.equal(messages[0].content.text, 'Review this: x = 1');
    done += 1;
  }
  return done;
}

for (const [path, face] of FACES) {
  const all = examples(path);

  test(`${path} has an example for everything that can be registered`, () => {
    for (const name of ['registerTool', 'registerResource', 'registerPrompt', 'ResourceTemplate']) {
      assert.ok(all.some((code) => code.includes(name)), name);
    }
  });

  for (const [at, code] of all.entries()) {
    test(`${path}, example ${at + 1} registers what a client can call`, async () => {
      const server = new face.McpServer({ name: 'example', version: '1.0.0' });
      new Function('server', 'z', 'ResourceTemplate', code)(server, z, face.ResourceTemplate);
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      const client = new Client({ name: 'reader', version: '1.0.0' });
      await server.connect(theirs);
      await client.connect(ours);
      assert.equal(await callEverything(client), 1);
      await client.close();
    });
  }
}
