// The specification's own example payloads, where they are at hand: our schemas and the
// official ones say the same of each.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import * as official from '@modelcontextprotocol/sdk/types.js';
import * as own from 'mcpbolt/types.js';

const beside = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'shared', 'spec', 'schema');
const folder = join(process.env.MCPBOLT_SPEC_SCHEMA ?? beside, '2026-07-28', 'examples');

/** The schema an example is for: it came with 2026-07-28, so some have none. */
function schemaName(type) {
  if (type.endsWith('ResultResponse')) return 'JSONRPCResultResponseSchema';
  if (type.endsWith('Error')) return 'JSONRPCErrorResponseSchema';
  return `${type}Schema`;
}

const said = (result) => (result.success ? 'fits' : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).sort());

test('examples of the specification are judged as the official schemas judge them', { skip: existsSync(folder) ? false : `no examples at ${folder}` }, () => {
  let seen = 0;
  for (const type of readdirSync(folder)) {
    const name = schemaName(type);
    if (own[name] === undefined) continue;
    for (const file of readdirSync(join(folder, type))) {
      const value = JSON.parse(readFileSync(join(folder, type, file), 'utf8'));
      assert.deepEqual(said(own[name].safeParse(value)), said(official[name].safeParse(value)), `${type}/${file}`);
      seen += 1;
    }
  }
  assert.ok(seen > 50, `${seen} examples`);
});
