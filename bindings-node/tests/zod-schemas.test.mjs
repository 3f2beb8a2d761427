// What is listed for schemas of zod 3 and zod 4 is what the official package lists.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toJsonSchemaCompat } from 'mcpbolt/server/zod-json-schema-compat.js';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as z3 } from 'zod/v3';
import * as z40 from 'zod40/v4';
import * as mini40 from 'zod40/v4-mini';
import { official, ours, oursSlow } from './support/kits.mjs';
import { Wire } from './support/wire.mjs';
import { classic, only3, only4, mini as miniTable } from './support/zod-table.mjs';

const content = [{ type: 'text', text: 'ok' }];

/** Everything a server lists for one tool, or what it says instead. */
async function listed(kit, config) {
  const server = kit.server({ name: 's', version: '1' });
  server.registerTool('t', config, () => ({ content }));
  const wire = new Wire();
  await wire.open(server);
  const { result, error } = await wire.request('tools/list');
  await server.close();
  return error ? { error: error.message } : { inputSchema: result.tools[0].inputSchema, outputSchema: result.tools[0].outputSchema };
}

/** The members of an object schema, for tools with raw shapes. */
const shapeOf = (schema) => schema._zod?.def?.shape ?? schema._def?.shape?.();

async function compare(t, make, api) {
  const schema = make(api);
  const shape = shapeOf(schema);
  for (const given of [schema, shape]) {
    if (given === undefined) continue;
    const config = { inputSchema: given, outputSchema: given };
    const expected = await listed(official, config);
    for (const kit of [ours, oursSlow]) {
      assert.deepEqual(await listed(kit, config), expected, `${t.name}, ${kit.name}, ${given === shape ? 'shape' : 'schema'}`);
    }
  }
}

for (const [name, make] of Object.entries({ ...classic, ...only4 })) {
  // A schema that is only a reference is no schema of a tool: no client takes it.
  if (name === 'rootId') continue;
  test(`zod 4 ${name}`, (t) => compare(t, make, z));
}
for (const [name, make] of Object.entries(miniTable)) test(`zod 4 mini ${name}`, (t) => compare(t, make, mini));
for (const [name, make] of Object.entries({ ...classic, ...only3 })) test(`zod 3 ${name}`, (t) => compare(t, make, z3));

const attempt = (convert) => {
  try {
    return convert();
  } catch (error) {
    return { error: error.message };
  }
};

// Schemas that do not convert themselves are converted in the words of their own release.
test('zod 4.0 and mini speak as their own release does', () => {
  const apis = [
    [z40.z, z40.toJSONSchema, { ...classic, ...only4 }],
    [mini40, mini40.toJSONSchema, miniTable],
    [mini, mini.toJSONSchema, miniTable],
  ];
  let compared = 0;
  for (const [api, convert, table] of apis) {
    for (const [name, make] of Object.entries(table)) {
      // The first releases keep what is registered where nobody else finds it.
      if (api === mini40 && name === 'register') continue;
      let schema;
      try {
        schema = make(api);
      } catch {
        continue; // newer than this release
      }
      for (const io of ['input', 'output']) {
        for (const target of ['draft-7', 'draft-2020-12']) {
          const found = attempt(() => toJsonSchemaCompat(schema, { pipeStrategy: io, target }));
          assert.deepEqual(found, attempt(() => convert(schema, { io, target })), `${name} ${io} ${target}`);
          compared += 1;
        }
      }
    }
  }
  assert.ok(compared > 300, `${compared} compared`);
});

// The same walk serves schemas of every release, whether or not they convert themselves.
test('the walk says what a schema says of itself', () => {
  for (const [name, make] of Object.entries({ ...classic, ...only4 })) {
    for (const io of ['input', 'output']) {
      const expected = attempt(() => make(z).toJSONSchema({ io, target: 'draft-7' }));
      const schema = make(z);
      Object.defineProperty(schema, 'toJSONSchema', { value: undefined });
      assert.deepEqual(attempt(() => toJsonSchemaCompat(schema, { pipeStrategy: io })), JSON.parse(JSON.stringify(expected)), `${name} ${io}`);
    }
  }
});
