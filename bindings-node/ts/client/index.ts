/** The official path of `v1/client`, which defines these names. */
export * from '../v1/client';
