/** The official path of `v1/http`, which defines these names. */
export * from '../v1/http';
