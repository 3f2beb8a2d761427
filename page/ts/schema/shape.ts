// What a JSON Schema asks for, as far as a form can show it.
//
// Owns: references, choices, kinds of fields. Must not know: values that were typed.

import { isObject, list, same, text, type Json, type JsonObject } from '../json';

/** One of several values. */
export interface Option {
  value: Json;
  label: string;
}

/** Another way to fill in a field. */
export interface Branch {
  label: string;
  schema: JsonObject;
}

export type Shape =
  | { kind: 'text'; schema: JsonObject; format?: string }
  | { kind: 'number'; schema: JsonObject; whole: boolean }
  | { kind: 'flag'; schema: JsonObject }
  | { kind: 'choice'; schema: JsonObject; options: Option[] }
  | { kind: 'several'; schema: JsonObject; options: Option[] }
  | { kind: 'list'; schema: JsonObject; items: JsonObject }
  | { kind: 'object'; schema: JsonObject; fields: Field[] }
  | { kind: 'branches'; schema: JsonObject; branches: Branch[] }
  | { kind: 'nothing'; schema: JsonObject }
  | { kind: 'json'; schema: JsonObject };

export interface Field {
  name: string;
  schema: JsonObject;
  required: boolean;
}

/** Members that say what a value is, not only which of its kind. */
const SHAPES = ['type', 'properties', 'items', 'enum', 'const', 'oneOf', 'anyOf'];

/** How many references are followed one after the other. */
const HOPS = 16;

/** The schema that references lead to, with what stands beside them. */
export function resolve(schema: Json | undefined, root: JsonObject): JsonObject {
  let found = isObject(schema) ? schema : {};
  for (let hop = 0; hop < HOPS; hop += 1) {
    const ref = text(found, '$ref');
    if (ref === undefined) break;
    const { $ref: _, ...beside } = found;
    found = { ...at(root, ref), ...beside };
  }
  const parts = list(found, 'allOf');
  if (parts?.length) {
    const { allOf: _, ...beside } = found;
    found = [...parts.map((part) => resolve(part, root)), beside].reduce(merged, {});
  }
  return found;
}

function at(root: JsonObject, ref: string): JsonObject {
  if (!ref.startsWith('#')) return {};
  const path = decodeURIComponent(ref.slice(1)).split('/').slice(1);
  let place: Json | undefined = root;
  for (const step of path) {
    const name: string = step.replaceAll('~1', '/').replaceAll('~0', '~');
    place = isObject(place) ? place[name] : Array.isArray(place) ? place[Number(name)] : undefined;
  }
  return isObject(place) ? place : {};
}

function merged(one: JsonObject, other: JsonObject): JsonObject {
  const both = { ...one, ...other };
  if (isObject(one.properties) && isObject(other.properties)) both.properties = { ...one.properties, ...other.properties };
  const required = [...(list(one, 'required') ?? []), ...(list(other, 'required') ?? [])];
  if (required.length > 0) both.required = required;
  return both;
}

/** What kind of field a schema makes. */
export function shape(given: Json | undefined, root: JsonObject): Shape {
  const schema = resolve(given, root);
  const options = choices(schema, root);
  if (options) return { kind: 'choice', schema, options };
  const branches = (list(schema, 'oneOf') ?? list(schema, 'anyOf'))?.map((branch) => resolve(branch, root));
  // Branches that only narrow what stands beside them make no field of their own.
  if (branches?.length && branches.every((branch) => SHAPES.some((word) => branch[word] !== undefined))) {
    const { oneOf: _, anyOf: __, ...beside } = schema;
    const some = branches.filter((branch) => branch.type !== 'null');
    // What may be null is what may be left out.
    if (some.length === 1) return shape(merged(some[0] ?? {}, beside), root);
    return { kind: 'branches', schema, branches: some.map((branch, index) => ({ label: named(branch, index), schema: merged(beside, branch) })) };
  }
  const types = Array.isArray(schema.type) ? schema.type.filter((type) => type !== 'null') : [schema.type];
  if (types.length > 1) {
    const each = types.filter((type): type is string => typeof type === 'string');
    return { kind: 'branches', schema, branches: each.map((type) => ({ label: type, schema: { ...schema, type } })) };
  }
  return simple(schema, types[0] ?? guessed(schema), root);
}

