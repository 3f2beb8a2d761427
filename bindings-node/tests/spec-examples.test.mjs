// The specification's own example payloads through the schemas of 2.x, where they are at hand.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as core from 'mcpbolt/v2/core';
import { specTypeSchemas } from 'mcpbolt/v2/server';

const BESIDE = fileURLToPath(new URL('../../../shared/spec/schema', import.meta.url));
const FOLDER = join(process.env.MCPBOLT_SPEC_SCHEMA ?? BESIDE, '2026-07-28/examples');
const skip = existsSync(FOLDER) ? false : `no example payloads at ${FOLDER}`;

// Taken by a schema of another name, in the official package too.
const OTHERS = { 'CreateMessageResult/tool-use-response.json': 'CreateMessageResultWithTools' };
// What is meant is filled in, as the official package does.
const MEANT = { 'ClientCapabilities/elicitation-form-only-implicit.json': { elicitation: { form: {} } } };

/** The schema of a type. */
function schemaOf(type, value) {
  if (type.endsWith('Response')) return core.JSONRPCResponseSchema;
  if (type.endsWith('Error')) return 'jsonrpc' in value ? core.JSONRPCErrorResponseSchema : specTypeSchemas.ErrorObject;
  return specTypeSchemas[type] ?? core[`${type}Schema`];
}

const files = skip ? [] : readdirSync(FOLDER).flatMap((type) => readdirSync(join(FOLDER, type)).map((file) => `${type}/${file}`));

test('every example is taken, and given back as it is', { skip }, () => {
  for (const file of files) {
    const value = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
    const type = file.split('/')[0];
    const schema = schemaOf(OTHERS[file] ?? type, value);
    assert.ok(schema, `there is no schema of ${type}`);
    const verdict = schema['~standard'].validate(value);
    assert.deepEqual(verdict, { value: MEANT[file] ?? value }, file);
    if (file in OTHERS) assert.ok(schemaOf(type, value)['~standard'].validate(value).issues, `${file}: remove it from the list`);
  }
  assert.ok(files.length > 80, `${files.length} examples`);
});
