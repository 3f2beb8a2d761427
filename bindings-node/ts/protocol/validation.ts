/** Validators of JSON Schemas. Owns: the interface that programs may implement. Must not know: any implementation. */

/** A JSON Schema, as an object or a boolean. */
type Schema = JsonSchemaType | boolean;

/** A JSON Schema as an object, with the keywords of 2020-12 and of older dialects. */
export type JsonSchemaType = {
  /** A name for this subschema, to refer to it. */
  $anchor?: string;
  /** A comment for readers of the schema. */
  $comment?: string;
  /** Subschemas that others refer to. */
  $defs?: Record<string, Schema>;
  /** A name for this subschema, for `$dynamicRef`. */
  $dynamicAnchor?: string;
  /** Refers to the outermost subschema with a `$dynamicAnchor`. */
  $dynamicRef?: string;
  /** The URI of the schema. */
  $id?: string;
  /** Refers to another schema. */
  $ref?: string;
  /** The URI of the schema's dialect. */
  $schema?: string;
  /** The vocabularies that a dialect uses. */
  $vocabulary?: Record<string, string | boolean>;
  /** The schema of items after those of `items`, in older dialects. */
  additionalItems?: Schema;
  /** The schema of members that are not in `properties` or `patternProperties`. */
  additionalProperties?: Schema;
  /** The value must match all of these schemas. */
  allOf?: readonly Schema[];
  /** The value must match at least one of these schemas. */
  anyOf?: readonly Schema[];
  /** The only value allowed. */
  const?: unknown;
  /** At least one item of the array must match this schema. */
  contains?: Schema;
  /** How binary content is encoded in a string. */
  contentEncoding?: string;
  /** The media type of the content of a string. */
  contentMediaType?: string;
  /** The schema of the decoded content of a string. */
  contentSchema?: Schema;
  /** The default value. */
  default?: unknown;
  /** The older name of `$defs`. */
  definitions?: Record<string, Schema>;
  /** What the presence of a member requires, in older dialects. */
  dependencies?: Record<string, readonly string[] | Schema>;
  /** The members that the presence of a member requires. */
  dependentRequired?: Record<string, readonly string[]>;
  /** A schema that must match if a member is present. */
  dependentSchemas?: Record<string, Schema>;
  /** Whether the value is deprecated. */
  deprecated?: boolean;
  /** A description for people. */
  description?: string;
  /** Must match if `if` does not. */
  else?: Schema;
  /** The values allowed. */
  enum?: readonly unknown[];
  /** Example values. */
  examples?: readonly unknown[];
  /** Numbers must be less than this. */
  exclusiveMaximum?: number;
  /** Numbers must be greater than this. */
  exclusiveMinimum?: number;
  /** The semantic format of a string, e.g. `date-time`. */
  format?: string;
  /** Decides whether `then` or `else` applies. */
  if?: Schema;
  /** The schema of the array's items. */
  items?: Schema;
  /** At most this many items may match `contains`. */
  maxContains?: number;
  /** Numbers must not be greater than this. */
  maximum?: number;
  /** The largest number of items. */
  maxItems?: number;
  /** The largest number of characters. */
  maxLength?: number;
  /** The largest number of members. */
  maxProperties?: number;
  /** At least this many items must match `contains`. */
  minContains?: number;
  /** Numbers must not be less than this. */
  minimum?: number;
  /** The smallest number of items. */
  minItems?: number;
  /** The smallest number of characters. */
  minLength?: number;
  /** The smallest number of members. */
  minProperties?: number;
  /** Numbers must be a multiple of this. */
  multipleOf?: number;
  /** The value must not match this schema. */
  not?: Schema;
  /** The value must match exactly one of these schemas. */
  oneOf?: readonly Schema[];
  /** A regular expression that strings must match. */
  pattern?: string;
  /** Schemas of members whose names match a regular expression. */
  patternProperties?: Record<string, Schema>;
  /** Schemas of the first items, by position. */
  prefixItems?: readonly Schema[] | Schema;
  /** Schemas of members, by name. */
  properties?: Record<string, Schema>;
  /** The schema of the members' names. */
  propertyNames?: Schema;
  /** Whether the value can only be read. */
  readOnly?: boolean;
  /** The members that must be present. */
  required?: readonly string[];
  /** Must match if `if` does. */
  then?: Schema;
  /** A short title for people. */
  title?: string;
  /** The type of the value, or a list of types. */
  type?: string | readonly string[];
  /** The schema of items that no other keyword evaluated. */
  unevaluatedItems?: Schema;
  /** The schema of members that no other keyword evaluated. */
  unevaluatedProperties?: Schema;
  /** Whether all items must be different. */
  uniqueItems?: boolean;
  /** Whether the value can only be written. */
  writeOnly?: boolean;
};

/** The outcome of a validation: valid, with the value, or not, with an error message. */
export type JsonSchemaValidatorResult<T> =
  | { valid: true; data: T; errorMessage: undefined }
  | { valid: false; data: undefined; errorMessage: string };

/** Validates a value against the compiled schema. */
export type JsonSchemaValidator<T> = (input: unknown) => JsonSchemaValidatorResult<T>;

/** Compiles JSON Schemas into validators; programs may implement it. */
export interface jsonSchemaValidator {
  /**
   * Compiles a schema into a validator that can be used many times.
   * @param schema - The schema.
   */
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T>;
}
