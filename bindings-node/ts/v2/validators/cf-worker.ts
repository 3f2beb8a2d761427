/** The Workers validator of 2.x, by its name. Owns: nothing; it is that of 1.x, on the engine. */
export { CfWorkerJsonSchemaValidator, type CfWorkerSchemaDraft } from '../../common/validation/cfworker-provider';
