/** The official path of `v1/sse-server`, which defines these names. */
export * from '../v1/sse-server';
