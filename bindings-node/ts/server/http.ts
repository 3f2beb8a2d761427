/** The path that the official package has for `v1/http`, which defines these names. */
export * from '../v1/http';
