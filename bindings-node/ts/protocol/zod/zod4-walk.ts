/**
 * Converting zod 4 schemas to JSON Schema. Owns: the walk over a schema and what it refers to,
 * metadata, references, definitions. Must not know: the single types (`zod4-types`), or what is
 * rewritten at the end (`zod4-tidy`). zod itself is not needed: schemas of mini and of the first
 * releases have no conversion method.
 *
 * The output of zod differs between minor releases; `minor` says which one to reproduce.
 */
import type { Json, Zod4 } from './kinds';
import type { Conversion, Entry } from './zod4-conversion';
import { tidy } from './zod4-tidy';
import { ROWS } from './zod4-types';

/** One conversion. */
class Walk implements Conversion {
  readonly entries = new Map<Zod4, Entry>();
  /** The `allOf` lists of intersections, innermost first. */
  readonly intersections: unknown[] = [];
  readonly records: Zod4[] = [];
  readonly #open = new Set<Zod4>();

  constructor(
    /** Which side of a transformation is described. */
    readonly io: 'input' | 'output',
    /** Whether to use draft 2020-12; otherwise draft 7. */
    readonly modern: boolean,
    /** The minor release of the zod that made the schema. */
    readonly minor: number,
  ) {}

  /** The JSON Schema that stands where this schema is used; the same object each time. */
  visit(schema: Zod4): Json {
    const met = this.entries.get(schema);
    if (met !== undefined) {
      if (this.#open.has(schema)) met.cycle = true;
      return met.json;
    }
    const entry: Entry = { json: {}, cycle: false, said: metadata(schema) };
    this.entries.set(schema, entry);
    const own = schema._zod.toJSONSchema?.();
    if (own) entry.json = own;
    else {
      this.#open.add(schema);
      this.describe(schema, entry);
      this.#open.delete(schema);
    }
    this.annotate(schema, entry);
    return entry.json;
  }

  /** Describes a schema by an inner one, with its own metadata added. */
  follow(schema: Zod4, inner: Zod4): void {
    this.visit(inner);
    this.entries.get(schema)!.via = inner;
  }

  private describe(schema: Zod4, entry: Entry): void {
    const { parent, def } = schema._zod;
    if (parent === undefined || this.minor >= 3) {
      const row = ROWS[def.type];
      if (row === undefined) throw new Error(`[toJSONSchema]: Non-representable type encountered: ${def.type}`);
      row(schema, entry.json, this);
    }
    if (parent !== undefined) {
      entry.via ??= parent;
      this.visit(parent);
    }
  }

  private annotate(schema: Zod4, { json, said }: Entry): void {
    if (said !== undefined) Object.assign(json, said);
    if (this.io === 'input' && ('examples' in json || 'default' in json) && transforms(schema, this.minor)) {
      delete json['examples'];
      delete json['default'];
    }
    const ready = this.minor >= 4 ? '_prefault' in json : Boolean(json['_prefault']);
    if (this.io === 'input' && ready) json['default'] ??= json['_prefault'];
    delete json['_prefault'];
  }
}

/** The metadata of a schema: `.describe()`, `.meta()`. */
function metadata(schema: Zod4): Json | undefined {
  if (typeof schema.meta === 'function') return schema.meta();
  const shared = (globalThis as { __zod_globalRegistry?: { get(schema: Zod4): Json | undefined } }).__zod_globalRegistry;
  return shared?.get(schema);
}

/** The members of a definition that hold other schemas, for types other than objects. */
const PARTS: Record<string, readonly string[]> = {
  array: ['element'],
  set: ['valueType'],
  record: ['keyType', 'valueType'],
  map: ['keyType', 'valueType'],
  intersection: ['left', 'right'],
  pipe: ['in', 'out'],
  union: ['options'],
  tuple: ['items', 'rest'],
  ...Object.fromEntries(
    ['promise', 'optional', 'nonoptional', 'nullable', 'readonly', 'default', 'prefault', 'catch'].map((type) => [
      type,
      ['innerType'],
    ]),
  ),
};

/** Whether the output may differ from the input. */
function transforms(schema: Zod4, minor: number, seen = new Set<Zod4>()): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const { def, traits } = schema._zod;
  if (def.type === 'transform') return true;
  if (def.type === 'pipe' && minor >= 4 && traits?.has('$ZodCodec')) return true;
  if (def.type === 'catch' && minor < 5) return false;
  let parts = (PARTS[def.type] ?? []).flatMap((part) => (def[part] ?? []) as Zod4 | Zod4[]);
  if (def.type === 'lazy') parts = [def['getter']() as Zod4];
  if (def.type === 'object') parts = Object.values(def.shape!);
  return parts.some((part) => transforms(part, minor, seen));
}

