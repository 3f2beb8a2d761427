/**
 * Structured content that is not an object, which 2026-07-28 allows, and what clients of older
 * revisions are shown instead: an object with one member, `result`. Owns: both shapes, for
 * results and for the schemas they are listed with. Must not know: who asks.
 */
import type { CallToolResult } from './tool-types';

type Json = Record<string, unknown>;

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['const', 'enum', 'default', 'examples']);
/** Keywords whose members are schemas under names of the program's. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Where the schema itself is in one that is wrapped. */
const INSIDE = '#/properties/result';

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a schema is of objects, as revisions before 2026-07-28 want it. */
export const isOfObjects = (schema: Json): boolean => schema['type'] === 'object';

/** A result whose content says as text what its structured content is, if that is not an object. */
export function withText(result: CallToolResult): CallToolResult {
  const { content = [], structuredContent: value } = result;
  if (value === undefined || isObject(value) || content.some(({ type }) => type === 'text')) return result;
  return { ...result, content: [...content, { type: 'text', text: JSON.stringify(value) }] };
}

/** A result as clients of older revisions are shown it; `listed` is the tool's output schema. */
export function wrapped(result: CallToolResult, listed: Json | undefined): CallToolResult {
  const { structuredContent: value } = result;
  if (value === undefined || (isObject(value) && (listed === undefined || isOfObjects(listed)))) return result;
  return { ...result, structuredContent: { result: value } };
}

/** Moves the references of a schema with it. A part with an `$id` is a place of its own. */
function moved(schema: unknown, isTop = true): unknown {
  if (Array.isArray(schema)) return schema.map((each) => moved(each, false));
  if (!isObject(schema) || (!isTop && typeof schema['$id'] === 'string')) return schema;
  return Object.fromEntries(Object.entries(schema).map(([word, value]) => [word, movedMember(word, value)]));
}

function movedMember(word: string, value: unknown): unknown {
  if (DATA.has(word)) return value;
  if (word === '$ref' && typeof value === 'string' && /^#(\/|$)/.test(value)) return INSIDE + value.slice(1);
  if (!NAMED.has(word) || !isObject(value)) return moved(value, false);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, moved(each, false)]));
}

/** A tool's output schema as clients of older revisions are shown it. */
function wrappedSchema(schema: Json): Json {
  const { $schema } = schema;
  const result = typeof schema['$id'] === 'string' ? schema : moved(schema);
  return { ...($schema !== undefined && { $schema }), type: 'object', properties: { result }, required: ['result'] };
}

/** Tools as clients of older revisions are shown them. */
export function wrappedTools<T extends object>(tools: readonly T[]): T[] {
  return tools.map((tool) => {
    const { outputSchema } = tool as { outputSchema?: unknown };
    return isObject(outputSchema) && !isOfObjects(outputSchema) ? { ...tool, outputSchema: wrappedSchema(outputSchema) } : tool;
  });
}
