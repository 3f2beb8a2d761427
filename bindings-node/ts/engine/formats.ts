/**
 * `format` as a constraint, as in 1.x; for the engine it is only an annotation. Owns: patterns for
 * the formats, and adding them to schemas. Must not know: values.
 */
type Json = Record<string, unknown>;

const DATE =
  '(?:(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29|[0-9]{4}-' +
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8])))';
const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?(?:[zZ]|[+-][0-9]{2}(?::?[0-9]{2})?)';
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';

const PATTERNS: Record<string, string> = {
  date: `^${DATE}$`,
  time: `^${TIME}$`,
  'date-time': `^${DATE}[tT ]${TIME}$`,
  email: `^${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${LABEL}$`,
  hostname: `^${LABEL}(?:\\.${LABEL})*\\.?$`,
  ipv4: `^(?:${BYTE}\\.){3}${BYTE}$`,
  uri: "^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$",
  uuid: '^(?:[uU][rR][nN]:[uU][uU][iI][dD]:)?[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$',
};

const NAMES = new Map(Object.entries(PATTERNS).map(([name, pattern]) => [pattern, name]));

/** The format that a pattern stands for, if it is one of the patterns added here. */
export function formatOf(pattern: unknown): string | undefined {
  return NAMES.get(pattern as string);
}

/** Keywords whose value is one schema; below, lists of schemas, and schemas by name. */
const ONE = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const LIST = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'];
const NAMED = ['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'];

/** Adds a pattern to a schema for every known format. */
export function withFormats<T extends object | boolean>(schema: T): T {
  if (typeof schema === 'boolean' || !JSON.stringify(schema).includes('"format"')) return schema;
  return one(schema) as T;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function one(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const made: Json = { ...schema };
  for (const [name, value] of Object.entries(schema)) {
    if (Array.isArray(value) && LIST.includes(name)) made[name] = value.map(one);
    else if (isObject(value) && ONE.includes(name)) made[name] = one(value);
    else if (isObject(value) && NAMED.includes(name)) {
      made[name] = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, one(inner)]));
    }
  }
  const pattern = typeof schema['format'] === 'string' ? PATTERNS[schema['format']] : undefined;
  if (pattern !== undefined) made['allOf'] = [...((made['allOf'] as unknown[] | undefined) ?? []), { pattern }];
  return made;
}
