/**
 * The checks of a zod 4 schema, summed up. Owns: reading bounds, formats and patterns, which older
 * releases store on the schema and newer ones on its checks. Must not know: JSON Schema.
 */
import type { Zod4, Zod4Def } from './kinds';

/** The sum of a schema's checks. */
export interface Facts {
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multiples: number[];
  integer: boolean;
  format?: string;
  expressions: Set<RegExp>;
  /** Sources of regular expressions. */
  patterns: string[];
  contentEncoding?: string;
  /** Whether the format accepts more than its name says. */
  lax: boolean;
  mime?: string[];
}

type Bound = 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum';

const RANGES: Record<string, readonly [number, number]> = {
  safeint: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  int32: [-2147483648, 2147483647],
  uint32: [0, 4294967295],
  float32: [-3.4028234663852886e38, 3.4028234663852886e38],
  float64: [-Number.MAX_VALUE, Number.MAX_VALUE],
};

/** Patterns that are looser in parsing than in the listed schema. */
const EXACT: Record<string, string> = {
  '^[0-9a-zA-Z+/]*={0,2}$': '^$|^(?:[0-9a-zA-Z+/]{4})*(?:(?:[0-9a-zA-Z+/]{2}==)|(?:[0-9a-zA-Z+/]{3}=))?$',
  '^[A-Za-z0-9_-]*$': '^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3})?$',
};

/** Keeps the tighter of two bounds. */
function narrow(facts: Facts, bound: Bound, value: number | undefined): void {
  if (value === undefined) return;
  const known = facts[bound];
  const lower = bound === 'minimum' || bound === 'exclusiveMinimum';
  if (known === undefined || (lower ? value > known : value < known)) facts[bound] = value;
}

function setFormat(facts: Facts, format: string): void {
  facts.format = format;
  if (format.includes('int')) facts.integer = true;
}

function keepMime(facts: Facts, mime: string[]): void {
  facts.mime = facts.mime ? facts.mime.filter((type) => mime.includes(type)) : [...mime];
}

const least = (facts: Facts, def: Zod4Def): void => narrow(facts, 'minimum', def['minimum']);
const most = (facts: Facts, def: Zod4Def): void => narrow(facts, 'maximum', def['maximum']);

const CHECKS: Record<string, (facts: Facts, def: Zod4Def) => void> = {
  greater_than: (facts, def) => narrow(facts, def['inclusive'] ? 'minimum' : 'exclusiveMinimum', def['value']),
  less_than: (facts, def) => narrow(facts, def['inclusive'] ? 'maximum' : 'exclusiveMaximum', def['value']),
  multiple_of: (facts, def) => void facts.multiples.push(def['value']),
  number_format: (facts, def) => {
    setFormat(facts, def['format']);
    const range = RANGES[def['format'] as string];
    narrow(facts, 'minimum', range?.[0]);
    narrow(facts, 'maximum', range?.[1]);
  },
  min_length: least,
  max_length: most,
  min_size: least,
  max_size: most,
  length_equals: (facts, def) => {
    narrow(facts, 'minimum', def['length']);
    narrow(facts, 'maximum', def['length']);
  },
  size_equals: (facts, def) => {
    narrow(facts, 'minimum', def['size']);
    narrow(facts, 'maximum', def['size']);
  },
  string_format: (facts, def) => {
    const format = def['format'] as string;
    setFormat(facts, format);
    if (def['pattern']) facts.expressions.add(def['pattern']);
    if (format === 'base64' || format === 'base64url') facts.contentEncoding = format;
    if (def['local'] || def['precision'] === -1) facts.lax = true;
  },
  mime_type: (facts, def) => keepMime(facts, def['mime']),
};

/** Sums up a schema's checks, for the given minor release of zod. */
export function factsOf(schema: Zod4, minor: number): Facts {
  const facts: Facts = { multiples: [], integer: false, expressions: new Set(), patterns: [], lax: false };
  const { def, traits, bag = {} } = schema._zod;
  if (minor >= 6) {
    const checks = [...(traits?.has('$ZodCheck') ? [schema] : []), ...(def.checks ?? [])];
    for (const check of checks) CHECKS[check._zod.def['check']]?.(facts, check._zod.def);
  }
  for (const bound of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const) {
    narrow(facts, bound, bag[bound]);
  }
  if (bag['multipleOf'] !== undefined) facts.multiples.push(bag['multipleOf']);
  if (typeof bag['format'] === 'string') {
    if (facts.format === undefined) setFormat(facts, bag['format']);
    else if (bag['format'].includes('int')) facts.integer = true;
  }
  if (bag['contentEncoding']) facts.contentEncoding ??= bag['contentEncoding'];
  if (bag['laxFormat']) facts.lax = true;
  if (bag['mime']) keepMime(facts, bag['mime']);
  for (const expression of bag['patterns'] ?? []) facts.expressions.add(expression);
  facts.patterns = [...facts.expressions].map(({ source }) => (minor >= 6 && EXACT[source]) || source);
  return facts;
}
