/**
 * What a validator of JSON Schemas is. Owns: the interface programs implement. Must not
 * know: any validator.
 */

/** A JSON Schema in any place. */
type Schema = JsonSchemaType | boolean;

/** A JSON Schema as an object, with the keywords of 2020-12 and what older dialects had. */
export type JsonSchemaType = {
  /** Name of this place. */
  $anchor?: string;
  /** For readers of the schema. */
  $comment?: string;
  /** Schemas that others refer to. */
  $defs?: Record<string, Schema>;
  /** Name of this place for `$dynamicRef`. */
  $dynamicAnchor?: string;
  /** Refers to the outermost place of a name. */
  $dynamicRef?: string;
  /** URI of the schema. */
  $id?: string;
  /** Refers to another schema. */
  $ref?: string;
  /** The dialect. */
  $schema?: string;
  /** Vocabularies of a dialect. */
  $vocabulary?: Record<string, string | boolean>;
  /** Items after those of `items`, in older dialects. */
  additionalItems?: Schema;
  /** Members that are not named. */
  additionalProperties?: Schema;
  /** All of these fit. */
  allOf?: readonly Schema[];
  /** One or more of these fit. */
  anyOf?: readonly Schema[];
  /** The only value. */
  const?: unknown;
  /** An item that fits is in the array. */
  contains?: Schema;
  /** How bytes are written as text. */
  contentEncoding?: string;
  /** MIME type of the text. */
  contentMediaType?: string;
  /** Schema of what the text holds. */
  contentSchema?: Schema;
  /** What absence means. */
  default?: unknown;
  /** `$defs` in older dialects. */
  definitions?: Record<string, Schema>;
  /** What a member needs, in older dialects. */
  dependencies?: Record<string, readonly string[] | Schema>;
  /** Members that a member needs. */
  dependentRequired?: Record<string, readonly string[]>;
  /** What else fits if a member is there. */
  dependentSchemas?: Record<string, Schema>;
  /** It is on its way out. */
  deprecated?: boolean;
  /** What it is. */
  description?: string;
  /** Fits if `if` does not. */
  else?: Schema;
  /** The values. */
  enum?: readonly unknown[];
  /** Values that fit. */
  examples?: readonly unknown[];
  /** Numbers are less. */
  exclusiveMaximum?: number;
  /** Numbers are more. */
  exclusiveMinimum?: number;
  /** What kind of text it is. */
  format?: string;
  /** Chooses between `then` and `else`. */
  if?: Schema;
  /** The items. */
  items?: Schema;
  /** How many items may fit `contains`. */
  maxContains?: number;
  /** The largest number. */
  maximum?: number;
  /** Most items. */
  maxItems?: number;
  /** Most characters. */
  maxLength?: number;
  /** Most members. */
  maxProperties?: number;
  /** How many items have to fit `contains`. */
  minContains?: number;
  /** The smallest number. */
  minimum?: number;
  /** Fewest items. */
  minItems?: number;
  /** Fewest characters. */
  minLength?: number;
  /** Fewest members. */
  minProperties?: number;
  /** What numbers are multiples of. */
  multipleOf?: number;
  /** Does not fit. */
  not?: Schema;
  /** Exactly one of these fits. */
  oneOf?: readonly Schema[];
  /** What text looks like. */
  pattern?: string;
  /** Members by what their names look like. */
  patternProperties?: Record<string, Schema>;
  /** The first items. */
  prefixItems?: readonly Schema[] | Schema;
  /** The members. */
  properties?: Record<string, Schema>;
  /** What names of members look like. */
  propertyNames?: Schema;
  /** It is only read. */
  readOnly?: boolean;
  /** Members that have to be there. */
  required?: readonly string[];
  /** Fits if `if` does. */
  then?: Schema;
  /** A short name. */
  title?: string;
  /** The type. */
  type?: string | readonly string[];
  /** Items that nothing else judged. */
  unevaluatedItems?: Schema;
  /** Members that nothing else judged. */
  unevaluatedProperties?: Schema;
  /** No item is there twice. */
  uniqueItems?: boolean;
  /** It is only written. */
  writeOnly?: boolean;
};

/** What a validator says of a value. */
export type JsonSchemaValidatorResult<T> =
  | { valid: true; data: T; errorMessage: undefined }
  | { valid: false; data: undefined; errorMessage: string };

/** Judges values by one schema. */
export type JsonSchemaValidator<T> = (input: unknown) => JsonSchemaValidatorResult<T>;

/** Makes validators of schemas; programs may bring their own. */
export interface jsonSchemaValidator {
  /** A validator for a schema, which may be used many times. */
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T>;
}
