/**
 * Types of tools that are wider in 2.x: since 2026-07-28 structured content may be any
 * value. Owns: those types. Must not know: anything that runs.
 */
import type { ResultTypeMap as ResultTypeMapV1 } from '../../generated/methods';
import type * as v1 from '../../types';

/** A type without one of its members; what it takes beside its members stays. */
type Without<T, K extends PropertyKey> = { [P in keyof T as P extends K ? never : P]: T[P] };

/** Result of `tools/call`. A tool's own failure is a result with `isError`, so that the model sees it. */
export interface CallToolResult extends Without<v1.CallToolResult, 'structuredContent'> {
  /** The answer as data. `null` is a value, told from absent. Since 2025-06-18; before 2026-07-28 an object. */
  structuredContent?: unknown;
}

/** A tool of a server. */
export interface Tool extends Without<v1.Tool, 'outputSchema'> {
  /** JSON Schema of `structuredContent`. Since 2025-06-18; before 2026-07-28 its root has `type: object`. */
  outputSchema?: { [keyword: string]: unknown };
}

/** A page of tools. */
export interface ListToolsResult extends Without<v1.ListToolsResult, 'tools'> {
  /** The tools of this page. */
  tools: Tool[];
}

/** What each method is answered with. */
export interface ResultTypeMap extends Omit<ResultTypeMapV1, 'tools/call' | 'tools/list'> {
  'tools/call': CallToolResult;
  'tools/list': ListToolsResult;
}
