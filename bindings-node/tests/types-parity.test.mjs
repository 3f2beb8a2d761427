// What the schemas take and what they refuse, and in which words, is what the official
// schemas do. The values are made from our schemas: one that fits, and that one with each
// of its parts changed.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as officialAuth from '@modelcontextprotocol/sdk/shared/auth.js';
import * as officialTypes from '@modelcontextprotocol/sdk/types.js';
import * as ownAuth from 'mcpbolt/shared/auth.js';
import * as ownTypes from 'mcpbolt/types.js';

const official = { ...officialTypes, ...officialAuth };
const own = { ...ownTypes, ...ownAuth };

const NAMES = Object.keys(official).filter((name) => name.endsWith('Schema'));
const SOME = [null, 'text', 1.5, {}];
const OTHERS = [undefined, null, 'text', 7, 1.5, -1, true, [], {}, { other: 1 }, ['text'], [7]];
/** A value that fits a JSON Schema. */
function sample(schema, defs) {
  if (schema.$ref) return sample(defs[schema.$ref.split('/').at(-1)], defs);
  if (schema.anyOf) return sample(schema.anyOf[0], defs);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (Array.isArray(schema.type)) return { some: 1 };
  switch (schema.type) {
    case 'string':
      return { uri: 'file:///a', byte: 'aGk=', 'date-time': '2025-01-01T00:00:00Z', 'safe-uri': 'https://example.com/' }[schema.format] ?? 'some';
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return [sample(schema.items, defs)];
    case 'object': {
      if (schema.properties) return Object.fromEntries(Object.entries(schema.properties).map(([name, each]) => [name, sample(each, defs)]));
      return { some: typeof schema.additionalProperties === 'object' ? sample(schema.additionalProperties, defs) : 1 };
    }
    default:
      return 'anything';
  }
}

/** The value with one part changed, everywhere: in each way near the top, in some below. */
function* changed(value, depth = 0) {
  for (const other of depth < 3 ? OTHERS : SOME) yield other;
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { ...value, unknownMember: 1 };
  for (const key of Object.keys(value)) {
    const put = (inner) => (Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner });
    if (!Array.isArray(value)) {
      const { [key]: _, ...rest } = value;
      yield rest;
    }
    for (const inner of changed(value[key], depth + 1)) yield put(inner);
  }
}

/** Whether a value fits, or what is wrong with it. */
function seen(result) {
  if (result.success) return 'fits';
  const all = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  // The official schema of this capability says one fault twice. (differs: said-twice)
  const once = all.filter((said) => !(/elicitation(\.form)?: .*expected record/.test(said)));
  // Any absolute URI is a root here; there only files are. (differs: root-uris)
  return once.map((said) => said.replace('Invalid string: must start with "file://"', 'Invalid URL')).sort();
}

/** A type's own kinds, or itself. */
const kinds = (schema) => schema.anyOf ?? [schema];

for (const name of NAMES) {
  test(`${name} judges as the official schema does`, () => {
    const { $defs, ...schema } = own[name].toJSONSchema();
    for (const kind of kinds(schema)) {
      const good = sample(kind, $defs);
      const [ours, theirs] = [own[name].safeParse(good), official[name].safeParse(good)];
      assert.deepEqual([seen(ours), ours.data], ['fits', theirs.data]);
      for (const value of changed(good)) {
        assert.deepEqual(seen(own[name].safeParse(value)), seen(official[name].safeParse(value)), JSON.stringify(value));
      }
    }
  });
}

for (const name of NAMES) {
  test(`${name} judges alike as a schema of zod`, () => {
    const { $defs, ...schema } = own[name].toJSONSchema();
    const real = own[name].toZod();
    for (const kind of kinds(schema)) {
      for (const value of changed(sample(kind, $defs))) {
        assert.equal(real.safeParse(value).success, own[name].safeParse(value).success, JSON.stringify(value));
      }
    }
  });
}

const MADE = [
  ['CallToolResultSchema', {}],
  ['CallToolResultSchema', { content: [{ type: 'tool_result', toolUseId: '1' }, { type: 'text', text: '' }] }],
  ['ToolResultContentSchema', { type: 'tool_result', toolUseId: '1' }],
  ['ListChangedOptionsBaseSchema', {}],
  ['ListChangedOptionsBaseSchema', { debounceMs: -1 }],
  ['ListChangedOptionsBaseSchema', { debounceMs: 2 ** 60 }],
  ['ElicitResultSchema', { action: 'cancel', content: null }],
  ['ClientCapabilitiesSchema', { elicitation: {} }],
  ['ClientCapabilitiesSchema', { elicitation: { form: {} } }],
  ['AnnotationsSchema', { priority: 1.1 }],
  ['AnnotationsSchema', { lastModified: '2025-02-30T00:00:00Z' }],
  ['AnnotationsSchema', { lastModified: '2024-02-29T00:00:00+01:00' }],
  ['AnnotationsSchema', { lastModified: '2024-02-29' }],
  ['ContentBlockSchema', { type: 'image', data: 'no base64!', mimeType: 'image/png' }],
  ['CompleteResultSchema', { completion: { values: Array(101).fill('a') } }],
  ['RequestIdSchema', NaN],
  ['RequestIdSchema', 2 ** 53],
  ['ProgressSchema', { progress: Infinity }],
  ['GetPromptRequestSchema', { method: 'prompts/get', params: { name: 'a', arguments: new Map() } }],
  ['ToolSchema', { name: 'a', inputSchema: { type: 'object', properties: { a: true } } }],
  ['ToolSchema', new (class Own { name = 'a'; inputSchema = { type: 'object' }; })()],
  ['SafeUrlSchema', 'javascript:alert(1)'],
  ['SafeUrlSchema', 'no url'],
  ['OptionalSafeUrlSchema', undefined],
  ['OAuthClientMetadataSchema', { redirect_uris: ['data:,a'], logo_uri: '', tos_uri: 'vbscript:a' }],
  ['OAuthClientMetadataSchema', { redirect_uris: ['http://localhost/'], logo_uri: '', tos_uri: '' }],
  ['OAuthTokensSchema', { access_token: 'a', token_type: 'Bearer', expires_in: '3600', issuer: 7 }],
  ['OAuthTokensSchema', { access_token: 'a', token_type: 'Bearer', expires_in: 'soon' }],
  ['LoggingMessageNotificationParamsSchema', { level: 'info', data: undefined }],
];

for (const [name, value] of MADE) {
  test(`${name} makes of ${JSON.stringify(value)?.slice(0, 60)} what the official schema makes`, () => {
    const [ours, theirs] = [own[name].safeParse(value), official[name].safeParse(value)];
    assert.deepEqual(seen(ours), seen(theirs));
    if (theirs.success) assert.deepEqual(ours.data && { ...ours.data }, theirs.data);
  });
}
