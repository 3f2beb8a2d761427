/** The official path of `v1/express`, which defines these names. */
export * from '../v1/express';
