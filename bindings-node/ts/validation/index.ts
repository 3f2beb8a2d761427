/** The interface of JSON Schema validators. Implementations: `validation/ajv` and `validation/cfworker`. */
export type { JsonSchemaType, JsonSchemaValidator, JsonSchemaValidatorResult, jsonSchemaValidator } from '../protocol/validation';
