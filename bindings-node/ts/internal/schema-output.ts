/**
 * What a schema's value is, as far as types go. Owns: the types of ours, zod's and Standard
 * Schema's objects, seen from outside. Must not know: how any of them works.
 */

/** A schema: one of ours, zod 3, zod 4, or any Standard Schema. */
export type AnySchema = object;

/** A schema of objects. */
export type AnyObjectSchema = object;

/** What values of a schema look like. */
export type SchemaOutput<S> = S extends { readonly _zod: { readonly output: infer Output } }
  ? Output
  : S extends { readonly _output: infer Output }
    ? Output
    : S extends { readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined } }
      ? Output
      : unknown;
