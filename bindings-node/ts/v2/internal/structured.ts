/**
 * Structured content that is not an object, which 2026-07-28 allows, and the form for clients of
 * older revisions: an object with one member, `result`. Owns: both forms, for results and for
 * output schemas. Must not know: who asks.
 */
import type { CallToolResult } from './tool-types';

type Json = Record<string, unknown>;

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['const', 'enum', 'default', 'examples']);
/** Keywords whose members are schemas under names that the program chooses. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** The reference to the original schema inside a wrapped one. */
const INSIDE = '#/properties/result';

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a schema is of an object, as revisions before 2026-07-28 require. */
export const isOfObjects = (schema: Json): boolean => schema['type'] === 'object';

/** Adds structured content that is not an object to the result's text content. */
export function withText(result: CallToolResult): CallToolResult {
  const { content = [], structuredContent: value } = result;
  if (value === undefined || isObject(value) || content.some(({ type }) => type === 'text')) return result;
  return { ...result, content: [...content, { type: 'text', text: JSON.stringify(value) }] };
}

/** A result in the form for older revisions; `listed` is the tool's output schema. */
export function wrapped(result: CallToolResult, listed: Json | undefined): CallToolResult {
  const { structuredContent: value } = result;
  if (value === undefined || (isObject(value) && (listed === undefined || isOfObjects(listed)))) return result;
  return { ...result, structuredContent: { result: value } };
}

/**
 * Adjusts a schema's references to its new place. A subschema with an `$id` is left alone, because
 * its references are relative to itself.
 */
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

/** A tool's output schema in the form for older revisions. */
function wrappedSchema(schema: Json): Json {
  const { $schema } = schema;
  const result = typeof schema['$id'] === 'string' ? schema : moved(schema);
  return { ...($schema !== undefined && { $schema }), type: 'object', properties: { result }, required: ['result'] };
}

/** Tools in the form for older revisions. */
export function wrappedTools<T extends object>(tools: readonly T[]): T[] {
  return tools.map((tool) => {
    const { outputSchema } = tool as { outputSchema?: unknown };
    return isObject(outputSchema) && !isOfObjects(outputSchema) ? { ...tool, outputSchema: wrappedSchema(outputSchema) } : tool;
  });
}
