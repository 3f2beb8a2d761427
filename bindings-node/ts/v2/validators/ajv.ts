/**
 * A validator with the name of Ajv's in 2.x. Owns: nothing; it is that of 1.x, on the engine.
 */
export { AjvJsonSchemaValidator } from '../../validation/ajv-provider';
