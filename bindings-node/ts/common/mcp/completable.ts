/**
 * Schemas that can complete a value. Owns: marking a schema, and finding the mark however the
 * schema was wrapped. Must not know: prompts, servers.
 */
import type { AnySchema, SchemaInput } from '../../protocol/zod/compat';

/** The member in which a schema stores its completion function. */
export const COMPLETABLE_SYMBOL: unique symbol = Symbol.for('mcp.completable');

/** Returns suggestions for a partial value; `context` has the values of other arguments that are known. */
export type CompleteCallback<T extends AnySchema = AnySchema> = (
  value: SchemaInput<T>,
  context?: { arguments?: Record<string, string> },
) => SchemaInput<T>[] | Promise<SchemaInput<T>[]>;

/** What is stored in a marked schema. */
export type CompletableMeta<T extends AnySchema = AnySchema> = {
  /** Suggests values. */
  complete: CompleteCallback<T>;
};

/** A schema that can complete values. */
export type CompletableSchema<T extends AnySchema> = T & {
  [COMPLETABLE_SYMBOL]: CompletableMeta<T>;
};

/**
 * Lets clients complete arguments with this schema. The schema itself is changed and returned.
 *
 * ```ts
 * argsSchema: { team: completable(z.string(), (typed) => teams.filter((team) => team.startsWith(typed))) }
 * ```
 * @param schema - The schema of the argument.
 * @param complete - Returns suggestions for the text so far.
 */
export function completable<T extends AnySchema>(schema: T, complete: CompleteCallback<T>): CompletableSchema<T> {
  Object.defineProperty(schema, COMPLETABLE_SYMBOL, { value: { complete } });
  return schema as CompletableSchema<T>;
}

/**
 * Whether a schema was marked with `completable`.
 * @param schema - The schema.
 */
export function isCompletable(schema: unknown): schema is CompletableSchema<AnySchema> {
  return !!schema && (typeof schema === 'object' || typeof schema === 'function') && COMPLETABLE_SYMBOL in schema;
}

/**
 * The completion function of a schema; `undefined` if it has none.
 * @param schema - The schema.
 */
export function getCompleter<T extends AnySchema>(schema: T): CompleteCallback<T> | undefined {
  return (schema as { [COMPLETABLE_SYMBOL]?: CompletableMeta<T> })[COMPLETABLE_SYMBOL]?.complete;
}

/**
 * The schema without the mark's type; it is the same object.
 * @param schema - The schema.
 */
export function unwrapCompletable<T extends AnySchema>(schema: CompletableSchema<T>): T {
  return schema;
}

/** The type names of completable schemas in earlier releases. */
export enum McpZodTypeKind {
  Completable = 'McpCompletable',
}

/** The definition of a completable schema in earlier releases. */
export interface CompletableDef<T extends AnySchema = AnySchema> {
  /** The schema that is marked. */
  type: T;
  /** Suggests values. */
  complete: CompleteCallback<T>;
  /** What marks it. */
  typeName: McpZodTypeKind.Completable;
}
