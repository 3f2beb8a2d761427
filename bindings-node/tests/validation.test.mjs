// The validators judge as the official ones do; the texts are theirs where programs see them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { AjvJsonSchemaValidator as Official } from '@modelcontextprotocol/sdk/validation/ajv';
import { AjvJsonSchemaValidator } from 'mcpbolt/validation/ajv';
import { AjvJsonSchemaValidator as SameByPath } from 'mcpbolt/validation/ajv-provider.js';
import { CfWorkerJsonSchemaValidator } from 'mcpbolt/validation/cfworker';
import * as index from 'mcpbolt/validation';

const object = { type: 'object', properties: { a: { type: 'number' }, 'b/c': { type: ['string', 'null'] } }, required: ['a'], additionalProperties: false };
const CASES = [
  [object, { a: 1 }, {}, { a: 'x' }, { a: 1, 'b/c': 1 }, { a: 1, d: 1 }, { d: 1 }, [], null, 'text', undefined],
  [{ enum: ['a', 'b'] }, 'a', 'c', 1],
  [{ const: { a: 1 } }, { a: 1 }, { a: 2 }],
  [{ type: 'integer', minimum: 3, maximum: 9, multipleOf: 3 }, 3, 2, 10, 4, 3.5],
  [{ exclusiveMinimum: 3, exclusiveMaximum: 9 }, 4, 3, 9],
  [{ type: 'string', minLength: 2, maxLength: 3, pattern: '^a' }, 'ab', 'a', 'abcd', 'bb'],
  [{ type: 'array', minItems: 1, maxItems: 2, items: { type: 'string' } }, ['a'], [], ['a', 'b', 'c'], [1, 'a']],
  [{ minProperties: 1, maxProperties: 1 }, { a: 1 }, {}, { a: 1, b: 2 }],
  [{ oneOf: [{ type: 'string' }, { minLength: 1 }] }, '', 'a'],
  [{ not: { type: 'string' } }, 1, 'a'],
  [{ allOf: [{ type: 'string' }, { minLength: 2 }] }, 'ab', 1, 'a'],
  [{ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 'a', 1],
  [{ $ref: '#/definitions/a', minLength: 2, definitions: { a: { type: 'string' } } }, 'ab', 'a'],
  [{ items: [{ type: 'string' }] }, ['a', 1], [1]],
];

const TEXTS = [
  '', 'text', 'a@example.com', 'a.b@example.co.uk', '.a@example.com', 'a@localhost', 'a b@example.com',
  '2025-01-31', '2024-02-29', '2023-02-29', '2000-02-29', '1900-02-29', '2025-04-31',
  '12:00:00Z', '24:00:00Z', '12:00:00+01:00', '12:00:00', '2025-01-01T00:00:00Z', '2025-01-01T00:00:00.123+01:00', '2025-01-01', '2025-13-01T00:00:00Z',
  'https://example.com/a?b=c#d', 'urn:a:b', 'mailto:a@example.com', '/relative', 'http://a b', 'https://example.com/%zz',
  '127.0.0.1', '256.0.0.1', '1.2.3', '01.2.3.4', 'example.com', '-a.com', 'a_b.com',
  '123e4567-e89b-12d3-a456-426614174000', '123e4567e89b12d3a456426614174000', 'urn:uuid:123e4567-e89b-12d3-a456-426614174000',
];
for (const format of ['date', 'time', 'date-time', 'email', 'hostname', 'ipv4', 'uri', 'uuid', 'unknown-format']) {
  CASES.push([{ type: 'object', properties: { format: { type: 'string', format } } }, ...TEXTS.map((text) => ({ format: text })), { format: 1 }]);
}

for (const [schema, ...values] of CASES) {
  test(`Ajv's name judges by ${JSON.stringify(schema).slice(0, 70)} as Ajv does`, () => {
    const [own, official] = [new AjvJsonSchemaValidator().getValidator(schema), new Official().getValidator(schema)];
    // The order of faults is the engine's. (differs: order-of-faults)
    const said = ({ errorMessage, ...rest }) => ({ ...rest, faults: errorMessage?.split(', ').sort() });
    for (const value of values) assert.deepEqual(said(own(value)), said(official(value)), JSON.stringify(value));
  });
}

test('alternatives are refused as Ajv refuses them', () => {
  const schema = { anyOf: [{ type: 'string' }, { type: 'number' }] };
  const check = new AjvJsonSchemaValidator().getValidator(schema);
  assert.equal(check(1).valid, true);
  assert.equal(check(true).errorMessage, 'data must match a schema in anyOf');
  assert.ok(new Official().getValidator(schema)(true).errorMessage.endsWith('data must match a schema in anyOf'));
});

test('`$schema` names the dialect', () => {
  const tuple = (dialect) => new AjvJsonSchemaValidator().getValidator({ $schema: dialect, prefixItems: [{ type: 'string' }] })([1]).valid;
  assert.equal(tuple('https://json-schema.org/draft/2020-12/schema'), false);
  assert.equal(tuple('http://json-schema.org/draft-07/schema#'), true);
});

test('formats hold wherever a schema stands, and values that look like schemas are left alone', () => {
  const bad = (schema, value) => new AjvJsonSchemaValidator().getValidator(schema)(value).errorMessage;
  const said = (path) => `data${path} must match format "email"`;
  const email = { format: 'email' };
  assert.equal(bad({ items: email }, ['a']), said('/0'));
  assert.equal(bad({ additionalProperties: email }, { a: 'a' }), said('/a'));
  assert.equal(bad({ $ref: '#/$defs/a', $defs: { a: email } }, 'a'), said(''));
  assert.equal(bad({ allOf: [{ maxLength: 9 }, email], format: 'email' }, 'a'), `${said('')}, ${said('')}`);
  assert.equal(bad({ const: { format: 'email' } }, { format: 'email' }), undefined);
  assert.equal(bad({ enum: [{ properties: { a: email } }] }, { properties: { a: email } }), undefined);
});

test('what is no schema is refused when the validator is made', () => {
  assert.throws(() => new AjvJsonSchemaValidator().getValidator({ type: 'strin' }), /not a valid schema/);
  assert.throws(() => new AjvJsonSchemaValidator().getValidator({ $ref: '#/nowhere' }), /does not resolve/);
});

test('an Ajv of the program is used as it is', () => {
  const seen = [];
  const ajv = {
    getSchema: () => undefined,
    compile: (schema) => {
      seen.push(schema);
      return Object.assign((value) => value === 1, { errors: ['bad'] });
    },
    errorsText: (errors) => errors.join(),
  };
  const check = new AjvJsonSchemaValidator(ajv).getValidator({ format: 'own' });
  assert.deepEqual([check(1), check(2)], [
    { valid: true, data: 1, errorMessage: undefined },
    { valid: false, data: undefined, errorMessage: 'bad' },
  ]);
  assert.deepEqual(seen, [{ format: 'own' }]);
});

test('the validator for places without eval says one fault or all, and knows drafts', () => {
  const schema = { type: 'object', required: ['a', 'b'] };
  const say = (options) => new CfWorkerJsonSchemaValidator(options).getValidator(schema)({}).errorMessage;
  assert.equal(say().split('; ').length, 1);
  assert.equal(say({ shortcircuit: false }).split('; ').length, 2);
  const tuple = (options) => new CfWorkerJsonSchemaValidator(options).getValidator({ prefixItems: [{ type: 'string' }] })([1]).valid;
  assert.deepEqual([tuple(), tuple({ draft: '7' })], [false, true]);
});

test('both spellings of a path lead to one class', () => {
  assert.equal(AjvJsonSchemaValidator, SameByPath);
  assert.deepEqual(Object.keys(index), []);
});

test('plain JSON Schema of the 2.x face is judged in the same words as in the official package', async () => {
  const [own, official] = await Promise.all([import('mcpbolt/v2/server'), import('@modelcontextprotocol/server')]);
  const schema = { type: 'object', properties: { a: { type: 'string', format: 'email' } }, required: ['a'] };
  const said = (from, value) => from.fromJsonSchema(schema)['~standard'].validate(value).issues?.map(({ message }) => message);
  for (const value of [{ a: 'a@example.com' }, { a: 'a' }, {}, { a: 1 }, 7]) {
    assert.deepEqual(said(own, value), said(official, value), JSON.stringify(value));
  }
});
