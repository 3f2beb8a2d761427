/**
 * What zod rewrites, from 4.5 on, after a whole schema is converted. Owns: unions of simple types
 * as one `type`, keys of records as text, intersections of objects as one object. Must not know:
 * how the parts were made.
 */
import type { Json } from './kinds';
import type { Conversion } from './zod4-conversion';

/** Rewrites `anyOf: [{type: a}, {type: b}]` as `type: [a, b]`. */
function joinTypes(json: Json): void {
  const options = json['anyOf'];
  if (!Array.isArray(options) || options.length === 0 || json['type'] !== undefined) return;
  const types: string[] = [];
  for (const option of options as (Json | null)[]) {
    if (!option || typeof option !== 'object') return;
    joinTypes(option);
    if (Object.keys(option).join() !== 'type') return;
    for (const type of [option['type']].flat()) {
      if (typeof type !== 'string') return;
      if (!types.includes(type)) types.push(type);
    }
  }
  delete json['anyOf'];
  json['type'] = types.length === 1 ? types[0] : types;
}

/** The body of each definition, by the reference that stands for it. */
const bodies = (walk: Conversion): Map<Json, Json> => {
  const found = new Map<Json, Json>();
  for (const { json, body } of walk.entries.values()) {
    if (body !== undefined && !found.has(json)) found.set(json, body);
  }
  return found;
};

const OF_NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'format', 'id'];

/** The schema of a key as text, because all keys are text; the same object if it is that already. */
function keyAsText(json: Json, defined: Map<Json, Json>, visited: Set<Json>): Json {
  if (json['$ref']) {
    const body = defined.get(json);
    if (visited.has(json) || body === undefined) return json;
    visited.add(json);
    const text = keyAsText(body, defined, visited);
    return text === body ? json : text;
  }
  let result = json;
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = result[keyword];
    if (!Array.isArray(branches)) continue;
    const mapped = branches.map((branch: Json) => keyAsText(branch, defined, visited));
    if (mapped.some((branch, at) => branch !== branches[at])) result = { ...result, [keyword]: mapped };
  }
  const types = [result['type']].flat();
  const numeric = !types.includes('string') && (types.includes('number') || types.includes('integer'));
  const values = (result['enum'] ?? (result['const'] !== undefined ? [result['const']] : undefined)) as unknown[] | undefined;
  if (!numeric && !values?.some((value) => typeof value === 'number')) return result;
  const text: Json = Object.fromEntries(Object.entries(result).filter(([member]) => !OF_NUMBERS.includes(member)));
  const asText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);
  if (text['enum']) text['enum'] = (text['enum'] as unknown[]).map(asText);
  else if ('const' in text) text['const'] = asText(text['const']);
  if (!numeric) return text;
  text['type'] = 'string';
  if (values === undefined) text['pattern'] = types.includes('number') ? '^-?\\d+(?:\\.\\d+)?$' : '^-?\\d+$';
  return text;
}

function renameKeys(walk: Conversion): void {
  if (walk.records.length === 0) return;
  const defined = bodies(walk);
  const renamed = new Map<unknown, Json>();
  for (const record of walk.records) {
    const entry = walk.entries.get(record);
    const names = (entry?.body ?? entry?.json)?.['propertyNames'] as Json | undefined;
    if (!names || renamed.has(names)) continue;
    const text = keyAsText(names, defined, new Set());
    if (text !== names) renamed.set(names, text);
  }
  // A schema that inherited the members of a record shares the object.
  for (const { json, body } of walk.entries.values()) {
    for (const carrier of [json, body]) {
      const text = carrier && renamed.get(carrier['propertyNames']);
      if (text) carrier['propertyNames'] = text;
    }
  }
}

const OBJECT_KEYS = new Set(['type', 'properties', 'required', 'additionalProperties']);

/** The constraint of an object on members it does not name. */
function others(object: Json): Json | undefined {
  const rest = object['additionalProperties'];
  return typeof rest === 'object' && rest !== null && Object.keys(rest).length > 0 ? (rest as Json) : undefined;
}

const distinct = (parts: Json[]): Json[] => {
  const texts = new Map(parts.map((part) => [JSON.stringify(part), part] as const).reverse());
  return parts.filter((part) => texts.get(JSON.stringify(part)) === part);
};

/** Joins objects that must all match into one; `undefined` if one constrains more than members. */
function oneObject(objects: Json[]): Json | undefined {
  const simple = objects.every(
    (object) => object['type'] === 'object' && Object.keys(object).every((member) => OBJECT_KEYS.has(member)),
  );
  if (!simple) return undefined;
  const properties: Json = {};
  for (const name of objects.flatMap((object) => Object.keys((object['properties'] as Json | undefined) ?? {}))) {
    if (Object.hasOwn(properties, name)) continue;
    const found = objects.map((object) => (object['properties'] as Json | undefined)?.[name] ?? others(object));
    const parts = distinct(found.filter((part): part is Json => part !== undefined));
    properties[name] = parts.length === 1 ? parts[0] : (oneObject(parts) ?? { allOf: parts });
  }
  const result: Json = { type: 'object', properties };
  const required = new Set(objects.flatMap((object) => (object['required'] as string[] | undefined) ?? []));
  if (required.size > 0) result['required'] = [...required];
  const rest = distinct(objects.map(others).filter((part): part is Json => part !== undefined));
  if (objects.every((object) => object['additionalProperties'] === false)) result['additionalProperties'] = false;
  else if (rest.length === 1) result['additionalProperties'] = rest[0];
  else if (rest.length > 1) result['additionalProperties'] = { allOf: rest };
  return result;
}

/** Rewrites an intersection of objects, or of objects and one union of objects, without `allOf`. */
function fold(json: Json): void {
  const members = json['allOf'] as Json[] | undefined;
  if (!Array.isArray(members) || members.length < 2) return;
  if (Object.keys(json).some((member) => OBJECT_KEYS.has(member))) return;
  const keywordOf = (member: Json): string | undefined => ['oneOf', 'anyOf'].find((word) => Array.isArray(member[word]));
  const union = members.find((member) => keywordOf(member) !== undefined);
  let folded: Json | undefined;
  if (union === undefined) folded = oneObject(members);
  else {
    const keyword = keywordOf(union)!;
    if (Object.keys(union).length !== 1) return;
    const rest = members.filter((member) => member !== union);
    const branches = (union[keyword] as Json[]).map((branch) => oneObject([...rest, branch]));
    if (branches.every((branch) => branch !== undefined)) folded = { [keyword]: branches };
  }
  if (folded === undefined) return;
  delete json['allOf'];
  Object.assign(json, folded);
}

/** Rewrites everything that a conversion produced. */
export function tidy(walk: Conversion): void {
  for (const { json, body } of walk.entries.values()) joinTypes(body ?? json);
  renameKeys(walk);
  for (const allOf of walk.intersections) {
    for (const { json, body } of walk.entries.values()) {
      for (const carrier of [json, body]) if (carrier !== undefined && carrier['allOf'] === allOf) fold(carrier);
    }
  }
}
