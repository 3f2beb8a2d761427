/** The official path of `protocol/zod/compat`, which defines these names. */
export * from '../protocol/zod/compat';
