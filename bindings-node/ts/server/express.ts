/** The path that the official package has for `v1/express`, which defines these names. */
export * from '../v1/express';
