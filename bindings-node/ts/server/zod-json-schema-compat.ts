/** The path that the official package has for `v1/zod-json-schema-compat`, which defines these names. */
export * from '../v1/zod-json-schema-compat';
