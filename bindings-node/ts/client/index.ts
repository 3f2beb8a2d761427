/** The path that the official package has for `v1/client`, which defines these names. */
export * from '../v1/client';
