/** Validators of JSON Schemas: what they are. The ones there are: `validation/ajv`, `validation/cfworker`. */
export type { JsonSchemaType, JsonSchemaValidator, JsonSchemaValidatorResult, jsonSchemaValidator } from './types';
