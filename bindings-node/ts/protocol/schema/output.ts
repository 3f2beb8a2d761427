/**
 * The type of the values that a schema returns. Owns: the types of our schemas, zod's and Standard
 * Schema's, described by their members. Must not know: how any of them works.
 */

/** A schema: this package's, zod 3's, zod 4's, or any Standard Schema. */
export type AnySchema = object;

/** A schema of objects. The type does not enforce it. */
export type AnyObjectSchema = object;

/** The type of the values that a schema returns. */
export type SchemaOutput<S> = S extends { readonly _zod: { readonly output: infer Output } }
  ? Output
  : S extends { readonly _output: infer Output }
    ? Output
    : S extends { readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined } }
      ? Output
      : unknown;
