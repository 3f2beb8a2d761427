/** The official path of `common/validation/ajv-provider`, which defines these names. */
export * from '../common/validation/ajv-provider';
