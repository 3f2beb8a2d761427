/**
 * A conversion of a zod 4 schema, as the rows of its types and the steps after it see it. Owns: what
 * is known about each schema. Must not know: how schemas are walked.
 */
import type { Json, Zod4 } from './kinds';

/** What is known about one schema during the walk. */
export interface Entry {
  /** The JSON Schema that stands where the schema is used. */
  json: Json;
  /** The definition, once `json` is only a reference. */
  body?: Json;
  /** The name among the definitions. */
  name?: string;
  /** Whether the schema contains itself. */
  cycle: boolean;
  /** The schema whose members it inherits; `null` once it has. */
  via?: Zod4 | null;
  /** The metadata that the program gave it. */
  said: Json | undefined;
}

/** One conversion. */
export interface Conversion {
  /** The schemas that were met, with what is known about each. */
  readonly entries: Map<Zod4, Entry>;
  /** The `allOf` lists of intersections, innermost first. */
  readonly intersections: unknown[];
  readonly records: Zod4[];
  /** Which side of a transformation is described. */
  readonly io: 'input' | 'output';
  /** Whether to use draft 2020-12; otherwise draft 7. */
  readonly modern: boolean;
  /** The minor release of the zod that made the schema. */
  readonly minor: number;
  /** The JSON Schema that stands where this schema is used; the same object each time. */
  visit(schema: Zod4): Json;
  /** Describes a schema by an inner one, with its own metadata added. */
  follow(schema: Zod4, inner: Zod4): void;
}
