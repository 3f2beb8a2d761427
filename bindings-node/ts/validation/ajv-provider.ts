/** The path that the official package has for `common/validation/ajv-provider`, which defines these names. */
export * from '../common/validation/ajv-provider';
