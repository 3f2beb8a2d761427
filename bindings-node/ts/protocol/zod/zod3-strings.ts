/**
 * Converting zod 3 strings to JSON Schema. Owns: one row per check of a string. Must not know: the
 * other types.
 *
 * A second format goes into `anyOf`, a second pattern into `allOf`, because a keyword can occur
 * only once.
 */
import type { Json, Zod3Def } from './kinds';

type Check = { kind: string; value?: unknown; [member: string]: unknown };
type Row = (json: Json, check: Check) => void;

const V4 = '(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])';
const DEC = '(25[0-5]|(2[0-4]|1{0,1}[0-9]){0,1}[0-9])';
const HEX = '[0-9a-fA-F]{1,4}';

/** A pattern for an IPv6 network with a prefix length, spelled as the official package does. */
const V6_CIDR = [
  `^((${HEX}:){7,7}${HEX}|(${HEX}:){1,7}:|(${HEX}:){1,6}:${HEX}`,
  ...[2, 3, 4, 5].map((n) => `(${HEX}:){1,${7 - n}}(:${HEX}){1,${n}}`),
  `${HEX}:((:${HEX}){1,6})|:((:${HEX}){1,7}|:)`,
  'fe80:(:[0-9a-fA-F]{0,4}){0,4}%[0-9a-zA-Z]{1,}',
  `::(ffff(:0{1,4}){0,1}:){0,1}(${DEC}\\.){3,3}${DEC}`,
  `(${HEX}:){1,4}:(${DEC}\\.){3,3}${DEC})\\/(12[0-8]|1[01][0-9]|[1-9]?[0-9])$`,
].join('|');

/** Checks that become one pattern. */
const PATTERNS: Record<string, string> = {
  cuid: '^[cC][^\\s-]{8,}$',
  cuid2: '^[0-9a-z]+$',
  ulid: '^[0-9A-HJKMNP-TV-Z]{26}$',
  emoji: '^(\\p{Extended_Pictographic}|\\p{Emoji_Component})+$',
  base64url: '^([0-9a-zA-Z-_]{4})*(([0-9a-zA-Z-_]{2}(==)?)|([0-9a-zA-Z-_]{3}(=)?))?$',
  nanoid: '^[a-zA-Z0-9_-]{21}$',
  jwt: '^[A-Za-z0-9-_]+\\.[A-Za-z0-9-_]+\\.[A-Za-z0-9-_]*$',
};

/** Checks that become one format. */
const FORMATS: Record<string, string> = {
  email: 'email',
  url: 'uri',
  uuid: 'uuid',
  datetime: 'date-time',
  date: 'date',
  time: 'time',
  duration: 'duration',
};

/** Adds a keyword to a schema, or combines it with the one that is there. */
function add(json: Json, keyword: 'format' | 'pattern', group: 'anyOf' | 'allOf', value: string): void {
  const rows = json[group] as Json[] | undefined;
  if (!json[keyword] && !rows?.some((row) => row[keyword])) {
    json[keyword] = value;
    return;
  }
  const list = (json[group] ??= []) as Json[];
  if (json[keyword]) {
    list.push({ [keyword]: json[keyword] });
    delete json[keyword];
  }
  list.push({ [keyword]: value });
}

const format = (json: Json, value: string): void => add(json, 'format', 'anyOf', value);
const pattern = (json: Json, value: string): void => add(json, 'pattern', 'allOf', value);

/** Escapes every character that is not a letter or digit; `W` and `w` as well, as zod's converter does. */
const escaped = (text: unknown): string => String(text).replace(/[^A-VX-Za-vx-z0-9]/g, (unit) => `\\${unit}`);

function atLeast(json: Json, value: number): void {
  json['minLength'] = typeof json['minLength'] === 'number' ? Math.max(json['minLength'], value) : value;
}

function atMost(json: Json, value: number): void {
  json['maxLength'] = typeof json['maxLength'] === 'number' ? Math.min(json['maxLength'], value) : value;
}

const ROWS: Record<string, Row> = {
  min: (json, check) => atLeast(json, check.value as number),
  max: (json, check) => atMost(json, check.value as number),
  length: (json, check) => {
    atLeast(json, check.value as number);
    atMost(json, check.value as number);
  },
  regex: (json, check) => pattern(json, (check['regex'] as RegExp).source),
  startsWith: (json, check) => pattern(json, RegExp(`^${escaped(check.value)}`).source),
  endsWith: (json, check) => pattern(json, RegExp(`${escaped(check.value)}$`).source),
  includes: (json, check) => pattern(json, RegExp(escaped(check.value)).source),
  ip: (json, check) => {
    if (check['version'] !== 'v6') format(json, 'ipv4');
    if (check['version'] !== 'v4') format(json, 'ipv6');
  },
  cidr: (json, check) => {
    if (check['version'] !== 'v6') pattern(json, RegExp(`^${V4}/(3[0-2]|[12]?[0-9])$`).source);
    if (check['version'] !== 'v4') pattern(json, V6_CIDR);
  },
  base64: (json) => {
    json['contentEncoding'] = 'base64';
  },
};

/** Converts a string schema to JSON Schema. */
export function stringOf(def: Zod3Def): Json {
  const json: Json = { type: 'string' };
  for (const check of def.checks ?? []) {
    const row = ROWS[check.kind];
    if (row !== undefined) row(json, check);
    else if (FORMATS[check.kind] !== undefined) format(json, FORMATS[check.kind]!);
    else if (PATTERNS[check.kind] !== undefined) pattern(json, PATTERNS[check.kind]!);
  }
  return json;
}
