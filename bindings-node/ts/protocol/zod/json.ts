/**
 * Converting any schema that a program passes to JSON Schema. Owns: which converter is used, and
 * when a schema may do it itself. Must not know: tools.
 */
import { isJsonSchema, isZod3, isZod4, standardOf, type Json, type Zod4 } from './kinds';
import { ShapeSchema } from './shape';
import { zod3Json, type Side } from './zod3-json';
import { mayMiss } from './zod4-types';
import { zod4Json } from './zod4-walk';

/** How a schema is converted. */
export interface Conversion {
  side: Side;
  /** Whether to use draft 2020-12 if there is a choice; otherwise draft 7. */
  modern?: boolean;
  strictUnions?: boolean;
}

/** Converts with the schema's own method, whose output depends on its zod release. */
function own(schema: Zod4, { side, modern }: Conversion): Json | undefined {
  if (typeof schema.toJSONSchema !== 'function') return undefined;
  return schema.toJSONSchema({ target: modern ? 'draft-2020-12' : 'draft-7', io: side });
}

/** The newest minor release whose output our own conversion reproduces. */
const KNOWN_MINOR = 6;

/** Whether to use our own conversion: a raw shape has no method for it, unless its release is unknown. */
const isKnown = (schema: ShapeSchema & Zod4): boolean =>
  Object.values(schema._zod.def.shape!).every(({ _zod }) => (_zod.version?.minor ?? 0) <= KNOWN_MINOR);

/**
 * Converts a raw shape member by member, each with its own method. `undefined` if a member has
 * references, because those start at the whole schema.
 */
function byMember(schema: ShapeSchema & Zod4, conversion: Conversion): Json | undefined {
  const shape = schema._zod.def.shape!;
  const properties: Json = {};
  let head: unknown;
  for (const name of Object.keys(shape)) {
    const json = own(shape[name]!, conversion);
    if (json === undefined) return undefined;
    const { $schema, ...member } = json;
    if (/"(?:\$ref|id|definitions|\$defs)":/.test(JSON.stringify(member))) return undefined;
    head = $schema;
    properties[name] = member;
  }
  const { side } = conversion;
  const result: Json = { $schema: head, type: 'object', properties };
  const required = Object.keys(shape).filter((name) => !mayMiss(shape[name]!, side, KNOWN_MINOR));
  if (required.length > 0) result['required'] = required;
  if (side === 'output') result['additionalProperties'] = false;
  return result;
}

/** Converts a zod schema; throws zod's error for what JSON Schema cannot describe. */
export function zodJson(schema: object, conversion: Conversion): Json {
  if (schema instanceof ShapeSchema && isZod4(schema)) {
    const asked = isKnown(schema) ? undefined : byMember(schema, conversion);
    return asked ?? zod4Json(schema, conversion.side, conversion.modern);
  }
  if (isZod4(schema)) return own(schema, conversion) ?? zod4Json(schema, conversion.side, conversion.modern);
  if (isZod3(schema)) return zod3Json(schema, conversion.side, conversion.strictUnions);
  const json = own(schema as Zod4, conversion);
  if (json === undefined) throw new Error('this is no schema of zod');
  return json;
}

const told = new WeakSet<object>();

/** The JSON Schema that a Standard Schema provides; warns once if it provides none. */
function offered(schema: object, { side, modern }: Conversion): Json | undefined {
  const part = standardOf(schema);
  const convert = part?.jsonSchema?.[side];
  // Not every library supports both drafts.
  const drafts = modern ? ['draft-2020-12', 'draft-07'] : ['draft-07', 'draft-2020-12'];
  for (const target of convert === undefined ? [] : drafts) {
    try {
      return convert!({ target });
    } catch (error) {
      if (target === drafts[1]) throw error;
    }
  }
  if (!told.has(schema)) {
    told.add(schema);
    const vendor = part?.vendor ?? 'this library';
    console.warn(`A schema of ${vendor} offers no JSON Schema (~standard.jsonSchema): clients will not see its parameters.`);
  }
  return undefined;
}

/** Whether a member may be left out, found out by parsing `undefined`. */
function takesNothing(schema: object): boolean {
  const result = standardOf(schema)!.validate(undefined);
  if (!(result instanceof Promise)) return result.issues === undefined;
  result.catch(() => undefined);
  return false;
}

/** Converts a raw shape of Standard Schemas. */
function standardShape({ shape }: ShapeSchema, conversion: Conversion): Json {
  const members = Object.entries(shape as Record<string, object>).map(([name, member]): [string, Json] => {
    const { $schema: _, ...json } = offered(member, conversion) ?? {};
    return [name, json];
  });
  const required = Object.keys(shape).filter((name) => !takesNothing(shape[name] as object));
  const json: Json = { type: 'object', properties: Object.fromEntries(members) };
  return required.length > 0 ? { ...json, required } : json;
}

/** Converts any schema; `undefined` for a Standard Schema that provides no JSON Schema. */
export function jsonSchemaOf(schema: object, conversion: Conversion): Json | undefined {
  if (isZod4(schema) || isZod3(schema)) return zodJson(schema, conversion);
  if (schema instanceof ShapeSchema) return standardShape(schema, conversion);
  if (isJsonSchema(schema)) return schema;
  // Schemas of the protocol convert themselves.
  return own(schema as Zod4, conversion) ?? (standardOf(schema) && offered(schema, conversion));
}
