/** The official path of `v1/zod-json-schema-compat`, which defines these names. */
export * from '../v1/zod-json-schema-compat';
