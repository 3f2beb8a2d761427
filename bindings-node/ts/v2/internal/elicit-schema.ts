/**
 * Forms described by a Standard Schema. Owns: which parts of a JSON Schema a form may have, and
 * omitting what schema libraries add. Must not know: how a form is sent.
 */
import type { ElicitRequestFormParams } from '../../protocol/types';
import type { StandardSchemaWithJSON } from './standard';

type Json = Record<string, unknown>;

/** The keywords that each type of field may have. */
const FIELDS: Record<string, readonly string[]> = {
  string: ['minLength', 'maxLength', 'format', 'enum', 'enumNames', 'oneOf', 'default'],
  number: ['minimum', 'maximum', 'default'],
  integer: ['minimum', 'maximum', 'default'],
  boolean: ['default'],
  array: ['minItems', 'maxItems', 'items', 'default'],
};
const EVERYWHERE = ['type', 'title', 'description'];
const FORMATS = ['email', 'uri', 'date', 'date-time'];
/** Keywords that a form can omit without losing anything. */
const SILENT = ['$schema', '$id', '$comment', 'examples', 'deprecated', 'readOnly', 'writeOnly', 'additionalProperties', '~standard'];
const SAFE = Number.MAX_SAFE_INTEGER;

/**
 * Converts a schema to the JSON Schema of a form.
 *
 * @throws TypeError naming the fields that a form cannot have.
 */
export function elicitationSchema(schema: StandardSchemaWithJSON): ElicitRequestFormParams['requestedSchema'] {
  const json = schema['~standard'].jsonSchema?.input({ target: 'draft-2020-12' });
  if (json === undefined) throw new TypeError(`a schema of ${schema['~standard'].vendor} cannot say itself as JSON Schema`);
  if (json['type'] !== 'object') throw new TypeError('a form is described by the schema of an object');
  const properties: Json = {};
  const wrong: string[] = [];
  for (const [name, field] of Object.entries((json['properties'] ?? {}) as Record<string, Json>)) {
    properties[name] = fieldOf(name, field, wrong);
  }
  if (wrong.length > 0) {
    throw new TypeError(`Elicitation requestedSchema only supports flat primitive properties: ${wrong.join(', ')}`);
  }
  const { title, description, required } = json;
  const form = { type: 'object', properties, ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
  return { ...form, ...(Array.isArray(required) && { required }) } as ElicitRequestFormParams['requestedSchema'];
}

function fieldOf(name: string, given: Json, wrong: string[]): Json {
  const field = typeof given['const'] === 'string' ? { ...given, type: 'string', enum: [given['const']] } : given;
  const kind = String((field as Json)['type']);
  const known = FIELDS[kind];
  if (known === undefined) {
    wrong.push(name);
    return {};
  }
  const kept: Json = {};
  for (const [word, value] of Object.entries(field)) {
    if (EVERYWHERE.includes(word) || known.includes(word)) kept[word] = value;
    else if (!isRepeated(word, field) && !SILENT.includes(word)) wrong.push(`${name}.${word}`);
  }
  if (typeof kept['format'] === 'string' && !FORMATS.includes(kept['format'])) wrong.push(`${name}.format`);
  // Libraries add the bounds of safe integers, which a form does not need.
  if (kept['minimum'] === -SAFE) delete kept['minimum'];
  if (kept['maximum'] === SAFE) delete kept['maximum'];
  return kept;
}

/** Whether a keyword repeats another: a pattern beside a format, or a constant beside an enum. */
function isRepeated(word: string, field: Json): boolean {
  return (word === 'pattern' && typeof field['format'] === 'string') || word === 'const';
}