/** Moves schemas with a name, or that contain themselves, to the definitions. */
function extract(walk: Walk, root: Zod4): void {
  const section = walk.modern ? '$defs' : 'definitions';
  let unnamed = 0;
  for (const [schema, entry] of walk.entries) {
    const top = schema === root;
    if ((!top && !entry.said?.['id'] && !entry.cycle) || entry.json['$ref']) continue;
    const { json } = entry;
    let ref = '#';
    if (!top || (walk.minor >= 5 && json['id'])) {
      entry.name = (json['id'] as string | undefined) ?? `__schema${unnamed++}`;
      const pointer = walk.minor >= 5 ? entry.name.replace(/~/g, '~0').replace(/\//g, '~1') : entry.name;
      ref = `#/${section}/${pointer}`;
    }
    entry.body = { ...json };
    for (const member of Object.keys(json)) delete json[member];
    json['$ref'] = ref;
  }
}

/** Removes what the referenced definition says as well. */
function withoutSame(json: Json, body: Json): void {
  for (const member of Object.keys(json)) {
    if (member === '$ref' || member === 'allOf' || !(member in body)) continue;
    if (JSON.stringify(json[member]) === JSON.stringify(body[member])) delete json[member];
  }
}

/** Gives a schema the members of the one that describes it. */
function flatten(walk: Walk, schema: Zod4): void {
  const entry = walk.entries.get(schema)!;
  if (entry.via === null) return;
  const { via } = entry;
  const { parent } = schema._zod;
  const json = entry.body ?? entry.json;
  const own = { ...json };
  entry.via = null;
  if (via !== undefined) {
    flatten(walk, via);
    const other = walk.entries.get(via)!;
    // Draft 7 ignores keywords beside a reference.
    if (other.json['$ref'] && !walk.modern) ((json['allOf'] ??= []) as Json[]).push(other.json);
    else Object.assign(json, other.json);
    Object.assign(json, own);
    if (walk.minor >= 3) {
      if (parent === via) {
        for (const member of Object.keys(json)) {
          if (member !== '$ref' && member !== 'allOf' && !(member in own)) delete json[member];
        }
      }
      if (other.json['$ref'] && other.body) withoutSame(json, other.body);
    }
  }
  if (walk.minor < 3 || parent === undefined || parent === via) return;
  flatten(walk, parent);
  const above = walk.entries.get(parent)!;
  if (!above.json['$ref']) return;
  json['$ref'] = above.json['$ref'];
  if (above.body) withoutSame(json, above.body);
}

/** The minor release of the zod that made a schema. */
const minorOf = (schema: Zod4): number => schema._zod.version?.minor ?? 6;

/** Converts a zod 4 schema to JSON Schema. The result is for printing only, because parts may be shared. */
export function zod4Json(root: Zod4, io: 'input' | 'output', modern = false): Json {
  const walk = new Walk(io, modern, minorOf(root));
  walk.visit(root);
  extract(walk, root);
  for (const schema of [...walk.entries.keys()].reverse()) flatten(walk, schema);
  if (walk.minor >= 5) tidy(walk);
  const top = walk.entries.get(root)!;
  const result: Json = {
    $schema: modern ? 'https://json-schema.org/draft/2020-12/schema' : 'http://json-schema.org/draft-07/schema#',
    ...(top.name === undefined ? (top.body ?? top.json) : top.json),
  };
  const id = top.said?.['id'];
  if (walk.minor >= 4 && id !== undefined && result['id'] === id) delete result['id'];
  const definitions: Json = {};
  for (const { name, body } of walk.entries.values()) {
    if (name === undefined || body === undefined) continue;
    if (walk.minor >= 4 && body['id'] === name) delete body['id'];
    definitions[name] = body;
  }
  if (Object.keys(definitions).length > 0) result[modern ? '$defs' : 'definitions'] = definitions;
  return result;
}
