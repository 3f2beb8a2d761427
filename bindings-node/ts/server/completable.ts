/**
 * Schemas that know how to complete a value. Owns: marking a schema, and finding the mark
 * in whichever order it was wrapped. Must not know: prompts, servers.
 */
import type { AnySchema, SchemaInput } from './zod-compat';

/** Where a schema keeps its completions. */
export const COMPLETABLE_SYMBOL: unique symbol = Symbol.for('mcp.completable');

/** Suggests values for what was typed so far; `context` has the arguments that are known. */
export type CompleteCallback<T extends AnySchema = AnySchema> = (
  value: SchemaInput<T>,
  context?: { arguments?: Record<string, string> },
) => SchemaInput<T>[] | Promise<SchemaInput<T>[]>;

/** What a schema is marked with. */
export type CompletableMeta<T extends AnySchema = AnySchema> = {
  complete: CompleteCallback<T>;
};

/** A schema with completions. */
export type CompletableSchema<T extends AnySchema> = T & {
  [COMPLETABLE_SYMBOL]: CompletableMeta<T>;
};

/**
 * Marks a schema: arguments with it can be completed. The schema itself is changed and
 * returned.
 *
 * ```ts
 * argsSchema: { team: completable(z.string(), (typed) => teams.filter((team) => team.startsWith(typed))) }
 * ```
 */
export function completable<T extends AnySchema>(schema: T, complete: CompleteCallback<T>): CompletableSchema<T> {
  Object.defineProperty(schema, COMPLETABLE_SYMBOL, { value: { complete } });
  return schema as CompletableSchema<T>;
}

/** Whether a schema has completions. */
export function isCompletable(schema: unknown): schema is CompletableSchema<AnySchema> {
  return !!schema && (typeof schema === 'object' || typeof schema === 'function') && COMPLETABLE_SYMBOL in schema;
}

/** The completions of a schema, if it has them. */
export function getCompleter<T extends AnySchema>(schema: T): CompleteCallback<T> | undefined {
  return (schema as { [COMPLETABLE_SYMBOL]?: CompletableMeta<T> })[COMPLETABLE_SYMBOL]?.complete;
}

/** The schema under the mark; it is the same object. */
export function unwrapCompletable<T extends AnySchema>(schema: CompletableSchema<T>): T {
  return schema;
}

/** The type names of earlier releases. */
export enum McpZodTypeKind {
  Completable = 'McpCompletable',
}

/** What a completable schema was in earlier releases. */
export interface CompletableDef<T extends AnySchema = AnySchema> {
  type: T;
  complete: CompleteCallback<T>;
  typeName: McpZodTypeKind.Completable;
}
