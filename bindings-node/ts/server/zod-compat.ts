/** The path that the official package has for `protocol/zod/compat`, which defines these names. */
export * from '../protocol/zod/compat';
