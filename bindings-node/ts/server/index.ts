/** The path that the official package has for `v1/server`, which defines these names. */
export * from '../v1/server';
