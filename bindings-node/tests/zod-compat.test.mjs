// The helpers around schemas answer as the official ones do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as officialCompletable from '@modelcontextprotocol/sdk/server/completable.js';
import * as officialCompat from '@modelcontextprotocol/sdk/server/zod-compat.js';
import * as officialJson from '@modelcontextprotocol/sdk/server/zod-json-schema-compat.js';
import * as officialMetadata from '@modelcontextprotocol/sdk/shared/metadataUtils.js';
import * as officialNames from '@modelcontextprotocol/sdk/shared/toolNameValidation.js';
import * as ownCompletable from 'mcpbolt/server/completable.js';
import * as ownCompat from 'mcpbolt/server/zod-compat.js';
import * as ownJson from 'mcpbolt/server/zod-json-schema-compat.js';
import * as ownMetadata from 'mcpbolt/shared/metadataUtils.js';
import * as ownNames from 'mcpbolt/shared/toolNameValidation.js';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as z3 } from 'zod/v3';

const official = { ...officialCompat, ...officialJson, ...officialCompletable, ...officialMetadata, ...officialNames };
const own = { ...ownCompat, ...ownJson, ...ownCompletable, ...ownMetadata, ...ownNames };

const attempt = (run) => {
  try {
    return run();
  } catch (error) {
    // What else an error has is its library's; zod's core has another name for its own.
    return `${error.name.replace('$', '')}: ${own.getParseErrorMessage(error)}`;
  }
};

/** Runs on both and compares. */
const same = (run, what) => assert.deepEqual(attempt(() => run(own)), attempt(() => run(official)), what);

const classic = (zod) => ({
  string: zod.string().describe('d'),
  optional: zod.string().optional(),
  preset: zod.string().default('x'),
  nullable: zod.number().nullable(),
  literal: zod.literal('tools/call'),
  object: zod.object({ method: zod.literal('m'), a: zod.number() }).describe('whole'),
  strict: zod.object({ a: zod.string() }).strict(),
  union: zod.union([zod.string(), zod.number()]),
  refined: zod.object({ a: zod.number() }).refine((value) => value.a > 1, 'too small'),
});

const APIS = {
  'zod 4': classic(z),
  'zod 3': classic(z3),
  'zod mini': { string: mini.string(), optional: mini.optional(mini.string()), object: mini.object({ method: mini.literal('m'), a: mini.number() }) },
};

const VALUES = [undefined, null, 'text', 5, {}, { a: 1 }, { a: 5, method: 'm' }, { a: 'x', more: 1 }, []];

const verdict = (parsed, kit) => (parsed.success ? parsed.data : kit.getParseErrorMessage(parsed.error));

for (const [api, schemas] of Object.entries(APIS)) {
  test(`${api}: what is read of schemas`, () => {
    for (const [name, schema] of Object.entries(schemas)) {
      const read = ['isZ4Schema', 'getSchemaDescription', 'isSchemaOptional', 'getLiteralValue', 'getMethodLiteral', 'toJsonSchemaCompat', 'isCompletable'];
      for (const helper of read) same((kit) => kit[helper](schema), `${helper} ${name}`);
      same((kit) => Object.keys(kit.getObjectShape(schema) ?? { none: 1 }), `getObjectShape ${name}`);
      same((kit) => kit.normalizeObjectSchema(schema) === schema, `normalizeObjectSchema ${name}`);
    }
    same((kit) => [kit.getObjectShape(undefined), kit.normalizeObjectSchema(undefined)]);
  });

  test(`${api}: parsing`, async () => {
    for (const [name, schema] of Object.entries(schemas)) {
      for (const value of VALUES) {
        same((kit) => verdict(kit.safeParse(schema, value), kit), `safeParse ${name} ${JSON.stringify(value)}`);
        same((kit) => kit.parseWithCompat(schema, value), `parseWithCompat ${name} ${JSON.stringify(value)}`);
        const [ours, theirs] = await Promise.all([own, official].map(async (kit) => verdict(await kit.safeParseAsync(schema, value), kit)));
        assert.deepEqual(ours, theirs, `safeParseAsync ${name} ${JSON.stringify(value)}`);
      }
    }
  });

  test(`${api}: raw shapes`, async () => {
    const shape = { ...schemas };
    delete shape.union;
    const made = (kit) => kit.objectFromShape(shape);
    same((kit) => Object.keys(kit.getObjectShape(made(kit))));
    same((kit) => kit.isZ4Schema(made(kit)));
    same((kit) => kit.normalizeObjectSchema(shape) !== undefined);
    same((kit) => kit.toJsonSchemaCompat(made(kit)));
    same((kit) => kit.toJsonSchemaCompat(made(kit), { pipeStrategy: 'output', strictUnions: false }));
    const fits = { string: 'a', nullable: null, literal: 'tools/call', object: { method: 'm', a: 1 }, strict: { a: 'x' }, refined: { a: 2 } };
    for (const value of [...VALUES, fits, { ...fits, extra: 1, optional: undefined }, { ...fits, refined: { a: 0 }, strict: { b: 1 } }]) {
      same((kit) => verdict(kit.safeParse(made(kit), value), kit), JSON.stringify(value));
      const [ours, theirs] = await Promise.all([own, official].map(async (kit) => verdict(await kit.safeParseAsync(made(kit), value), kit)));
      assert.deepEqual(ours, theirs, JSON.stringify(value));
    }
  });
}

test('shapes of two releases at once', () => {
  same((kit) => kit.objectFromShape({ a: z.string(), b: z3.string() }));
  same((kit) => Object.keys(kit.getObjectShape(kit.objectFromShape({}))));
});

test('what errors say', () => {
  const paths = [[], ['a'], ['a', 0, 'b'], [0], ['a', 'b', 3, 4]];
  for (const path of paths) same((kit) => kit.getParseErrorMessage({ issues: [{ message: 'm', path }, { message: 'n' }] }));
  for (const error of [new Error('e'), 'text', null, undefined, 5, { a: 1 }, { issues: [] }, { issues: [], message: 'm' }]) {
    same((kit) => kit.getParseErrorMessage(error), String(error));
  }
});

test('completable', () => {
  same((kit) => {
    const complete = () => ['a'];
    const schema = kit.completable(z.string(), complete);
    return [kit.isCompletable(schema), kit.getCompleter(schema) === complete, kit.unwrapCompletable(schema) === schema, kit.getCompleter(z.string()), kit.McpZodTypeKind];
  });
  // Each finds what the other one marked.
  assert.ok(official.isCompletable(own.completable(z.string(), () => [])));
  assert.ok(own.isCompletable(official.completable(z.string(), () => [])));
  for (const value of [undefined, null, 5, 'x', {}]) same((kit) => kit.isCompletable(value));
});

test('names to show, names of tools', () => {
  const named = [{ name: 'n' }, { name: 'n', title: 't' }, { name: 'n', title: '' }, { name: 'n', annotations: { title: 'a' } }, { name: 'n', title: '', annotations: { title: '' } }, { name: 'n', title: 't', annotations: { title: 'a' } }];
  for (const one of named) same((kit) => kit.getDisplayName(one), JSON.stringify(one));
  for (const name of ['a', '', 'a b', 'a,b', '-a', 'a-', '.a', 'a.', 'ä/ß', 'x'.repeat(128), 'x'.repeat(129), 'A_1-2.3']) same((kit) => kit.validateToolName(name), name);
});