function simple(schema: JsonObject, type: Json, root: JsonObject): Shape {
  switch (type) {
    case 'string':
      return { kind: 'text', schema, format: text(schema, 'format') };
    case 'integer':
    case 'number':
      return { kind: 'number', schema, whole: type === 'integer' };
    case 'boolean':
      return { kind: 'flag', schema };
    case 'null':
      return { kind: 'nothing', schema };
    case 'array': {
      if (!isObject(schema.items)) return { kind: 'json', schema };
      const options = choices(resolve(schema.items, root), root);
      return options && options.length <= 20 ? { kind: 'several', schema, options } : { kind: 'list', schema, items: schema.items };
    }
    case 'object': {
      const required = list(schema, 'required') ?? [];
      const fields = Object.entries(isObject(schema.properties) ? schema.properties : {});
      if (fields.length === 0) return { kind: 'json', schema };
      return { kind: 'object', schema, fields: fields.map(([name, field]) => ({ name, schema: isObject(field) ? field : {}, required: required.includes(name) })) };
    }
    default:
      return { kind: 'json', schema };
  }
}

function guessed(schema: JsonObject): Json {
  if (isObject(schema.properties)) return 'object';
  return schema.items === undefined ? 'anything' : 'array';
}

/** The values there are, if they are few and known. */
function choices(schema: JsonObject, root: JsonObject): Option[] | undefined {
  if (schema.const !== undefined) return [{ value: schema.const, label: label(schema.const) }];
  const values = list(schema, 'enum');
  if (values) {
    const names = list(schema, 'enumNames');
    return values.map((value, index) => ({ value, label: label(names?.[index] ?? value) }));
  }
  const branches = (list(schema, 'oneOf') ?? list(schema, 'anyOf'))?.map((branch) => resolve(branch, root));
  if (!branches?.length || !branches.every((branch) => branch.const !== undefined)) return undefined;
  return branches.map((branch) => ({ value: branch.const ?? null, label: text(branch, 'title') ?? label(branch.const ?? null) }));
}

function label(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function named(branch: JsonObject, index: number): string {
  const tag = Object.entries(isObject(branch.properties) ? branch.properties : {}).find(([, field]) => isObject(field) && field.const !== undefined);
  const told = text(branch, 'title') ?? (tag && isObject(tag[1]) ? `${tag[0]}: ${label(tag[1].const ?? null)}` : undefined);
  return told ?? text(branch, 'type') ?? `choice ${index + 1}`;
}

/** The type in a word, for people. */
export function typeName(of: Shape): string {
  switch (of.kind) {
    case 'text':
      return of.format ?? 'text';
    case 'number':
      return of.whole ? 'integer' : 'number';
    case 'flag':
      return 'boolean';
    case 'choice':
      return 'choice';
    case 'several':
      return 'choices';
    case 'branches':
      return 'one of';
    case 'nothing':
      return 'null';
    default:
      return of.kind === 'json' ? 'JSON' : of.kind;
  }
}

/** Which branch a value belongs to. */
export function branchOf(value: Json | undefined, branches: Branch[], root: JsonObject): number {
  const found = branches.findIndex((branch) => fits(value, shape(branch.schema, root), root));
  return Math.max(found, 0);
}

function fits(value: Json | undefined, of: Shape, root: JsonObject): boolean {
  switch (of.kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'flag':
      return typeof value === 'boolean';
    case 'choice':
      return of.options.some((option) => same(option.value, value));
    case 'list':
    case 'several':
      return Array.isArray(value);
    case 'object':
      return isObject(value) && Object.entries(value).every(([name, inner]) => mayBe(inner, of.fields.find((field) => field.name === name), root));
    case 'nothing':
      return value === null;
    default:
      return false;
  }
}

/** Whether a member, which may not be filled in yet, can be this field: what has one value only decides. */
function mayBe(value: Json, field: Field | undefined, root: JsonObject): boolean {
  if (!field) return false;
  const only = resolve(field.schema, root).const;
  return only === undefined || same(only, value);
}
