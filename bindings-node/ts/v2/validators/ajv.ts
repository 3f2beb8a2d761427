/** The Ajv validator of 2.x, by its name. Owns: nothing; it is that of 1.x, on the engine. */
export { AjvJsonSchemaValidator } from '../../common/validation/ajv-provider';
export { addFormats, Ajv } from '../internal/ajv';
