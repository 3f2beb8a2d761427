/** The official path of `v1/server`, which defines these names. */
export * from '../v1/server';
