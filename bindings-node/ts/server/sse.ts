/** The path that the official package has for `v1/sse-server`, which defines these names. */
export * from '../v1/sse-server';
