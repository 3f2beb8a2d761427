/**
 * A validator with the name of the one for Workers in 2.x. Owns: nothing; it is that of
 * 1.x, on the engine.
 */
export { CfWorkerJsonSchemaValidator } from '../../validation/cfworker-provider';
