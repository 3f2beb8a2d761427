/** Schemas and type guards by the names of types. Owns: the tables. Must not know: who uses them. */
import { SCHEMAS } from '../../generated/schemas';
import type * as types from '../../protocol/types';
import { specSchema, specSchemaOf2 } from '../../protocol/schema/schema';
import type { StandardSchemaV1Sync } from './standard';
import type { CallToolResult, ListToolsResult, Tool } from './tool-types';

/** Types that are wider than in 1.x. */
interface Wider {
  CallToolResult: CallToolResult;
  ListToolsResult: ListToolsResult;
  Tool: Tool;
}

/** The type that a schema describes. */
type TypeOf<S> = S extends { readonly _zod: { readonly output: infer T } } ? T : unknown;

/** The protocol's types by name. */
export type SpecTypes = {
  [K in SpecTypeName]: K extends keyof Wider ? Wider[K] : TypeOf<(typeof types)[`${K}Schema` & keyof typeof types]>;
};

/** The names of types that have a schema. */
export type SpecTypeName = keyof typeof types extends infer K ? (K extends `${infer N}Schema` ? N : never) : never;

function table<T>(make: (name: string) => T): Record<string, T> {
  const made: Record<string, T> = {};
  for (const name of Object.keys(SCHEMAS)) {
    const get = (): T => {
      const value = make(name);
      Object.defineProperty(made, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(made, name, { get, enumerable: true, configurable: true });
  }
  return made;
}

/** The schema of each type. */
export const specTypeSchemas = table((name) => specSchemaOf2(name)) as unknown as {
  readonly [K in SpecTypeName]: StandardSchemaV1Sync<SpecTypes[K]>;
};

/** Guards by type name: whether a value is of that type. */
export const isSpecType = table((name) => {
  const schema = specSchemaOf2(name);
  return (value: unknown) => schema.safeParse(value).success;
}) as unknown as { readonly [K in SpecTypeName]: (value: unknown) => value is SpecTypes[K] };

/**
 * Whether a value is a result of `tools/call`.
 * @param value - The value.
 */
export const isCallToolResult = (value: unknown): value is CallToolResult =>
  typeof value === 'object' && value !== null && 'content' in value && specSchemaOf2('CallToolResult').safeParse(value).success;

/**
 * Whether a value is a JSON-RPC response, with a result or an error.
 * @param value - The value.
 */
export const isJSONRPCResponse = (value: unknown): value is types.JSONRPCResultResponse | types.JSONRPCErrorResponse =>
  specSchema('JSONRPCResponse').safeParse(value).success;

/**
 * Parses a value as a JSON-RPC message.
 *
 * @param value - The value.
 * @throws the schema's error if it is not a valid message.
 */
export function parseJSONRPCMessage(value: unknown): types.JSONRPCMessage {
  return specSchema<types.JSONRPCMessage>('JSONRPCMessage').parse(value);
}
