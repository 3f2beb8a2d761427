/**
 * Types of tools that are wider in 2.x: since 2026-07-28 structured content may be any value. Owns:
 * those types. Must not know: anything that runs.
 */
import type { ResultTypeMap as ResultTypeMapV1 } from '../../generated/methods';
import type * as v1 from '../../protocol/types';

/** A type without one of its members; its index signature is kept. */
type Without<T, K extends PropertyKey> = { [P in keyof T as P extends K ? never : P]: T[P] };

/** The result of `tools/call`. A failure of the tool itself is a result with `isError`, so that the model sees it. */
export interface CallToolResult extends Without<v1.CallToolResult, 'structuredContent'> {
  /** The result as data. `null` is a value and differs from absent. Since 2025-06-18; an object before 2026-07-28. */
  structuredContent?: unknown;
}

/** A tool of a server. */
export interface Tool extends Without<v1.Tool, 'outputSchema'> {
  /** The JSON Schema of `structuredContent`. Since 2025-06-18; with `type: object` at its root before 2026-07-28. */
  outputSchema?: { [keyword: string]: unknown };
}

/** A page of tools. */
export interface ListToolsResult extends Without<v1.ListToolsResult, 'tools'> {
  /** The tools of this page. */
  tools: Tool[];
}

/** The results of the protocol's methods. */
export interface ResultTypeMap extends Omit<ResultTypeMapV1, 'tools/call' | 'tools/list'> {
  'tools/call': CallToolResult;
  'tools/list': ListToolsResult;
}
